// Runs generated kernels on several devices, and finds those whose results differ.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "benchmarks/generated/tree.hpp"
#include "common/device/device.hpp"

namespace parallax::generated {

/// How a kernel ends that has no way back from CUDA: no fault, but counted.
inline constexpr const char* refused_back = "refused on the way back";

/// A kernel without agreement.
struct Finding {
    std::size_t kernel = 0;  ///< in its file
    std::string end;         ///< `differs`, ..., as printed
    bool is_expanded = false;
    std::string device;     ///< that reports it; `nvrtc`
    std::string reason;     ///< an error message; both results
    std::string kind = {};  ///< with the end, without the numbers of names
};

/// What is compared with the reference: a device, and what it gets of a program.
struct Compared {
    Device* device;
    std::function<Program(const Program&)> changed = {};  ///< empty: it gets it as it is
};

/// What comes back of a program that went to CUDA: OpenCL C.
Program back_from_cuda(const Program&);

class Judge {
public:
    /// @param reference  OpenCL's device
    /// @param check_interrupt  called before each build and each launch
    Judge(Device& reference, std::vector<Compared> others, std::function<void()> check_interrupt)
        : reference_(reference),
          others_(std::move(others)),
          check_interrupt_(std::move(check_interrupt)) {}

    /// All kernels without agreement, original and preprocessed. A kernel that is rejected only in
    /// its original form agrees: the translator preprocesses it by itself.
    std::vector<Finding> judge(const File&, const std::vector<std::size_t>& kernels);
    /// Whether the file's first kernel has the same result.
    bool shows(const File&, const Finding&);

private:
    using Kernels = std::vector<std::size_t>;
    using Numbers = std::vector<std::uint32_t>;
    /// Tries all of the kernels at once, and halves of those that fail.
    /// @returns those that do not
    Kernels pass(const Kernels&, const Finding&,
                 const std::function<void(const Kernels&)>& attempt);
    Numbers answer(Device&, const File&, Program, std::size_t kernels);
    void judge_as(const File&, const Kernels&, const Numbers& right, bool is_expanded);

    Device& reference_;
    std::vector<Compared> others_;
    std::function<void()> check_interrupt_;
    std::vector<Finding> findings_;
};

}  // namespace parallax::generated
