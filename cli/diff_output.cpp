// Renders the reports of a diff and writes them without overwriting other data.
#include "cli/diff_output.hpp"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <ostream>
#include <typeinfo>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "cli/option_values.hpp"
#include "cli/sanitizing_stream.hpp"
#include "cli/terminal.hpp"
#include "common/error.hpp"
#include "common/text/text.hpp"
#include "mapping/translate/translate.hpp"
#include "records/write_file.hpp"
#include "report/document.hpp"
#include "report/json_listings.hpp"
#include "report/left_out.hpp"
#include "report/report.hpp"
#include "report/sarif.hpp"
#include "suites/manifest/manifest.hpp"

namespace parallax::cli {
namespace {

/// The format by the file's extension; empty: unknown.
std::string format_of(const fs::path& file) {
    static const std::vector<std::pair<std::string, std::string>> by_extension{
        {".txt", "text"}, {".md", "md"},     {".html", "html"},  {".json", "json"},
        {".csv", "csv"},  {".xml", "junit"}, {".sarif", "sarif"}};
    for (const auto& [extension, format] : by_extension) {
        if (file.extension() == extension) return format;
    }
    return {};
}

/// The OpenCL and CUDA sources of every kernel file of the cases, from this program.
std::vector<KernelTexts> texts_of(const Diff& diff, const std::optional<std::string>& folder) {
    std::vector<KernelTexts> texts;
    for (const CaseDiff& c : diff.cases) {
        const auto known = std::ranges::find(texts, c.file, &KernelTexts::file);
        if (known != texts.end() || c.file.empty()) continue;
        try {
            const Suite* own = loaded_manifest(c.key.suite);
            const std::string opencl = own ? own->text(c.file) : kernel_source(c.file, folder);
            KernelTexts one{c.file, side_by_side(c.file, opencl, "no CUDA source", ""), {}};
            TranslateOptions how{.type = own ? std::nullopt : element_type_named(c.key.type)};
            if (own) how.defines = own->defines;
            if (!c.native && (own || how.type)) {
                for (const auto& [name, value] : c.key.constants) how.constants.push_back(name);
                Translation cuda = to_cuda(c.file, opencl, how);
                one.texts = side_by_side(opencl, cuda);
                one.prelude = std::move(cuda.prelude);
            }
            texts.push_back(std::move(one));
        } catch (const Error&) {
            // A file of another version, or one without a translation: the page omits its source.
        }
    }
    return texts;
}

/// One of two functions of that name.
std::string whole_report(const Diff& diff, unsigned width, bool colour) {
    return text_report(diff, width, colour);
}

}  // namespace

std::string rendered(const Diff& diff, const Output& output, const CommandContext& context,
                     const std::optional<std::string>& folder) {
    if (output.format == "md") return markdown_report(diff);
    if (output.format == "html") return html_report(diff, texts_of(diff, folder));
    if (output.format == "json") {
        return json_report(diff);
    }
    if (output.format == "csv") return csv_report(diff);
    if (output.format == "junit") return report::junit_text(tests_of(diff));
    if (output.format == "sarif") return report::sarif_text(tests_of(diff));
    const unsigned width = output.file ? 100 : terminal_width();
    const bool colour = !output.file && wants_colour(context.out);
    const auto draw = output.detail == Detail::answer         ? text_summary
                      : output.detail == Detail::first_screen ? text_first_screen
                                                              : whole_report;
    return draw(diff, width, colour);
}

std::vector<Output> outputs_of(const Values& values, const std::vector<std::string>& inputs,
                               const std::vector<std::string>& formats) {
    std::vector<Output> outputs;
    const auto asked_for = value_of<std::string>(values, "format");
    if (asked_for) parse_choice("--format", *asked_for, formats);
    bool for_file = false;  // whether a file without a known extension has used it
    for (const std::string& word : words_of(values, "output")) {
        if (word.empty()) throw UsageError("-o names no file.");
        std::string format = format_of(word);
        if (format.empty()) {
            if (!asked_for) {
                throw UsageError(
                    fmt::format("What format is {}? It ends in none of .txt, .md, .html, .json, "
                                ".csv, .xml, .sarif: say --format.",
                                word));
            }
            format = *asked_for;
            for_file = true;
        }
        if (std::ranges::find(formats, format) == formats.end()) {
            throw UsageError(
                fmt::format("-o {} asks for the format {}, which this report has not "
                            "got. There are: {}.",
                            word, format, fmt::join(formats, ", ")));
        }
        check_writable(word, inputs);
        outputs.push_back(
            {std::move(format), fs::path(word), Detail::all, values.count("quiet") > 0});
    }
    const bool has_format = asked_for && !for_file;
    // A named format, -v and a file have all of it.
    const Detail detail = has_format || values.count("verbose") > 0 ? Detail::all
                          : outputs.empty()                         ? Detail::first_screen
                                                                    : Detail::answer;
    outputs.push_back({has_format ? *asked_for : "text", {}, detail});
    return outputs;
}

void write_outputs(const std::vector<Output>& outputs, CommandContext& context,
                   const std::function<std::string(const Output&)>& rendered) {
    context.has_reported = true;
    for (const Output& output : outputs) {
        const std::string text = rendered(output);
        if (output.file) {
            write_file(*output.file, harmless(text));
            if (output.is_quiet) continue;
            const std::string name = printable(output.file->string());
            context.err << fmt::format(
                "wrote {}{}\n", name,
                output.format == "html" ? fmt::format(": 'parallax open {}' shows it", name) : "");
            continue;
        }
        if (wants_colour(context.out)) {
            SanitizingStream::write_coloured(context.out, text);
        } else {
            context.out << text;
        }
        context.out << std::flush;
    }
}

void write_error(const Command& command, const Values& values, CommandContext& context, int code,
                 const std::string& said) {
    if (context.has_reported) return;
    const std::string message = printable(said);
    const std::string words = printable(fmt::format("parallax {}", fmt::join(context.words, " ")));
    const bool has_formats =
        values.count("output") > 0 && values["output"].value().type() == typeid(Words);
    std::vector<std::pair<std::string, std::string>> files;  // and their formats
    for (const std::string& word : has_formats ? words_of(values, "output") : Words()) {
        const std::string format = format_of(word);
        files.emplace_back(word, format.empty() && values.count("format") > 0
                                     ? values["format"].as<std::string>()
                                     : format);
    }
    for (const char* option : {"junit", "sarif"}) {
        if (values.count(option) > 0) files.emplace_back(values[option].as<std::string>(), option);
    }
    const std::vector<std::string> inputs =
        without_options(context.words, {"-o", "--output", "--junit", "--sarif"});
    report::TestReport report{
        .name = "parallax " + command.name, .properties = {}, .tests = std::move(context.tests)};
    // The file that the message is about, or else the command.
    const auto named = std::ranges::find_if(inputs, [&](const std::string& word) {
        return word.ends_with(".json") && message.starts_with(word);
    });
    report.tests.push_back({.suite = report.name,
                            .classname = "parallax." + command.name,
                            .name = named == inputs.end() ? command.name : printable(*named),
                            .outcome = report::TestOutcome::error,
                            .type = std::string(code == exit_usage         ? "unusable"
                                                : code == exit_nothing     ? "nothing-ran"
                                                : code == exit_wrong       ? "wrong"
                                                : code == exit_interrupted ? "interrupted"
                                                                           : "failed"),
                            .message = message});
    report.tests.back().places = [&]() -> std::vector<report::SourcePlace> {
        if (named == inputs.end()) return {};
        auto places = report::places_in(std::filesystem::path(*named).parent_path(), message);
        if (!places.empty()) return places;
        const char* const line = message.c_str() + named->size() + 1;
        return {{*named, std::max(std::strtoul(line, nullptr, 10), 1UL)}};
    };
    report.tests.back().repeat = words;
    const report::Document document{.title = {}, .blocks = {report::Paragraph{message}}};
    for (const auto& [file, format] : files) {
        std::string text;
        if (format == "junit") text = report::junit_text(report);
        if (format == "sarif") text = report::sarif_text(report);
        if (format == "json") text = error_json(words, code, message);
        if (format == "md") text = report::markdown_of(document);
        if (format == "text") text = report::text_of(document, 100, false);
        if (text.empty() || !may_be_replaced(file)) continue;
        try {
            check_writable(file, inputs);
            write_file(file, harmless(text));
        } catch (const UsageError&) {
            // The error itself is more important, and is printed.
        }
    }
}

void write_reports(const Diff& diff, const std::vector<Output>& outputs, CommandContext& context,
                   const std::optional<std::string>& folder) {
    write_outputs(outputs, context,
                  [&](const Output& output) { return rendered(diff, output, context, folder); });
}

}  // namespace parallax::cli
