// The CUDA backend for its tests; the rest of the program uses `backends()`.
#pragma once

#include <memory>

#include "common/device/backend.hpp"

namespace parallax {

std::unique_ptr<Backend> make_cuda_backend();

}  // namespace parallax
