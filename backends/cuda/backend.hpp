// The CUDA backend, as its tests see it; the rest of the program has it from `backends()`.
#pragma once

#include <memory>

#include "common/device/backend.hpp"

namespace parallax {

std::unique_ptr<Backend> make_cuda_backend();

}  // namespace parallax
