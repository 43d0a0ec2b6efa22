// A loaded copy of a compiled source: its local memory, and the bytes that it must not touch.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "backends/host/races.hpp"
#include "backends/host/shim/machine.hpp"
#include "common/device/guarded_buffer.hpp"

namespace parallax::host {

/// Start of the names of temporary folders.
inline constexpr std::string_view start_of_folders = "parallax-host-";

/// Tells the sanitizers which bytes are forbidden, or allowed again; does nothing before a
/// sanitized module was loaded.
void forbid(std::span<const std::byte>, bool forbidden);

/// Whether some of the bytes are forbidden to kernels.
bool is_forbidden(const void* at, std::size_t bytes);

/// Whether other mappings occupy the sanitizers' shadow range.
/// @param maps  the content of /proc/self/maps
bool takes_shadow(std::string_view maps);

/// One copy of a library: its shared memory belongs to one work-group.
class KernelModule {
public:
    /// @param image  the shared object
    /// @throws BuildFailed when it cannot be loaded.
    KernelModule(std::string_view image, const std::string& dynamic, bool is_sanitized);
    ~KernelModule();
    KernelModule(const KernelModule&) = delete;
    KernelModule& operator=(const KernelModule&) = delete;

    using Call = void (*)(void** arguments);
    /// Null: there is no such kernel.
    Call call_of(const std::string& kernel) const;
    std::vector<parallax_host::Parameter> parameters_of(const std::string& kernel) const;
    /// Static local memory of the kernel itself, without the functions that it calls.
    std::size_t static_local_bytes_of(const std::string& kernel) const;

    /// Sets the index of a work-group, and the extents of work-group and launch, three numbers
    /// each.
    void (*set_group)(const unsigned*) = nullptr;
    /// Sets the index of a work-item in its work-group.
    void (*set_item)(const unsigned*) = nullptr;

    /// The first `bytes` of a `__constant__` or `__device__` variable. @throws BuildFailed where
    /// there is none; UsageError where it is shorter
    std::span<std::byte> variable(const std::string& name, std::size_t bytes) const;
    /// Fills local memory with uninitialised patterns, and the zone after its dynamic part with
    /// guard values.
    /// @param seed  of the launch: other launches leave other values, so that results that depend
    /// on them differ from run to run
    void poison_local(std::size_t dynamic_used, std::uint64_t seed) const;
    /// Whether the zone after the dynamic part is unchanged, as far as it is checked.
    bool is_whole_behind(std::size_t dynamic_used, std::uint64_t seed) const;
    /// Offset of an address of its code from the start of the shared object.
    std::uintptr_t offset_of(const void* code) const;
    /// The same from the lower half of the address.
    std::uintptr_t offset_of(std::uint32_t code) const;
    /// The local memory of a work-group, of a sanitized library.
    std::vector<Shared> shared(std::size_t dynamic_used) const;

    /// Bytes of the data that its source declares constant.
    std::size_t constant_bytes() const { return constant_bytes_; }
    /// Whether kernels can change shared data other than buffers.
    bool has_globals() const { return !globals_.empty(); }

private:
    /// Checked zone after dynamic local memory: all of it would cost too much per work-group.
    static constexpr std::size_t zone_bytes = 16384;
    std::span<std::byte> behind(std::size_t dynamic_used) const;
    void* symbol(const std::string& name) const;
    void find_shared(std::string_view image, bool is_sanitized);
    static void forbid_between(std::vector<std::span<const std::byte>> objects);

    void* handle_ = nullptr;
    std::byte* dynamic_ = nullptr;
    std::vector<std::span<std::byte>> shared_;  ///< static local memory
    std::vector<std::string> shared_names_;     ///< mangled
    std::span<std::byte> all_shared_;           ///< from the first of them to the last
    std::unique_ptr<GuardedBuffer> book_;       ///< of `all_shared_`, then of the dynamic part
    std::size_t constant_bytes_ = 0;
    struct Global {
        std::string name;
        std::size_t bytes;
    };
    std::vector<Global> globals_;  ///< variables that kernels can change
};

}  // namespace parallax::host
