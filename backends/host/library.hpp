// A CUDA text that the system's C++ compiler has compiled.
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

/// The compiler that the system has.
struct Compiler {
    std::string program;  ///< `c++`; empty: there is none
    std::string version;  ///< as it says
    bool is_clang = false;
    bool has_sanitizers = false;  ///< that this process has room for
};
/// Looked for once, in PATH.
const Compiler& compiler();

/// A compiled text.
class Library : public std::enable_shared_from_this<Library> {
public:
    /// @throws BuildFailed, and Unsupported when it names what the shim has not
    Library(const Program&, std::string cuda, const std::vector<std::string>& kernels,
            bool is_sanitized);

    const std::string& text() const { return cuda_; }
    const std::vector<std::string>& options() const { return options_; }

    /// A copy that nobody uses at the time; it is given back to be used again.
    std::shared_ptr<KernelModule> lease();
    /// `transpose.cl:24`: the first line of its text, past the prelude, among offsets of its code
    /// and those that were inlined there; empty: it cannot be told
    std::string line_of(const std::vector<std::uintptr_t>& offsets) const;
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
    std::vector<std::unique_ptr<KernelModule>> idle_;
};

/// A library that has the kernel, and others of its text: compiled once in a process.
/// @throws BuildFailed when there is no such kernel, and what Library throws.
std::shared_ptr<Library> library_of(const Program&, const std::string& cuda,
                                    const std::string& kernel, bool is_sanitized);

}  // namespace parallax::host
