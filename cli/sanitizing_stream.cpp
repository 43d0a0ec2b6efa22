// Buffers output until it is flushed, and escapes terminal control sequences.
#include "cli/sanitizing_stream.hpp"

#include <algorithm>
#include <array>
#include <string>

#include "common/text/text.hpp"

namespace parallax::cli {
namespace {

/// Larger amounts are passed on before a flush, up to the last line end.
constexpr std::size_t most_kept = std::size_t{64} << 10;

/// The colours of reports.
constexpr std::array<std::string_view, 11> colours{
    "\x1b[0m",  "\x1b[1m",  "\x1b[2m",  "\x1b[4m",    "\x1b[31m",  "\x1b[32m",
    "\x1b[33m", "\x1b[35m", "\x1b[36m", "\x1b[1;31m", "\x1b[1;36m"};

std::string harmless_but_coloured(std::string_view text) {
    std::string shown;
    while (!text.empty()) {
        const auto own = std::ranges::find_if(
            colours, [&](std::string_view colour) { return text.starts_with(colour); });
        const std::size_t size =
            own == colours.end() ? std::min(text.find('\x1b', 1), text.size()) : own->size();
        shown += own == colours.end() ? harmless(text.substr(0, size)) : std::string(*own);
        text.remove_prefix(size);
    }
    return shown;
}

}  // namespace

class SanitizingStream::Buffer : public std::streambuf {
public:
    Buffer(std::streambuf& to, std::size_t width) : to_(to), width_(width) {}

    /// Passes it on unchanged, after all earlier output.
    bool put_own(std::string_view text) {
        if (!hand_on(kept_.size())) return false;
        column_ = 0;
        return put(text);
    }
    void go_on(std::atomic<std::uint64_t>& printed) {
        printed_ = &printed;
        left_out_ = printed;
    }

protected:
    std::streamsize xsputn(const char* text, std::streamsize size) override {
        const std::string_view added(text, static_cast<std::size_t>(size));
        const std::size_t before = kept_.size();
        kept_ += added;
        if (kept_.size() < most_kept) return size;
        // A line feed never splits a character. Only new text is searched: a long line may come in
        // many parts.
        const std::size_t end = added.rfind('\n');
        return end == added.npos || hand_on(before + end + 1) ? size : 0;
    }
    int_type overflow(int_type c) override {
        const char character = traits_type::to_char_type(c);
        return xsputn(&character, 1) == 1 ? c : traits_type::eof();
    }
    int sync() override { return hand_on(kept_.size()) && to_.pubsync() == 0 ? 0 : -1; }

private:
    bool hand_on(std::size_t size) {
        const std::string text = harmless(std::string_view(kept_).substr(0, size));
        kept_.erase(0, size);
        return put(width_ > 0 ? wrapped_sentences(text) : text);
    }
    /// Wraps long lines, except tables and lines with repeated blanks. A line may come in parts.
    std::string wrapped_sentences(std::string_view text) {
        std::string shown;
        while (!text.empty()) {
            const std::size_t end = std::min(text.find('\n'), text.size());
            const std::string_view line = text.substr(0, end);
            const std::size_t start = shown.size();
            if (line.find("  ") != line.npos || column_ + columns_of(line) <= width_) {
                shown += line;
            } else {
                const bool apart = column_ > 0 && line.starts_with(' ');
                const std::size_t taken = column_ + apart;
                const std::size_t first = line.find_first_of(' ', apart);
                if (column_ > 0 && taken + columns_of(line.substr(apart, first - apart)) > width_) {
                    shown += "\n  " + wrapped(line, width_, 2, 2);
                } else {
                    shown += (apart ? " " : "") + wrapped(line, width_, 2, taken);
                }
            }
            const std::size_t broken = shown.rfind('\n');
            const bool has_broken = broken != shown.npos && broken >= start;
            column_ = (has_broken ? 0 : column_) +
                      columns_of(std::string_view(shown).substr(has_broken ? broken + 1 : start));
            if (end < text.size()) {
                shown += '\n';
                column_ = 0;
            }
            text.remove_prefix(std::min(end + 1, text.size()));
        }
        return shown;
    }
    bool put(std::string_view text) {
        const std::size_t known = std::min<std::size_t>(left_out_, text.size());
        left_out_ -= known;
        text.remove_prefix(known);
        const auto length = static_cast<std::streamsize>(text.size());
        if (to_.sputn(text.data(), length) != length) return false;
        if (!printed_ || length == 0) return true;
        // The count must not exceed what was written.
        *printed_ += text.size();
        return to_.pubsync() == 0;
    }

    std::streambuf& to_;
    std::size_t width_;       ///< 0: no wrapping
    std::size_t column_ = 0;  ///< start of the next part of a line
    std::string kept_;
    std::atomic<std::uint64_t>* printed_ = nullptr;  ///< the shared counter of written bytes
    std::uint64_t left_out_ = 0;
};

SanitizingStream::SanitizingStream(std::ostream& stream, std::size_t width)
    : stream_(stream),
      buffer_(std::make_unique<Buffer>(*stream.rdbuf(), width)),
      before_(stream.rdbuf(buffer_.get())) {}

SanitizingStream::~SanitizingStream() {
    stream_.flush();
    const std::ios_base::iostate state = stream_.rdstate();
    stream_.rdbuf(before_);  // this clears the stream's error state
    stream_.clear(state);
}

void SanitizingStream::write_own(std::ostream& stream, std::string_view text) {
    auto* const buffer = dynamic_cast<Buffer*>(stream.rdbuf());
    if (!buffer) {
        stream << text;
    } else if (!buffer->put_own(text)) {
        stream.setstate(std::ios_base::badbit);
    }
}

void SanitizingStream::go_on(std::ostream& stream, std::atomic<std::uint64_t>& printed) {
    if (auto* const buffer = dynamic_cast<Buffer*>(stream.rdbuf())) buffer->go_on(printed);
}

void SanitizingStream::write_coloured(std::ostream& stream, std::string_view text) {
    write_own(stream, harmless_but_coloured(text));
}

}  // namespace parallax::cli
