// An open OpenCL device, for the backend that opens it.
#pragma once

#include <memory>

#include "backends/opencl/api.hpp"

namespace parallax::opencl {

class OpenClDevice final : public Device {
public:
    /// @throws DeviceError when the context or the queue cannot be made.
    OpenClDevice(DeviceInfo, const cl::Platform&, const cl::Device&, OpenOptions);

private:
    std::shared_ptr<Memory> do_allocate(std::size_t bytes, std::size_t guard) override;
    std::unique_ptr<HostMemory> do_page_locked(std::size_t bytes) override;
    void do_write(Memory&, std::span<const std::byte>, std::ptrdiff_t offset) override;
    void do_read(const Memory&, std::span<std::byte>, std::ptrdiff_t offset) override;
    std::shared_ptr<const Code> do_compile(const Program&, std::string_view kernel) override;
    Elapsed do_run(std::span<const Command>, unsigned repeats, unsigned lead_in) override;

    void enqueue(const Dispatch&);
    void enqueue(const Copy&);
    void enqueue(const Fill&);
    /// Calls `call`, and turns OpenCL's exceptions into the program's.
    template <class F>
    auto guarded(F&& call) const;
    /// The same; what there is no room for is the caller's to make smaller.
    template <class F>
    auto guarded_allocation(F&& allocate) const;

    std::shared_ptr<Shared> shared_;
    bool profiling_;
};

}  // namespace parallax::opencl
