// A CUDA text that the system's C++ compiler has compiled, and copies of it that run.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "backends/host/shim/machine.hpp"
#include "common/program.hpp"

namespace parallax::host {

/// What names of temporary folders begin with.
inline constexpr std::string_view start_of_folders = "parallax-host-";

/// The compiler that the system has.
struct Compiler {
    std::string program;  ///< `c++`; empty: there is none
    std::string version;  ///< as it says
    bool is_clang = false;
    bool has_sanitizers = false;  ///< that this process has room for
};
/// Looked for once, in PATH.
const Compiler& compiler();

/// Tells the sanitizers which bytes are not to be touched, or are again; nothing before one of them
/// was loaded.
void forbid(std::span<const std::byte>, bool forbidden);

/// Whether something lies where the sanitizers keep their books.
/// @param maps  the process's, as in /proc/self/maps
bool takes_shadow(std::string_view maps);

/// One copy of a library: its shared memory is that of one group.
class Loaded {
public:
    /// @param image  the shared object
    /// @throws BuildFailed when it cannot be loaded.
    Loaded(std::string_view image, const std::string& dynamic, bool is_sanitized);
    ~Loaded();
    Loaded(const Loaded&) = delete;
    Loaded& operator=(const Loaded&) = delete;

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
    bool has_globals_ = false;
};

/// A compiled text.
class Library : public std::enable_shared_from_this<Library> {
public:
    /// @throws BuildFailed, and Unsupported when it names what the shim has not
    Library(const Program&, std::string cuda, const std::vector<std::string>& kernels,
            bool is_sanitized);

    const std::string& text() const { return cuda_; }
    const std::vector<std::string>& options() const { return options_; }

    /// A copy that nobody uses at the time; it is given back to be used again.
    std::shared_ptr<Loaded> lease();
    /// `transpose.cl:24`: where in its text an offset of its code is; empty: it cannot be told
    std::string line_of(std::uintptr_t offset) const;
    /// What the order of the next launch's groups and items, and what local memory holds before it,
    /// follow from: never the same twice for a text, so two runs that are compared differ in it.
    std::uint64_t next_seed() { return ++launches_; }
    /// How many groups can run at once.
    unsigned most_copies() const { return most_copies_; }

private:
    std::string cuda_, image_, dynamic_;
    std::vector<std::string> options_;
    bool is_sanitized_;
    unsigned most_copies_ = 1;
    std::atomic<std::uint64_t> launches_ = 0;
    std::mutex mutex_;
    std::vector<std::unique_ptr<Loaded>> idle_;
};

/// A library that has the kernel, and others of its text: compiled once in a process.
/// @throws BuildFailed when there is no such kernel, and what Library throws.
std::shared_ptr<Library> library_of(const Program&, const std::string& cuda,
                                    const std::string& kernel, bool is_sanitized);

}  // namespace parallax::host
