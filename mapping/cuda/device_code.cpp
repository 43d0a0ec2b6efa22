// Blanks the lines of a CUDA C++ source that are the host's.
#include "mapping/cuda/device_code.hpp"

#include <algorithm>
#include <functional>
#include <set>
#include <vector>

#include <fmt/format.h>

#include "common/error.hpp"
#include "common/text/text.hpp"
#include "common/text/text_lines.hpp"
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
        "algorithm", "array",     "assert.h",   "cassert",    "cfloat",   "chrono",
        "climits",   "cmath",     "cstddef",    "cstdint",    "float.h",  "inttypes.h",
        "limits.h",  "stddef.h",  "stdint.h",
        "complex",   "cstdio",    "cstdlib",    "cstring",    "ctime",    "cuda.h",
        "cuda_runtime.h", "cuda_runtime_api.h", "device_launch_parameters.h", "fstream",
        "functional", "iomanip",  "iostream",   "limits",     "map",      "math.h",
        "memory",    "numeric",   "random",     "sstream",    "stdio.h",  "stdlib.h",
        "string",    "string.h",  "sys/time.h", "thread",     "time.h",   "tuple",
        "unistd.h",  "utility",   "vector"};
    return std::ranges::find(headers, name) != std::end(headers) ||
           name.starts_with("helper_") || name.starts_with("thrust/");
}

std::string replaced_header(std::string_view name) {
    if (name == "stdint.h" || name == "cstdint" || name == "inttypes.h") {
        return "typedef signed char int8_t; typedef unsigned char uint8_t; typedef short int16_t; "
               "typedef unsigned short uint16_t; typedef int int32_t; typedef unsigned int "
               "uint32_t; typedef long int64_t; typedef unsigned long uint64_t; typedef unsigned "
               "long uintptr_t;";
    }
    const auto fixed = [](std::string_view type, std::string_view word, std::string_view value) {
        return fmt::format("constexpr {} {} = {}; ", type, word, value);
    };
    if (name == "float.h" || name == "cfloat") {
        return fixed("float", "FLT_MAX", "3.402823466e+38f") +
               fixed("float", "FLT_MIN", "1.175494351e-38f") +
               fixed("float", "FLT_EPSILON", "1.192092896e-07f") +
               fixed("double", "DBL_MAX", "1.7976931348623158e+308") +
               fixed("double", "DBL_MIN", "2.2250738585072014e-308") +
               fixed("double", "DBL_EPSILON", "2.2204460492503131e-016");
    }
    if (name == "limits.h" || name == "climits") {
        return fixed("int", "INT_MAX", "2147483647") + fixed("int", "INT_MIN", "-INT_MAX - 1") +
               fixed("unsigned", "UINT_MAX", "4294967295u") +
               fixed("long", "LONG_MAX", "9223372036854775807l") +
               fixed("unsigned long", "ULONG_MAX", "18446744073709551615ul") +
               fixed("int", "CHAR_BIT", "8");
    }
    return {};
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
    std::set<std::string, std::less<>> replaced;
    std::size_t number = 0;
    for (const std::string_view line : lines_of(source)) {
        if (!is_host.at(number++)) {
            made += line;
        } else if (std::string one = replaced_header(included(line)); replaced.insert(one).second) {
            made += one;
        }
        made += '\n';
    }
    return made;
}

}  // namespace parallax
