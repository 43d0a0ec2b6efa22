// Loads libnvrtc and its second half, libnvrtc-builtins, and calls them.
#include "backends/cuda/nvrtc.hpp"

#include <algorithm>
#include <charconv>
#include <chrono>
#include <filesystem>
#include <functional>

#include <cuda_runtime_api.h>
#include <dlfcn.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nvrtc.h>

#include "backends/cuda/find_library.hpp"
#include "common/device/loaded_library.hpp"
#include "common/error.hpp"
#include "common/process/confined.hpp"
#include "common/process/kept_files.hpp"
#include "common/process/look_apart.hpp"
#include "common/process/watchdog.hpp"

namespace parallax::cuda {

namespace fs = std::filesystem;

struct Nvrtc::Library {
    explicit Library(void* handle) : of(handle) {}

    LibraryFunctions of;
    std::string path;
    int major = 0, minor = 0;
    std::vector<int> architectures;

    decltype(&nvrtcGetErrorString) error_string = of["nvrtcGetErrorString"];
    decltype(&nvrtcVersion) version = of["nvrtcVersion"];
    decltype(&nvrtcGetNumSupportedArchs) arch_count = of["nvrtcGetNumSupportedArchs"];
    decltype(&nvrtcGetSupportedArchs) archs = of["nvrtcGetSupportedArchs"];
    decltype(&nvrtcCreateProgram) create = of["nvrtcCreateProgram"];
    decltype(&nvrtcDestroyProgram) destroy = of["nvrtcDestroyProgram"];
    decltype(&nvrtcCompileProgram) compile = of["nvrtcCompileProgram"];
    decltype(&nvrtcGetProgramLogSize) log_size = of["nvrtcGetProgramLogSize"];
    decltype(&nvrtcGetProgramLog) log = of["nvrtcGetProgramLog"];
    decltype(&nvrtcGetPTXSize) ptx_size = of["nvrtcGetPTXSize"];
    decltype(&nvrtcGetPTX) ptx = of["nvrtcGetPTX"];
    decltype(&nvrtcGetCUBINSize) cubin_size = of["nvrtcGetCUBINSize"];
    decltype(&nvrtcGetCUBIN) cubin = of["nvrtcGetCUBIN"];
    decltype(&nvrtcAddNameExpression) add_name = of["nvrtcAddNameExpression"];
    decltype(&nvrtcGetLoweredName) lowered_name = of["nvrtcGetLoweredName"];
};

namespace {

/// Loads libnvrtc-builtins from the folder of libnvrtc. NVRTC loads it by name during the first
/// compilation, which fails outside the loader's path unless a copy is loaded already.
void load_builtins(const fs::path& folder, int major, int minor) {
    const std::string stem = "libnvrtc-builtins.so";
    const fs::path exact = folder / fmt::format("{}.{}.{}", stem, major, minor);
    if (dlopen(exact.c_str(), RTLD_NOW | RTLD_GLOBAL)) return;
    std::error_code error;
    for (fs::directory_iterator at(folder, error), end; !error && at != end; at.increment(error)) {
        if (!at->path().filename().string().starts_with(stem)) continue;
        if (dlopen(at->path().c_str(), RTLD_NOW | RTLD_GLOBAL)) return;
    }
}

std::string fetch(nvrtcResult (*size_of_it)(nvrtcProgram, std::size_t*),
                  nvrtcResult (*get)(nvrtcProgram, char*), nvrtcProgram program) {
    std::size_t bytes = 0;
    if (size_of_it(program, &bytes) != NVRTC_SUCCESS || bytes == 0) return {};
    std::string text(bytes, '\0');
    if (get(program, text.data()) != NVRTC_SUCCESS) return {};
    return text;
}

/// NVRTC ends strings with a zero byte, and puts another between its own log and the assembler's.
std::string without_zeros(std::string text) {
    std::erase(text, '\0');
    return text;
}

void refuse_zero_bytes(const std::string& text, const std::string& name) {
    if (text.find('\0') != std::string::npos) {
        throw UsageError(fmt::format(
            "{}: a zero byte in the text or in a build option. Is it a text file?", name));
    }
}

/// The name of this step for the watchdog.
constexpr std::string_view loading = "loading NVRTC";

/// Time limit for a trial load in a separate process: the file has 100 MB.
constexpr std::chrono::seconds most_time{20};

std::string how_to_get_it() {
    return fmt::format(
        "Install it (NVIDIA's package cuda-nvrtc-{}-{}, or nvidia-cuda-nvrtc from PyPI), or set "
        "PARALLAX_NVRTC to the file libnvrtc.so.{}.",
        built_major, CUDART_VERSION % 1000 / 10, built_major);
}

/// Headers of C and C++ that nvcc takes from the host's compiler, and that NVRTC lacks: CCCL's
/// `cuda/std` replaces them where it is installed.
struct StandardHeaders {
    StandardHeaders() {
        for (const char* name : {"cfloat", "climits", "cstddef", "cstdint", "float.h", "limits.h",
                                 "stddef.h", "stdint.h", "limits", "type_traits"}) {
            const std::string_view word = name;
            const bool is_of_c = word.ends_with(".h");
            const bool is_of_std = word == "limits" || word == "type_traits";
            const std::string own =
                is_of_c ? fmt::format("c{}", word.substr(0, word.size() - 2)) : std::string(word);
            // CCCL's <cfloat> is empty for NVRTC, and its <climits> has the values.
            const std::string from = own == "cfloat" ? "climits" : own;
            owned_.push_back(fmt::format(
                "#if __has_include(<cuda/std/{0}>)\n#include <cuda/std/{0}>\n{1}{2}#endif\n", from,
                is_of_std ? "namespace std { using namespace cuda::std; }\n" : "",
                own == "cfloat" ? limits_of_floats() : ""));
            names.push_back(name);
        }
        for (const std::string& text : owned_) texts.push_back(text.c_str());
    }
    std::vector<const char*> names, texts;

private:
    static std::string limits_of_floats() {
        std::string text;
        for (const char* type : {"FLT", "DBL"}) {
            for (const char* word : {"MAX", "MIN", "EPSILON", "DIG", "MANT_DIG", "MAX_EXP",
                                     "MIN_EXP", "MAX_10_EXP", "MIN_10_EXP"}) {
                text += fmt::format("#ifndef {0}_{1}\n#define {0}_{1} __{0}_{1}__\n#endif\n", type,
                                    word);
            }
        }
        return text;
    }

    std::vector<std::string> owned_;
};

}  // namespace

Nvrtc Nvrtc::find() {
    std::string ended;
    if (const FatalStep* const deadly = died_of(loading)) {
        ended = deadly->reason;
    } else if (!supervision().state) {
        const LookEnd end = look_apart([] { load(); }, most_time);
        if (!end.how.empty()) ended = fmt::format("It {}.", end.how);
    }
    if (ended.empty()) return load();
    Nvrtc none;
    none.problem_ =
        fmt::format("CUDA's run-time compiler cannot be loaded. {} {}", ended,
                    environment("PARALLAX_NVRTC").empty()
                        ? how_to_get_it()
                        : "The environment variable PARALLAX_NVRTC names it: unset it to look in "
                          "the usual places.");
    return none;
}

std::shared_ptr<const Nvrtc::Library> Nvrtc::open(const std::string& file, bool is_named,
                                                  std::vector<std::string>& reasons) {
    std::string why;
    void* const handle = load_library(file, why);
    if (!handle) {
        // A failed search for a bare file name in many directories is not worth reporting.
        if (is_named || file.find('/') != std::string::npos) reasons.push_back(why);
        return {};
    }
    auto library = std::make_shared<Library>(handle);
    if (const char* const missing = library->of.missing()) {
        reasons.push_back(fmt::format("{} has no function {}", file, missing));
        return {};
    }
    int count = 0;
    if (library->version(&library->major, &library->minor) != NVRTC_SUCCESS ||
        library->arch_count(&count) != NVRTC_SUCCESS || count <= 0) {
        reasons.push_back(fmt::format("{} does not say what it supports", file));
        return {};
    }
    library->architectures.resize(static_cast<std::size_t>(count));
    if (library->archs(library->architectures.data()) != NVRTC_SUCCESS) {
        reasons.push_back(fmt::format("{} does not say what it supports", file));
        return {};
    }
    Dl_info where{};
    const bool known = dladdr(reinterpret_cast<void*>(library->version), &where) != 0;
    library->path = known && where.dli_fname ? where.dli_fname : file;
    if (library->path.find('/') != std::string::npos) {
        load_builtins(fs::path(library->path).parent_path(), library->major, library->minor);
    }
    return library;
}

Nvrtc Nvrtc::load() {
    Nvrtc found;
    const std::string named = environment("PARALLAX_NVRTC");
    const WatchdogScope hand(loading, "NVRTC was loaded", WatchSlot::At::build);
    std::vector<std::string> reasons;
    for (const std::string& file : named.empty() ? library_files("libnvrtc") : std::vector{named}) {
        found.library_ = open(file, !named.empty(), reasons);
        if (found.library_) return found;
    }
    if (!named.empty()) {
        found.problem_ = fmt::format(
            "CUDA's run-time compiler cannot be loaded from '{}', which the environment variable "
            "PARALLAX_NVRTC names: {}. Set it to the file libnvrtc.so.{} of a CUDA toolkit, or "
            "unset it to look in the usual places.",
            named, fmt::join(reasons, "; "), built_major);
    } else {
        found.problem_ = fmt::format(
            "CUDA's run-time compiler, {}, was not found by the loader, in CUDA_PATH, {}next to "
            "this program or in /usr/local/cuda/lib64{}{}. {}",
            library_names("libnvrtc").front(),
            toolkit_folders().empty() ? "" : fmt::format("in {}, ", toolkit_folders()),
            reasons.empty() ? "" : ": ", fmt::join(reasons, "; "), how_to_get_it());
    }
    return found;
}

namespace {

/// Earlier outputs of this user, since a compilation takes 0.2 s.
const KeptFiles& kept_outputs() {
    static const KeptFiles outputs(compile_cache_folder("nvrtc"));
    return outputs;
}

bool may_read_files(const std::string& text, std::span<const std::string> options) {
    const auto names_files = [](const std::string& option) {
        return option.find("include") != option.npos || option.starts_with("-I") ||
               option.find("pch") != option.npos;
    };
    return text.find("include") != text.npos || std::ranges::any_of(options, names_files);
}

/// Concatenates strings of any content.
std::string joined(std::span<const std::string> texts) {
    std::string all;
    for (const std::string& one : texts) all += fmt::format("{}\n{}", one.size(), one);
    return all;
}

std::optional<std::vector<std::string>> separated(std::string_view all) {
    std::vector<std::string> texts;
    while (!all.empty()) {
        std::size_t bytes = 0;
        const std::size_t end = std::min(all.find('\n'), all.size());
        const auto [read, error] = std::from_chars(all.data(), all.data() + end, bytes);
        if (error != std::errc() || read != all.data() + end || end == all.size() ||
            bytes > all.size() - end - 1) {
            return {};
        }
        texts.emplace_back(all.substr(end + 1, bytes));
        all.remove_prefix(end + 1 + bytes);
    }
    return texts;
}

std::string output_key(const std::string& library, const std::string& text, const std::string& name,
                       std::span<const std::string> options,
                       std::span<const std::string> name_expressions) {
    std::error_code unknown;
    const auto written = fs::last_write_time(library, unknown).time_since_epoch().count();
    return KeptFiles::key({"1", library, std::to_string(written), text, name, joined(options),
                           joined(name_expressions)});
}

std::string written(const NvrtcOutput& output) {
    std::vector<std::string> texts{output.status, output.cubin, output.ptx, output.log};
    for (const auto& [expression, symbol] : output.symbols) {
        texts.push_back(expression);
        texts.push_back(symbol);
    }
    return joined(texts);
}

/// Nothing: it is none.
std::optional<NvrtcOutput> read_output(std::string_view all) {
    const auto texts = separated(all);
    if (!texts || texts->size() < 4 || texts->size() % 2 != 0) return {};
    NvrtcOutput output{.ok = true,
                       .status = texts->at(0),
                       .cubin = texts->at(1),
                       .ptx = texts->at(2),
                       .log = texts->at(3),
                       .symbols = {}};
    for (std::size_t i = 4; i < texts->size(); i += 2) {
        output.symbols.emplace(texts->at(i), texts->at(i + 1));
    }
    return output;
}

}  // namespace

bool must_refuse_cache(int major, int minor, std::string_view cache_disable) {
    return std::pair(major, minor) >= std::pair(12, 9) && cache_disable != "0";
}

std::string Nvrtc::path() const {
    return library_ ? library_->path : "";
}

std::string Nvrtc::version() const {
    return library_ ? fmt::format("{}.{}", library_->major, library_->minor) : "";
}

std::vector<int> Nvrtc::architectures() const {
    return library_ ? library_->architectures : std::vector<int>{};
}

NvrtcOutput Nvrtc::compile(const std::string& text, const std::string& name,
                           std::span<const std::string> options,
                           std::span<const std::string> name_expressions,
                           const std::optional<PathSandbox>& reach) const {
    if (!library_) throw Unsupported(problem_);
    refuse_zero_bytes(text, name);
    std::vector<const char*> words;
    for (const std::string& option : options) {
        refuse_zero_bytes(option, name);
        words.push_back(option.c_str());
    }
    if (must_refuse_cache(library_->major, library_->minor, environment("CUDA_CACHE_DISABLE"))) {
        words.push_back("--no-cache");
    }
    const std::string key = output_key(library_->path, text, name, options, name_expressions);
    if (auto kept = read_output(kept_outputs().find(key).value_or(""))) return *std::move(kept);

    nvrtcProgram program = nullptr;
    const StandardHeaders headers;
    const nvrtcResult made = library_->create(&program, text.c_str(), name.c_str(),
                                              static_cast<int>(headers.names.size()),
                                              headers.texts.data(), headers.names.data());
    if (made != NVRTC_SUCCESS) {
        throw DeviceError(
            fmt::format("nvrtcCreateProgram: {} ({}).", library_->error_string(made), name));
    }
    const std::unique_ptr<nvrtcProgram, std::function<void(nvrtcProgram*)>> owner(
        &program, [this](nvrtcProgram* p) { library_->destroy(p); });

    for (const std::string& expression : name_expressions) {
        refuse_zero_bytes(expression, name);
        library_->add_name(program, expression.c_str());
    }
    CompilerFolders folders{.read = {fs::path(library_->path).parent_path()}};
    for (const std::string& one : header_folders(library_->path)) folders.read.emplace_back(one);
    nvrtcResult result{};
    confined(reach, folders, [&] {
        result = library_->compile(program, static_cast<int>(words.size()), words.data());
    });
    NvrtcOutput output;
    output.status = library_->error_string(result);
    output.log = without_zeros(fetch(library_->log_size, library_->log, program));
    if (result != NVRTC_SUCCESS) return output;
    output.ptx = without_zeros(fetch(library_->ptx_size, library_->ptx, program));
    output.cubin = fetch(library_->cubin_size, library_->cubin, program);
    for (const std::string& expression : name_expressions) {
        const char* symbol = nullptr;
        if (library_->lowered_name(program, expression.c_str(), &symbol) == NVRTC_SUCCESS) {
            output.symbols[expression] = symbol;
        }
    }
    output.ok = true;
    // The content of a header may change.
    if (!may_read_files(text, options)) kept_outputs().keep(key, written(output));
    return output;
}

const Nvrtc& nvrtc() {
    static const Nvrtc found = Nvrtc::find();
    return found;
}

}  // namespace parallax::cuda
