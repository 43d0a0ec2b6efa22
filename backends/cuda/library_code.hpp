// Calls of vendors' libraries as baselines for kernels.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string_view>
#include <utility>

#include "backends/cuda/context.hpp"
#include "common/device/device.hpp"

namespace parallax::cuda {

/// An extent in a launch's arguments. @throws UsageError for another number
std::uint64_t extent_of(const Scalar&);

/// One library call, whose source is a file of kernels/ that is compiled into this program.
class LibraryCode : public Code {
public:
    const Context& context() const { return *context_; }
    /// @throws UsageError when the launch's arguments do not fit the call.
    void check(const Dispatch&) const;
    /// Enqueues the call.
    /// @param pointers  to the launch's device buffers, in order
    /// @param extents   the launch's numbers, in order
    /// @throws DeviceError
    virtual void enqueue(cudaStream_t, std::span<void* const> pointers,
                         std::span<const std::uint64_t> extents) const = 0;

protected:
    /// The arguments of a call.
    struct Form {
        std::string_view name;
        std::size_t pointers = 0, extents = 0;
        bool takes_units = false;  ///< uses matrix units, with their precision
    };
    /// @param library  its common name
    /// @param most     its largest extent
    LibraryCode(std::shared_ptr<Context> context, std::string_view library, std::uint64_t most)
        : context_(std::move(context)), library_(library), most_(most) {}
    /// Selects the form with that name. @throws Unsupported when there is none
    const Form& choose(std::span<const Form>, std::string_view name);

    std::shared_ptr<Context> context_;

private:
    std::string_view library_;
    std::uint64_t most_;
    Form form_;
};

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

/// The call of a program whose source is kernels/cublas.inc or kernels/cub.inc.
/// @throws Unsupported without the library, or without a call of that name or type; UsageError for
/// another source; DeviceError when the library cannot start on the device.
std::shared_ptr<const LibraryCode> library_code(std::shared_ptr<Context>, const Program&,
                                                std::string_view name);

}  // namespace parallax::cuda
