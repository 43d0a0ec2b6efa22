// The host as a device that runs CUDA sources.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "backends/host/host_library.hpp"
#include "backends/host/work_group_executor.hpp"
#include "common/device/device.hpp"
#include "common/device/guarded_buffer.hpp"
#include "common/device/race_checked_memory.hpp"
#include "mapping/translate/translate.hpp"

namespace parallax::host {

/// Memory between guard pages. @throws UsageError when the host has not enough left.
std::unique_ptr<GuardedBuffer> fenced(std::size_t bytes);

class HostBuffer final : public Memory, public WatchedMemory {
public:
    /// @throws UsageError when the host has not enough left.
    HostBuffer(std::size_t bytes, std::size_t guard, bool mapped);
    /// Forbids sanitized kernels to access the surrounding memory while it lives.
    void forbid_around() const;
    /// Sets whether the guard zones are forbidden to this program, too, which may have sanitizers
    /// of its own.
    void forbid_guards(bool forbidden) const;
    ~HostBuffer() override;

    /// The address `offset` bytes after the payload's start.
    std::byte* at(std::ptrdiff_t offset) const { return payload_ + offset; }
    /// The part that is watched for races: the start of a long buffer.
    Shared shared() const;

private:
    /// Bytes on each side that the sanitizers know; far beyond them there are guard pages.
    std::size_t around() const { return guard() + (std::size_t{8} << 20U); }

    std::unique_ptr<GuardedBuffer> memory_;
    std::byte* payload_ = nullptr;
    mutable bool is_forbidden_ = false;
    mutable std::unique_ptr<GuardedBuffer> book_;  ///< for `shared`
};

/// @throws UsageError when it is no buffer of a host device.
const HostBuffer& buffer_of(const Memory&);

/// An image that kernels access by the functions of the shim.
class HostImage final : public Memory {
public:
    /// @throws UsageError when the host has not enough left.
    HostImage(const ImageExtents&, ElementType);

    const ImageArgument& argument() const { return argument_; }
    std::byte* texels() const { return memory_->inside(); }

private:
    std::unique_ptr<GuardedBuffer> memory_;
    parallax_host::Image described_{};
    ImageArgument argument_;
};

class HostCode final : public Code {
public:
    /// @throws what `library_of` and `cuda_source` throw.
    HostCode(const Program&, std::string_view name, bool is_sanitized);
    /// A second copy.
    HostCode(const HostCode& first);

    Library& library() const { return *library_; }
    /// Loads the compiled kernel at the first launch: a build alone runs nothing of it.
    /// @throws UsageError when the launch's arguments do not fit the kernel's parameters;
    /// Unsupported when it takes more local or constant memory than CUDA has.
    void check(const Dispatch&) const;
    /// The size of a parameter of the checked kernel; 0 if it does not exist.
    std::size_t parameter_bytes(std::size_t place) const {
        const std::vector<parallax_host::Parameter>& all = loaded_->parameters;
        return place < all.size() ? all[place].bytes : 0;
    }

private:
    struct Loaded {
        std::once_flag once;
        std::vector<parallax_host::Parameter> parameters;
    };
    std::vector<parallax_host::Parameter> parameters_when_loaded() const;

    std::shared_ptr<Library> library_;
    std::optional<Signature> declared_;  ///< of a portable source
    bool is_sanitized_ = false;
    std::shared_ptr<Loaded> loaded_ = std::make_shared<Loaded>();
};

/// One way to run a launch.
struct Way {
    std::uint64_t seed = 0;
    Unset unset = Unset::pattern;
    std::uint64_t most_threads = 64;
};

class HostDevice final : public Device {
public:
    /// @param is_sanitized  whether kernels are built with sanitizers for addresses and undefined
    /// behaviour
    HostDevice(DeviceInfo, bool is_sanitized);

private:
    std::shared_ptr<Memory> do_allocate(std::size_t bytes, std::size_t guard, bool mapped) override;
    std::shared_ptr<Memory> do_allocate_image(const ImageExtents&, ElementType) override;
    std::unique_ptr<HostMemory> do_page_locked(std::size_t bytes, bool write_combined) override;
    void do_write(std::span<const HostWrite>) override;
    void do_read(std::span<const HostRead>) override;
    std::shared_ptr<const Code> do_compile(const Program&, std::string_view kernel) override;
    std::shared_ptr<const Code> do_load_again(const Code&) override;
    unsigned do_expect_builds(std::size_t count) override;
    Elapsed do_run(std::span<const Command>, unsigned repeats, unsigned lead_in) override;
    /// Runs the launch. Where private variables may be read before they are set, it runs twice with
    /// different contents of them.
    /// @throws DeviceError where that changes the results; the exceptions of `launch_once`
    void launch(const Dispatch&);
    void launch_once(const Dispatch&, const Way&);

    bool is_sanitized_;
    std::vector<std::unique_ptr<WorkGroupExecutor>> items_;  ///< one for each thread
};

}  // namespace parallax::host
