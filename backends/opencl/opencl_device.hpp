// An open OpenCL device, for the backend.
#pragma once

#include <map>
#include <memory>

#include "backends/opencl/api.hpp"

namespace parallax::opencl {

/// @throws UsageError when it belongs to another backend.
const Buffer& buffer_of(const Memory&);

/// Its kernel argument. @throws UsageError as buffer_of()
const cl::Memory& argument_of(const Memory&);

class OpenClDevice final : public Device {
public:
    /// @param builders  null: all is built in this process
    /// @throws DeviceError, Unsupported when the context or the queue cannot be created.
    OpenClDevice(DeviceInfo, const cl::Platform&, const cl::Device&, OpenOptions,
                 std::shared_ptr<Builders> builders);

private:
    std::shared_ptr<Memory> do_allocate(std::size_t bytes, std::size_t guard, bool mapped) override;
    std::shared_ptr<Memory> do_allocate_image(const ImageExtents&, ElementType) override;
    std::unique_ptr<HostMemory> do_page_locked(std::size_t bytes, bool write_combined) override;
    void do_write(std::span<const HostWrite>) override;
    void do_read(std::span<const HostRead>) override;
    std::shared_ptr<const Code> do_compile(const Program&, std::string_view kernel) override;
    unsigned do_expect_builds(std::size_t count) override;
    std::shared_ptr<const Code> do_load_again(const Code&) override;
    Elapsed do_run(std::span<const Command>, unsigned repeats, unsigned lead_in) override;

    /// The queue with that number, created at its first use.
    cl::CommandQueue& queue(unsigned number);
    /// @param bound  per command: whether its arguments are already set
    void enqueue_all(std::span<const Command>, const std::vector<bool>& bound);
    /// Several queues, which start together and end together.
    void enqueue_side_by_side(std::span<const Command>, const std::vector<bool>& bound);
    Elapsed timed(std::span<const Command>, unsigned repeats, unsigned lead_in);
    /// Waits for all queues, and ignores errors.
    void drain() noexcept;
    /// Calls `call`, and translates OpenCL's exceptions into the program's.
    template <class F>
    auto guarded(F&& call) const {
        try {
            return call();
        } catch (const cl::Error& error) {
            throw device_error(error, info(), *shared_);
        }
    }
    /// The same for an allocation: an out-of-memory error advises to request less.
    template <class F>
    auto guarded_allocation(F&& allocate) const;

    std::shared_ptr<Shared> shared_;
    std::map<unsigned, cl::CommandQueue> more_queues_;  ///< other than queue 0
    OpenOptions how_;
};

}  // namespace parallax::opencl
