// Blanks the lines of a CUDA C++ source that are the host's.
#include "mapping/cuda/device_code.hpp"

#include <algorithm>
#include <vector>

#include "common/error.hpp"
#include "common/text/text.hpp"
#include "common/text/text_lines.hpp"
#include "mapping/analyze/word_lists.hpp"
#include "mapping/cuda/cuda_file.hpp"

namespace parallax {
namespace {

/// What a line includes; empty: nothing.
std::string_view included(std::string_view line) {
    line = trimmed(line);
    if (!line.starts_with('#')) return {};
    line = trimmed(line.substr(1));
    constexpr std::string_view word = "include";
    if (!line.starts_with(word)) return {};
    line = trimmed(line.substr(word.size()));
    if (line.empty() || (line.front() != '<' && line.front() != '"')) return {};
    const std::size_t end = line.find(line.front() == '<' ? '>' : '"', 1);
    return end == line.npos ? std::string_view{} : line.substr(1, end - 1);
}

}  // namespace

bool is_host_header(std::string_view name) {
    static constexpr std::string_view headers[] = {
        "algorithm", "array",     "assert.h",   "cassert",    "chrono",   "cmath",
        "complex",   "cstdio",    "cstdlib",    "cstring",    "ctime",    "cuda.h",
        "cuda_runtime.h", "cuda_runtime_api.h", "device_launch_parameters.h", "fstream",
        "functional", "iomanip",  "iostream",   "map",      "math.h",
        "memory",    "numeric",   "random",     "sstream",    "stdio.h",  "stdlib.h",
        "string",    "string.h",  "sys/time.h", "thread",     "time.h",   "tuple",
        "unistd.h",  "utility",   "vector"};
    return std::ranges::find(headers, name) != std::end(headers) ||
           (name.starts_with("helper_") && name != "helper_math.h") || name.starts_with("thrust/");
}

std::string device_code(std::string_view file, std::string_view source) {
    std::vector<bool> is_host;
    for (const std::string_view line : lines_of(source)) {
        is_host.push_back(is_host_header(included(line)) ||
                          trimmed(line) == "using namespace std;");
    }
    try {
        const cuda_reading::CudaFile read(file, std::string(source));
        for (const auto& [first, last] : read.host_lines()) {
            for (std::size_t i = first; i <= last && i < is_host.size(); ++i) is_host[i] = true;
        }
    } catch (const Refused&) {
        // The compiler says what is wrong with the text.
    }
    std::string made;
    std::size_t number = 0;
    for (const std::string_view line : lines_of(source)) {
        if (!is_host.at(number++)) made += line;
        made += '\n';
    }
    // A host program behind the kernels leaves no blank lines at the end.
    while (made.ends_with("\n\n")) made.pop_back();
    return made;
}

std::string kernel_lines(std::string_view file, std::string_view source, std::string_view kernel) {
    kernel = kernel.substr(0, kernel.find('<'));
    if (const std::size_t scope = kernel.rfind("::"); scope != kernel.npos) {
        kernel.remove_prefix(scope + 2);
    }
    try {
        const cuda_reading::CudaFile read(file, std::string(source));
        std::vector<std::pair<std::size_t, std::size_t>> found;
        for (const cuda_reading::Function& one : read.functions()) {
            if (one.is_kernel && read.tokens()[one.name].text == kernel) {
                found.push_back(read.lines_of(one));
            }
        }
        if (found.size() == 1) {
            const auto lines = lines_of(source);
            std::string text;
            for (std::size_t i = found[0].first; i <= found[0].second && i < lines.size(); ++i) {
                text += std::string(lines[i]) + '\n';
            }
            return text;
        }
    } catch (const Refused&) {
        // It is shown as it is.
    }
    return std::string(source);
}

}  // namespace parallax
