// What `parallax run` shows: a progress line, and a table for each suite and device.
#pragma once

#include <iosfwd>
#include <string>
#include <vector>

#include "measure/session.hpp"

namespace parallax::cli {

/// One line on a terminal that is written over; nothing elsewhere.
class ProgressLine {
public:
    /// @param shown  false: it stays silent
    ProgressLine(std::ostream& err, bool shown) : err_(err), shown_(shown) {}
    ~ProgressLine() { clear(); }
    ProgressLine(const ProgressLine&) = delete;
    ProgressLine& operator=(const ProgressLine&) = delete;

    /// @param process  which of several it is, `2 of 5`; empty: the only one
    void show(const Progress&, const std::string& process = {});
    void clear();

private:
    std::ostream& err_;
    bool shown_;
    bool dirty_ = false;
};

/// Collects outcomes, and prints a suite's tables when the next suite begins.
class RunReport {
public:
    explicit RunReport(std::ostream& out) : out_(out) {}

    void add(const Outcome&, const Entry&);
    /// Prints what has not been printed.
    void finish();

private:
    struct Line {
        Outcome outcome;
        DeviceInfo device;
    };
    void print_suite();
    void print_published();
    void print_device(const std::vector<const Line*>&);
    void print_conclusions(const std::vector<const Line*>&);

    std::ostream& out_;
    std::vector<Line> lines_;
};

}  // namespace parallax::cli
