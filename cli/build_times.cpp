// Measures cold and warm builds in fresh processes.
#include "cli/build_times.hpp"

#include <algorithm>
#include <cstring>
#include <fstream>
#include <iterator>

#include <fmt/format.h>

#include "cli/command.hpp"
#include "cli/one_case.hpp"
#include "common/error.hpp"
#include "common/process/spawn.hpp"
#include "common/text/temporary_folder.hpp"
#include "common/text/text.hpp"
#include "measure/verification.hpp"
#include "report/build/build_report.hpp"
#include "suites/manifest/manifest.hpp"

namespace parallax::cli {
namespace {

/// A subfolder.
std::string sub(const TemporaryFolder& folder, const char* name) {
    fs::create_directories(folder.path() / name);
    return folder.file(name);
}

std::vector<std::string> words_for(const Entry& entry, const Case& c,
                                   const std::optional<std::string>& kernels,
                                   const ManifestPermissions& permissions) {
    std::vector<std::string> words{
        "build",    fmt::format("{}/{}", word_for(*c.suite), c.variant->name),
        "-d",       entry.info.id(),
        "-n",       to_string(c.shape),
        "--format", "json"};
    std::ranges::move(options_for(c, permissions, kernels), std::back_inserter(words));
    return words;
}

/// A slower compiler is considered stuck.
constexpr double longest_build = 120;

/// A process' report of its builds: seconds of all kernels, or the reason for none.
struct Told {
    std::optional<double> seconds;
    std::string problem;
};

Told told_by(const ExitStatus& ending, const std::string& out, const std::string& err) {
    if (ending.signal != 0) {
        return {{},
                fmt::format("The process that built it was killed by signal {} ({}).",
                            ending.signal, strsignal(ending.signal))};
    }
    const auto line = read_build_json(std::string_view(out).substr(0, out.find('\n')));
    if (ending.code == exit_ok && line && line->seconds) return {line->seconds, {}};
    return {{},
            fmt::format("The process that built it ended with {}. {}", ending.code,
                        printable(line ? line->reason : err, 500))};
}

/// The known cache of a device's compiler.
std::string caches_of(const DeviceInfo& info) {
    if (info.backend == "cuda") {
        return "NVRTC has no cache: a source becomes machine code in the same time, cold and warm. "
               "Only PTX that the driver assembles is cached (CUDA_CACHE_PATH).";
    }
    if (info.has("ptx"))
        return "Cache: the NVIDIA driver's, of compiled OpenCL C (CUDA_CACHE_PATH).";
    if (lower_case(info.platform).find("portable computing language") != std::string::npos) {
        return "Cache: PoCL's (POCL_CACHE_DIR). PoCL makes the machine code of a kernel when it is "
               "first launched, and not when it is built.";
    }
    return "No cache of this platform's compiler is known here: cold may be as warm.";
}

/// The machine code with this kernel from a cache folder, if any. Files of NVIDIA's driver are a
/// header and an ELF file.
std::string machine_code_in(const fs::path& folder, const std::string& kernel) {
    constexpr std::string_view elf =
        "\x7f"
        "ELF";
    const std::string section = ".text." + kernel + '\0';
    std::error_code ignored;
    for (const auto& entry : fs::recursive_directory_iterator(folder, ignored)) {
        if (!entry.is_regular_file(ignored)) continue;
        std::ifstream file(entry.path(), std::ios::binary);
        const std::string bytes{std::istreambuf_iterator<char>(file), {}};
        const std::size_t at = bytes.find(elf);
        if (at != std::string::npos && bytes.find(section, at) != std::string::npos) {
            return bytes.substr(at);
        }
    }
    return {};
}

/// The first kernel of the case.
std::string kernel_of(const Case& c) {
    const Plan plan = plan_of(c);
    const std::vector<const Launch*> launches = launches_of(plan);
    return launches.empty() ? std::string() : launches.front()->kernel;
}

}  // namespace

BuildTimes build_times(const fs::path& program, const Entry& entry, const Case& c,
                       const std::optional<std::string>& kernels,
                       const ManifestPermissions& permissions) {
    if (program.empty()) throw Error("This program cannot start itself again.");
    const TemporaryFolder folder("parallax-build-");
    const std::vector<std::pair<std::string, std::string>> variables{
        {"CUDA_CACHE_DISABLE", "0"},
        {"CUDA_CACHE_PATH", sub(folder, "cuda")},
        {"POCL_CACHE_DIR", sub(folder, "pocl")},
        {"POCL_KERNEL_CACHE", "1"}};
    const std::vector<std::string> words = words_for(entry, c, kernels, permissions);
    const SignalForwarder forwarding;
    const auto build_once = [&] {
        const MemoryFile out, err;
        const ExitStatus ending = spawn({.program = program,
                                         .words = words,
                                         .variables = variables,
                                         .most_seconds = longest_build,
                                         .out = out.file(),
                                         .err = err.file()});
        SignalForwarder::check();
        if (ending.code == exit_interrupted) throw Interrupted();
        return told_by(ending, out.text(), err.text());
    };
    BuildTimes times;
    const Told cold = build_once();
    if (!cold.seconds) {
        times.note = cold.problem;
        return times;
    }
    if (entry.info.backend == "opencl" && entry.info.has("ptx")) {
        times.machine_code = machine_code_in(sub(folder, "cuda"), kernel_of(c));
    }
    const Told warm = build_once();
    times.cold = cold.seconds;
    times.warm = warm.seconds;
    times.note = warm.seconds ? caches_of(entry.info) : warm.problem;
    return times;
}

}  // namespace parallax::cli
