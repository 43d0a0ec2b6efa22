// `parallax capture`: runs another program once, and stores its kernel launches as cases.
#include "records/capture.hpp"

#include <cstdlib>
#include <cstring>
#include <ostream>

#include <dlfcn.h>
#include <fmt/format.h>
#include <unistd.h>

#include "capture/capture_settings.hpp"
#include "cli/option_values.hpp"
#include "common/device/loaded_library.hpp"
#include "common/error.hpp"
#include "common/process/spawn.hpp"
#include "common/text/temporary_folder.hpp"
#include "common/text/text.hpp"
#include "common/version.hpp"
#include "report/capture/capture_text.hpp"
#include "studies/doctor/doctor.hpp"
#include "suites/manifest/captured.hpp"

namespace parallax::cli {
namespace {

/// The layer's library: next to the program in a build folder, or installed.
fs::path layer_beside(const fs::path& program) {
    std::error_code error;
    const fs::path folder = fs::canonical(program, error).parent_path();
    constexpr const char* name = "libparallax_capture.so";
    for (const std::string_view place :
         {std::string_view("."), std::string_view("../capture"), layer_folder}) {
        const fs::path file = folder / place / name;
        if (fs::exists(file, error)) return fs::canonical(file, error);
    }
    throw Error(
        fmt::format("The layer {} is neither next to {} nor installed. ./setup.sh builds it.", name,
                    folder.string()));
}

/// A folder for LD_LIBRARY_PATH with an OpenCL loader that supports layers, where the linker would
/// choose one without, as CUDA's. It has no other libraries, so these stay as they were.
class LayeredLoader {
public:
    LayeredLoader() {
        const fs::path loader = loader_with_layers(
            opencl_loaders({.variable = [](const char* name) { return std::getenv(name); }}));
        if (loader.empty()) return;
        folder_.emplace("parallax-loader-");
        for (const char* name : {"libOpenCL.so.1", "libOpenCL.so"}) {
            fs::create_symlink(fs::canonical(loader), folder_->path() / name);
        }
    }

    void add_to(std::vector<std::pair<std::string, std::string>>& variables) const {
        if (!folder_) return;
        const char* const before = std::getenv("LD_LIBRARY_PATH");
        variables.emplace_back(
            "LD_LIBRARY_PATH",
            folder_->path().string() + (before && *before ? fmt::format(":{}", before) : ""));
    }

private:
    std::optional<TemporaryFolder> folder_;
};

/// The variable by which CUDA's driver loads the layer into programs; none if this build's layer
/// has no part for CUDA, or another tool has the variable.
std::optional<std::pair<std::string, std::string>> cuda_variable(const fs::path& layer,
                                                                 std::ostream& err) {
    constexpr const char* name = "CUDA_INJECTION64_PATH";
    std::string why;
    void* const library = load_library(layer.string(), why);
    if (!library || !::dlsym(library, "InitializeInjection")) return {};
    const char* const other = std::getenv(name);
    if (!other || !*other) return std::pair{std::string(name), layer.string()};
    err << fmt::format(
        "parallax: launches of CUDA are not recorded: {} names another tool's library, {}.\n", name,
        printable(other, 300));
    return {};
}

fs::path found_program(const std::string& word) {
    fs::path found = program_in_path(word);
    if (!found.empty()) return found;
    if (word.find('/') == word.npos) {
        throw UsageError(
            fmt::format("There is no program '{0}' in the folders of PATH. One of this "
                        "folder is ./{0}.",
                        word));
    }
    std::error_code error;
    if (!fs::exists(word, error)) {
        throw UsageError(fmt::format(
            "There is no file {}. Name the program as the shell finds it: 'parallax capture -o DIR "
            "-- ./app ARGS'.",
            word));
    }
    if (fs::is_directory(word, error)) {
        throw UsageError(fmt::format("{} is a folder. Name the program in it.", word));
    }
    throw UsageError(
        fmt::format("{0} may not be executed. 'chmod +x {0}' makes it a program; a script can "
                    "follow its interpreter: python3 {0}.",
                    word));
}

/// Creates the capture's folder, which must be empty.
fs::path made_folder(const std::string& name) {
    std::error_code error;
    fs::create_directories(name, error);
    if (error || !fs::is_directory(name) || ::access(name.c_str(), W_OK) != 0) {
        throw UsageError(fmt::format("The folder {} cannot be made or written.", name));
    }
    if (!fs::is_empty(name, error)) {
        throw UsageError(fmt::format(
            "The folder {} is not empty. A capture is a folder of its own: name a new one.", name));
    }
    return fs::canonical(name);
}

capture::Settings settings_of(const Values& values) {
    const auto number = [&](const char* name, std::uint64_t unless) {
        const auto word = value_of<std::string>(values, name);
        return word ? parse_number(fmt::format("--{}", name), *word, 1, std::uint64_t{1} << 50)
                    : unless;
    };
    capture::Settings settings;
    settings.timeline = values["timeline"].as<bool>();
    settings.no_data = values["no-data"].as<bool>();
    settings.no_binaries = values["no-binaries"].as<bool>();
    settings.kernels = words_of(values, "kernel");
    for (const std::string& kernel : settings.kernels) {
        if (kernel.empty() || kernel.find_first_of(",=") != kernel.npos) {
            throw UsageError(fmt::format("--kernel {} is no name of a kernel.", kernel));
        }
    }
    settings.launch = number("launch", settings.launch);
    settings.first = number("first", settings.first);
    settings.per_kernel = number("per-kernel", settings.per_kernel);
    settings.max_bytes = number("max-bytes", settings.max_bytes);
    return settings;
}

int run_capture(const Values& values, CommandContext& context) {
    const auto divider = std::ranges::find(context.words, "--");
    if (divider == context.words.end() || divider + 1 == context.words.end()) {
        throw UsageError("Name the program behind --: parallax capture -o DIR -- PROGRAM ARGS.");
    }
    const std::vector<std::string> words(divider + 1, context.words.end());
    const auto output = value_of<std::string>(values, "output");
    if (!output || output->empty()) {
        throw UsageError(
            "Name the folder to be made: parallax capture -o DIR -- PROGRAM ARGS. It gets the "
            "launches, and with --timeline capture.json alone.");
    }
    const capture::Settings settings = settings_of(values);
    const fs::path program = found_program(words.front());
    const fs::path layer = layer_beside(context.program);
    const fs::path folder = made_folder(*output);
    // Requested layers stay, closer to the device.
    const char* others = std::getenv("OPENCL_LAYERS");
    const std::string layers =
        layer.string() + (others && *others ? fmt::format(":{}", others) : "");
    std::vector<std::pair<std::string, std::string>> variables{
        {"OPENCL_LAYERS", layers},
        {capture::folder_variable, folder.string()},
        {capture::settings_variable, to_word(settings)}};
    if (auto cuda = cuda_variable(layer, context.err)) variables.push_back(*std::move(cuda));
    const LayeredLoader loader;
    loader.add_to(variables);
    context.out.flush();
    const SignalForwarder forwarding;
    const ExitStatus ending = spawn({.program = program,
                                     .words = {words.begin() + 1, words.end()},
                                     .called = words.front(),
                                     .variables = std::move(variables)});
    const int code = ending.signal == 0 ? ending.code : 128 + ending.signal;
    if (ending.signal != 0) {
        context.err << fmt::format("parallax: the program was killed by signal {} ({}).\n",
                                   ending.signal, strsignal(ending.signal));
    }
    if (!is_captured(folder)) {
        context.err
            << "parallax: nothing was captured: the program made no call of OpenCL or CUDA, or "
               "it brings an OpenCL loader of its own that knows no layers "
               "(OPENCL_LAYERS). 'parallax doctor' names the one that programs get.\n";
        std::error_code error;
        fs::remove(folder, error);  // only if it is empty
        return code != 0 ? code : exit_nothing;
    }
    include_by_macros(folder);
    const Capture captured = read_capture(folder);
    context.err << capture_text(captured, *output);
    return code != 0 || captured.launches > 0 ? code : exit_nothing;
}

}  // namespace

Command capture_command() {
    return {
        .name = "capture",
        .arguments = "-o DIR [OPTIONS] -- PROGRAM [ARGS]...",
        .summary = "an unmodified program's launches, of OpenCL or CUDA, as cases",
        .about =
            "Runs the program once with a layer of this program between it and OpenCL or CUDA, and "
            "keeps launches of each kernel, spread over its run: source and options or machine "
            "code, launch configuration and arguments, and the contents of buffers before and "
            "after. The folder is then a suite: 'list', 'run', 'diff -s', 'show', 'build' and "
            "'explain' take it, or DIR/KERNEL. Launches that cannot be kept are counted and "
            "reported. capture.json in it says where the program's time went. The program needs no "
            "change and no sources; its input, output and exit code are its own.",
        .examples = {"parallax capture -o launches -- ./app its arguments",
                     "parallax capture -o launches --timeline -- ./app", "parallax run launches/",
                     "parallax diff -s launches/ -o app.html"},
        .positional = {},
        .options =
            [](auto add) {
                add("output,o", settable<std::string>(Setting::path), "the folder to be made");
                add("timeline", settable_switch(),
                    "only record where the time goes: no contents are read, and launches cannot be "
                    "run again");
                add("no-data", settable_switch(),
                    "keep hashes in place of the contents of buffers: 'diff' pairs the kernels of "
                    "two recordings by them, and launches cannot be run again");
                add("no-binaries", settable_switch(),
                    "answer programs made of binaries of an earlier run that these are invalid, so "
                    "that the program builds from its sources");
                add("kernel", settable<std::vector<std::string>>(),
                    "keep only launches of this kernel; repeatable (default: all kernels)");
                add("launch", settable<std::string>(), "keep the program's launch of this number");
                add("first", settable<std::string>(), "consider only this many launches");
                add("per-kernel", settable<std::string>(),
                    "maximum number of launches to keep of each kernel (default 4)");
                add("max-bytes", settable<std::string>(),
                    "maximum size of the kept contents in bytes, compressed (default 2^30)");
            },
        .run = run_capture,
        .takes_program = true};
}

}  // namespace parallax::cli
