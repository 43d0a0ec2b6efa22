// Functions of cuBLAS as baselines for kernels.
#pragma once

#include <memory>

#include "backends/cuda/library_code.hpp"

namespace parallax::cuda {

/// One call of cuBLAS, with arithmetic in the type itself (CUBLAS_PEDANTIC_MATH: no TF32).
class CublasCode final : public LibraryCode {
public:
    /// As library_code.
    CublasCode(std::shared_ptr<Context>, const Program&, std::string_view name);
    ~CublasCode() override;

    void enqueue(cudaStream_t, std::span<void* const> pointers,
                 std::span<const std::uint64_t> extents) const override;

private:
    struct Call;
    std::unique_ptr<Call> call_;
};

}  // namespace parallax::cuda
