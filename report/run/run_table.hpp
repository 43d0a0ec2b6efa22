// The tables of `parallax run`, of records just made or read from a file.
#pragma once

#include <iosfwd>
#include <vector>

#include "records/record.hpp"

namespace parallax {

/// Collects records, and prints a suite's tables when the next suite begins.
class RunTable {
public:
    explicit RunTable(std::ostream& out) : out_(out) {}

    void add(Record);
    /// Prints what has not been printed.
    void finish();

private:
    void print_suite();
    void print_published();
    void print_device(const std::vector<const Record*>&);
    void print_conclusions(const std::vector<const Record*>&);

    std::ostream& out_;
    std::vector<Record> records_;  ///< of one suite
};

}  // namespace parallax
