// A device as the rest of the program sees it, whichever API is behind it.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "common/program.hpp"
#include "common/types.hpp"

namespace parallax {

/// Three extents; unused ones are 1.
struct Size {
    std::uint64_t x = 1, y = 1, z = 1;
    constexpr std::uint64_t product() const { return x * y * z; }
    bool operator==(const Size&) const = default;
};

/// The shape of a launch. OpenCL counts items, CUDA counts groups: both factors are said here.
struct Geometry {
    Size groups;  ///< work-groups / blocks in each dimension
    Size items;   ///< work-items / threads of one group in each dimension
    bool operator==(const Geometry&) const = default;
};
/// Work-items of all groups: of extents that are each possible more than 64 bits may hold.
constexpr double work_items(const Geometry& geometry) {
    double all = 1;
    for (const Size& size : {geometry.groups, geometry.items}) {
        for (const std::uint64_t extent : {size.x, size.y, size.z}) {
            all *= static_cast<double>(extent);
        }
    }
    return all;
}

using Uuid = std::array<std::uint8_t, 16>;

/// What a device says of itself. Sizes are bytes; an empty string or optional means that it does
/// not say.
struct DeviceInfo {
    std::string backend;  ///< `opencl`, `cuda`, ...
    unsigned index = 0;   ///< within the backend: `backend:index` names the device
    std::string name;
    std::string vendor;
    std::string platform;     ///< OpenCL's platform; CUDA's runtime
    std::string api_version;  ///< of the API that the device offers
    std::string driver_version;
    std::string compiler_version;  ///< of the run-time compiler
    std::optional<Uuid> uuid;
    std::string pci;  ///< `domain:bus:device.function`, lower-case hex, as `0000:9b:00.0`
    std::string compute_capability;  ///< `9.0`
    bool is_gpu = false;
    std::uint32_t compute_units = 0;  ///< compute units / multiprocessors
    std::uint32_t clock_mhz = 0;
    std::uint64_t memory_bytes = 0;
    std::uint64_t max_allocation_bytes = 0;
    std::uint64_t cache_bytes = 0;  ///< of the last level
    std::uint64_t local_bytes = 0;  ///< local (shared) memory that one group can have
    std::uint64_t constant_bytes = 0;
    std::uint64_t max_group_items = 0;
    Size max_items;            ///< of one group, in each dimension
    Size max_groups{0, 0, 0};  ///< of one launch, in each dimension; 0: not stated
    std::uint64_t max_image_width = 0, max_image_height = 0;  ///< of two dimensions; 0: it has none
    std::uint64_t max_image_texels = 0;                       ///< of one dimension; 0: it has none
    std::uint32_t preferred_multiple = 0;                     ///< warp size, or what comes nearest
    double timer_tick_seconds = 0;                            ///< resolution of the device's clock
    bool unified_memory = false;
    /// It is checked as any device, never timed, and taken only where somebody names it.
    bool only_checks = false;
    /// What only some devices have: `double`, `half`, `images`, `work_group_functions`,
    /// `correctly_rounded_divide_sqrt`, `ptx`, ...
    std::set<std::string, std::less<>> features;

    /// What the driver does not claim, but its compiler may know all the same: a build tells.
    std::set<std::string, std::less<>> unclaimed;

    /// `backend:index`
    std::string id() const;
    bool has(std::string_view feature) const { return features.contains(feature); }
    /// Whether it is the processor, through PoCL.
    bool is_pocl() const { return platform == "Portable Computing Language"; }
};

/// Where memory is.
enum class Placement {
    device,         ///< the device's own
    mapped,         ///< page-locked, of the host; kernels reach it without a copy (zero copy)
    pageable,       ///< ordinary memory of the host: for copies
    page_locked,    ///< page-locked, of the host: for copies
    write_combined  ///< the same, not cached: the host writes it fast and reads it slowly
};
/// `device`, `mapped`, `pageable`, `page-locked`, `write-combined`
std::string_view name_of(Placement);
/// Whether kernels can be given it.
constexpr bool is_for_kernels(Placement placement) {
    return placement == Placement::device || placement == Placement::mapped;
}

/// The form of an image.
struct ImageExtents {
    std::uint64_t width = 1;     ///< texels of a row
    std::uint64_t height = 0;    ///< rows; 0: one dimension, the texels of a buffer
    unsigned channels = 1;       ///< numbers of a texel: 1, 2 or 4
    std::uint64_t depth = 0;     ///< slices or layers; 0: neither
    bool is_array = false;       ///< `depth` counts layers
    bool is_normalized = false;  ///< kernels see integers as numbers from 0 (with a sign: -1) to 1
    bool is_written = false;     ///< by kernels

    /// Numbers in all of it.
    constexpr std::uint64_t elements() const {
        return width * (height == 0 ? 1 : height) * (depth == 0 ? 1 : depth) * channels;
    }
    /// What kernels call it: `image2d_t`, `image1d_buffer_t`, `image3d_t` or `image2d_array_t`.
    std::string_view type_name() const;
    bool operator==(const ImageExtents&) const = default;
};

/// How an image is read: what a kernel's sampler_t is given, as its bits, which are its number on
/// CUDA's side.
struct Sampler {
    enum class Address : std::uint8_t { edge, zero, repeat, mirror } address = Address::edge;
    bool is_normalized = false, is_linear = false;

    constexpr std::uint32_t bits() const {
        return (is_normalized ? 1U : 0U) | static_cast<std::uint32_t>(address) << 1U |
               (is_linear ? 8U : 0U);
    }
    /// @param bits  less than `count`
    static constexpr Sampler of(std::uint32_t bits) {
        return {static_cast<Address>(bits >> 1U & 3U), (bits & 1U) != 0, (bits & 8U) != 0};
    }
    static constexpr std::uint32_t count = 16;
    /// Whether there is such a one: what lies outside repeats for normalized coordinates only.
    constexpr bool is_possible() const { return is_normalized || address <= Address::zero; }
    bool operator==(const Sampler&) const = default;
};

/// Why the device's images cannot have these extents, in a sentence; empty: they can.
std::string cannot_hold(const DeviceInfo&, const ImageExtents&);

/// Memory for a device: a payload that kernels see, between two guard zones that they should not
/// touch. It keeps what it needs of its device alive.
class Memory {
public:
    Memory(std::size_t payload_bytes, std::size_t guard_bytes,
           Placement placement = Placement::device)
        : bytes_(payload_bytes), guard_(guard_bytes), placement_(placement) {}
    /// An image: its payload is its rows one after the other, slice after slice, and there are no
    /// guard zones.
    Memory(const ImageExtents& image, ElementType type)
        : bytes_(image.elements() * size_of(type)), guard_(0), image_(image) {}
    Memory(const Memory&) = delete;
    Memory& operator=(const Memory&) = delete;
    virtual ~Memory() = default;

    std::size_t bytes() const { return bytes_; }  ///< of the payload
    std::size_t guard() const { return guard_; }  ///< bytes before and after the payload
    Placement placement() const { return placement_; }
    /// Its form, if it is an image.
    const std::optional<ImageExtents>& image() const { return image_; }
    /// The payload's first byte on the host; null unless it is for copies only.
    virtual std::byte* host() const { return nullptr; }

private:
    std::size_t bytes_, guard_;
    Placement placement_ = Placement::device;
    std::optional<ImageExtents> image_;
};

/// Memory of the host that a device reaches without a copy in between, its contents undefined at
/// first. It keeps what it needs of its device alive, and is given back by the destructor.
class HostMemory {
public:
    HostMemory() = default;
    HostMemory(const HostMemory&) = delete;
    HostMemory& operator=(const HostMemory&) = delete;
    virtual ~HostMemory() = default;

    virtual std::span<std::byte> bytes() = 0;
};

/// Guard zone on each side of every buffer of the program's own.
inline constexpr std::size_t guard_bytes = 4096;

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
    std::string text;                  ///< exactly what the compiler was given
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
