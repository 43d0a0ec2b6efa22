// Formats help pages and manual pages from the same data.
#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "cli/option_table.hpp"
#include "cli/terminal.hpp"
#include "common/text/text.hpp"
#include "common/version.hpp"

namespace parallax::cli {
namespace {

constexpr std::string_view title = "one kernel, seen from OpenCL and from CUDA on the same device";

constexpr std::array<std::pair<int, std::string_view>, 8> exit_codes{{
    {0,
     "at least one case ran, and all that ran is right (unsupported, refused and doubtful are "
     "allowed without --strict)"},
    {1,
     "an answer is wrong, a captured folder lost a launch, or --strict found a case doubtful, "
     "refused, unsupported or not compared"},
    {2, "the command line names nothing or cannot be, or a file cannot be read or written"},
    {3, "slower than --max-slowdown allows"},
    {4, "undecided or not comparable where --max-slowdown asked for a decision"},
    {5, "nothing could run"},
    {6,
     "a case failed: it could not be built or run, or a device did not open; no answer is wrong"},
    {130, "interrupted; what was measured has been kept"},
}};

constexpr std::array<std::pair<std::string_view, std::string_view>, 3> everywhere{{
    {"--color WHEN", "auto (default: on a terminal, without NO_COLOR), always or never"},
    {"--help, -h", "this page, or a command's"},
    {"--version", "the program's version"},
}};

/// `SECONDS`
std::string value_name(const Command& command, const std::string& option) {
    if (command.name == "capture" && option == "output") return "FOLDER";
    if (command.name == "build" && option == "again") return "NUMBER";
    if (const OptionRow row = row_of(option); !row.value.empty()) return std::string(row.value);
    std::string name = option;
    std::ranges::transform(name, name.begin(), [](char c) {
        return c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
    });
    return name;
}

/// A command's own meanings of codes, and those of the program that it leaves.
std::vector<std::pair<int, std::string>> exit_codes_of(const Command* command) {
    std::vector<std::pair<int, std::string>> all;
    if (command) all = command->exit_codes;
    std::vector<std::pair<int, std::string>> rest;
    for (const auto& [code, about] : exit_codes) {
        // The exit codes of all commands are listed after the command's own.
        if (all.empty() || code == 2 || code == 130) rest.emplace_back(code, about);
    }
    all.insert(all.end(), rest.begin(), rest.end());
    std::ranges::sort(all);
    return all;
}

/// Escapes a text for groff.
std::string roff(std::string_view text) {
    std::string out;
    for (const char c : text) {
        if (c == '\\') {
            out += "\\e";
        } else if (c == '-') {
            out += "\\-";
        } else if (c == '\'' || c == '.') {
            out += fmt::format("\\&{}", c == '\'' ? "\\(aq" : ".");
        } else {
            out += c;
        }
    }
    return out;
}

std::string roff_list(const std::vector<std::pair<std::string, std::string>>& rows) {
    std::string out;
    for (const auto& [name, about] : rows) {
        out += fmt::format(".TP\n\\fB{}\\fR\n{}\n", roff(name), roff(about));
    }
    return out;
}

}  // namespace

std::string OptionWords::spelled() const {
    return fmt::format("{}--{}{}", short_name.empty() ? "" : fmt::format("-{}, ", short_name),
                       long_name, value.empty() ? "" : " " + value);
}

std::vector<OptionWords> options_of(const Command& command) {
    po::options_description description;
    auto add = description.add_options();
    if (command.options) command.options(add);
    add("help,h", "show this page");
    std::vector<OptionWords> options;
    for (const auto& one : description.options()) {
        // `-s` where there is a short name, else `suite`.
        const std::string spelled =
            one->canonical_display_name(po::command_line_style::allow_dash_for_short);
        OptionWords words{
            .long_name = one->long_name(),
            .short_name = spelled.starts_with('-') ? spelled.substr(1) : "",
            .about = one->description(),
            .value =
                one->semantic()->max_tokens() == 0 ? "" : value_name(command, one->long_name()),
            .is_positional = std::ranges::find(command.positional, one->long_name()) !=
                             command.positional.end()};
        if (words.long_name == "format" &&
            std::ranges::count(choices_of(command, "format"), "json") > 0) {
            words.about += "; --json is short for --format json";
        }
        options.push_back(std::move(words));
    }
    return options;
}

std::string did_you_mean_option(const Command& command, std::string_view word) {
    word.remove_prefix(std::min(word.find_first_not_of('-'), word.size()));
    std::vector<std::string> names;
    for (const OptionWords& one : options_of(command)) {
        if (!one.is_positional) names.push_back(one.long_name);
    }
    std::string meant = did_you_mean(word, names);
    return meant.empty() ? meant : meant.insert(meant.find('\'') + 1, "--");
}

std::vector<std::string> choices_of(const Command& command, std::string_view long_name) {
    const auto found = std::ranges::find(
        command.choices, long_name, [](const auto& one) { return std::string_view(one.first); });
    if (found != command.choices.end()) return found->second;
    if (long_name == "floats") return {"exact", "contract", "relaxed", "as-shipped"};
    return {};
}

std::string help_page(std::size_t width) {
    std::string page = wrapped(fmt::format("parallax {}: {}.", program_version, title), width, 2) +
                       "\n\nusage: parallax COMMAND [OPTIONS]\n";
    std::string group;
    for (const Command& command : commands()) {
        if (group != command.group) page += fmt::format("\n{}\n", command.group);
        group = command.group;
        page += two_columns(command.name, command.summary, 2, 15, width);
    }
    page += "\n" + wrapped(
                       "'parallax COMMAND --help' tells more, with examples. Reports go to "
                       "standard output, messages to standard error.",
                       width, 0);
    page += "\n\neverywhere\n";
    for (const auto& [name, about] : everywhere) page += two_columns(name, about, 2, 18, width);
    page += "\nexit codes\n";
    for (const auto& [code, about] : exit_codes) {
        page += two_columns(fmt::format("{:3}", code), about, 2, 7, width);
    }
    return page;
}

std::string help_page(const Command& command, std::size_t width) {
    std::string page = fmt::format("usage: parallax {}\n\n{}\n\n",
                                   wrapped(command.name + " " + command.arguments, width, 17, 16),
                                   wrapped(command.about, width, 0));
    // Positional words are listed as arguments, not as options.
    std::string arguments, options;
    for (const OptionWords& one : options_of(command)) {
        if (one.is_positional) {
            arguments += "  " + wrapped(one.about, width, 2, 2) + "\n";
        } else {
            options += two_columns(one.spelled(), one.about, 2, 28, width);
        }
    }
    if (!arguments.empty()) page += "arguments:\n" + arguments + "\n";
    page += "options:\n" + options + "\nexamples:\n";
    for (const std::string& example : command.examples) page += "  " + example + "\n";
    if (command.exit_codes.empty()) return page;
    page += "\nexit codes\n";
    for (const auto& [code, about] : exit_codes_of(&command)) {
        page += two_columns(fmt::format("{:3}", code), about, 2, 7, width);
    }
    return page;
}

std::string man_page(const Command* command) {
    const std::string name = command ? "parallax-" + command->name : "parallax";
    std::string page = fmt::format(
        ".TH {} 1 \"\" \"parallax {}\" \"User Commands\"\n.SH NAME\n{} \\- {}\n.SH "
        "SYNOPSIS\n\\fBparallax\\fR {}\n.SH DESCRIPTION\n",
        roff(name), program_version, roff(name), roff(command ? command->summary : title),
        roff(command ? command->name + " " + command->arguments : "COMMAND [OPTIONS]"));
    std::vector<std::pair<std::string, std::string>> rows;
    if (!command) {
        page += roff("Each command has a page of its own: parallax-diff(1), for example.") + "\n";
        for (const Command& one : commands()) rows.emplace_back(one.name, one.summary);
        page += ".SH COMMANDS\n" + roff_list(rows);
        rows.assign(everywhere.begin(), everywhere.end());
    } else {
        page += roff(command->about) + "\n";
        for (const OptionWords& one : options_of(*command)) {
            if (one.is_positional)
                page += ".PP\nArgument: " + roff(one.about) + "\n";
            else
                rows.emplace_back(one.spelled(), one.about);
        }
    }
    page += ".SH OPTIONS\n" + roff_list(rows);
    rows.clear();
    for (const auto& [code, about] : exit_codes_of(command)) {
        rows.emplace_back(std::to_string(code), about);
    }
    page += ".SH EXIT STATUS\n" + roff_list(rows);
    if (command) {
        page += ".SH EXAMPLES\n.nf\n";
        for (const std::string& example : command->examples) page += roff(example) + "\n";
        page += ".fi\n";
    }
    return page +
           fmt::format(".SH SEE ALSO\n{}\n", command ? "\\fBparallax\\fR(1)" : "\\fBclinfo\\fR(1)");
}

}  // namespace parallax::cli
