// The program started again: with which words and variables, where it prints, how it ended.
#pragma once

#include <csignal>
#include <filesystem>
#include <iosfwd>
#include <string>
#include <utility>
#include <vector>

namespace parallax {

/// A file without a name that a process prints to.
class MemoryFile {
public:
    /// @throws Error when it cannot be made
    MemoryFile();
    ~MemoryFile();
    MemoryFile(const MemoryFile&) = delete;
    MemoryFile& operator=(const MemoryFile&) = delete;

    int file() const { return file_; }  ///< its descriptor
    std::string text() const;           ///< all that was printed so far

private:
    int file_;
};

/// Hands on SIGINT and SIGTERM, sent to this process, to those that `spawn` started, as long as one
/// lives.
class SignalForwarder {
public:
    SignalForwarder();
    ~SignalForwarder();
    SignalForwarder(const SignalForwarder&) = delete;
    SignalForwarder& operator=(const SignalForwarder&) = delete;

    /// @throws Interrupted when a signal came
    static void check();
};

/// Who is told of the signal while a SignalForwarder has the handlers, as a handler is; null:
/// nobody.
void tell_signals_to(void (*who)(int));

/// What to start.
struct Spawned {
    std::filesystem::path program;
    std::vector<std::string> words;   ///< of its command line, the command's name first
    std::string called = "parallax";  ///< what the program is told that it was called
    /// Environment variables that it has beside those of this process, or with another value.
    std::vector<std::pair<std::string, std::string>> variables = {};
    double most_seconds = 0;  ///< after which it is killed (signal SIGKILL); 0: never
    int out = -1, err = -1;   ///< descriptors that it prints to; below 0: as this process
};

/// How a process ended.
struct ExitStatus {
    int code = 0;    ///< its exit code
    int signal = 0;  ///< that killed it; 0: none did
};

/// In a program that `spawn` may have started: from now on it ends with the one that did.
void end_with_who_spawned();

/// Starts the program and waits for its end. A SignalForwarder must be alive. Up to 16 threads may
/// do so at once.
/// @throws Interrupted when a signal came before the start, Error when it cannot be started, or its
/// end is told to another part of this process
ExitStatus spawn(const Spawned&);

}  // namespace parallax
