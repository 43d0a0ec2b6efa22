// The interface of a command: its options, help and exit codes.
#pragma once

#include <concepts>
#include <filesystem>
#include <functional>
#include <iosfwd>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <boost/program_options.hpp>

#include "common/device/backend.hpp"
#include "measure/resume_state.hpp"
#include "report/junit.hpp"
#include "suites/manifest/permissions.hpp"

namespace parallax::cli {

namespace fs = std::filesystem;
namespace po = boost::program_options;

/// Values of an option that can be given again and again.
using Words = std::vector<std::string>;

/// The allowed values of a setting; the file may be untrusted.
enum class Setting {
    plain,   ///< any value: it refers to neither code nor a file
    suite,   ///< a built-in suite: a manifest would run external kernels
    path,    ///< a file or folder below the settings file's folder
    file,    ///< only a file: generated names in a folder may be links
    report,  ///< an output file that replaces only an earlier report
};

/// Base of options that a settings file may set. Other options are accepted on the command line
/// only.
class Settable {
public:
    explicit Settable(Setting kind) : kind_(kind) {}
    virtual ~Settable() = default;
    Setting kind() const { return kind_; }

private:
    Setting kind_;
};

template <class T>
class SettableValue : public po::typed_value<T>, public Settable {
public:
    explicit SettableValue(Setting kind) : po::typed_value<T>(nullptr), Settable(kind) {
        if constexpr (std::same_as<T, Words>) this->composing();
    }
};

class SettableFlag : public po::untyped_value, public Settable {
public:
    SettableFlag() : untyped_value(true), Settable(Setting::plain) {}
};

/// Like `po::value<T>()`; list options are repeatable. The library owns it.
template <class T>
SettableValue<T>* settable(Setting kind = Setting::plain) {
    return new SettableValue<T>(kind);
}
/// An option without a value.
inline SettableFlag* settable_flag() {
    return new SettableFlag;
}
/// Like `po::bool_switch()`.
inline SettableValue<bool>* settable_switch() {
    auto* const made = settable<bool>();
    made->default_value(false)->zero_tokens();
    return made;
}

/// The program's exit codes, as in docs/reference/exit-codes.md.
enum ExitCode : int {
    exit_ok = 0,       ///< at least one case ran, and all results are right
    exit_wrong = 1,    ///< a wrong result, a lost launch of a capture, or a rejected source
    exit_usage = 2,    ///< an invalid command line, input or output
    exit_slower = 3,   ///< slower than --max-slowdown allows
    exit_open = 4,     ///< undecided or not comparable although a decision was requested
    exit_nothing = 5,  ///< nothing could run, also for lack of resources
    exit_failed = 6,   ///< a build, a run or opening a device failed; no result is wrong
    exit_interrupted = 130
};

/// The environment of a command; tests replace it.
struct CommandContext {
    std::ostream& out;  ///< reports
    std::ostream& err;  ///< messages
    std::span<const std::unique_ptr<Backend>> backends;
    std::vector<std::string> words = {};   ///< of the command line, the command first
    fs::path program = {};                 ///< to start it again; empty: impossible
    std::istream* in = nullptr;            ///< for questions to a person; null: none
    unsigned workers = 0;                  ///< threads that work ahead (RunConfig::workers)
    fs::path ceilings_file = {};           ///< RunConfig::ceilings_file
    bool is_apart = false;                 ///< measurements run in a supervised process
    ResumeState earlier = {};              ///< RunConfig::earlier
    fs::path locks = {};                   ///< DeviceLockRule::folder
    bool waits = true;                     ///< DeviceLockRule::waits, as --no-wait says
    ManifestPermissions permissions = {};  ///< as --allow and --allow-command say
    bool has_reported = false;             ///< the files of -o, --junit and --sarif are written
    std::vector<report::TestResult> tests = {};  ///< of what ran before an error
};

/// The parsed options of a command.
using Values = po::variables_map;

struct Command {
    std::string name;
    std::string arguments;  ///< after the name, in the usage line
    std::string summary;    ///< one line
    std::string about;      ///< paragraphs for --help
    std::vector<std::string> examples;
    std::vector<std::string> positional;  ///< options for words without a dash, in order
    std::function<void(po::options_description_easy_init)> options;
    std::function<int(const Values&, CommandContext&)> run;
    std::string group = {};      ///< heading on the help page
    bool takes_program = false;  ///< words after `--` are another program's command line
    /// Exit codes in addition to the program's.
    std::vector<std::pair<int, std::string>> exit_codes = {};
    /// Allowed values of options, by the option's long name.
    std::vector<std::pair<std::string, std::vector<std::string>>> choices = {};
};

/// An option or positional word as shown in help, man pages and completions.
struct OptionWords {
    std::string long_name, short_name;  ///< without dashes; the short one may be empty
    std::string about;
    std::string value;  ///< placeholder of its value: `SECONDS`; empty: it has none
    bool is_positional = false;

    /// `-s, --suite SUITE`
    std::string spelled() const;
};
std::vector<OptionWords> options_of(const Command&);
/// did_you_mean() for the command's options. @param word  with or without dashes
std::string did_you_mean_option(const Command&, std::string_view word);
/// The option's allowed values; empty: any.
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
Command mcp_command();
Command port_command();
Command selftest_command();
Command published_command();
Command lesson_command();
Command open_command();
Command fleet_command();
Command doctor_command();

/// Runs `parallax WORDS...`. Never throws; messages go to `context.err`.
int run_program(const std::vector<std::string>& words, CommandContext context);

/// Parses the words after the command's name, and a project's settings file. Runs nothing. @throws
/// UsageError
Values values_of(const Command&, const std::vector<std::string>& words, CommandContext&);

/// The page of `parallax --help`.
/// @param width  columns
std::string help_page(std::size_t width);
std::string help_page(const Command&, std::size_t width);
/// The manual page of a command as man(7) source; null: of the program.
std::string man_page(const Command*);

/// `parallax --complete WORDS...`: the completions of the last word, one per line: word, tab,
/// description. Empty: a file, or any word.
std::string completions(const std::vector<std::string>& words, const CommandContext&);

}  // namespace parallax::cli
