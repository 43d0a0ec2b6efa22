// A CUDA source compiled by the system's C++ compiler.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "backends/host/kernel_module.hpp"
#include "common/device/program.hpp"
#include "common/process/child.hpp"
#include "common/text/path_sandbox.hpp"
#include "common/text/temporary_folder.hpp"

namespace parallax::host {

/// The system's compiler.
struct Compiler {
    std::string program;  ///< `c++`; empty: there is none
    std::string version;  ///< as it reports it
    bool is_clang = false;
    bool has_sanitizers = false;  ///< for which this process has room
    bool presets = false;         ///< whether it can set private variables that the source does not
};
/// The compiler in PATH, located once.
const Compiler& compiler();

/// The contents of private variables before a sanitized kernel sets them: bytes 0xfe, or zeros.
enum class Unset : std::uint8_t { pattern, zeros };

/// A private variable that is declared without a value.
struct UnsetVariable {
    std::string function, place, name;  ///< `pack`, `pack.cl:7`, `v`
};

/// A compiled source. Nothing of it runs, not even a constructor, before the first copy is leased.
class Library : public std::enable_shared_from_this<Library> {
public:
    /// @throws BuildFailed; Unsupported when it uses a function that the shim lacks
    Library(const Program&, std::string cuda, const std::vector<std::string>& kernels,
            bool is_sanitized);

    const std::string& text() const { return cuda_; }
    const std::vector<std::string>& options() const { return options_; }

    /// An unused copy; it is returned to be used again.
    std::shared_ptr<KernelModule> lease(Unset = Unset::pattern);
    /// Whether there are copies with `Unset::zeros`: the source declares private variables without
    /// a value.
    bool has_unset() const { return !images_[1].empty(); }
    /// `'v' (pack.cl:7)`: those of a kernel and of the functions of the source, or of these the
    /// ones that the compiler believes to be read before they are set.
    std::string unset_of(const std::string& kernel) const;
    /// Whether the source has types of its own, whose padding is never set.
    bool has_structs() const { return has_structs_; }
    /// `transpose.cl:24`: the first line of its source, without the prelude, among offsets of its
    /// code, including inlined code; empty: not known
    std::string line_of(const std::vector<std::uintptr_t>& offsets, Unset = Unset::pattern) const;
    /// The seed of the next launch, for the order of work-groups and work-items and the initial
    /// local memory: never the same twice for a source, so two compared runs differ in it.
    std::uint64_t next_seed() { return ++launches_; }
    /// How many work-groups can run concurrently, once a copy was leased.
    unsigned most_copies() const { return most_copies_; }

private:
    /// Puts all there that the compiler reads.
    void fill(const TemporaryFolder&) const;
    /// @param more  options
    ProcessResult compiled(const TemporaryFolder&, std::vector<std::string> more) const;

    std::string cuda_, text_, dynamic_;
    std::array<std::string, 2> images_;  // by Unset
    std::vector<std::string> options_, kernels_, words_;
    std::optional<PathSandbox> reach_;  ///< what the compiler may open
    std::vector<UnsetVariable> unset_;
    bool is_sanitized_, has_headers_ = false, has_structs_ = false;
    std::atomic<unsigned> most_copies_ = 1;
    std::atomic<std::uint64_t> launches_ = 0;
    std::mutex mutex_;
    std::array<std::vector<std::unique_ptr<KernelModule>>, 2> idle_;  // by Unset
};

/// A library with the kernel, and others of its source: compiled once per process.
/// @throws BuildFailed when there is no such kernel, and what Library throws.
std::shared_ptr<Library> library_of(const Program&, const std::string& cuda,
                                    const std::string& kernel, bool is_sanitized);

}  // namespace parallax::host
