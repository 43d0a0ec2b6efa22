// Starts the program again as a child process: arguments, environment, outputs, exit status.
#pragma once

#include <atomic>
#include <csignal>
#include <filesystem>
#include <iosfwd>
#include <string>
#include <utility>
#include <vector>

namespace parallax {

/// An anonymous file for the output of a process.
class MemoryFile {
public:
    /// @throws Error when it cannot be made
    MemoryFile();
    ~MemoryFile();
    MemoryFile(const MemoryFile&) = delete;
    MemoryFile& operator=(const MemoryFile&) = delete;

    int file() const { return file_; }  ///< its file descriptor
    std::string text() const;           ///< everything printed so far

private:
    int file_;
};

/// Forwards SIGINT and SIGTERM of this process to those that `spawn` started, as long as a
/// forwarder lives.
class SignalForwarder {
public:
    SignalForwarder();
    ~SignalForwarder();
    SignalForwarder(const SignalForwarder&) = delete;
    SignalForwarder& operator=(const SignalForwarder&) = delete;

    /// @throws Interrupted when a signal came
    static void check();
};

/// Sets a handler that is called with each signal while a SignalForwarder owns the handlers; null:
/// none.
void tell_signals_to(void (*who)(int));

/// Parameters of a child process.
struct Spawned {
    std::filesystem::path program;
    std::vector<std::string> words;   ///< of its command line, the command first
    std::string called = "parallax";  ///< the program name for its messages
    /// Environment variables that it gets in addition, or with another value.
    std::vector<std::pair<std::string, std::string>> variables = {};
    double most_seconds = 0;  ///< time limit after which it is killed (SIGKILL); 0: none
    int out = -1, err = -1;   ///< its output descriptors; below 0: inherited
    /// Set: it gets a process group of its own, whose ID this is while it runs; otherwise 0.
    std::atomic<pid_t>* group = nullptr;
    int niceness = 0;                   ///< as of `nice`
    std::filesystem::path folder = {};  ///< its working folder; empty: this process' own
};

/// How a process ended.
struct ExitStatus {
    int code = 0;    ///< its exit code
    int signal = 0;  ///< the signal that killed it; 0: none
};

/// In a program that `spawn` may have started: makes it end together with its parent.
void end_with_who_spawned();

/// Starts the program and waits for its end. A SignalForwarder must be alive. Up to 16 threads may
/// do so at once.
/// @throws Interrupted when a signal came before the start; Error when it cannot be started, or its
/// exit status was collected by another part of this process
ExitStatus spawn(const Spawned&);

}  // namespace parallax
