// Prepares a CUDA C++ source for clang, and writes it in OpenCL C.
#include "mapping/from_cuda/to_opencl.hpp"

#include <algorithm>
#include <set>
#include <stdexcept>

#include <fmt/format.h>

#include "common/error.hpp"
#include "common/text/characters.hpp"
#include "common/text/text_lines.hpp"
#include "mapping/analyze/word_lists.hpp"
#include "mapping/cuda/device_code.hpp"
#include "mapping/from_cuda/kernel_tree.hpp"
#include "mapping/from_cuda/opencl_writer.hpp"
#include "mapping/preprocess/directives.hpp"

namespace parallax {
namespace {

std::set<std::string> ids_of(const std::vector<from_cuda::KernelNode>& wanted) {
    std::set<std::string> made;
    for (const from_cuda::KernelNode& one : wanted) {
        made.insert(one.function->id);
        // An error that prevents instantiation is reported separately.
        if (one.pattern) made.insert(one.pattern->part("FunctionDecl")->id);
    }
    return made;
}

/// The instances of templates that a launch of the file makes.
std::vector<std::string> launched(std::string_view file, const std::string& source,
                                  const std::vector<Define>& defines,
                                  const std::vector<std::string>& words,
                                  const from_cuda::ClangTree& device) {
    const from_cuda::KernelIndex index(device);
    const bool all_say = std::ranges::all_of(
        words, [](const std::string& one) { return one.find('<') != one.npos; });
    if (!words.empty() && all_say) return {};
    const bool has_template = std::ranges::any_of(
        index.kernels(), [](const auto& one) { return one.pattern != nullptr; });
    return has_template ? from_cuda::instances_of(file, source, defines)
                        : std::vector<std::string>{};
}

}  // namespace

OpenClTranslation to_opencl(std::string_view file, std::string_view source,
                            const CudaOptions& options, bool expand, from_cuda::Dialect dialect) {
    OpenClTranslation made;
    if (!expand) {
        const auto directives = directives_of(source).all;
        const auto condition = std::ranges::find_if(
            directives, [](const DirectiveLine& one) { return one.name.starts_with("if"); });
        if (condition != directives.end()) {
            made.reason = fmt::format("{}: it has conditions (#{})", file, condition->name);
        }
        // Functions of a macro, or by one, the line of its use, and operators that are words.
        const auto words = split(
            "__device__ __global__ __constant__ __LINE__ and or not bitand bitor xor compl and_eq "
            "or_eq xor_eq not_eq",
            " ");
        const auto hidden = std::ranges::find_if(directives, [&](const DirectiveLine& one) {
            const auto is_there = [&](auto word) { return has_word(one.rest, word); };
            return one.name == "define" && std::ranges::any_of(words, is_there);
        });
        if (hidden != directives.end() && made.reason.empty())
            made.reason =
                fmt::format("{}:{}: a macro hides what has to be changed", file, hidden->line);
    }
    const auto translate = [&](bool expanded_first) {
        const std::string text = expanded_first
                                     ? from_cuda::preprocessed_cuda(file, source, options.defines)
                                     : std::string(source);
        const std::vector<Define> defines =
            expanded_first ? std::vector<Define>{} : options.defines;
        const std::string device = device_code(file, text);
        from_cuda::KernelTree read =
            from_cuda::kernel_tree(file, device, defines, options.kernels, dialect);
        const auto instances = launched(file, text, defines, options.kernels, read.tree);
        if (!instances.empty()) {
            std::vector<std::string> words = options.kernels;
            words.insert(words.end(), instances.begin(), instances.end());
            read = from_cuda::kernel_tree(file, device, defines, words, dialect);
        }
        read.tree.host = source;
        const auto wanted =
            from_cuda::KernelIndex(read.tree).wanted(options.kernels, read.instances);
        from_cuda::OpenClWriter writer(
            read.tree, options.kernels.empty() ? std::set<std::string>{} : ids_of(wanted), defines);
        try {
            made.text = writer.run();
        } catch (const std::out_of_range&) {  // a node without the parts that its kind has
            throw Refused(fmt::format("{}: clang's tree of it is not understood", file));
        }
        made.notes = writer.notes();
        made.kernels.clear();
        for (const from_cuda::KernelNode& one : wanted) {
            const auto found = writer.kernel_names().find(one.function->id);
            if (found != writer.kernel_names().end())
                made.kernels.emplace_back(one.expression(), found->second);
        }
        made.applied = writer.applied();
        made.has_kernel = writer.has_kernel();
    };
    const bool first = expand || !made.reason.empty();
    try {
        translate(first);
    } catch (const from_cuda::NeedsExpansion& need) {
        if (first) {
            throw Refused(
                fmt::format("{}: a macro that OpenCL C has not; write its value", need.place));
        }
        made = to_opencl(file, source, options, true, dialect);
        made.reason = fmt::format("{}: a macro hides what has to be changed", need.place);
    }
    return made;
}

}  // namespace parallax
