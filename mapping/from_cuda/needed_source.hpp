// What a kernel of a CUDA C++ source needs of it.
#pragma once

#include <string>

#include "mapping/from_cuda/clang_tree.hpp"

namespace parallax::from_cuda {

/// The source without the declarations that the kernel does not need, each other line where it was:
/// NVRTC takes no host code. A declaration is needed if a needed one has its name as a word.
/// @param kernel  its declaration in the tree, of a template its pattern
std::string needed_source(const ClangTree& tree, const Node& kernel);

}  // namespace parallax::from_cuda
