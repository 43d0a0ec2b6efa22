// The terminal: whether there is one, its width, and whether output is coloured.
#pragma once

#include <cstddef>
#include <iosfwd>
#include <string>
#include <string_view>

namespace parallax::cli {

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
