// A CUDA source compiled by the system's C++ compiler.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "backends/host/kernel_module.hpp"
#include "common/device/program.hpp"

namespace parallax::host {

/// The system's compiler.
struct Compiler {
    std::string program;  ///< `c++`; empty: there is none
    std::string version;  ///< as it reports it
    bool is_clang = false;
    bool has_sanitizers = false;  ///< for which this process has room
};
/// The compiler in PATH, located once.
const Compiler& compiler();

/// A compiled source.
class Library : public std::enable_shared_from_this<Library> {
public:
    /// @throws BuildFailed; Unsupported when it uses a function that the shim lacks
    Library(const Program&, std::string cuda, const std::vector<std::string>& kernels,
            bool is_sanitized);

    const std::string& text() const { return cuda_; }
    const std::vector<std::string>& options() const { return options_; }

    /// An unused copy; it is returned to be used again.
    std::shared_ptr<KernelModule> lease();
    /// `transpose.cl:24`: the first line of its source, without the prelude, among offsets of its
    /// code, including inlined code; empty: not known
    std::string line_of(const std::vector<std::uintptr_t>& offsets) const;
    /// The seed of the next launch, for the order of groups and work-items and the initial local
    /// memory: never the same twice for a source, so two compared runs differ in it.
    std::uint64_t next_seed() { return ++launches_; }
    /// How many groups can run concurrently.
    unsigned most_copies() const { return most_copies_; }

private:
    std::string cuda_, image_, dynamic_;
    std::vector<std::string> options_;
    bool is_sanitized_;
    unsigned most_copies_ = 1;
    std::atomic<std::uint64_t> launches_ = 0;
    std::mutex mutex_;
    std::vector<std::unique_ptr<KernelModule>> idle_;
};

/// A library with the kernel, and others of its source: compiled once per process.
/// @throws BuildFailed when there is no such kernel, and what Library throws.
std::shared_ptr<Library> library_of(const Program&, const std::string& cuda,
                                    const std::string& kernel, bool is_sanitized);

}  // namespace parallax::host
