// What a kernel of the corpus is given, and how two answers of it are compared.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "mapping/tests/corpus.hpp"

namespace parallax::corpus {

using Bytes = std::vector<std::byte>;

/// The contents of the kernel's buffers before the launch, the same every time: those of outputs
/// are poison. Kernels with equal directives get equal contents.
std::vector<Bytes> inputs_of(const Kernel& kernel);

/// Where `got` is not what was `expected` of the kernel, first by buffer, then by element: both
/// values in decimal and in hexadecimal, and how many elements are wrong. Empty: it all fits.
/// Inputs must be unaltered; the fourth component of a vector of three is not looked at.
std::string difference(const Kernel& kernel, const std::vector<Bytes>& expected,
                       const std::vector<Bytes>& got);

}  // namespace parallax::corpus
