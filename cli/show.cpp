// `parallax show`: a variant's kernel in both languages side by side, with the rules used.
#include <ostream>

#include <fmt/format.h>

#include "cli/diff_output.hpp"
#include "cli/one_case.hpp"
#include "cli/option_values.hpp"
#include "cli/terminal.hpp"
#include "common/error.hpp"
#include "common/text/text.hpp"
#include "common/text/text_lines.hpp"
#include "mapping/cuda/device_code.hpp"
#include "mapping/translate/translate.hpp"
#include "measure/run_case.hpp"
#include "report/texts/show_page.hpp"
#include "studies/diff/two_kernels.hpp"
#include "studies/port/port_input.hpp"
#include "suites/manifest/manifest.hpp"

namespace parallax::cli {
namespace {

const std::vector<std::string> show_formats{"text", "md", "html"};

std::string constants_line(const Case& c) {
    std::string line;
    // The others are arguments or host values, unknown to compilers.
    for (const ConstantSpec& spec : c.suite->constants) {
        if (!spec.is_argument) line += fmt::format(" -D{}={}", spec.name, c[spec.name]);
    }
    for (const Define& define : c.suite->defines) {
        line += fmt::format(" -D{}={}", define.name, define.value);
    }
    return line;
}

/// A variant as it is built, and as it was requested.
struct Chosen {
    std::string word;
    CasePick pick;
    Case c;
    RunConfig config;

    Program program(std::string_view language) const { return program_of(c, config, language); }
    /// The first kernel of the plan; empty: there is none.
    std::string kernel() const {
        const Plan plan = plan_of(c);
        const std::vector<const Launch*> launches = launches_of(plan);
        return launches.empty() ? "" : launches.front()->kernel;
    }
};

Chosen chosen(const std::string& word, const Values& values, const CommandContext& context) {
    CasePick pick = parse_pick(word, context.permissions);
    if (!pick.variant) pick.variant = &pick.suite->variants.front();
    RunConfig config;
    const auto folder = value_of<std::string>(values, "kernels");
    config.kernel_source = [folder](std::string_view file) { return kernel_source(file, folder); };
    return {word, pick, case_of(pick, values), std::move(config)};
}

/// First and last line of a kernel. @returns the whole source for an empty name
std::pair<unsigned, unsigned> lines_of_kernel(const Program& program, const std::string& kernel) {
    const auto one = signature_of(program, kernel);
    return one ? std::pair{one->line, one->last_line} : std::pair{1u, last_of_all};
}

void write(const ShownPage& page, const Values& values, CommandContext& context) {
    const std::vector<Output> outputs = outputs_of(values, {}, show_formats);
    const auto columns = value_of<std::string>(values, "width");
    const auto width = columns ? static_cast<unsigned>(parse_number("--width", *columns, 40, 1000))
                               : terminal_width();
    write_outputs(outputs, context, [&](const Output& output) {
        if (output.format == "md") return markdown_of(page);
        if (output.format == "html") return html_of(page);
        const bool colour = !output.file && wants_colour(context.out);
        return text_of(page, values.count("why") > 0, width, colour);
    });
}

ShownPage introduced(const Chosen& one, const std::string& file) {
    ShownPage page{.title = one.word};
    page.paragraphs = {fmt::format("{}: {}", one.word, one.pick.variant->description),
                       fmt::format("{}: {}", file, one.pick.suite->question)};
    const Program program = one.program("both");
    const std::string built =
        constants_line(one.c) +
        (program.type ? fmt::format(", T = {}", name_of(one.c.type)) : std::string());
    if (!built.empty()) page.paragraphs.push_back("built with" + built);
    if (!one.pick.suite->notice.empty()) page.paragraphs.push_back(one.pick.suite->notice);
    return page;
}

/// A variant with sources in a backend's own language.
ShownPage native_page(const Chosen& one) {
    const std::vector<NativeSource>& natives = one.pick.variant->natives;
    ShownPage page{.title = one.word};
    page.paragraphs = {fmt::format("{}: {}", one.word, one.pick.variant->description)};
    if (natives.size() != 2) {
        page.only = one.program("both").source;
        return page;
    }
    page.view = side_by_side(natives[0].source, one.program(natives[0].backend).source,
                             natives[1].source, one.program(natives[1].backend).source);
    return page;
}

/// Two sources that were written separately.
/// @param a, b  the backends whose sources they are
ShownPage two_sources(const Chosen& left, std::string_view a, const Chosen& right,
                      std::string_view b, const std::string& title) {
    ShownPage page{.title = title};
    const Program first = left.program(a), second = right.program(b);
    page.paragraphs = {fmt::format("{} and {}, written separately.", first.name, second.name)};
    page.view = side_by_side(first.name, first.source, second.name, second.source);
    return page;
}

/// A CUDA file's kernels, and their translations.
ShownPage cuda_file(const std::string& file, const Values& values) {
    refuse_given(values, {"against", "type", "language", "kernels", "all", "side"},
                 "A CUDA source stands first and whole: leave out --{}.");
    const PortFromCuda made =
        port_from_cuda({.file = file, .defines = words_of(values, "define"), .folders = {}}, {});
    ShownPage page{.title = file};
    page.paragraphs = made.translation.notes;
    if (!made.input.reason.empty()) {
        page.paragraphs.push_back("It is preprocessed first, as NVCC does: " + made.input.reason);
    }
    page.view = side_by_side(file, made.input.original->source, made.translation);
    return page;
}

ShownPage two_languages(const Chosen& one, bool all) {
    if (one.pick.variant->for_cuda) return two_sources(one, "opencl", one, "cuda", one.word);
    const Program program = one.program("both");
    if (program.is_native()) return native_page(one);
    const Translation cuda = to_cuda(program.name, program.source, translate_options(program));
    ShownPage page = introduced(one, program.name);
    const std::string kernel = one.kernel();
    if (kernel.empty()) {
        page.paragraphs.emplace_back("It launches no kernel: the runtime itself copies.");
        return page;
    }
    page.prelude = cuda.prelude;
    const auto [first, last] = lines_of_kernel(program, all ? "" : kernel);
    page.view = side_by_side(program.source, cuda, first, last);
    if (last != last_of_all) page.rest = "The rest of the file: --all.";
    return page;
}

std::string own_source(const Chosen& one, bool all) {
    const Program program = one.program(own_backend(*one.pick.variant));
    if (all) return program.source;
    if (program.is_native()) {
        return own_backend(*one.pick.variant) == "cuda"
                   ? kernel_lines(program.name, program.source, one.kernel())
                   : program.source;
    }
    const auto [first, last] = lines_of_kernel(program, one.kernel());
    const auto lines = lines_of(program.source);
    std::string text;
    for (std::size_t i = first - 1; i < lines.size() && i < last; ++i) {
        text += std::string(lines[i]) + '\n';
    }
    return text;
}

/// The differences from another variant's source.
ShownPage two_variants(const Chosen& one, const Chosen& before, bool all) {
    const std::string title = fmt::format("{} against {}", one.word, before.word);
    const std::string_view was = own_backend(*before.pick.variant),
                           is = own_backend(*one.pick.variant);
    if (is != was) return two_sources(before, was, one, is, title);
    ShownPage page{.title = title};
    for (const Chosen* side : {&before, &one}) {
        const std::string& description = side->pick.variant->description;
        page.paragraphs.push_back(
            fmt::format("{}: {}", side->word, description.empty() ? side->kernel() : description));
        if (const std::string built = constants_line(side->c); !built.empty()) {
            page.paragraphs.push_back("built with" + built);
        }
    }
    page.changed = changes(own_source(before, all), own_source(one, all));
    if (page.changed->hunks.empty()) {
        page.paragraphs.emplace_back(
            one.kernel() == before.kernel()
                ? "Both have the same kernel source."
                : "Both are kernels of the same source, and --all shows no difference in it.");
    }
    return page;
}

void refuse_page_options(const Values& values) {
    refuse_given(values, {"format", "output", "why", "against", "side"},
                 "--language prints one whole source as it is. Leave out --{}.");
}

/// The whole source in one language, as the compiler gets it.
int show_one(const Chosen& one, const std::string& language, const Values& values,
             CommandContext& context) {
    refuse_page_options(values);
    const Program program = one.program(language);
    if (program.is_native() && !native_source(*on_backend(one.c, language).variant, language)) {
        throw UsageError(
            fmt::format("{} is a native variant: it has a source for {} "
                        "only.",
                        one.word, native_backends(*one.pick.variant)));
    }
    const bool as_it_is = program.is_native() || language == "opencl";
    context.out << (as_it_is
                        ? program.source
                        : to_cuda(program.name, program.source, translate_options(program)).text());
    return exit_ok;
}

int show_host(const std::string& language, const Values& values, CommandContext& context) {
    refuse_given(values, {"against", "type", "define", "kernels", "side"},
                 "host is two programs for the host, and no kernel. Leave out --{}.");
    if (language == "both") {
        write(host_page(), values, context);
    } else {
        refuse_page_options(values);
        context.out << host_text(language);
    }
    return exit_ok;
}

int show(const Values& values, CommandContext& context) {
    const std::string language = value_of<std::string>(values, "language").value_or("both");
    const auto word = value_of<std::string>(values, "case");
    const auto against = value_of<std::string>(values, "against");
    const bool is_host = word == "host";
    if (!word) {
        throw UsageError(
            "Say which kernel: parallax show SUITE/VARIANT. 'parallax list' shows what "
            "there is; 'parallax show host' shows the host's half.");
    }
    // A whole source is the same for all variants of a suite, so the first of a manifest is shown.
    const bool is_variant = !is_host && !is_cuda_file(*word);
    for (const auto& one : {language == "both" && is_variant ? word : std::nullopt, against}) {
        if (one && !names_manifest(*one)) parse_variant(one);
    }
    if (against && values.count("why") > 0) {
        throw UsageError(
            "--why is about two languages, and --against about two variants. Leave out one.");
    }
    if (is_host) return show_host(language, values, context);
    if (is_cuda_file(*word)) {
        write(cuda_file(*word, values), values, context);
        return exit_ok;
    }
    const Chosen one = chosen(*word, values, context);
    if (language != "both") return show_one(one, language, values, context);
    const bool all = values.count("all") > 0;
    ShownPage page = against ? two_variants(one, chosen(*against, values, context), all)
                             : two_languages(one, all);
    if (value_of<std::string>(values, "side") == "cuda" && page.view) {
        page.view = with_cuda_first(std::move(*page.view));
    }
    write(page, values, context);
    return exit_ok;
}

}  // namespace

Command show_command() {
    return {
        .name = "show",
        .arguments = "SUITE/VARIANT | FILE.cu | host",
        .summary = "a kernel's source in OpenCL C and CUDA, line by line, and why they differ",
        .about =
            "Shows the OpenCL source of a kernel next to the CUDA source that the mapping table "
            "makes of it: exactly what the two compilers get. Lines have the same numbers on both "
            "sides. On a terminal the words that differ are coloured, and underlined those that "
            "are spelt alike and mean nearly the same. --why says by which row of the table each "
            "word became another one, and why. --against compares the OpenCL sources of two "
            "variants instead. Of a CUDA file (.cu) it shows the OpenCL C that 'parallax port' "
            "makes, and with --why by which rows. host shows a whole program for the host through "
            "each API; --why adds the rows of the map for its calls.",
        .examples = {"parallax show transpose/padded --why",
                     "parallax show reduction/vector --type double",
                     "parallax show multiply/blocked --define BLOCK=32 -o blocked.html",
                     "parallax show transpose/tiled --against transpose/naive",
                     "parallax show mine.cu --why",
                     "parallax show reduction --language cuda > reduction.cu",
                     "parallax show host --why"},
        .positional = {"case"},
        .options =
            [](auto add) {
                add("case", po::value<std::string>(),
                    "SUITE/VARIANT; with --language, SUITE; a CUDA file; or host");
                add("why", settable_flag(),
                    "each row of the mapping table that was applied, below the sources");
                add("against", po::value<std::string>(),
                    "SUITE/VARIANT: what changed from its OpenCL source to this one's");
                add("type", settable<std::string>(), "what T stands for: float, double or int");
                add("define,D", settable<Words>(),
                    "NAME=VALUE: a constant of the kernels, a macro of a CUDA file");
                add_source_options(add);
                add("side", settable<std::string>(),
                    "whose source stands first: opencl (default) or cuda");
                add("language", settable<std::string>(),
                    "both (default), or the whole source in one language: opencl, cuda");
                add("all", settable_flag(), "the whole file, not the one kernel");
                add("format", settable<std::string>(),
                    "text (default), md or html; for standard output, or the file whose end does "
                    "not say");
                add("output,o", settable<Words>(Setting::report),
                    "file for the page, again and again; its end says the format: .txt, .md, "
                    ".html");
                add("width", settable<std::string>(),
                    "columns, 40 to 1000; the terminal's when not given");
                add_allow_option(add);
                add("kernels", po::value<std::string>(), "folder of kernel files to use instead");
            },
        .run = show,
        .choices = {{"format", show_formats},
                    {"language", {"both", "opencl", "cuda"}},
                    {"side", {"opencl", "cuda"}}}};
}

}  // namespace parallax::cli
