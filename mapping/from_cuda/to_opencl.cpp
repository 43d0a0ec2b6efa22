// Prepares a CUDA C++ source for clang, and writes it in OpenCL C.
#include "mapping/from_cuda/to_opencl.hpp"

#include <algorithm>
#include <stdexcept>

#include <fmt/format.h>

#include "common/error.hpp"
#include "common/text/characters.hpp"
#include "common/text/text_lines.hpp"
#include "mapping/analyze/word_lists.hpp"
#include "mapping/cuda/cuda_file.hpp"
#include "mapping/cuda/device_code.hpp"
#include "mapping/from_cuda/opencl_writer.hpp"
#include "mapping/preprocess/directives.hpp"
#include "mapping/preprocess/expand.hpp"

namespace parallax {
namespace {

/// Without includes: what is found of them stands in the text already.
std::string without_includes(std::string_view source) {
    std::string made;
    for (const std::string_view line : lines_of(source)) {
        std::string_view rest = trimmed(line);
        const bool is_directive = rest.starts_with('#');
        if (is_directive) rest = trimmed(rest.substr(1));
        if (!is_directive || !rest.starts_with("include")) made += line;
        made += '\n';
    }
    return made;
}

std::string preprocessed(std::string_view file, std::string_view source,
                         std::vector<Define> defines) {
    for (const auto& [name, value] : {std::pair("__CUDACC__", "1"),
                                      {"__NVCC__", "1"},
                                      {"__linux__", "1"},
                                      {"__CUDA_ARCH__", "900"},
                                      {"__cplusplus", "201703L"}}) {
        if (std::ranges::find(defines, name, &Define::name) == defines.end())
            defines.push_back({name, value});
    }
    return expanded(file, without_includes(source), defines, {}, PathSandbox({}),
                    {"__OPENCL_VERSION__", "__OPENCL_C_VERSION__"});
}

/// Kernels of templates with the arguments that they are launched with.
std::vector<std::string> launched(std::string_view file, std::string_view source) {
    std::vector<std::string> made;
    try {
        const cuda_reading::CudaFile read(file, cuda_reading::lexable(source));
        for (const CudaLaunch& one : read.launches()) {
            if (one.expression.ends_with('>')) made.push_back(one.expression);
        }
    } catch (const Refused&) {  // clang says what is wrong with it
    }
    return made;
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
        const std::string text =
            expanded_first ? preprocessed(file, source, options.defines) : std::string(source);
        std::vector<std::string> instances = options.kernels;
        if (instances.empty()) instances = launched(file, text);
        const std::vector<Define> defines =
            expanded_first ? std::vector<Define>{} : options.defines;
        from_cuda::ClangTree tree =
            from_cuda::clang_tree(file, device_code(file, text), defines, instances, dialect);
        tree.host = source;
        from_cuda::OpenClWriter writer(tree, options.kernels, defines);
        try {
            made.text = writer.run();
        } catch (const std::out_of_range&) {  // a node without the parts that its kind has
            throw Refused(fmt::format("{}: clang's tree of it is not understood", file));
        }
        made.notes = writer.notes();
        made.kernels = writer.kernel_names();
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
