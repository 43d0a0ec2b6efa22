// The one way to standard output and error: nothing that is printed there steers a terminal.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <ostream>
#include <string_view>

namespace parallax::cli {

/// As long as it lives, what the stream is given comes out `harmless`.
class SanitizingStream {
public:
    /// @param width  columns at which sentences are wrapped, which have no two blanks in a row; 0:
    /// not
    explicit SanitizingStream(std::ostream& stream, std::size_t width = 0);
    ~SanitizingStream();
    SanitizingStream(const SanitizingStream&) = delete;
    SanitizingStream& operator=(const SanitizingStream&) = delete;

    /// Writes what the program itself tells a terminal: past the SanitizingStream that the stream
    /// may have, behind all that came before. Never give it a text from elsewhere.
    static void write_own(std::ostream& stream, std::string_view text);
    /// Counts the bytes that the stream hands on, and leaves out as many as were counted before:
    /// another process printed them.
    static void go_on(std::ostream& stream, std::atomic<std::uint64_t>& printed);
    /// Writes a report that has the program's colours, and in which texts from elsewhere were made
    /// `printable` before: nothing but those colours gets through.
    static void write_coloured(std::ostream& stream, std::string_view text);

private:
    class Buffer;
    std::ostream& stream_;
    std::unique_ptr<Buffer> buffer_;
    std::streambuf* before_;
};

}  // namespace parallax::cli
