// Reports the cases that a budget did not reach.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "records/record.hpp"

namespace parallax {

/// Cases that were not reached.
struct LeftOut {
    std::string sentence;  ///< how many there are of how many; empty: none was left out
    /// The command for these cases, on one line, quoted for a shell; empty: the same with a larger
    /// --budget.
    std::string command;
};

/// A word as a shell takes it.
std::string shell_word(std::string_view);

/// The words without these options and their values, which follow as a word, after `=` or, for a
/// short option, directly.
std::vector<std::string> without_options(const std::vector<std::string>& words,
                                         const std::vector<std::string_view>& options);

/// The command that does the same again with this seed and writes no file, on one line, quoted for
/// a shell. Empty: the words are not known.
/// @param command  the words of the command line
std::string repeat_command(const std::vector<std::string>& command, std::uint64_t seed);

/// @param left_out  a case may be in it once for each device
/// @param all       cases, those among them
/// @param command   the words of the command line that left them out
LeftOut left_out_of(std::vector<CaseKey> left_out, std::vector<CaseKey> all,
                    const std::vector<std::string>& command);

}  // namespace parallax
