// An open device as the rest of the program sees it, whichever API is behind it, and the commands
// that it runs.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "common/device/device_info.hpp"
#include "common/device/memory.hpp"
#include "common/device/program.hpp"
#include "common/device/types.hpp"

namespace parallax {

/// What the compiler says that a kernel needs; nothing where it does not say.
struct Resources {
    std::optional<std::uint32_t> registers;      ///< of a work-item
    std::optional<std::uint32_t> spill_bytes;    ///< spill stores + spill loads
    std::optional<std::uint32_t> private_bytes;  ///< stack or local memory of a work-item
    std::optional<std::uint32_t> local_bytes;    ///< static local (shared) memory of a group
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
    std::vector<std::string> options;  ///< exactly what the compiler was told
    std::string log;                   ///< what the compiler said
    std::string ptx;                   ///< its PTX; empty where there is none
    std::string machine_code;          ///< cubin; empty where there is none
    Resources resources;
    double build_seconds = 0;  ///< host wall clock, caches as they are

    /// Groups of `items` work-items, with so many bytes of dynamic local memory each, that one
    /// compute unit can hold at a time, or nothing where the API cannot say.
    virtual std::optional<std::uint32_t> groups_per_unit(const Geometry&,
                                                         std::uint64_t /*local_bytes*/) const {
        return {};
    }

protected:
    /// With what is known of the same machine code, for one who loads it once more.
    Code(const Code&) = default;
};

/// The size of a dynamic local (shared) parameter, in its place.
struct LocalBytes {
    std::uint32_t bytes = 0;
    bool operator==(const LocalBytes&) const = default;
};

/// What a kernel is called with, in the order of its parameters.
using Argument = std::variant<std::shared_ptr<Memory>, Scalar, LocalBytes>;

/// Where the dynamic local parameters of a launch begin in one block of memory, in order, and how
/// long the block is. CUDA has one block for all of them, and its kernels are told where theirs
/// begin, but for the first, which begins at 0.
struct LocalLayout {
    static constexpr std::uint64_t alignment = 128;
    std::vector<std::uint32_t> offsets;
    std::uint64_t bytes = 0;
};
LocalLayout local_layout(std::span<const Argument>);

/// One launch as a value: printable, repeatable; it keeps alive what it names.
struct Dispatch {
    std::shared_ptr<const Code> code;
    Geometry geometry;
    std::vector<Argument> arguments;
    /// Percent of a compute unit's cache that should be local memory, as a hint; nothing: the
    /// driver's own choice.
    std::optional<std::uint32_t> local_carveout = {};
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

/// The queue whose commands run in any order but for what Command::after says.
inline constexpr unsigned unordered_queue = 16;

/// One thing for a device to do. Commands of a queue run one after the other; those of different
/// queues run side by side as far as the device can. `after` has indices of earlier commands of the
/// same call that must have ended first.
struct Command {
    std::variant<Dispatch, Copy, Fill> what;
    unsigned queue = 0;  ///< less than unordered_queue, or that
    std::vector<std::size_t> after = {};
};
/// Whether all of them are in queue 0 with nothing to wait for but their order.
bool is_one_queue(std::span<const Command>);

/// How a device is opened.
struct OpenOptions {
    /// Whether the device's clock is used. Without it OpenCL's queue keeps no times of its
    /// commands, and `Elapsed::device` is the host's clock, from a drained queue to a drained queue
    /// around the timed commands.
    bool profiling = true;
};

/// How long a batch took, in seconds.
struct Elapsed {
    /// Between two markers in the queue around the batch, by the device's clock; without
    /// OpenOptions::profiling by the host's, what was to lead in being over.
    double device = 0;
    double host = 0;  ///< from before the first command was enqueued to after the last had ended
};

/// One open device. Not thread-safe; several of them, of one physical device too, may be open at
/// once. Errors of the API are thrown as DeviceError; nothing is thrown by destructors.
class Device {
public:
    explicit Device(DeviceInfo info) : info_(std::move(info)) {}
    Device(const Device&) = delete;
    Device& operator=(const Device&) = delete;
    virtual ~Device() = default;

    const DeviceInfo& info() const { return info_; }

    /// Memory of `bytes` (at least 1) between guard zones of `guard` bytes, contents undefined.
    /// @throws UsageError when it is more than the device can hold, naming both sizes; Unsupported
    /// where the backend has no memory of that kind.
    std::shared_ptr<Memory> allocate(std::size_t bytes, std::size_t guard = guard_bytes,
                                     Placement placement = Placement::device);

    /// An image of numbers of `type` (of 32 bits or fewer), contents undefined. Kernels read it, or
    /// write it if it says so; write() and read() move the whole of it, its rows one after the
    /// other.
    /// @throws UsageError for extents that cannot be, naming them and what the device allows;
    /// Unsupported where the device has no images of that kind.
    std::shared_ptr<Memory> allocate_image(const ImageExtents&, ElementType type);

    /// Page-locked memory of the host, `bytes` (at least 1) of it.
    /// @throws UsageError when it is more than the device takes in one piece, or than the host can
    /// lock; Unsupported where the backend has nothing of the kind.
    std::unique_ptr<HostMemory> page_locked(std::size_t bytes, bool write_combined = false);

    /// Host to device and back; blocking. From and to page_locked() memory they are fast: NVIDIA's
    /// drivers know it again by its address, and move it without a copy of their own. `offset`
    /// counts from the payload's first byte and may reach into the guard zones: -guard() <= offset,
    /// offset + size <= bytes() + guard().
    /// @throws UsageError for a range outside that, and for a part of an image.
    void write(Memory&, std::span<const std::byte>, std::ptrdiff_t offset = 0);
    void read(const Memory&, std::span<std::byte>, std::ptrdiff_t offset = 0);

    /// New memory with these elements in it.
    std::shared_ptr<Memory> upload(const HostArray&);

    /// As write(), for much data from ordinary memory: in parts through page-locked memory that the
    /// device keeps, several times as fast on a GPU.
    void write_staged(Memory&, std::span<const std::byte>);
    /// Room for elements that are to be read: in page-locked memory that the device keeps, where it
    /// is a GPU and they fit. Contents undefined; the next call may give the same memory again.
    HostArray read_room(ElementType type, std::size_t elements);
    /// The whole payload as elements of `type`.
    HostArray download(const Memory&, ElementType type);

    /// Builds `kernel` from `program`. May be called by several threads at once, and beside all
    /// other calls.
    /// @throws BuildFailed, Refused (the translator's), Unsupported.
    std::shared_ptr<const Code> compile(const Program& program, std::string_view kernel);

    /// So many builds wait to be made: gets ready for them, beside all other calls. 0: what was got
    /// ready is given back.
    /// @returns how many builds go on side by side from now on, at least 1: NVIDIA's OpenCL serves
    /// one thread of a process after the other
    unsigned expect_builds(std::size_t count) { return do_expect_builds(count); }

    /// The same machine code once more, of a kernel that this device has built: at another place of
    /// its memory, but through PoCL, which keeps it; null where it can only be compiled again.
    std::shared_ptr<const Code> load_again(const Code&);

    /// From now on commands of queue 0 go through one made anew, whose own memory lies elsewhere:
    /// what a launch takes depends on it. Nothing where a driver gives but the same few again.
    void renew_queue() { do_renew_queue(); }

    /// Does the commands, `repeats` times over, without a host wait between, and waits for the end.
    /// With several queues a repetition begins when all of the one before has ended. `lead_in` runs
    /// of them go before, in the same queue, and are not timed on the device: what a pause costs
    /// the first launch is over when the clock starts.
    /// @throws UsageError for a command that cannot be (another device's memory is not looked for),
    /// a group larger than the device's, an empty geometry, a range outside its memory.
    Elapsed run(std::span<const Command> commands, unsigned repeats = 1, unsigned lead_in = 0);

private:
    /// Page-locked memory of stage_bytes; null: a GPU it is not, or it has none.
    const std::shared_ptr<HostMemory>& stage();

    /// @param mapped  whether it is the host's (Placement::mapped)
    virtual std::shared_ptr<Memory> do_allocate(std::size_t bytes, std::size_t guard,
                                                bool mapped) = 0;
    virtual std::shared_ptr<Memory> do_allocate_image(const ImageExtents&, ElementType);
    virtual std::unique_ptr<HostMemory> do_page_locked(std::size_t bytes, bool write_combined);
    virtual void do_write(Memory&, std::span<const std::byte>, std::ptrdiff_t offset) = 0;
    virtual void do_read(const Memory&, std::span<std::byte>, std::ptrdiff_t offset) = 0;
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
