// Asks devices for the answers of generated kernels, and tells which of them are not the same.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "benchmarks/generated/tree.hpp"
#include "common/device.hpp"

namespace parallax::generated {

enum class End : std::uint8_t { agrees, differs, not_compiled, refused, not_opencl, died };
inline constexpr std::string_view names_of_ends[]{"agrees",
                                                  "differs",
                                                  "CUDA does not compile",
                                                  "refused by the translator",
                                                  "OpenCL does not compile",
                                                  "died"};

/// What became of a kernel that does not agree.
struct Finding {
    std::size_t kernel = 0;  ///< of its file
    End end = End::agrees;
    bool is_expanded = false;
    std::string device;     ///< that says so; `nvrtc`, `translator`
    std::string reason;     ///< a compiler's or the translator's words; both answers
    std::string kind = {};  ///< the same without names and numbers
};

class Judge {
public:
    /// @param reference  OpenCL's; @param others  what is held against it
    /// @param between    called before each build and each launch
    Judge(Device& reference, std::vector<Device*> others, std::function<void()> between)
        : reference_(reference), others_(std::move(others)), between_(std::move(between)) {}

    /// All kernels that do not agree, in either way of translation.
    /// @param is_expanded  in which alone; nothing: in both
    std::vector<Finding> judge(const File&, const std::vector<std::size_t>& kernels,
                               std::optional<bool> is_expanded = {});
    /// Of each kernel of the file: whether it ends as that one.
    std::vector<bool> shows(const File&, const Finding&);

private:
    using Numbers = std::vector<std::uint32_t>;
    Numbers answer(Device&, const File&, const Program&, std::size_t kernels);
    void check_nvrtc(const Program&);
    /// Those of the kernels of which `attempt` does not throw.
    std::vector<std::size_t> pass(
        const File&, std::vector<std::size_t> kernels, Finding,
        const std::function<void(const std::vector<std::size_t>&)>& attempt, std::vector<Finding>&);
    void judge_mode(const File&, const std::vector<std::size_t>&, const Numbers& right,
                    bool is_expanded, std::vector<Finding>&);

    Device& reference_;
    std::vector<Device*> others_;
    std::function<void()> between_;
};

/// The file's text for both compilers, as it is or after the preprocessor.
Program program_of(const File&, const std::vector<std::size_t>& kernels, bool is_expanded);

}  // namespace parallax::generated
