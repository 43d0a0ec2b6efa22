// What all commands do with their words: devices, options, Ctrl-C, the terminal.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "cli/command.hpp"
#include "common/device/devices.hpp"
#include "suites/case_words.hpp"

namespace parallax::cli {

/// The entries that the words name, each once, in the order in which they were named; no words:
/// all.
/// @throws UsageError when one names nothing.
std::vector<Entry> chosen_entries(const Devices&, const std::vector<std::string>& words);

/// For commands that time. @throws UsageError when one of them is for checks alone
void refuse_untimed(std::span<const Entry>);

/// The same of this machine's devices. Where no word names any, what is missing here is said.
/// @param quiet  it is not
std::vector<Entry> entries_for(const std::vector<std::string>& words, bool quiet, CommandContext&);

/// Says that there is no device for what was asked for, and who knows why. @param what  `to run on`
/// @returns the exit code
int print_no_device(CommandContext&, std::string_view what);

/// The option's value, or nothing.
template <class T>
std::optional<T> value_of(const Values& values, const char* name) {
    if (values.count(name) == 0) return {};
    return values[name].as<T>();
}

/// Whether the command line says it; what a project's file sets is there and not given.
bool is_given(const Values& values, const char* name);

/// The program as a shell finds it; empty: there is none that can be run.
std::filesystem::path program_in_path(const std::string& word);

/// Declares `allow`, which every command has that takes a manifest.
void add_allow_option(boost::program_options::options_description_easy_init& add);
/// The same with `allow-command`, which every such command has that measures.
void add_allow_options(boost::program_options::options_description_easy_init& add);

/// Everything that was given for a repeatable option.
std::vector<std::string> words_of(const Values& values, const char* name);

/// Makes Ctrl-C set a flag instead of ending the program, as long as it, or one that was there
/// before, lives.
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
/// Whether what goes there should have colours: as --color says; else on a terminal, but not with
/// NO_COLOR, nor with TERM=dumb.
bool wants_colour(const std::ostream&);
/// What --color says: `auto`, `always` or `never`. @throws UsageError
void set_colour(const std::string& when);
/// `name` behind `from` blanks, and `about` wrapped from column `to` on; where the name is too
/// long, in the next line. With the end of the line.
std::string two_columns(std::string_view name, std::string_view about, std::size_t from,
                        std::size_t to, std::size_t width);
/// Columns of the terminal, 60 to 200; 100 where there is none.
unsigned terminal_width();
/// Columns that tables on the stream may take: the terminal's; any number where it is none.
std::size_t table_width(const std::ostream&);

}  // namespace parallax::cli
