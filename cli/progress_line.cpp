// Overwrites one line of a terminal with progress messages, or prints a line of JSON for each.
#include "cli/progress_line.hpp"

#include <cstdlib>
#include <ostream>
#include <string_view>

#include <fmt/format.h>

#include "cli/sanitizing_stream.hpp"
#include "cli/terminal.hpp"
#include "common/text/text.hpp"
#include "report/json_listings.hpp"

namespace parallax::cli {

ProgressLine::ProgressLine(std::ostream& err, bool quiet, bool on_terminal)
    : err_(err), shown_(!quiet && on_terminal) {
    const char* form = std::getenv("PARALLAX_PROGRESS");
    as_json_ = form && std::string_view(form) == "json";
}

void ProgressLine::show(const Progress& progress, const std::string& process) {
    if (as_json_) {
        err_ << progress_json(progress.what, progress.done, progress.total,
                              progress.elapsed_seconds, progress.left_seconds, process)
             << std::flush;
        return;
    }
    if (!shown_) return;
    std::string line = process.empty() ? "" : fmt::format("process {}: ", process);
    // Without a known total only the step's name is shown.
    line += progress.total == 0 ? progress.what
                                : fmt::format("[{}/{}] {}, {:.0f} s, at most {:.0f} s left",
                                              progress.done + 1, progress.total, progress.what,
                                              progress.elapsed_seconds, progress.left_seconds);
    const std::size_t width = terminal_width() - 1;
    // Escaped characters need more columns.
    line = printable(line);
    if (line.size() > width) line.resize(width);
    SanitizingStream::write_own(err_, "\r\033[K");
    err_ << line << std::flush;
    dirty_ = true;
}

void ProgressLine::clear() {
    if (dirty_) {
        SanitizingStream::write_own(err_, "\r\033[K");
        err_.flush();
    }
    dirty_ = false;
}

std::function<void(const std::string&)> ProgressLine::trouble() {
    return [this](const std::string& what) {
        clear();
        err_ << "parallax: " << what << "\n";
    };
}

}  // namespace parallax::cli
