// Variants that call the vendors' libraries.
#pragma once

#include "common/suite/suite.hpp"

namespace parallax {

/// The case by cuBLAS through CUDA and by CLBlast through OpenCL, where available.
/// @param plan  one launch: its kernel is the name of a call in kernels/cublas.inc and
/// kernels/clblast.inc, and its arguments are the call's
inline Variant library_variant(std::function<Plan(const Case&)> plan) {
    return {.name = "library",
            .description = "what a library of the API does: cuBLAS, and CLBlast through OpenCL",
            .plan = std::move(plan),
            .natives = {{.backend = "opencl", .source = "clblast.inc", .library = "CLBlast"},
                        {.backend = "cuda", .source = "cublas.inc", .library = "cuBLAS"}}};
}

/// The case by CUB, if the build has a library of it.
/// @param call     name in kernels/cub.inc
/// @param buffers  inputs and outputs of the case
inline Variant cub_variant(const std::function<const char*(const Case&)>& call,
                           const std::function<Plan(const Case&)>& buffers) {
    return {.name = "library",
            .description = "what CUB does, in whatever order",
            .plan =
                [=](const Case& c) {
                    Plan made = buffers(c);
                    // One or two words for each of its tiles, which have at least 512 elements.
                    const std::uint64_t words = c.shape[0] / 64 + (1 << 17);
                    made.buffers.push_back({"workspace", Role::scratch, ElementType::u64, words});
                    made.steps = {Launch{call(c),
                                         {{1, 1, 1}, {1, 1, 1}},
                                         {BufferIndex{0}, BufferIndex{1}, BufferIndex{2},
                                          c.shape[0], words * sizeof(std::uint64_t)}}};
                    return made;
                },
            // Additions may be in any order.
            .depth = [](const Case& c) { return static_cast<double>(c.shape[0]); },
            .natives = {{.backend = "cuda", .source = "cub.inc", .library = "CUB"}}};
}

}  // namespace parallax
