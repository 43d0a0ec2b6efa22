// Asks the terminal for its width, and decides about colours.
#include "cli/terminal.hpp"

#include <algorithm>
#include <cstdlib>
#include <iostream>

#include <sys/ioctl.h>
#include <unistd.h>

#include "cli/output_redirection.hpp"
#include "common/text/text.hpp"
#include "suites/case_words.hpp"

namespace parallax::cli {
namespace {

std::string colour_when = "auto";

}  // namespace

std::string two_columns(std::string_view name, std::string_view about, std::size_t from,
                        std::size_t to, std::size_t width) {
    std::string line = std::string(from, ' ').append(name);
    if (line.size() + 2 > to) line += "\n" + std::string(to, ' ');
    if (line.size() < to) line.resize(to, ' ');
    line += wrapped(about, width, to, to) + "\n";
    return line;
}

bool is_terminal(const std::ostream& stream) {
    if (&stream == &std::cout) return isatty(standard_files().out) != 0;
    if (&stream == &std::cerr) return isatty(standard_files().err) != 0;
    return false;
}

void set_colour(const std::string& when) {
    colour_when = parse_choice("--color", when, {"auto", "always", "never"});
}

bool wants_colour(const std::ostream& stream) {
    if (colour_when != "auto") return colour_when == "always";
    const char* no_colour = std::getenv("NO_COLOR");
    const char* term = std::getenv("TERM");
    return is_terminal(stream) && (!no_colour || !*no_colour) &&
           !(term && std::string_view(term) == "dumb");
}

unsigned terminal_width() {
    winsize size{};
    for (const int stream : {standard_files().out, standard_files().err}) {
        if (ioctl(stream, TIOCGWINSZ, &size) == 0 && size.ws_col > 0) {
            return std::clamp<unsigned>(size.ws_col, 60, 200);
        }
    }
    return 100;
}

std::size_t table_width(const std::ostream& stream) {
    return is_terminal(stream) ? terminal_width() : std::string::npos;
}

}  // namespace parallax::cli
