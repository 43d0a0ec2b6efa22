// Words of the command line as values.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "cli/command.hpp"
#include "common/devices.hpp"
#include "common/suite.hpp"
#include "measure/session.hpp"

namespace parallax::cli {

/// `1024x777`, `2^20`, `64M` (K, M, G: powers of 1024), in each dimension.
/// @throws UsageError for anything else, a negative number, or one that no 64 bits hold.
Shape parse_shape(std::string_view word);

/// `NAME=VALUE`; VALUE a whole number, or the name of a choice of a picked suite's constant.
/// @throws UsageError
Constant parse_define(std::string_view word, const std::vector<Request::Pick>& picks);

/// `float`, `double`, `int`, or another type that a suite has. @throws UsageError
ElementType parse_type(std::string_view word);

/// `SUITE` or `SUITE/VARIANT`; SUITE may be a manifest's file, which ends with .json.
/// @throws UsageError
Request::Pick parse_pick(std::string_view word);

/// The same with the variant of a manifest that has no other.
Request::Pick with_variant(Request::Pick pick);

/// What `--type` says, or the suite's first. @throws UsageError where it cannot be said
ElementType type_for(const Suite&, const std::optional<std::string>& word);
/// @throws UsageError when the suite is a manifest's: its kernels have no type that could change
void refuse_type(const Suite&);

/// A whole number from `least` to `most`. @throws UsageError naming option and range
std::uint64_t parse_number(std::string_view option, std::string_view word, std::uint64_t least,
                           std::uint64_t most);

/// One of `known`. @throws UsageError naming option and known words
std::string parse_choice(std::string_view option, const std::string& word,
                         const std::vector<std::string>& known);

/// The entries that the words name, each once, in the order in which they were named; no words:
/// all.
/// @throws UsageError when one names nothing.
std::vector<Entry> chosen_entries(const Devices&, const std::vector<std::string>& words);

/// The same of this machine's devices. Where no word names any, what is missing here is said.
/// @param quiet  it is not
std::vector<Entry> entries_for(const std::vector<std::string>& words, bool quiet, World&);

/// The option's value, or nothing.
template <class T>
std::optional<T> value_of(const Values& values, const char* name) {
    if (values.count(name) == 0) return {};
    return values[name].as<T>();
}

/// Everything that was given for a repeatable option.
std::vector<std::string> words_of(const Values& values, const char* name);

/// The text of a kernel file: from `folder` when there is one, else the program's own.
/// @throws UsageError when there is none of that name, or it cannot be read.
std::string kernel_text(std::string_view file, const std::optional<std::string>& folder);

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
/// Whether a terminal should get colours: not with NO_COLOR, nor with TERM=dumb.
bool wants_colour();
/// Columns of the terminal, 80 to 200; 100 where there is none.
unsigned terminal_width();

}  // namespace parallax::cli
