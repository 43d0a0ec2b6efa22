// A command of the program, and how it ends.
#pragma once

#include <filesystem>
#include <functional>
#include <iosfwd>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <boost/program_options.hpp>

#include "cli/option.hpp"
#include "common/device/backend.hpp"
#include "measure/resume_state.hpp"
#include "suites/manifest/permissions.hpp"

namespace parallax::cli {

/// How the program ends; README documents these.
enum ExitCode : int {
    exit_ok = 0,       ///< at least one case ran, and all that ran is right
    exit_wrong = 1,    ///< an answer is wrong, a capture lost a launch, or a text is refused
    exit_usage = 2,    ///< the command line names nothing or cannot be; input, output
    exit_slower = 3,   ///< slower than --max-slowdown allows
    exit_open = 4,     ///< undecided or not comparable where a decision was asked for
    exit_nothing = 5,  ///< nothing could run, for lack of resources as well
    exit_failed = 6,   ///< a case could not be built or run, or a device not opened; none is wrong
    exit_interrupted = 130
};

/// Where a command writes and what it runs on; tests give it their own.
struct CommandContext {
    std::ostream& out;  ///< reports
    std::ostream& err;  ///< messages
    std::span<const std::unique_ptr<Backend>> backends;
    std::vector<std::string> words = {};       ///< of the command line, the command's name first
    std::filesystem::path program = {};        ///< to start it again; empty: it cannot be
    std::istream* in = nullptr;                ///< a person who can be asked; null: nobody
    unsigned workers = 0;                      ///< threads that may work ahead (RunConfig::workers)
    std::filesystem::path ceilings_file = {};  ///< RunConfig::ceilings_file
    bool is_apart = false;                     ///< what measures does so in a process of its own
    ResumeState earlier = {};                  ///< RunConfig::earlier
    std::filesystem::path locks = {};          ///< DeviceLockRule::folder
    bool waits = true;                         ///< DeviceLockRule::waits, as --no-wait says
    ManifestPermissions permissions = {};      ///< as --allow and --allow-command say
};

/// A command's parsed words.
using Values = boost::program_options::variables_map;

struct Command {
    std::string name;
    std::string arguments;  ///< after the name, in the usage line
    std::string summary;    ///< one line
    std::string about;      ///< paragraphs for --help
    std::vector<std::string> examples;
    std::vector<std::string> positional;  ///< options that take the words without a dash, in order
    std::function<void(boost::program_options::options_description_easy_init)> options;
    std::function<int(const Values&, CommandContext&)> run;
    std::string group = {};      ///< on the help page
    bool takes_program = false;  ///< what stands behind `--` is a program's, not its own
    /// The values of options that have a list of them, by the option's long name.
    std::vector<std::pair<std::string, std::vector<std::string>>> choices = {};
};

/// An option, or a word without a dash, as help, man pages and shells show it.
struct OptionWords {
    std::string long_name, short_name;  ///< without dashes; no short one: empty
    std::string about;
    bool takes_value = false;
    bool is_positional = false;

    /// `-s, --suite SUITE`
    std::string spelled() const;
};
std::vector<OptionWords> options_of(const Command&);
/// As did_you_mean(), of the command's options. @param word  with or without dashes
std::string did_you_mean_option(const Command&, std::string_view word);
/// What the option's value can be; empty: anything.
std::vector<std::string> choices_of(const Command&, std::string_view long_name);

/// All commands, in the order of the help page.
const std::vector<Command>& commands();

Command devices_command();
Command list_command();
Command capture_command();
Command run_command();
Command sweep_command();
Command tune_command();
Command occupancy_command();
Command diff_command();
Command show_command();
Command build_command();
Command explain_command();
Command map_command();
Command port_command();
Command selftest_command();
Command smooth_command();
Command published_command();
Command lesson_command();
Command open_command();
Command fleet_command();
Command doctor_command();

/// `parallax WORDS...`. Never throws; messages go to `context.err`.
int run_program(const std::vector<std::string>& words, CommandContext context);

/// What the words behind the command's name say, and what a project's file says besides. Nothing is
/// run. @throws UsageError
Values values_of(const Command&, const std::vector<std::string>& words, CommandContext&);

/// The page that `parallax --help` and `parallax COMMAND --help` show.
/// @param width  columns
std::string help_page(std::size_t width);
std::string help_page(const Command&, std::size_t width);
/// The manual's page of a command, in the language of man(7); null: of the program.
std::string man_page(const Command*);

/// `parallax --complete WORDS...`: what may stand in place of the last word, a line each: the word,
/// a tab and what it is. Nothing: a file, or anything.
std::string completions(const std::vector<std::string>& words, const CommandContext&);

}  // namespace parallax::cli
