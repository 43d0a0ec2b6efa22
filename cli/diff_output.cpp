// Renders the reports of a diff, and writes them where nothing is lost.
#include "cli/diff_output.hpp"

#include <algorithm>
#include <fstream>
#include <ostream>

#include <fmt/format.h>

#include "cli/arguments.hpp"
#include "common/error.hpp"
#include "common/hash.hpp"
#include "common/results.hpp"
#include "kernels/translate.hpp"
#include "report/report.hpp"

namespace parallax::cli {
namespace {

namespace fs = std::filesystem;

/// Empty: the file's end does not say.
std::string format_of(const fs::path& file) {
    static const std::vector<std::pair<std::string, std::string>> by_extension{
        {".txt", "text"}, {".md", "md"}, {".html", "html"}, {".json", "json"}, {".xml", "junit"}};
    for (const auto& [extension, format] : by_extension) {
        if (file.extension() == extension) return format;
    }
    return {};
}

void check_writable(const fs::path& file, const std::vector<std::string>& inputs) {
    std::error_code error;
    if (fs::is_directory(file, error)) {
        throw UsageError(fmt::format("Cannot write {}: it is a folder.", file.string()));
    }
    for (const std::string& input : inputs) {
        // A pipe or a terminal may be read and written.
        const bool same = fs::equivalent(file, input, error) && fs::is_regular_file(file, error);
        if (!same && file != fs::path(input)) continue;
        throw UsageError(
            fmt::format("-o {} would replace the data in {}. Choose another file with -o.",
                        file.string(), input));
    }
    if (fs::exists(file, error) && !fs::is_regular_file(file, error)) return;
    const ResultWriter leaves_no_trace(file);
}

/// Both texts of every kernel file that the cases name, as this program has them.
std::vector<KernelTexts> texts_of(const Diff& diff, const std::optional<std::string>& folder) {
    std::vector<KernelTexts> texts;
    for (const CaseDiff& c : diff.cases) {
        const auto known = std::ranges::find(texts, c.file, &KernelTexts::file);
        if (known != texts.end() || c.file.empty()) continue;
        try {
            KernelTexts one{c.file, kernel_text(c.file, folder), {}, {}};
            one.source_hash = hash_of(one.opencl);
            const auto type = element_type_named(c.type);
            if (!c.native && type) {
                std::vector<std::string> constants;
                for (const auto& [name, value] : c.constants) constants.push_back(name);
                one.cuda = to_cuda(c.file, one.opencl, {*type, constants}).text();
            }
            texts.push_back(std::move(one));
        } catch (const Error&) {
            // A file of another version of the program, or one that is not translated: without it
            // the page is still the report.
        }
    }
    return texts;
}

void write(const fs::path& named, const std::string& text) {
    std::error_code error;
    if (fs::exists(named, error) && !fs::is_regular_file(named, error)) {
        // A device file or a pipe: nothing may take its place.
        std::ofstream out(named, std::ios::binary | std::ios::app);
        out << text << std::flush;
        if (!out) throw UsageError(fmt::format("Cannot write {}. Is it full?", named.string()));
        return;
    }
    // A reader never sees half of it, and an old one stays when the disk is full. A link stays one.
    const fs::path target = fs::weakly_canonical(named, error);
    const fs::path file = error ? named : target;
    if (file.has_parent_path()) fs::create_directories(file.parent_path(), error);
    const fs::path part = file.string() + ".part";
    std::ofstream out(part, std::ios::binary | std::ios::trunc);
    out << text;
    out.close();
    error.clear();
    if (out) fs::rename(part, file, error);
    if (!out || error) {
        fs::remove(part, error);
        throw UsageError(fmt::format("Cannot write {}. Is the disk full?", named.string()));
    }
}

}  // namespace

std::string rendered(const Diff& diff, const Output& output, const World& world,
                     const std::optional<std::string>& folder) {
    if (output.format == "md") return markdown_report(diff);
    if (output.format == "html") return html_report(diff, texts_of(diff, folder));
    if (output.format == "json") {
        // In ASCII: control characters beyond it steer terminals, too.
        return to_json(diff).dump(2, ' ', true, Json::error_handler_t::replace) + "\n";
    }
    if (output.format == "junit") return junit_report(diff);
    const bool terminal = !output.file && is_terminal(world.out);
    return text_report(diff, output.file ? 100 : terminal_width(), terminal && wants_colour());
}

std::vector<Output> outputs_of(const Values& values, const std::vector<std::string>& inputs,
                               const std::vector<std::string>& formats) {
    std::vector<Output> outputs;
    const auto asked_for = value_of<std::string>(values, "format");
    if (asked_for) parse_choice("--format", *asked_for, formats);
    bool for_file = false;  // whether a file without an end of its own has taken it
    for (const std::string& word : words_of(values, "output")) {
        if (word.empty()) throw UsageError("-o names no file.");
        std::string format = format_of(word);
        if (format.empty()) {
            if (!asked_for) {
                throw UsageError(
                    fmt::format("What format is {}? It ends in none of .txt, .md, .html, .json, "
                                ".xml: say --format.",
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
        outputs.push_back({std::move(format), fs::path(word)});
    }
    outputs.push_back({asked_for && !for_file ? *asked_for : "text", {}});
    return outputs;
}

void write_outputs(const std::vector<Output>& outputs, World& world,
                   const std::function<std::string(const Output&)>& rendered) {
    for (const Output& output : outputs) {
        const std::string text = rendered(output);
        if (output.file) {
            write(*output.file, text);
        } else {
            world.out << text << std::flush;
        }
    }
}

void write_reports(const Diff& diff, const std::vector<Output>& outputs, World& world,
                   const std::optional<std::string>& folder) {
    write_outputs(outputs, world,
                  [&](const Output& output) { return rendered(diff, output, world, folder); });
}

}  // namespace parallax::cli
