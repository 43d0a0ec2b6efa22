// The one way to standard output and error: nothing that is printed there steers a terminal.
#pragma once

#include <memory>
#include <ostream>

namespace parallax::cli {

/// As long as it lives, what the stream is given comes out `harmless`.
class HarmlessStream {
public:
    /// @param terminal  it is one: the colours of our reports stay, and the way back to the
    ///                  beginning of a line
    HarmlessStream(std::ostream& stream, bool terminal);
    ~HarmlessStream();
    HarmlessStream(const HarmlessStream&) = delete;
    HarmlessStream& operator=(const HarmlessStream&) = delete;

private:
    class Buffer;
    std::ostream& stream_;
    std::unique_ptr<Buffer> buffer_;
    std::streambuf* before_;
};

}  // namespace parallax::cli
