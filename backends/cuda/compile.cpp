// Chooses the architecture, builds the options, and calls NVRTC.
#include "backends/cuda/compile.hpp"

#include <algorithm>
#include <list>
#include <mutex>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "backends/cuda/find_library.hpp"
#include "backends/cuda/nvrtc.hpp"
#include "common/error.hpp"
#include "common/process/thread_pool.hpp"
#include "common/process/watchdog.hpp"
#include "common/text/characters.hpp"
#include "common/text/hash.hpp"
#include "common/text/text_lines.hpp"
#include "mapping/cuda/device_code.hpp"
#include "mapping/translate/cuda_source.hpp"

namespace parallax::cuda {
namespace {

std::string capability(int arch) {
    return fmt::format("{}.{}", arch / 10, arch % 10);
}

std::string first_error(std::string_view log) {
    return std::string(first_line_with(log, "error"));
}

/// Advice on host code, or on a header that the compiler did not find; empty: none.
std::string advice_on(std::string_view log) {
    if (log.find("is considered a host function") != std::string_view::npos) {
        return " Put what the host runs, and its types, between '#ifndef __CUDACC_RTC__' and "
               "'#endif'.";
    }
    constexpr std::string_view start = "cannot open source file \"";
    const std::size_t at = log.find(start);
    if (at == std::string_view::npos) return {};
    const std::string_view rest = log.substr(at + start.size());
    const std::string_view header = rest.substr(0, rest.find('"'));
    if (is_host_header(header)) {
        return fmt::format(
            " '{}' is a header of the host's program, and NVRTC compiles device code alone: put "
            "the kernels into a file of their own, or the host's code between '#ifndef "
            "__CUDACC_RTC__' and '#endif'.",
            header);
    }
    return fmt::format(
        " A header of your own belongs into the manifest's folder or one of its 'include'; --allow "
        "DIR opens another folder. {}",
        header_folders(nvrtc().path()).empty()
            ? "CUDA's headers were not found: install NVIDIA's packages cuda-cudart-dev and "
              "cuda-cccl, or nvidia-cuda-runtime and nvidia-cuda-cccl from PyPI, or set CUDA_PATH."
            : "Of CUDA's headers, those of cuda-cccl (cub, thrust, cuda/std) are a package of "
              "their own, nvidia-cuda-cccl on PyPI.");
}

/// Whether a source includes a file, as NVRTC has to find it.
bool includes_files(std::string_view source) {
    return source.find("#include") != std::string_view::npos ||
           source.find("# include") != std::string_view::npos;
}

std::string without_stop(std::string sentence) {
    while (sentence.ends_with('.')) sentence.pop_back();
    return sentence;
}

/// Whether a file is ELF for CUDA devices, or a container of such.
bool is_machine_code(std::string_view file) {
    constexpr std::size_t machine_at = 18;
    constexpr char em_cuda = static_cast<char>(190);
    const bool is_elf = file.starts_with(
                            "\x7f"
                            "ELF") &&
                        file.size() > machine_at + 1;
    return file.starts_with("\x50\xed\x55\xba") ||
           (is_elf && file[machine_at] == em_cuda && file[machine_at + 1] == 0);
}

std::string summary_of(const Program& program, const Target& target, const NvrtcOutput& output) {
    std::string summary = fmt::format("{}: NVRTC {} did not build it for {} ({})", program.name,
                                      nvrtc().version(), target.name(), output.status);
    constexpr std::string_view name_map = "__nv_name_map(";
    // An error of the source itself comes first, and a kernel is not there for it.
    if (first_error(output.log).find(name_map) != std::string::npos) {
        // NVRTC gives no order of the names.
        const auto& names = program.name_expressions;
        return fmt::format(
            "{}: there is no kernel '{}': {}. Write the name as C++ has it, with its "
            "namespace and the arguments of its template.",
            program.name, fmt::join(names, "', or none '"), without_stop(first_error(output.log)));
    }
    const std::string error = without_stop(first_error(output.log));
    summary += error.empty() ? "." : fmt::format(": {}.", error);
    summary += advice_on(output.log);
    if (output.log.find("libnvrtc-builtins") != std::string::npos) {
        summary +=
            fmt::format(" NVRTC's second half is missing: put libnvrtc-builtins.so.{} next to {}.",
                        nvrtc().version(), nvrtc().path());
    }
    return summary;
}

}  // namespace

std::string Target::name() const {
    return fmt::format("{}_{}", machine_code ? "sm" : "compute", arch);
}

Target choose_target(int arch, std::span<const int> supported) {
    if (std::ranges::find(supported, arch) != supported.end()) return {arch, true};
    // Machine code of one architecture need not run on the next one; PTX does.
    int best = 0;
    for (const int one : supported) {
        if (one < arch) best = std::max(best, one);
    }
    if (best != 0) return {best, false};
    const int lowest = supported.empty() ? 0 : std::ranges::min(supported);
    throw Unsupported(fmt::format(
        "The device has compute capability {}, and NVRTC {} compiles for {} and newer. Set "
        "PARALLAX_NVRTC to the libnvrtc of an older CUDA toolkit.",
        capability(arch), nvrtc().version(), capability(lowest)));
}

std::vector<std::string> nvrtc_options(const Program& program, const Target& target) {
    const FloatRules& floats = program.floats;
    const auto says = [&](std::string_view start) {
        return std::ranges::any_of(
            program.options, [&](const std::string& option) { return option.starts_with(start); });
    };
    std::vector<std::string> options{
        "--std=c++17",
    };
    if (says("--std=")) options.clear();
    options.push_back(fmt::format("--fmad={}", floats.contract));
    options.push_back(fmt::format("--prec-div={}", floats.exact_division));
    options.push_back(fmt::format("--prec-sqrt={}", floats.exact_division));
    options.push_back(fmt::format("--ftz={}", floats.flush_denormals));
    // A source for units of one architecture names it itself.
    const std::string architecture = "--gpu-architecture=";
    if (!says(architecture)) options.push_back(architecture + target.name());
    if (floats.relaxed) options.emplace_back("--use_fast_math");
    // The assembler reports registers and spills; without machine code it does not run.
    if (target.machine_code) options.emplace_back("--ptxas-options=-v");
    for (const Constant& constant : program.constants) {
        if (!is_identifier(constant.name)) {
            throw UsageError(
                fmt::format("'{}' cannot be the name of a constant: use letters, "
                            "digits and underscores, the first no digit.",
                            constant.name));
        }
        if (is_name_of_nvrtc(constant.name)) continue;
        options.push_back(fmt::format("-D{}={}", constant.name, constant.value));
    }
    options.insert(options.end(), program.options.begin(), program.options.end());
    return options;
}

CompileResult compile_for(const Program& program, int arch) {
    if (program.language == Language::library) {
        throw Unsupported("It is a call of a library: there is nothing to compile.");
    }
    CompileResult result;
    result.text = cuda_source(program);
    if (program.language == Language::ptx) {
        result.target = {arch, false};
        result.ptx = result.text;
        result.kernels = ptx_kernels(result.ptx);
        if (result.kernels.empty()) {
            throw BuildFailed(
                fmt::format("{}: there is no kernel ('.entry') in it. 'nvcc -ptx' makes PTX of a "
                            "CUDA source.",
                            program.name),
                {}, result.text);
        }
        return result;
    }
    if (program.language == Language::cubin) {
        result.target = {arch, true};
        result.cubin = result.text;
        if (!is_machine_code(result.cubin)) {
            throw BuildFailed(
                fmt::format("{}: it is no machine code of a CUDA device. 'nvcc -cubin "
                            "-arch=sm_90' makes it of a CUDA source.",
                            program.name),
                {}, {});
        }
        return result;
    }
    if (!nvrtc().available()) throw Unsupported(nvrtc().problem());
    result.target = choose_target(arch, nvrtc().architectures());
    result.options = nvrtc_options(program, result.target);
    std::vector<std::string> folders = program.include_folders();
    if (program.language == Language::native && includes_files(result.text)) {
        for (std::string& one : header_folders(nvrtc().path())) folders.push_back(std::move(one));
    }
    for (const std::string& one : folders) result.options.push_back("--include-path=" + one);
    const std::string name = fmt::format("NVRTC {} {}", result.target.name(), hash_of(result.text));
    if (const FatalStep* const found = died_of(name)) {
        throw BuildFailed(fmt::format("{}: {}", program.name, found->reason), {}, result.text);
    }
    const WatchdogScope hand(name, "NVRTC compiled it", WatchSlot::At::build);
    NvrtcOutput output = nvrtc().compile(result.text, program.name, result.options,
                                         program.name_expressions, program.reach());
    if (!output.ok) {
        throw BuildFailed(summary_of(program, result.target, output), output.log, result.text);
    }
    result.log = std::move(output.log);
    result.ptx = std::move(output.ptx);
    result.cubin = std::move(output.cubin);
    result.symbols = std::move(output.symbols);
    result.kernels = ptx_kernels(result.ptx);
    return result;
}

std::shared_ptr<const CompileResult> compiled_for(const Program& program, int arch) {
    using Result = OnceFuture<std::shared_ptr<const CompileResult>>;
    struct One {
        Program program;
        int arch = 0;
        std::shared_ptr<Result> result;
    };
    constexpr std::size_t most_kept = 32;
    static std::mutex mutex;
    static std::list<One> kept;  // most recently used first
    std::shared_ptr<Result> result;
    {
        const std::scoped_lock lock(mutex);
        const auto known = std::ranges::find_if(
            kept, [&](const One& one) { return one.arch == arch && one.program == program; });
        if (known != kept.end()) {
            kept.splice(kept.begin(), kept, known);
        } else {
            const auto compile = [program, arch] {
                return std::make_shared<const CompileResult>(compile_for(program, arch));
            };
            kept.push_front({program, arch, std::make_shared<Result>(compile)});
            if (kept.size() > most_kept) kept.pop_back();
        }
        result = kept.front().result;
    }
    return result->get();
}

std::string_view CompileResult::symbol_of(std::string_view kernel) const {
    const auto found = symbols.find(kernel);
    return found == symbols.end() ? kernel : found->second;
}

PtxKernel kernel_of(const CompileResult& result, const Program& program, std::string_view name) {
    const std::string_view symbol = result.symbol_of(name);
    if (program.language == Language::cubin) return {std::string(symbol), {}};
    if (const PtxKernel* found = find_kernel(result.kernels, symbol)) return *found;
    std::vector<std::string_view> names;
    for (const PtxKernel& kernel : result.kernels) names.push_back(kernel.name);
    throw BuildFailed(
        fmt::format("{} has no kernel '{}'; it has: {}.{}", program.name, name,
                    names.empty() ? "none" : fmt::format("{}", fmt::join(names, ", ")),
                    program.language == Language::native
                        ? " A kernel in CUDA C++ must be extern \"C\" __global__."
                        : ""),
        result.log, result.text);
}

}  // namespace parallax::cuda
