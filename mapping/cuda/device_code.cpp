// Blanks the lines of a CUDA C++ source that are the host's.
#include "mapping/cuda/device_code.hpp"

#include <algorithm>
#include <vector>

#include <fmt/format.h>

#include "common/error.hpp"
#include "common/text/characters.hpp"
#include "common/text/text.hpp"
#include "common/text/text_lines.hpp"
#include "mapping/analyze/word_lists.hpp"
#include "mapping/cuda/host_parts.hpp"

namespace parallax {
namespace {

/// The file that a line includes; empty: none.
std::string_view included(std::string_view line) {
    const std::string_view name = after_directive(line, "include").value_or("");
    if (!name.starts_with('<') && !name.starts_with('"')) return {};
    const std::size_t end = name.find(name.front() == '<' ? '>' : '"', 1);
    return end == name.npos ? std::string_view{} : name.substr(1, end - 1);
}

/// With blanks in place of its first `static`.
std::string without_static(std::string_view line) {
    constexpr std::string_view word = "static";
    std::string made(line);
    for (std::size_t at = made.find(word); at != made.npos; at = made.find(word, at + 1)) {
        const std::size_t end = at + word.size();
        if ((at > 0 && is_word_character(made[at - 1])) ||
            (end < made.size() && is_word_character(made[end]))) {
            continue;
        }
        made.replace(at, word.size(), word.size(), ' ');
        break;
    }
    return made;
}

}  // namespace

bool is_host_header(std::string_view name) {
    static constexpr std::string_view headers =
        " algorithm array assert.h cassert cctype chrono cmath complex condition_variable cstdarg "
        "cstdio cstdlib cstring ctime cuda.h cuda_profiler_api.h cuda_runtime.h "
        "cuda_runtime_api.h deque device_launch_parameters.h errno.h exception fcntl.h "
        "forward_list fstream functional future getopt.h iomanip iostream istream iterator list "
        "map math.h memory memory.h mpi.h mutex numeric omp.h ostream pthread.h queue random "
        "regex set signal.h sstream stack stdarg.h stdexcept stdio.h stdlib.h string string.h "
        "strings.h thread time.h tuple unistd.h unordered_map unordered_set utility vector ";
    // Libraries that the host calls; `curand_kernel.h` is none.
    static constexpr std::string_view starts[] = {
        "GL/",     "GLFW/",  "cublas",   "cuda_gl_interop", "cudnn",
        "cufft",   "cufile", "curand.h", "cusolver",        "cusparse",
        "helper_", "nccl.h", "npp",      "nvToolsExt",      "nvml.h",
        "nvrtc.h", "nvtx3/", "sys/",     "thrust/"};
    if (name == "helper_math.h") return false;  // functions of the device
    return headers.find(fmt::format(" {} ", name)) != headers.npos ||
           std::ranges::any_of(starts, [&](std::string_view one) { return name.starts_with(one); });
}

std::string device_code(std::string_view file, std::string_view source,
                        const std::vector<Define>& defines) {
    std::vector<bool> is_host, is_directive;
    bool goes_on = false;
    for (const std::string_view line : lines_of(source)) {
        const std::string_view rest = trimmed(line);
        is_host.push_back(is_host_header(included(line)) || rest == "using namespace std;" ||
                          (rest.starts_with("using namespace std::") && rest.ends_with(';')));
        is_directive.push_back(goes_on || rest.starts_with('#'));
        goes_on = is_directive.back() && rest.ends_with('\\');
    }
    // A static variable has no name that a host could find.
    std::vector<std::size_t> of_device;
    try {
        const cuda_reading::SourceParts parts =
            cuda_reading::parts_of_source(file, source, defines);
        for (const auto& [first, last] : parts.host) {
            // A condition may end within a function, and a macro be used behind it.
            for (std::size_t i = first; i <= last && i < is_host.size(); ++i)
                is_host[i] = is_host[i] || !is_directive[i];
        }
        of_device = parts.variables;
    } catch (const Refused&) {
        // The compiler reports errors in the source.
    }
    std::string made;
    std::size_t number = 0;
    for (const std::string_view line : lines_of(source)) {
        if (!is_host.at(number)) {
            const bool is_variable = std::ranges::find(of_device, number) != of_device.end();
            made += is_variable ? without_static(line) : std::string(line);
        }
        ++number;
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
        std::vector<cuda_reading::Lines> found;
        for (const auto& one : cuda_reading::parts_of_source(file, source, {}).kernels) {
            if (one.name == kernel) found.push_back(one.lines);
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
