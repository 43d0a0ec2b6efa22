// The progress line of commands that run cases.
#pragma once

#include <functional>
#include <iosfwd>
#include <string>

#include "cli/terminal.hpp"
#include "measure/session.hpp"

namespace parallax::cli {

/// One line on a terminal that each call overwrites. Prints nothing elsewhere, unless the variable
/// PARALLAX_PROGRESS is `json`: then each call prints a line `{"progress": {...}}` anywhere.
class ProgressLine {
public:
    /// @param quiet  prints nothing but messages
    ProgressLine(std::ostream& err, bool quiet) : ProgressLine(err, quiet, is_terminal(err)) {}
    /// @param on_terminal  false: as if quiet
    ProgressLine(std::ostream& err, bool quiet, bool on_terminal);
    ~ProgressLine() { clear(); }
    ProgressLine(const ProgressLine&) = delete;
    ProgressLine& operator=(const ProgressLine&) = delete;

    /// @param process  which of several processes this is, `2 of 5`; empty: the only one
    void show(const Progress&, const std::string& process = {});
    void clear();
    /// Prints messages of a session on lines of their own; to be used while this lives.
    std::function<void(const std::string&)> trouble();

private:
    std::ostream& err_;
    bool shown_, as_json_ = false;
    bool dirty_ = false;
};

}  // namespace parallax::cli
