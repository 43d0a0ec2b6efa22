// Dispatches the command line to a command, and maps exceptions to exit codes.
#include <algorithm>
#include <filesystem>
#include <map>
#include <new>
#include <ostream>
#include <system_error>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "cli/command.hpp"
#include "cli/diff_output.hpp"
#include "cli/option_values.hpp"
#include "cli/sanitizing_stream.hpp"
#include "cli/settings.hpp"
#include "cli/supervisor.hpp"
#include "cli/terminal.hpp"
#include "common/error.hpp"
#include "common/process/process_folders.hpp"
#include "common/suite/suite.hpp"
#include "common/text/text.hpp"
#include "common/version.hpp"
#include "suites/case_words.hpp"
#include "suites/manifest/manifest.hpp"

namespace parallax::cli {
namespace {

Values parse(const Command& command, const std::vector<std::string>& words,
             CommandContext& context) {
    po::options_description description;
    auto add = description.add_options();
    if (command.options) command.options(add);
    add("help,h", "");
    const std::vector<std::string> formats = choices_of(command, "format");
    if (std::ranges::count(formats, "json") > 0) add("json", settable_flag(), "");
    po::positional_options_description positional;
    for (const std::string& name : command.positional) positional.add(name.c_str(), 1);
    Values values;
    // No abbreviated options: a new option must not change the meaning of a script.
    const int style = po::command_line_style::unix_style & ~po::command_line_style::allow_guessing;
    po::store(po::command_line_parser(words)
                  .options(description)
                  .positional(positional)
                  .style(style)
                  .run(),
              values);
    if (values.count("help") > 0) return values;
    po::notify(values);
    take_settings(command, description, values, context.err);
    if (values.count("json") > 0) {
        if (values.count("format") > 0) throw UsageError("--json and --format say the same thing.");
        values.insert({"format", po::variable_value(std::string("json"), false)});
    }
    for (const auto& [name, value] : values) {
        const std::vector<std::string> choices = choices_of(command, name);
        if (!choices.empty()) parse_choice("--" + name, value.as<std::string>(), choices);
    }
    return values;
}

/// Removes and applies `--color WHEN`, which may be anywhere except among another program's words.
std::vector<std::string> take_colour(std::vector<std::string> words) {
    constexpr std::string_view name = "--color";
    set_colour("auto");
    const auto end = std::ranges::find(words, "--");
    const auto at = std::find_if(words.begin(), end, [&](const std::string& word) {
        return word == name || word.starts_with(std::string(name) + "=");
    });
    if (at == end) return words;
    if (*at != name) {
        set_colour(at->substr(name.size() + 1));
        words.erase(at);
    } else if (at + 1 == end) {
        throw UsageError("--color takes auto, always or never.");
    } else {
        set_colour(*(at + 1));
        words.erase(at, at + 2);
    }
    return words;
}

/// Whether it has the option to run a manifest's command.
bool measures(const Command& command) {
    po::options_description description;
    auto add = description.add_options();
    if (command.options) command.options(add);
    return description.find_nothrow("allow-command", false) != nullptr;
}

/// A word with a line feed could begin a line of a message, as if the program said it. Those of
/// another program, behind `--`, are its own.
void refuse_line_feeds(const std::vector<std::string>& words) {
    const auto end = std::ranges::find(words, "--");
    const auto one = std::find_if(
        words.begin(), end, [](const std::string& word) { return word.find('\n') != word.npos; });
    if (one == end) return;
    throw UsageError(
        fmt::format("'{}' has a line feed. Give the file another name, or the option "
                    "a value of one line.",
                    printable(*one, 200)));
}

template <class... Kinds>
bool is_any(const std::exception& error) {
    return (dynamic_cast<const Kinds*>(&error) || ...);
}

int code_of(const std::exception& error) {
    if (is_any<UsageError, fs::filesystem_error>(error)) return exit_usage;
    if (is_any<Refused>(error)) return exit_wrong;
    if (is_any<BuildFailed, DeviceError>(error)) return exit_failed;
    if (is_any<Interrupted>(error)) return exit_interrupted;
    return exit_nothing;  // no result was compared, so none is wrong
}

std::string message_of(const std::exception& error) {
    if (is_any<Refused>(error)) {
        return fmt::format("the kernel cannot be translated:\n{}", error.what());
    }
    if (is_any<std::bad_alloc>(error)) {
        return "There is not enough memory for it: 'ulimit -v' shows what this shell allows, 'free "
               "-h' what the machine has.";
    }
    if (is_any<std::system_error>(error) && code_of(error) == exit_nothing) {
        return fmt::format(
            "The system does not give what it takes: {}. 'ulimit -a' shows what this shell allows.",
            error.what());
    }
    return error.what();
}

int run_command_line(const std::vector<std::string>& words, CommandContext& context) {
    // Long lines are hard to read.
    const unsigned width = std::min(terminal_width(), 100u);
    if (words.empty()) {
        context.err << help_page(width);
        return exit_usage;
    }
    if (words[0] == "help" && words.size() == 2)
        return run_command_line({words[1], "--help"}, context);
    if (words[0] == "--help" || words[0] == "-h" || words[0] == "help") {
        context.out << help_page(width);
        return exit_ok;
    }
    if (words[0] == "--complete") {
        context.out << completions({words.begin() + 1, words.end()}, context);
        return exit_ok;
    }
    if (words[0] == "--version") {
        context.out << "parallax " << program_version << "\n";
        return exit_ok;
    }
    refuse_line_feeds(words);
    const auto& all = commands();
    if (words[0] == "--man") {
        const auto one = std::ranges::find(all, words.back(), &Command::name);
        context.out << man_page(one == all.end() ? nullptr : &*one);
        return exit_ok;
    }
    const auto command = std::ranges::find(all, words[0], &Command::name);
    if (command == all.end()) {
        throw UsageError(
            fmt::format("There is no command '{}'.{} There are: {}. 'parallax --help' tells more.",
                        words[0], did_you_mean(words[0], names(all)), fmt::join(names(all), ", ")));
    }
    const auto end = command->takes_program ? std::ranges::find(words, "--") : words.end();
    const Values values = values_of(*command, {words.begin() + 1, end}, context);
    if (values.count("help") > 0) {
        context.out << help_page(*command, width);
        return exit_ok;
    }
    context.permissions = {.folders = folders_named(words_of(values, "allow")),
                           .commands = values.count("allow-command") > 0 ? CommandUse::allowed
                                       : measures(*command)              ? CommandUse::refused
                                                                         : CommandUse::unneeded,
                           .sources = command->name == "port" ? CudaSources{} : sources_of(values)};
    context.waits = values.count("no-wait") == 0;
    if (context.is_apart) remove_folders_of_ended_processes();
    try {
        return command->run(values, context);
    } catch (const std::exception& error) {
        write_error(*command, values, context, code_of(error), message_of(error));
        throw;
    }
}

/// The library's message. It expands %value% in the user's words, recursively if they contain
/// %value%: so '%' is removed from them first.
std::string said_by(po::error& error) {
    struct Open : po::error_with_option_name {
        static std::map<std::string, std::string>& words(po::error_with_option_name& of) {
            return of.*(&Open::m_substitutions);
        }
    };
    constexpr char stand_in = '\x01';
    if (auto* const one = dynamic_cast<po::error_with_option_name*>(&error)) {
        for (auto& [name, word] : Open::words(*one)) std::ranges::replace(word, '%', stand_in);
    }
    std::string said = error.what();
    std::ranges::replace(said, stand_in, '%');
    return said;
}

}  // namespace

Values values_of(const Command& command, const std::vector<std::string>& words,
                 CommandContext& context) {
    try {
        return parse(command, words, context);
    } catch (const po::too_many_positional_options_error&) {
        throw UsageError(fmt::format(
            "Too many words. It is 'parallax {} {}', and what has blanks in it is "
            "between quotes.{} 'parallax {} --help' tells more.",
            command.name, command.arguments,
            command.name == "capture" ? " The program stands after '--'." : "", command.name));
    } catch (po::error& error) {
        const auto* unknown = dynamic_cast<const po::unknown_option*>(&error);
        throw UsageError(fmt::format(
            "{}.{} 'parallax {} --help' shows what there is.", said_by(error),
            unknown ? did_you_mean_option(command, unknown->get_option_name()) : "", command.name));
    }
}

const std::vector<Command>& commands() {
    static const std::vector<Command> all = [] {
        std::vector<Command> list;
        const auto add = [&](const char* group, std::initializer_list<Command> some) {
            for (const Command& one : some) {
                list.push_back(one);
                list.back().group = group;
            }
        };
        add("look", {devices_command(), doctor_command(), list_command(), show_command(),
                     map_command(), open_command()});
        add("judge", {run_command(), diff_command(), sweep_command(), tune_command(),
                      selftest_command(), fleet_command()});
        add("say why", {explain_command(), build_command(), occupancy_command()});
        add("bring your own", {port_command(), capture_command(), mcp_command()});
        add("learn", {lesson_command(), published_command()});
        return list;
    }();
    return all;
}

int run_program(const std::vector<std::string>& words, CommandContext context) {
    int code = exit_ok;
    const SanitizingStream out(context.out);
    const SanitizingStream err(context.err, is_terminal(context.err) ? terminal_width() : 0);
    try {
        context.words = take_colour(words);
        code = run_command_line(context.words, context);
        context.out.flush();
        if (!context.out) throw UsageError("Cannot write to standard output.");
    } catch (const Interrupted&) {
        code = exit_interrupted;
    } catch (const std::exception& error) {
        context.err << "parallax: " << message_of(error) << "\n";
        code = code_of(error);
    }
    context.err.flush();
    tell_exit_code(code);
    return code;
}

}  // namespace parallax::cli
