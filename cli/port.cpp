// `parallax port`: translates the user's OpenCL kernel file to CUDA.
#include <algorithm>
#include <fstream>
#include <iterator>
#include <ostream>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "cli/option_values.hpp"
#include "cli/supervisor.hpp"
#include "common/error.hpp"
#include "common/text/characters.hpp"
#include "common/text/path_sandbox.hpp"
#include "common/text/text.hpp"
#include "mapping/analyze/outline.hpp"
#include "records/write_file.hpp"
#include "report/json_listings.hpp"
#include "studies/port/port_check.hpp"
#include "studies/port/port_input.hpp"
#include "suites/manifest/manifest.hpp"

namespace parallax::cli {
namespace {

/// A path relative to a manifest in `base`; adds the folder that must be allowed to `outside`.
std::string named_from(const fs::path& base, const fs::path& path, const fs::path& to_open,
                       std::vector<std::string>& outside) {
    try {
        PathSandbox({base}).check(path);
    } catch (const Error&) {
        // Absolute, since the manifest may be used from another folder.
        const std::string folder = fs::weakly_canonical(to_open.empty() ? "." : to_open).string();
        if (std::ranges::find(outside, folder) == outside.end()) outside.push_back(folder);
        if (path.is_absolute()) return path.string();
    }
    return fs::relative(path, base.empty() ? "." : base).string();
}

/// The generated manifest; reports a source that cannot be translated.
std::string made_first(const FirstManifest& first, CommandContext& context) {
    FirstRemarks remarks;
    std::string text = first_manifest(first, &remarks);
    if (remarks.guesses) {
        context.err << "parallax: A program that launches the kernel knows what is guessed here: "
                       "'parallax capture -o DIR -- PROGRAM' records its data and launches.\n";
    }
    if (!remarks.refused.empty()) {
        context.err << fmt::format(
            "parallax: {}\nparallax: The manifest was written all the same. CUDA and the host "
            "accept it once the source is changed; 'parallax run --check -d opencl' shows whether "
            "OpenCL accepts it.\n",
            remarks.refused);
    }
    return text;
}

/// The input of --init.
struct InitInput {
    std::optional<PortInput> opencl, cuda;
    PortWords cuda_words = {};  ///< those that `cuda` was read by
    const PortInput& any() const { return opencl ? *opencl : *cuda; }
};

/// Notes for a reader of the translation.
void say_notes(const PortFromCuda& made, CommandContext& context) {
    if (!made.input.reason.empty()) {
        context.err << fmt::format("parallax: It is preprocessed first, as NVCC does: {}\n",
                                   made.input.reason);
    }
    for (const std::string& note : made.translation.notes) {
        context.err << "parallax: " << note << "\n";
    }
}

/// Translates the CUDA source of a first manifest, which then has both.
/// @returns the translation; nothing: there is none, and the reason is printed
std::optional<std::string> add_translation(FirstManifest& first, const PortWords& words,
                                           CommandContext& context) {
    first_manifest(first);  // constructs of CUDA that it rejects come first
    const auto without = [&](const std::string& why) {
        context.err << fmt::format(
            "parallax: {}\nparallax: The manifest has the CUDA source alone, since this one is not "
            "translated to OpenCL C. With an OpenCL source of your own, 'parallax port mine.cl {} "
            "--init' makes one with both.\n",
            why, printable(words.file));
        return std::nullopt;
    };
    try {
        const PortFromCuda made = port_from_cuda(words, first.kernels);
        for (const auto& [cuda, opencl] : made.translation.kernels)
            first.translated.push_back(opencl);
        if (first.translated.size() != std::max<std::size_t>(first.kernels.size(), 1)) {
            first.translated.clear();
            return without(
                "several kernels of one template are in it, and which is which is not told.");
        }
        first.source = made.input.text;
        say_notes(made, context);
        return made.input.head() + made.input.text;
    } catch (const Refused& error) {
        return without(error.what());
    } catch (const Unsupported& error) {
        return without(error.what());
    }
}

/// Whether a file holds that text.
bool holds(const fs::path& file, const std::string& text) {
    std::ifstream in(file, std::ios::binary);
    return std::string(std::istreambuf_iterator<char>(in), {}) == text;
}

/// Never overwrites a manifest, which may have been edited by hand. The translation of a CUDA
/// source that is alone is written next to it.
/// @param words  that the CUDA source was read by
void write_first(const fs::path& file, FirstManifest first, const PortWords& words,
                 CommandContext& context) {
    std::error_code error;
    if (fs::is_regular_file(file, error)) {
        throw UsageError(fmt::format(
            "{} is there already, and --init replaces no manifest, since it may have been "
            "corrected: remove it to write it again, or name another file with -o.",
            file.string()));
    }
    if (file.has_parent_path() && !fs::is_directory(file.parent_path(), error)) {
        throw UsageError(fmt::format("{} cannot be written: there is no folder {}.", file.string(),
                                     file.parent_path().string()));
    }
    std::optional<std::string> translation;
    const fs::path beside = fs::path(file).replace_extension(".cl");
    if (first.file.empty()) translation = add_translation(first, words, context);
    if (translation) {
        if (fs::exists(beside, error) && !holds(beside, *translation)) {
            throw UsageError(fmt::format(
                "{0} is there already, and is not what {1} is translated to: remove it, or name "
                "another manifest with -o; 'parallax port {0} {1} --init' makes a manifest with "
                "both as they are.",
                beside.string(), words.file));
        }
        first.file = beside.filename().string();
    }
    const std::string text = made_first(first, context);
    if (translation) write_file(beside, *translation);
    write_file(file, text);
    const std::string name = printable(file.string());
    context.err << fmt::format(
        "wrote {0}{2}. Review it, then 'parallax run {0} --check' checks the kernel and {1}\n",
        name,
        first.cuda.empty()   ? fmt::format("'parallax diff -s {}' compares both sides.", name)
        : first.file.empty() ? fmt::format("'parallax run {}' times it. With an OpenCL source or a "
                                           "second variant, 'parallax diff' compares them.",
                                           name)
                             : fmt::format("'parallax diff {0}/opencl {0}/cuda' compares both "
                                           "sources.",
                                           name),
        translation ? fmt::format(" and {}, its OpenCL C", printable(beside.string())) : "");
}

/// Writes manifests for the kernel of --kernel, or for all; explains how to use them.
int init(const InitInput& input, const std::vector<std::string>& kernels,
         const std::optional<std::string>& output, CommandContext& context) {
    const PortInput& any = input.any();
    if (any.file == "<stdin>") {
        throw UsageError("A manifest names its kernel file: give one, and not standard input.");
    }
    const fs::path file = any.file;
    const bool folder = output && fs::is_directory(*output);
    const fs::path base = folder   ? fs::path(*output)
                          : output ? fs::path(*output).parent_path()
                                   : file.parent_path();
    std::vector<std::string> outside;
    FirstManifest first{.file = {}, .source = {}, .kernels = kernels, .defines = any.defines};
    if (input.opencl) {
        first.file = named_from(base, file, file.parent_path(), outside);
        first.source = input.opencl->text;
        first.expand = input.opencl->expand;
    }
    if (input.cuda) {
        const fs::path own = input.cuda->file;
        first.cuda = named_from(base, own, own.parent_path(), outside);
        first.cuda_source = input.cuda->text;
    }
    for (const std::string& one : any.folders) {
        first.include.push_back(named_from(base, one, one, outside));
    }
    if (!outside.empty()) {
        context.err << fmt::format(
            "parallax: The manifest reads outside its own folder. Commands that take it need "
            "--allow {}; none is needed if all files are next to the manifest.\n",
            fmt::join(outside, " --allow "));
    }
    if (!folder) {
        if (output) {
            write_first(*output, first, input.cuda_words, context);
            return exit_ok;
        }
        context.out << made_first(first, context);
        if (!input.opencl) {
            context.err << "parallax: With -o mine.json, too, the translation to OpenCL C is "
                           "written beside it as mine.cl, and the manifest has both sources.\n";
        }
        return exit_ok;
    }
    int code = exit_ok;
    std::vector<std::vector<std::string>> rows{kernels};
    if (kernels.empty()) {
        rows.clear();
        for (const std::string& name : kernels_in(first)) rows.push_back({name});
    }
    for (const std::vector<std::string>& row : rows) {
        first.kernels = row;
        // `blas::saxpy<float>` is no name of a file.
        std::string name = fmt::format("{}", fmt::join(row, "-"));
        std::ranges::replace_if(
            name, [](char c) { return !is_word_character(c) && c != '-'; }, '_');
        try {
            write_first(base / (name + ".json"), first, input.cuda_words, context);
        } catch (const UsageError& error) {
            context.err << fmt::format("parallax: {}\n", error.what());
            code = exit_wrong;
        }
    }
    return code;
}

std::string expand_advice(const PortInput& input) {
    const auto other = input.expanded_translation();
    if (!other || other->text() == input.translated().text()) return {};
    return "parallax: --expand may help: it gives CUDA another source.\n";
}

/// The identifiers in a file that NVRTC reports as undeclared.
std::vector<std::string> undefined_names(const PortInput& input, std::string_view log) {
    constexpr std::string_view before = "identifier \"", after = "\" is undefined";
    std::vector<std::string> names;
    for (std::size_t at = log.find(before); at != log.npos; at = log.find(before, at)) {
        at += before.size();
        const std::size_t end = log.find('"', at);
        std::string name(log.substr(at, end - at));
        if (end == log.npos || log.substr(end, after.size()) != after) continue;
        const bool is_known = std::ranges::find(names, name) != names.end();
        if (!is_known && has_word(input.text, name)) names.push_back(std::move(name));
    }
    return names;
}

/// Checks the source to be printed with NVRTC, if available; prints its errors.
int check_printed(const PortInput& input, CommandContext& context) {
    const std::optional<PortTrial> refusal = nvrtc_refusal(input, context.backends);
    if (!refusal) return exit_ok;
    const std::vector<std::string> names = undefined_names(input, refusal->log);
    std::string advice = fmt::format(
        "Correct {0} there. If it is right OpenCL C, that is a fault of the translation and none "
        "of the file's: write the place otherwise.",
        input.file);
    if (refusal->log.find("uses too much") != std::string::npos) {
        advice = "It is right, and needs more than CUDA has: make that smaller.";
    } else if (!names.empty()) {
        advice = fmt::format(
            "Neither the file nor the translation says what {} is: give what the "
            "program that builds the file gives, with -D NAME=VALUE.",
            fmt::join(names, ", "));
    }
    context.err << fmt::format(
        "parallax: nothing is printed, since NVRTC does not accept the CUDA source. "
        "{}\n{}parallax: {} --check asks OpenCL's compiler, too, and shows all that both say; "
        "--no-check prints the source all the same.\n",
        refusal->what, names.empty() ? expand_advice(input) : "", advice);
    return exit_wrong;
}

/// Shows the compilers' messages for both sources, one side per line.
int show_check(const PortInput& input, const std::optional<std::string>& device,
               const std::optional<int>& architecture, bool as_json, CommandContext& context) {
    const std::vector<PortTrial> trials =
        check_port(input, device, architecture, context.backends, [&](const PortTrial& trial) {
            context.out << (as_json ? trial_json(trial) : trial.text()) << std::flush;
        });
    if (trials.empty()) {
        context.err << fmt::format("parallax: {} has no __kernel: there is nothing to compile.\n",
                                   input.file);
        return exit_nothing;
    }
    const auto any = [&](PortTrial::Result result) {
        return std::ranges::find(trials, result, &PortTrial::result) != trials.end();
    };
    if (any(PortTrial::Result::fails)) {
        // If OpenCL's compiler fails as well, CUDA's headers are not the cause.
        const bool is_cudas = std::ranges::none_of(trials, [](const PortTrial& trial) {
            return trial.result == PortTrial::Result::fails && trial.where.starts_with("opencl");
        });
        if (is_cudas) context.err << expand_advice(input);
        return exit_wrong;
    }
    return any(PortTrial::Result::untried) ? exit_nothing : exit_ok;
}

/// Runs `port` for a CUDA file.
int from_cuda(const Values& values, const PortWords& words, const std::vector<std::string>& kernels,
              const std::optional<int>& architecture, CommandContext& context) {
    const auto output = value_of<std::string>(values, "output");
    if (output) check_writable(*output, {words.file});
    const PortFromCuda made = port_from_cuda(words, kernels);
    const PortInput& input = made.input;
    say_notes(made, context);
    if (made.translation.kernels.empty()) {
        context.err << fmt::format(
            "parallax: {} has no kernel to translate: no __global__ function, or templates that "
            "nothing in the file launches (--kernel 'scale<float>').\n",
            input.file);
        return exit_nothing;
    }
    const std::string text = input.head() + input.text;
    return run_supervised(values, context, [&] {
        int code = exit_ok;
        if (values["check"].as<bool>()) {
            code = show_check(input, value_of<std::string>(values, "device"), architecture,
                              value_of<std::string>(values, "format") == "json", context);
        } else if (!values["no-check"].as<bool>()) {
            if (const auto refusal = opencl_refusal(input, context.backends)) {
                context.err << fmt::format(
                    "parallax: nothing is printed, since {} does not accept the OpenCL source. {}\n"
                    "parallax: That is a fault of the translation, or more than the device has; "
                    "--check shows all that both compilers say, --no-check prints the source all "
                    "the same.\n",
                    refusal->where, refusal->what);
                code = exit_wrong;
            }
        }
        if (output && code == exit_ok) {
            write_file(*output, text);
            context.err << fmt::format(
                "wrote {0}. 'parallax port {0} {1} --init -o {2}' makes a manifest, with which "
                "'parallax diff {2}/opencl {2}/cuda' compares both sources.\n",
                printable(*output), printable(input.file),
                printable(fs::path(*output).replace_extension(".json").string()));
        }
        if (!output && !values["check"].as<bool>() && code == exit_ok) context.out << text;
        return code;
    });
}

void refuse_dialect(const std::optional<std::string>& dialect) {
    if (dialect) {
        throw UsageError(
            "--dialect is of the OpenCL C that a CUDA file becomes: give a .cu file, "
            "without --init.");
    }
}

int port(const Values& values, CommandContext& context) {
    const bool check = values["check"].as<bool>();
    const auto output = value_of<std::string>(values, "output");
    const auto device = value_of<std::string>(values, "device");
    const auto arch = value_of<std::string>(values, "arch");
    if (!check && (device || arch)) {
        throw UsageError("-d and --arch say for what --check compiles: give it, too.");
    }
    const bool as_json = value_of<std::string>(values, "format") == "json";
    if (as_json && !check) {
        throw UsageError("--json is how --check prints what the compilers say: give it, too.");
    }
    const std::optional<int> architecture =
        arch ? std::optional(parse_architecture(*arch)) : std::nullopt;
    if (output && output->empty()) throw UsageError("-o names no file.");

    const bool init_wanted = values["init"].as<bool>();
    const std::vector<std::string> kernels = words_of(values, "kernel");
    if (init_wanted && check) {
        throw UsageError("--init writes a manifest, --check compiles: give one.");
    }
    const bool unasked = values["no-check"].as<bool>();
    if (unasked && (check || init_wanted)) {
        throw UsageError("--no-check prints a source that is not compiled: leave it out here.");
    }

    PortWords words{.file = value_of<std::string>(values, "file").value_or(""),
                    .defines = words_of(values, "define"),
                    .folders = words_of(values, "include"),
                    .expand = values["expand"].as<bool>(),
                    .allowed = words_of(values, "allow")};
    const auto dialect = value_of<std::string>(values, "dialect");
    if (dialect == "nvidia") words.dialect = from_cuda::Dialect::nvidia;
    std::string other = value_of<std::string>(values, "other").value_or("");
    const auto language = value_of<std::string>(values, "language");
    if (language && !other.empty()) {
        throw UsageError("--language says what one file is in: leave it out for two.");
    }
    const auto is_cuda = [&](const std::string& file) {
        return language ? *language == "cuda" && !file.empty() : is_cuda_file(file);
    };
    if (is_cuda(words.file) && !is_cuda(other)) std::swap(words.file, other);
    InitInput sources;
    if (!other.empty()) {
        if (!is_cuda(other) || is_cuda(words.file)) {
            throw UsageError(fmt::format(
                "'port' takes one OpenCL C file, one CUDA file (.cu), or with --init one of each: "
                "what is {}? 'parallax port --help' tells more.",
                other));
        }
        PortWords cuda = words;
        cuda.file = other;
        if (!init_wanted && !words.file.empty()) {
            throw UsageError(fmt::format(
                "'port' translates one file: {} or {}? With --init it writes a manifest with both.",
                words.file, other));
        }
        if (!init_wanted) return from_cuda(values, cuda, kernels, architecture, context);
        refuse_dialect(dialect);
        sources.cuda = cuda_input(cuda);
        sources.cuda_words = cuda;
        if (words.file.empty()) return init(sources, kernels, output, context);
    }
    refuse_dialect(dialect);
    if (!kernels.empty() && !init_wanted) {
        throw UsageError(
            "--kernel says for which kernel --init writes a manifest, or which kernels of a CUDA "
            "file are translated.");
    }
    const PortInput input = port_input(words);
    if (output && !init_wanted) {
        check_writable(*output, {input.file});
    }
    if (!input.reason.empty()) {
        context.err << fmt::format(
            "parallax: It is preprocessed first, with the names that OpenCL C 1.2 defines: {}\n",
            input.reason);
    }
    if (!input.failure.empty()) context.err << fmt::format("parallax: {}\n", input.failure);
    if (init_wanted) {
        sources.opencl = input;
        return init(sources, kernels, output, context);
    }
    if (outline_of(input.file, input.text).items.empty()) {
        context.err << fmt::format(
            "parallax: {} has no __kernel and no function: there is nothing to translate.\n",
            input.file);
        return exit_nothing;
    }
    const Translation translation = input.translated();
    for (const std::string& note : translation.notes) context.err << "parallax: " << note << "\n";
    for (const std::string& remark : port_remarks(input, translation)) {
        context.err << "parallax: " << remark << "\n";
    }
    const std::string text = input.head() + translation.text();
    const auto check_and_write = [&] {
        const int code = check     ? show_check(input, device, architecture, as_json, context)
                         : unasked ? exit_ok
                                   : check_printed(input, context);
        // A source that does not compile replaces no file.
        if (output && code == exit_ok) {
            write_file(*output, text);
            context.err << fmt::format(
                "wrote {0}. 'parallax port {1} --init -o {2}' makes a manifest, with "
                "which 'parallax diff -s {2}' compares both sources.\n",
                printable(*output), printable(input.file),
                printable(fs::path(*output).replace_extension(".json").string()));
        }
        if (!output && !check && code == exit_ok) context.out << text;
        return code;
    };
    return unasked ? check_and_write() : run_supervised(values, context, check_and_write);
}

}  // namespace

Command port_command() {
    return {
        .name = "port",
        .arguments =
            "FILE [FILE.cu] [-D NAME[=VALUE]]... [-I DIR]... [--init [--kernel NAME]...] [-o FILE]",
        .summary = "your own kernels in the other language, or why they cannot be translated",
        .about =
            "Translates a file of OpenCL C kernels to CUDA C++ by the table that 'parallax map' "
            "shows, and prints the CUDA source or writes it to the file of -o. Constructs without "
            "a rule are rejected, each with its file, line and advice, and nothing is written; so "
            "is a source that NVRTC, if available, does not compile (--no-check does not ask it). "
            "Included files are inserted, found in the file's folder and those of -I. Macros that "
            "hide what a translator must see are expanded with --expand. --check prints no source: "
            "it compiles the OpenCL source on a device and the CUDA source with NVRTC, for which "
            "no GPU is needed, and shows the resources of each kernel, or the compiler's errors; "
            "with -o the file is then written only if all compile. --init writes a manifest "
            "instead, with which 'run', 'diff', 'explain' and 'show' accept the kernel like a "
            "suite: arguments, sizes and launch are inferred from its body. It takes a CUDA file "
            "(.cu), too, whose translation is written beside the manifest of -o, or an OpenCL C "
            "file and a CUDA file with the same kernel. Without --init a CUDA file is translated "
            "to OpenCL C by the same table, which takes the program "
            "clang: its kernels, and those of templates that a launch in the file or --kernel "
            "gives arguments; what an OpenCL device does not compile is not printed.",
        .examples = {"parallax port mine.cl", "parallax port mine.cl -D N=4 -I include -o mine.cu",
                     "parallax port mine.cl --expand --check --arch sm_90",
                     "parallax port mine.cl --init --kernel scale -o scale.json",
                     "parallax port mine.cl mine.cu --init -o both.json",
                     "parallax port mine.cu --kernel 'scale<float, 256>' -o mine.cl",
                     "parallax port mine.cu --init -o mine.json", "parallax port - < mine.cl",
                     "parallax port - --language cuda < mine.cu"},
        .positional = {"file", "other"},
        .options =
            [](auto add) {
                add("file", po::value<std::string>(),
                    "the OpenCL C file, or a CUDA file (.cu); - is standard input");
                add("other", po::value<std::string>(),
                    "with --init: the CUDA file of the same kernel");
                add("language", po::value<std::string>(),
                    "opencl or cuda: what the file is in; none: cuda of .cu and .cuh, opencl of "
                    "others and of standard input");
                add("define,D", po::value<Words>()->composing(),
                    "NAME or NAME=VALUE: a macro, as OpenCL's compilers take it");
                add("include,I", po::value<Words>()->composing(),
                    "folder to search for included files");
                add("expand", settable_switch(),
                    "expand macros and decide conditions first, as a preprocessor does");
                add("check", settable_switch(), "compile both sources instead of printing one");
                add("no-check", settable_switch(),
                    "print the CUDA source without checking first that NVRTC compiles it");
                add("device,d", settable<std::string>(),
                    "the OpenCL device that --check compiles for; none: the first");
                add("arch", settable<std::string>(),
                    "the CUDA architecture that --check compiles for, as sm_90; none: a few");
                add("init", po::bool_switch(),
                    "write a first manifest for a kernel, to be reviewed and run");
                add("kernel", po::value<Words>()->composing(),
                    "for which kernel of the file --init writes one, in CUDA as 'scale<float>' of "
                    "a template; given again, kernels that are launched one after the other, as "
                    "one case. Without --init: which kernels of a CUDA file are translated");
                add("dialect", settable<std::string>(),
                    "of the OpenCL C that a CUDA file becomes: portable (default), or nvidia, "
                    "where warp functions are inline PTX");
                add_allow_option(add);
                add_watch_options(add);
                add("output,o", settable<std::string>(Setting::report),
                    "file for the CUDA source, or the manifest; with --init a folder that is there "
                    "takes a manifest for each kernel, and none replaces another");
                add("format", settable<std::string>(),
                    "of --check: text (default), or json, an object a line for each compiler");
            },
        .run = port,
        .exit_codes = {{0, "the source was printed or written, or --check found that all compiles"},
                       {1,
                        "a construct has no rule, or a compiler rejects a source: nothing is "
                        "written; or --init into a folder left a kernel out"},
                       {5, "--check: there is no kernel in the file, or a compiler is missing"}},
        .choices = {{"format", {"text", "json"}},
                    {"language", {"opencl", "cuda"}},
                    {"dialect", {"portable", "nvidia"}}}};
}

}  // namespace parallax::cli
