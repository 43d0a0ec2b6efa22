// Asks devices for the answers of generated kernels, and tells which of them are not the same.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "benchmarks/generated/tree.hpp"
#include "common/device/device.hpp"

namespace parallax::generated {

/// What became of a kernel that does not agree.
struct Finding {
    std::size_t kernel = 0;  ///< of its file
    std::string end;         ///< `differs`, ..., as it is printed
    bool is_expanded = false;
    std::string device;     ///< that says so; `nvrtc`
    std::string reason;     ///< a compiler's or the translator's words; both answers
    std::string kind = {};  ///< the same without names and numbers
};

class Judge {
public:
    /// @param reference  OpenCL's; @param others  what is held against it
    /// @param between    called before each build and each launch
    Judge(Device& reference, std::vector<Device*> others, std::function<void()> between)
        : reference_(reference), others_(std::move(others)), between_(std::move(between)) {}

    /// All kernels that do not agree, as they are and expanded. One that is refused as it is and
    /// not when it is expanded agrees: the translator expands it by itself.
    std::vector<Finding> judge(const File&, const std::vector<std::size_t>& kernels);
    /// Whether the file's first kernel ends as that one.
    bool shows(const File&, const Finding&);

private:
    using Kernels = std::vector<std::size_t>;
    using Numbers = std::vector<std::uint32_t>;
    /// Attempts it with all of the kernels, and with halves of those that fail.
    /// @returns of which it does not
    Kernels pass(const Kernels&, const Finding&,
                 const std::function<void(const Kernels&)>& attempt);
    Numbers answer(Device&, const File&, const Program&, std::size_t kernels);
    void judge_as(const File&, const Kernels&, const Numbers& right, bool is_expanded);

    Device& reference_;
    std::vector<Device*> others_;
    std::function<void()> between_;
    std::vector<Finding> findings_;
};

}  // namespace parallax::generated
