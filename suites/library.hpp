// The row of a suite that shows what the vendors' libraries do.
#pragma once

#include "common/suite.hpp"

namespace parallax {

/// The case by cuBLAS through CUDA and by CLBlast through OpenCL, where these are.
/// @param plan  one launch: its kernel is the name of a call in kernels/cublas.inc and
/// kernels/clblast.inc, and its arguments are the call's
inline Variant library_variant(std::function<Plan(const Case&)> plan) {
    return {.name = "library",
            .teaches = "what a library of the API does: cuBLAS, and CLBlast through OpenCL",
            .plan = std::move(plan),
            .natives = {{.backend = "opencl", .source = "clblast.inc", .library = "CLBlast"},
                        {.backend = "cuda", .source = "cublas.inc", .library = "cuBLAS"}}};
}

}  // namespace parallax
