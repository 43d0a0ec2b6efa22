// Separates this program's own output from what kernels, compilers and drivers print.
#pragma once

#include <cstddef>
#include <ostream>
#include <string>

namespace parallax::cli {

/// Descriptors of the original standard output and error.
struct StandardFiles {
    int out, err;
};
const StandardFiles& standard_files();

/// Duplicates both descriptors for std::cout and std::cerr. 1 and 2 stay unchanged and may be
/// redirected later. Must be called once, when both are open and nothing was printed.
void keep_standard_files();

/// Without the lines in which clang counts its messages (`1 error generated.`): it prints them past
/// the build's log, once for each build.
std::string without_counts(std::string_view lines);

/// Relays what other code in a process prints to 1 and 2 to standard error, line by line and
/// sanitized, so that it cannot be mistaken for a report.
class StderrRelay {
public:
    /// @throws Error when no pipe can be created
    StderrRelay();
    ~StderrRelay();
    StderrRelay(const StderrRelay&) = delete;
    StderrRelay& operator=(const StderrRelay&) = delete;

    /// In the worker: redirects 1 and 2 into the pipe.
    void take_standard_streams() const;
    /// Readable when something was printed.
    int file() const { return read_; }
    /// Relays the available lines. At most `most_handed_on` bytes in total: a kernel may print
    /// endlessly. @param is_end  also an unfinished line
    void hand_on(std::ostream& err, bool is_end);

    static constexpr std::size_t most_handed_on = std::size_t{1} << 20;

private:
    int read_, write_;
    std::string kept_;
    std::size_t handed_on_ = 0;
};

}  // namespace parallax::cli
