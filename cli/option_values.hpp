// Helpers that all commands share: devices, options, Ctrl-C, the terminal.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "cli/command.hpp"
#include "common/device/devices.hpp"
#include "suites/case_words.hpp"

namespace parallax::cli {

/// The entries that the words select, each once, in that order; without words all entries.
/// @throws UsageError when a word selects nothing.
std::vector<Entry> chosen_entries(const Devices&, const std::vector<std::string>& words);

/// For commands that time. @throws UsageError when an entry is for verification only
void refuse_untimed(std::span<const Entry>);

/// The selected entries of this machine. Without words, missing backends are reported.
/// @param quiet  they are not reported
std::vector<Entry> entries_for(const std::vector<std::string>& words, bool quiet, CommandContext&);

/// Prints that there is no device, and why. @param what  `to run on`
/// @returns the exit code
int print_no_device(CommandContext&, std::string_view what);

/// The option's value, if any.
template <class T>
std::optional<T> value_of(const Values& values, const char* name) {
    if (values.count(name) == 0) return {};
    return values[name].as<T>();
}

/// Whether the option is on the command line, and not only in a project's settings file.
bool is_given(const Values& values, const char* name);

/// The program's path by PATH lookup; empty: there is no such executable.
std::filesystem::path program_in_path(const std::string& word);

/// Declares `allow`, for every command that takes a manifest.
void add_allow_option(boost::program_options::options_description_easy_init& add);
/// Also declares `allow-command`, for every such command that measures.
void add_allow_options(boost::program_options::options_description_easy_init& add);

/// All values of a repeatable option.
std::vector<std::string> words_of(const Values& values, const char* name);

/// Makes Ctrl-C set a flag instead of ending the program while a guard lives.
class InterruptGuard {
public:
    InterruptGuard();
    ~InterruptGuard();
    InterruptGuard(const InterruptGuard&) = delete;
    InterruptGuard& operator=(const InterruptGuard&) = delete;

    /// @throws Interrupted when Ctrl-C was pressed.
    static void check();
};

/// Whether the stream is standard output or error, and that is a terminal.
bool is_terminal(const std::ostream&);
/// Whether output to the stream is coloured: as --color says; by default on a terminal, unless
/// NO_COLOR or TERM=dumb is set.
bool wants_colour(const std::ostream&);
/// Sets the value of --color: `auto`, `always` or `never`. @throws UsageError
void set_colour(const std::string& when);
/// `name` after `from` blanks, and `about` wrapped from column `to` on, in the next line where the
/// name is too long. Ends with a line feed.
std::string two_columns(std::string_view name, std::string_view about, std::size_t from,
                        std::size_t to, std::size_t width);
/// Columns of the terminal, 60 to 200; 100 where there is none.
unsigned terminal_width();
/// Columns for tables on the stream: the terminal's width, unlimited elsewhere.
std::size_t table_width(const std::ostream&);

}  // namespace parallax::cli
