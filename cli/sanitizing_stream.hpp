// Filters standard output and error: no printed text can control the terminal.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <ostream>
#include <string_view>

namespace parallax::cli {

/// While it lives, the stream's output passes through `harmless`.
class SanitizingStream {
public:
    /// @param width  columns at which sentences (lines without repeated blanks) are wrapped; 0: no
    /// wrapping
    explicit SanitizingStream(std::ostream& stream, std::size_t width = 0);
    ~SanitizingStream();
    SanitizingStream(const SanitizingStream&) = delete;
    SanitizingStream& operator=(const SanitizingStream&) = delete;

    /// Writes the program's own terminal controls: bypasses the stream's filter, after all earlier
    /// output. Must not be used for external text.
    static void write_own(std::ostream& stream, std::string_view text);
    /// Counts the bytes that the stream writes, and suppresses the number that was counted before:
    /// an earlier worker printed them.
    static void go_on(std::ostream& stream, std::atomic<std::uint64_t>& printed);
    /// Writes a report with the program's colours. External strings in it were made `printable`, so
    /// that only these colours pass.
    static void write_coloured(std::ostream& stream, std::string_view text);

private:
    class Buffer;
    std::ostream& stream_;
    std::unique_ptr<Buffer> buffer_;
    std::streambuf* before_;
};

}  // namespace parallax::cli
