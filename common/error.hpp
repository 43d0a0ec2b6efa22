// The exceptions of the program, by what the caller can do about them.
#pragma once

#include <stdexcept>
#include <string>
#include <utility>

namespace parallax {

/// Base of all exceptions. `what()` is one or more full sentences; the last says what the user can
/// do next, if anything.
struct Error : std::runtime_error {
    using std::runtime_error::runtime_error;
};

/// An invalid request (unknown suite, size of 0, unreadable input, unwritable output). The command
/// line turns it into exit code 2.
struct UsageError : Error {
    using Error::Error;
};

/// The device or backend lacks a capability. It becomes a record, not a crash.
struct Unsupported : Error {
    using Error::Error;
};

/// The kernel source has a construct without a mapping rule, or cannot be parsed. `what()` lists
/// every place, one a line, as `file:line: 'word': reason; advice`.
struct Refused : Error {
    using Error::Error;
};

/// A compiler rejected a kernel. `what()` is the summary; log and source are separate.
struct BuildFailed : Error {
    BuildFailed(const std::string& summary, std::string compiler_log, std::string given_text)
        : Error(summary), log(std::move(compiler_log)), text(std::move(given_text)) {}
    std::string log;   ///< the compiler's own output
    std::string text;  ///< the text that it was given
};

/// A call of a device's API failed. `what()` has the call and the name of the error code.
struct DeviceError : Error {
    using Error::Error;
};

/// The user pressed Ctrl-C; what was measured so far has been kept.
struct Interrupted : Error {
    Interrupted() : Error("Interrupted.") {}
};

/// A launch was given up: its size is too large for the device's speed.
struct TooSlow : Unsupported {
    using Unsupported::Unsupported;
};

}  // namespace parallax
