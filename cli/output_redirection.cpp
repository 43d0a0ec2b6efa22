// Duplicates descriptors 1 and 2, and redirects these into a pipe.
#include "cli/output_redirection.hpp"

#include <array>
#include <iostream>

#include <ext/stdio_filebuf.h>
#include <fcntl.h>
#include <unistd.h>

#include "cli/sanitizing_stream.hpp"
#include "cli/terminal.hpp"
#include "common/error.hpp"
#include "common/text/characters.hpp"

namespace parallax::cli {
namespace {

StandardFiles files{STDOUT_FILENO, STDERR_FILENO};

/// @returns the copy's descriptor; the stream's own if it cannot be copied
int move(int stream, std::ostream& to) {
    constexpr int beside_the_standard_ones = 3;
    const int copy = fcntl(stream, F_DUPFD_CLOEXEC, beside_the_standard_ones);
    if (copy < 0) return stream;
    // Needed until the program has ended, so it is never destroyed.
    to.rdbuf(new __gnu_cxx::stdio_filebuf<char>(copy, std::ios::out));
    return copy;
}

}  // namespace

const StandardFiles& standard_files() {
    return files;
}

void keep_standard_files() {
    files = {move(STDOUT_FILENO, std::cout), move(STDERR_FILENO, std::cerr)};
}

StderrRelay::StderrRelay() {
    std::array<int, 2> ends{};
    if (pipe2(ends.data(), O_CLOEXEC) != 0) throw Error("There is no pipe to a process.");
    read_ = ends[0];
    write_ = ends[1];
    fcntl(read_, F_SETFL, O_NONBLOCK);
}

StderrRelay::~StderrRelay() {
    close(read_);
    close(write_);
}

void StderrRelay::take_standard_streams() const {
    dup2(write_, STDOUT_FILENO);
    dup2(write_, STDERR_FILENO);
}

std::string without_counts(std::string_view text) {
    std::string kept;
    while (!text.empty()) {
        const std::size_t end = std::min(text.find('\n'), text.size() - 1) + 1;
        const std::string_view line = text.substr(0, end);
        const bool counts = line.ends_with(" generated.\n") && line[0] >= '0' && line[0] <= '9' &&
                            (has_word(line, "error") || has_word(line, "errors") ||
                             has_word(line, "warning") || has_word(line, "warnings"));
        if (!counts) kept += line;
        text.remove_prefix(end);
    }
    return kept;
}

void StderrRelay::hand_on(std::ostream& err, bool is_end) {
    std::array<char, 1 << 16> part;
    for (ssize_t size; (size = read(read_, part.data(), part.size())) > 0;) {
        kept_.append(part.data(), static_cast<std::size_t>(size));
        if (kept_.size() >= part.size() * (is_end ? 2 : 1)) break;  // a line may never end
    }
    const std::size_t last = kept_.rfind('\n');
    std::size_t end = last == kept_.npos ? 0 : last + 1;
    if (is_end || kept_.size() >= part.size()) end = kept_.size();
    if (end == 0) return;
    std::string text = kept_.substr(0, end);
    kept_.erase(0, end);
    if (handed_on_ >= most_handed_on) return;
    handed_on_ += text.size();
    if (text.back() != '\n') text += '\n';
    text = without_counts(text);
    if (text.empty()) return;
    if (is_terminal(err)) SanitizingStream::write_own(err, "\r\033[K");  // clears the progress line
    err << text;
    if (handed_on_ >= most_handed_on) {
        err << "parallax: Kernels, compilers and drivers print more than is shown.\n";
    }
    err.flush();
}

}  // namespace parallax::cli
