// The interface of an open device, the same for every API, and the commands that it runs.
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "common/device/device_info.hpp"
#include "common/device/memory.hpp"
#include "common/device/program.hpp"
#include "common/device/types.hpp"

namespace parallax {

/// Resources of a kernel as the compiler reports them; empty where it does not.
struct Resources {
    std::optional<std::uint32_t> registers;      ///< of a work-item
    std::optional<std::uint32_t> spill_bytes;    ///< spill stores + spill loads
    std::optional<std::uint32_t> private_bytes;  ///< stack or local memory of a work-item
    std::optional<std::uint32_t> local_bytes;    ///< static local (shared) memory of a work-group
    std::optional<std::uint32_t> constant_bytes;
    std::optional<std::uint32_t> max_group_items;  ///< with this kernel's resources
    std::optional<std::uint32_t> preferred_multiple;
    std::optional<std::uint32_t> barriers;
};

/// One kernel, built for one device. Immutable; it keeps what it needs of its device alive.
class Code {
public:
    Code() = default;
    Code& operator=(const Code&) = delete;
    virtual ~Code() = default;

    std::string kernel;                ///< its name
    std::string source;                ///< exactly what the compiler was given
    std::vector<std::string> options;  ///< the compiler's exact options
    std::string log;                   ///< the compiler's log
    std::string ptx;                   ///< its PTX; empty where there is none
    std::string machine_code;          ///< cubin; empty where there is none
    Resources resources;
    std::string remark;        ///< on how it was built, a sentence; empty: none
    double build_seconds = 0;  ///< host wall-clock time; driver caches may shorten it

    /// The number of work-groups of `items` work-items, with this dynamic local memory each, that
    /// one compute unit can hold at a time; empty where the API cannot tell.
    virtual std::optional<std::uint32_t> groups_per_unit(const Geometry&,
                                                         std::uint64_t /*local_bytes*/) const {
        return {};
    }

protected:
    /// Copies the known properties when the same machine code is loaded again.
    Code(const Code&) = default;
};

/// The size of a dynamic local (shared) parameter, in place of an argument.
struct LocalBytes {
    std::uint32_t bytes = 0;
    bool operator==(const LocalBytes&) const = default;
};

/// The arguments of a kernel, in the order of its parameters.
using Argument = std::variant<std::shared_ptr<Memory>, Scalar, LocalBytes>;

/// The offsets of a launch's dynamic local parameters in one block of memory, and the size of the
/// block. CUDA has one block for all; its kernels receive the offset of each parameter after the
/// first.
struct LocalLayout {
    static constexpr std::uint64_t alignment = 128;
    std::vector<std::uint32_t> offsets;
    std::uint64_t bytes = 0;
};
LocalLayout local_layout(std::span<const Argument>);

/// A variable of a kernel's source and its buffer: the variable gets the buffer's content before
/// launches.
struct SymbolMemory {
    std::string name;
    std::shared_ptr<Memory> memory;
    bool is_written = false;  ///< the buffer gets the variable's content after them
};

/// An address that the bytes of an argument by value hold, as a struct's pointers.
struct PointerMemory {
    std::size_t argument = 0, at = 0;  ///< the place in the argument's bytes
    std::shared_ptr<Memory> memory;
    std::uint64_t offset = 0;  ///< within the memory
};

/// One launch as a value: printable, repeatable; it keeps its code and memory alive.
struct Dispatch {
    std::shared_ptr<const Code> code;
    Geometry geometry;
    std::vector<Argument> arguments;
    /// Percent of a compute unit's cache that should be local memory, as a hint; empty: the driver
    /// decides.
    std::optional<std::uint32_t> local_carveout = {};
    /// CUDA's `__constant__` and `__device__` memory, for the backends that run CUDA.
    std::vector<SymbolMemory> symbols = {};
    std::vector<PointerMemory> pointers = {};  ///< OpenCL: whole arguments alone
    bool is_cooperative = false;  ///< its work-groups wait for each other, so all of them run
                                  ///< concurrently
};

/// `bytes` from one payload to another; one of them may be the host's. Offsets are within the
/// payloads.
struct Copy {
    std::shared_ptr<const Memory> source;
    std::shared_ptr<Memory> target;
    std::size_t source_offset = 0, target_offset = 0, bytes = 0;
};

/// `bytes` bytes of `value` into a payload, on the device.
struct Fill {
    std::shared_ptr<Memory> target;
    std::size_t offset = 0, bytes = 0;
    std::uint8_t value = 0;
};

/// The queue whose commands may run in any order that respects Command::after.
inline constexpr unsigned unordered_queue = 16;

/// Why a device has no cooperative launches, and what to do, in sentences; empty: it has.
std::string cannot_cooperate(const DeviceInfo&);

/// One command for a device. Commands of a queue run in order; different queues run concurrently as
/// far as the device can. `after` holds indices of earlier commands of the same call that must have
/// ended first.
struct Command {
    std::variant<Dispatch, Copy, Fill> what;
    unsigned queue = 0;  ///< at most unordered_queue
    std::vector<std::size_t> after = {};
};
/// Whether all of them are in queue 0 and have no other dependencies.
bool is_one_queue(std::span<const Command>);

/// Options for opening a device.
struct OpenOptions {
    /// Whether the device's timer is used. Without it OpenCL's queue records no times, and
    /// `Elapsed::device` is measured by the host, from drained queue to drained queue around the
    /// timed commands.
    bool profiling = true;
    /// The host measures although the queue records times, to compare with what it measures
    /// without.
    bool host_clock = false;
    /// OpenCL: of several queues, only commands that others wait for have an event; else each has.
    bool few_events = false;
    /// OpenCL: each command is flushed when it is enqueued; else each queue after its last one.
    bool flushes = false;

    bool is_timed_by_host() const { return host_clock || !profiling; }
    auto operator<=>(const OpenOptions&) const = default;
};

/// The duration of a batch, in seconds.
struct Elapsed {
    /// Between two markers in the queue around the batch, by the device's timer; without
    /// OpenOptions::profiling, or with host_clock, by the host's, after the lead-in has ended.
    double device = 0;
    double host = 0;  ///< from before the first command is enqueued until the last has ended
};

/// Bytes of the host for a part of a buffer; `offset` as for Device::write().
struct HostWrite {
    Memory* memory = nullptr;
    std::span<const std::byte> data;
    std::ptrdiff_t offset = 0;
};

/// Room on the host for a part of a buffer.
struct HostRead {
    const Memory* memory = nullptr;
    std::span<std::byte> data;
    std::ptrdiff_t offset = 0;
};

/// One open device. Not thread-safe; several may be open at once, also of one physical device.
/// Errors of the API are thrown as DeviceError; destructors throw nothing.
class Device {
public:
    explicit Device(DeviceInfo info) : info_(std::move(info)) {}
    Device(const Device&) = delete;
    Device& operator=(const Device&) = delete;
    virtual ~Device() = default;

    const DeviceInfo& info() const { return info_; }

    /// Memory of `bytes` (at least 1) between guard zones of `guard` bytes, contents undefined.
    /// @throws UsageError when the device cannot hold it, with both sizes; Unsupported where the
    /// backend has no memory of that kind.
    std::shared_ptr<Memory> allocate(std::size_t bytes, std::size_t guard = guard_bytes,
                                     Placement placement = Placement::device);

    /// An image of numbers of `type` (at most 32 bits), contents undefined. Kernels read it, or
    /// write it if `is_written`; write() and read() transfer the whole image, row after row.
    /// @throws UsageError for impossible extents, with the device's limits; Unsupported where the
    /// device has no images of that kind.
    std::shared_ptr<Memory> allocate_image(const ImageExtents&, ElementType type);

    /// Page-locked memory of the host, `bytes` (at least 1) of it.
    /// @throws UsageError when the device or the host cannot lock so much in one piece; Unsupported
    /// where the backend has no such memory.
    std::unique_ptr<HostMemory> page_locked(std::size_t bytes, bool write_combined = false);

    /// Host to device and back; blocking. page_locked() memory is fast: NVIDIA's drivers recognise
    /// it by its address and make no copy of their own. `offset` counts from the payload's first
    /// byte and may reach into the guard zones: -guard() <= offset, offset + size <= bytes() +
    /// guard().
    /// @throws UsageError for a range outside that, and for a part of an image.
    void write(Memory&, std::span<const std::byte>, std::ptrdiff_t offset = 0);
    void read(const Memory&, std::span<std::byte>, std::ptrdiff_t offset = 0);
    /// The same of several parts, in order, with one wait for all of them.
    void write(std::span<const HostWrite>);
    void read(std::span<const HostRead>);

    /// New memory with these elements in it.
    std::shared_ptr<Memory> upload(const HostArray&);

    /// As write(), for large data in ordinary memory: staged through page-locked memory that the
    /// device keeps, which is several times as fast on a GPU.
    void write_staged(Memory&, std::span<const std::byte>);
    /// Host memory to read elements into: on a GPU, page-locked memory that the device keeps, if
    /// they fit. Contents undefined; the next call may return the same memory.
    HostArray read_room(ElementType type, std::size_t elements);
    /// The whole payload as elements of `type`.
    HostArray download(const Memory&, ElementType type);

    /// Builds `kernel` from `program`. May be called by several threads at once, concurrently with
    /// all other calls.
    /// @throws BuildFailed, Refused (the translator's), Unsupported.
    std::shared_ptr<const Code> compile(const Program& program, std::string_view kernel);

    /// Prepares for this number of builds, concurrently with all other calls. 0 releases what was
    /// prepared.
    /// @returns how many builds run in parallel from now on, at least 1: NVIDIA's OpenCL serves one
    /// thread of a process at a time
    unsigned expect_builds(std::size_t count) { return do_expect_builds(count); }

    /// Loads the machine code of a kernel that this device has built again, at another place of its
    /// memory (PoCL keeps the place); null where it can only be compiled again. May be called
    /// concurrently with all other calls but renew_queue().
    std::shared_ptr<const Code> load_again(const Code&);

    /// Replaces queue 0 by a new one with its own memory at another address, on which launch times
    /// depend. No effect where a driver reuses the same few queues.
    void renew_queue() { do_renew_queue(); }

    /// Runs the commands `repeats` times without a host wait in between, then waits for the end.
    /// With several queues each repetition waits for the previous one. `lead_in` untimed
    /// repetitions run first in the same queue, so the first launch after a pause is not timed.
    /// @throws UsageError for an invalid command: a work-group larger than the device's limit, an
    /// empty launch configuration, a range outside its memory (memory of another device is not
    /// detected).
    Elapsed run(std::span<const Command> commands, unsigned repeats = 1, unsigned lead_in = 0);

private:
    /// Page-locked memory of stage_bytes; null: the device is no GPU, or has no such memory.
    const std::shared_ptr<HostMemory>& stage();

    /// @param mapped  whether it is the host's (Placement::mapped)
    virtual std::shared_ptr<Memory> do_allocate(std::size_t bytes, std::size_t guard,
                                                bool mapped) = 0;
    virtual std::shared_ptr<Memory> do_allocate_image(const ImageExtents&, ElementType);
    virtual std::unique_ptr<HostMemory> do_page_locked(std::size_t bytes, bool write_combined);
    /// At least one part, and none of it empty.
    virtual void do_write(std::span<const HostWrite>) = 0;
    virtual void do_read(std::span<const HostRead>) = 0;
    virtual std::shared_ptr<const Code> do_compile(const Program&, std::string_view kernel) = 0;
    virtual std::shared_ptr<const Code> do_load_again(const Code&) { return nullptr; }
    virtual unsigned do_expect_builds(std::size_t /*count*/) { return 1; }
    virtual void do_renew_queue() {}
    virtual Elapsed do_run(std::span<const Command>, unsigned repeats, unsigned lead_in) = 0;

    DeviceInfo info_;
    std::shared_ptr<HostMemory> stage_;
    bool has_no_stage_ = false;
};

}  // namespace parallax
