// From words to a command, and from what went wrong to an exit code.
#include <algorithm>
#include <ostream>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "cli/arguments.hpp"
#include "cli/command.hpp"
#include "cli/harmless_stream.hpp"
#include "cli/supervisor.hpp"
#include "common/error.hpp"
#include "common/suite.hpp"
#include "common/text.hpp"
#include "common/version.hpp"
#include "studies/diff/judge.hpp"
#include "suites/manifest/manifest.hpp"

namespace parallax::cli {
namespace {

namespace po = boost::program_options;

Values parse(const Command& command, const std::vector<std::string>& words) {
    po::options_description description;
    auto add = description.add_options();
    if (command.options) command.options(add);
    add("help,h", "");
    po::positional_options_description positional;
    for (const std::string& name : command.positional) positional.add(name.c_str(), 1);
    Values values;
    // No guessing of shortened names: a script must not change its meaning with a new option.
    const int style = po::command_line_style::unix_style & ~po::command_line_style::allow_guessing;
    po::store(po::command_line_parser(words)
                  .options(description)
                  .positional(positional)
                  .style(style)
                  .run(),
              values);
    if (values.count("help") == 0) po::notify(values);
    return values;
}

/// Whether it has an option that lets it run a manifest's command.
bool measures(const Command& command) {
    po::options_description description;
    auto add = description.add_options();
    if (command.options) command.options(add);
    return description.find_nothrow("allow-command", false) != nullptr;
}

int run_command_line(const std::vector<std::string>& words, World& world) {
    if (words.empty()) {
        world.err << help_page();
        return exit_usage;
    }
    if (words[0] == "--help" || words[0] == "-h" || words[0] == "help") {
        world.out << help_page();
        return exit_ok;
    }
    if (words[0] == "--version") {
        world.out << "parallax " << program_version << "\n";
        return exit_ok;
    }
    const auto& all = commands();
    const auto command = std::ranges::find(all, words[0], &Command::name);
    if (command == all.end()) {
        throw UsageError(
            fmt::format("There is no command '{}'.{} There are: {}. 'parallax --help' tells more.",
                        words[0], did_you_mean(words[0], names(all)), fmt::join(names(all), ", ")));
    }
    Values values;
    try {
        const auto end = command->takes_program ? std::ranges::find(words, "--") : words.end();
        values = parse(*command, {words.begin() + 1, end});
    } catch (const po::error& error) {
        throw UsageError(fmt::format("{}. 'parallax {} --help' shows what there is.", error.what(),
                                     command->name));
    }
    if (values.count("help") > 0) {
        world.out << help_page(*command);
        return exit_ok;
    }
    allow_folders(words_of(values, "allow"));
    set_command_use(values.count("allow-command") > 0 ? CommandUse::allowed
                    : measures(*command)              ? CommandUse::refused
                                                      : CommandUse::unneeded);
    return command->run(values, world);
}

}  // namespace

const std::vector<Command>& commands() {
    static const std::vector<Command> all = [] {
        std::vector<Command> list;
        const auto add = [&](const char* group, std::initializer_list<Command> some) {
            for (const Command& one : some) {
                list.push_back(one);
                list.back().group = group;
            }
        };
        add("look", {devices_command(), list_command(), show_command(), map_command()});
        add("judge", {run_command(), diff_command(), sweep_command(), selftest_command()});
        add("say why", {explain_command(), build_command(), occupancy_command()});
        add("bring your own", {port_command(), capture_command(), smooth_command()});
        add("learn", {lesson_command(), published_command()});
        return list;
    }();
    return all;
}

int run_program(const std::vector<std::string>& words, World world) {
    int code = exit_ok;
    world.words = words;
    const HarmlessStream out(world.out);
    const HarmlessStream err(world.err);
    try {
        code = run_command_line(words, world);
        world.out.flush();
        if (!world.out) throw UsageError("Cannot write to standard output.");
    } catch (const Interrupted&) {
        code = exit_interrupted;
    } catch (const NothingToCompare& error) {
        world.err << "parallax: " << error.what() << "\n";
        code = exit_nothing;
    } catch (const UsageError& error) {
        world.err << "parallax: " << error.what() << "\n";
        code = exit_usage;
    } catch (const Refused& error) {
        world.err << "parallax: the kernel cannot be translated:\n" << error.what() << "\n";
        code = exit_wrong;
    } catch (const std::exception& error) {
        world.err << "parallax: " << error.what() << "\n";
        code = exit_wrong;
    }
    world.err.flush();
    note_end(code);
    return code;
}

}  // namespace parallax::cli
