// What can go wrong, by what the caller can do about it.
#pragma once

#include <stdexcept>
#include <string>
#include <utility>

namespace parallax {

/// Base of all of Parallax's exceptions. `what()` is one or more full sentences; where there is
/// something the user can do next, the last one says it.
struct Error : std::runtime_error {
    using std::runtime_error::runtime_error;
};

/// The request names nothing, or cannot be (unknown suite, a size of 0, unreadable input,
/// unwritable output). The command line turns it into exit code 2.
struct UsageError : Error {
    using Error::Error;
};

/// This device or backend has not got what was asked for. It becomes a record, not a crash.
struct Unsupported : Error {
    using Error::Error;
};

/// The kernel source has a word that the mapping table has no row for, or cannot be read at all.
/// `what()` lists every place, one a line, as `file:line: 'word': reason; advice`.
struct Refused : Error {
    using Error::Error;
};

/// A compiler did not accept a kernel. `what()` is the summary; log and text are kept apart.
struct BuildFailed : Error {
    BuildFailed(const std::string& summary, std::string compiler_log, std::string given_text)
        : Error(summary), log(std::move(compiler_log)), text(std::move(given_text)) {}
    std::string log;   ///< the compiler's own words
    std::string text;  ///< the text that it was given
};

/// A call into a device's API failed. `what()` names the call and spells out the code.
struct DeviceError : Error {
    using Error::Error;
};

/// The user pressed Ctrl-C; what was measured so far has been kept.
struct Interrupted : Error {
    Interrupted() : Error("Interrupted.") {}
};

}  // namespace parallax
