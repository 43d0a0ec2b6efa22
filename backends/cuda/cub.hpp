// Functions of CUB as baselines for kernels.
#pragma once

#include "backends/cuda/library_code.hpp"

namespace parallax::cuda {

/// One call of CUB, from the library that nvcc made of kernels/cub.inc.
class CubCode final : public LibraryCode {
public:
    /// As library_code.
    CubCode(std::shared_ptr<Context>, const Program&, std::string_view name);

    void enqueue(cudaStream_t, std::span<void* const> pointers,
                 std::span<const std::uint64_t> extents) const override;

private:
    int (*call_)(const void* in, void* out, void* workspace, std::size_t n, std::size_t bytes,
                 cudaStream_t) = nullptr;
};

}  // namespace parallax::cuda
