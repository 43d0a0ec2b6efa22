// Overwrites one line of a terminal with progress messages.
#include "cli/progress_line.hpp"

#include <ostream>

#include <fmt/format.h>

#include "cli/sanitizing_stream.hpp"
#include "cli/terminal.hpp"
#include "common/text/text.hpp"

namespace parallax::cli {

void ProgressLine::show(const Progress& progress, const std::string& process) {
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

}  // namespace parallax::cli
