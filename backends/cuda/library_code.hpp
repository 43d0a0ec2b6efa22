// A function of a vendor's library where other cases have a kernel.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string_view>
#include <utility>

#include "backends/cuda/context.hpp"
#include "common/device/device.hpp"

namespace parallax::cuda {

/// A number of a launch that says how many. @throws UsageError for another one
std::uint64_t extent_of(const Scalar&);

/// One call of a library, whose text is a file of kernels/ that is compiled into this program.
class LibraryCode : public Code {
public:
    const Context& context() const { return *context_; }
    /// @throws UsageError when a launch with these does not fit the call.
    void check(const Dispatch&) const;
    /// Enqueues the call.
    /// @param pointers  to the launch's buffers on the device, in order
    /// @param extents   the launch's numbers, in order
    /// @throws DeviceError
    virtual void enqueue(cudaStream_t, std::span<void* const> pointers,
                         std::span<const std::uint64_t> extents) const = 0;

protected:
    /// What a launch must give a call.
    struct Form {
        std::string_view name;
        std::size_t pointers = 0, extents = 0;
        bool takes_units = false;  ///< units for matrices, with the precision that they have
    };
    /// @param library  as people know it
    /// @param most     that it can count
    LibraryCode(std::shared_ptr<Context> context, std::string_view library, std::uint64_t most)
        : context_(std::move(context)), library_(library), most_(most) {}
    /// Takes the form of that name. @throws Unsupported when there is none
    const Form& choose(std::span<const Form>, std::string_view name);

    std::shared_ptr<Context> context_;

private:
    std::string_view library_;
    std::uint64_t most_;
    Form form_;
};

/// The call of a program whose text is kernels/cublas.inc or kernels/cub.inc.
/// @throws Unsupported without the library, or without a call of that name or type; UsageError for
/// another text; DeviceError when the library cannot start on the device.
std::shared_ptr<const LibraryCode> library_code(std::shared_ptr<Context>, const Program&,
                                                std::string_view name);

}  // namespace parallax::cuda
