// A copy of a shared object that was built of a text: its local memory, and what it may not touch.
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

/// What names of temporary folders begin with.
inline constexpr std::string_view start_of_folders = "parallax-host-";

/// Tells the sanitizers which bytes are not to be touched, or are again; nothing before one of them
/// was loaded.
void forbid(std::span<const std::byte>, bool forbidden);

/// Whether kernels may not touch some of the bytes.
bool is_forbidden(const void* at, std::size_t bytes);

/// Whether something lies where the sanitizers keep their books.
/// @param maps  the process's, as in /proc/self/maps
bool takes_shadow(std::string_view maps);

/// One copy of a library: its shared memory is that of one group.
class KernelModule {
public:
    /// @param image  the shared object
    /// @throws BuildFailed when it cannot be loaded.
    KernelModule(std::string_view image, const std::string& dynamic, bool is_sanitized);
    ~KernelModule();
    KernelModule(const KernelModule&) = delete;
    KernelModule& operator=(const KernelModule&) = delete;

    using Call = void (*)(void** arguments);
    /// Null: it has no such kernel.
    Call call_of(const std::string& kernel) const;
    std::vector<parallax_host::Parameter> parameters_of(const std::string& kernel) const;
    /// What the kernel itself has of static local memory, without the functions that it calls.
    std::size_t static_local_bytes_of(const std::string& kernel) const;

    /// The place of a group and the extents of group and launch, three each.
    void (*set_group)(const unsigned*) = nullptr;
    /// The place of an item in its group.
    void (*set_item)(const unsigned*) = nullptr;

    /// Makes local memory what nobody wrote, and what is behind the dynamic part of it what nobody
    /// should write.
    /// @param seed  of the launch: others leave other values, so that what a kernel makes of them
    /// differs from run to run
    void poison_local(std::size_t dynamic_used, std::uint64_t seed) const;
    /// Whether nothing was written behind the dynamic part since, as far as is looked at.
    bool is_whole_behind(std::size_t dynamic_used, std::uint64_t seed) const;
    /// Bytes from the start of the shared object to an address of its code.
    std::uintptr_t offset_of(const void* code) const;
    /// The same, where the lower half of the address is known.
    std::uintptr_t offset_of(std::uint32_t code) const;
    /// Local memory as a group shares it, of a library that is sanitized.
    std::vector<Shared> shared(std::size_t dynamic_used) const;

    /// Of data that its text declares constant.
    std::size_t constant_bytes() const { return constant_bytes_; }
    /// Whether kernels can change something that all groups share beside buffers.
    bool has_globals() const { return has_globals_; }

private:
    /// Of dynamic local memory: all that is behind costs more than many a group's work.
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
    bool has_globals_ = false;
};

}  // namespace parallax::host
