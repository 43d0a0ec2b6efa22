// Functions of cuBLAS where other cases have a kernel.
#pragma once

#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "backends/cuda/context.hpp"
#include "common/device.hpp"

namespace parallax::cuda {

/// An extent of a launch as cuBLAS takes it. @throws UsageError when it is beyond 32 bits
int cublas_extent(const Scalar&);

/// One call of cuBLAS, with arithmetic as the type says it (CUBLAS_PEDANTIC_MATH: no TF32).
class CublasCode final : public Code {
public:
    /// @param program  its text is kernels/cublas.inc, which is compiled into this program
    /// @throws Unsupported without cuBLAS, or without a call of that name; UsageError for another
    /// text or type; DeviceError when cuBLAS cannot start on the device.
    CublasCode(std::shared_ptr<Context>, const Program& program, std::string_view name);
    ~CublasCode() override;

    const Context& context() const { return *context_; }
    /// Enqueues the call.
    /// @param pointers  to the launch's buffers on the device, in order
    /// @param extents   the launch's numbers, in order
    /// @throws DeviceError
    void enqueue(cudaStream_t, std::span<void* const> pointers, std::span<const int> extents) const;
    /// @throws UsageError when a launch with these does not fit the call.
    void check(const Dispatch&) const;

private:
    struct Call;
    std::shared_ptr<Context> context_;
    std::unique_ptr<Call> call_;
};

}  // namespace parallax::cuda
