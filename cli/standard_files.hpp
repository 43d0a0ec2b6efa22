// Where this program itself prints, apart from what kernels, compilers and drivers print in its
// process.
#pragma once

#include <cstddef>
#include <ostream>
#include <string>

namespace parallax::cli {

/// Descriptors of standard output and error as the program was given them.
struct StandardFiles {
    int out, err;
};
const StandardFiles& standard_files();

/// Moves both to other descriptors, and std::cout and std::cerr with them. 1 and 2 stay what they
/// were, and may from now on become something else. To be called once, when both are open and
/// nothing was printed.
void keep_standard_files();

/// What other code in a process prints to 1 and 2. It goes to standard error, a line at a time and
/// without what a terminal obeys, where it cannot be taken for a report.
class StderrRelay {
public:
    /// @throws Error when there is no pipe
    StderrRelay();
    ~StderrRelay();
    StderrRelay(const StderrRelay&) = delete;
    StderrRelay& operator=(const StderrRelay&) = delete;

    /// In the process that is overheard: 1 and 2 lead here from now on.
    void take_standard_streams() const;
    /// Readable when something was printed.
    int file() const { return read_; }
    /// Hands on the lines that are there. At most `most_handed_on` bytes in all: a kernel may print
    /// without end. @param is_end  what has no line's end yet, too
    void hand_on(std::ostream& err, bool is_end);

    static constexpr std::size_t most_handed_on = std::size_t{1} << 20;

private:
    int read_, write_;
    std::string kept_;
    std::size_t handed_on_ = 0;
};

}  // namespace parallax::cli
