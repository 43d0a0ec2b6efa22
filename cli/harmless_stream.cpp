// Collects what is printed until it is flushed, and hands it on without what a terminal obeys.
#include "cli/harmless_stream.hpp"

#include <algorithm>
#include <array>
#include <string>
#include <string_view>

#include "common/text.hpp"

namespace parallax::cli {
namespace {

/// More is handed on before it is flushed, up to the end of a line.
constexpr std::size_t most_kept = std::size_t{64} << 10;

/// What our own reports send to a terminal. A stranger's text that has one of these can colour
/// itself, and no more.
constexpr std::array<std::string_view, 13> own_sequences{
    "\r",       "\x1b[K",   "\x1b[0m",  "\x1b[1m",  "\x1b[2m",    "\x1b[4m",   "\x1b[31m",
    "\x1b[32m", "\x1b[33m", "\x1b[35m", "\x1b[36m", "\x1b[1;31m", "\x1b[1;36m"};

std::string harmless_on_terminal(std::string_view text) {
    std::string shown;
    while (true) {
        const std::size_t at = text.find_first_of("\r\x1b");
        shown += harmless(text.substr(0, at));
        if (at == text.npos) return shown;
        text.remove_prefix(at);
        const auto own = std::ranges::find_if(
            own_sequences, [&](std::string_view sequence) { return text.starts_with(sequence); });
        const std::size_t length = own == own_sequences.end() ? 1 : own->size();
        const std::string_view part = text.substr(0, length);
        shown += own == own_sequences.end() ? harmless(part) : std::string(part);
        text.remove_prefix(length);
    }
}

}  // namespace

class HarmlessStream::Buffer : public std::streambuf {
public:
    Buffer(std::streambuf& to, bool terminal) : to_(to), terminal_(terminal) {}

protected:
    std::streamsize xsputn(const char* text, std::streamsize size) override {
        kept_.append(text, static_cast<std::size_t>(size));
        if (kept_.size() < most_kept) return size;
        // A line's end is the end of a character, too.
        return hand_on(kept_.rfind('\n') + 1) ? size : 0;
    }
    int_type overflow(int_type c) override {
        const char character = traits_type::to_char_type(c);
        return xsputn(&character, 1) == 1 ? c : traits_type::eof();
    }
    int sync() override { return hand_on(kept_.size()) && to_.pubsync() == 0 ? 0 : -1; }

private:
    bool hand_on(std::size_t size) {
        const std::string_view part = std::string_view(kept_).substr(0, size);
        const std::string text = terminal_ ? harmless_on_terminal(part) : harmless(part);
        kept_.erase(0, size);
        const auto length = static_cast<std::streamsize>(text.size());
        return to_.sputn(text.data(), length) == length;
    }

    std::streambuf& to_;
    bool terminal_;
    std::string kept_;
};

HarmlessStream::HarmlessStream(std::ostream& stream, bool terminal)
    : stream_(stream),
      buffer_(std::make_unique<Buffer>(*stream.rdbuf(), terminal)),
      before_(stream.rdbuf(buffer_.get())) {}

HarmlessStream::~HarmlessStream() {
    stream_.flush();
    const std::ios_base::iostate state = stream_.rdstate();
    stream_.rdbuf(before_);  // which forgets what went wrong
    stream_.clear(state);
}

}  // namespace parallax::cli
