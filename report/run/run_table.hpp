// The tables of `parallax run`, of records just made or read from a file.
#pragma once

#include <iosfwd>
#include <string>
#include <string_view>
#include <vector>

#include "records/record.hpp"

namespace parallax {

/// Collects records, and prints a suite's tables when the next suite begins; or all of them at the
/// end, in the order of the suites, with what was left out in the first line.
class RunTable {
public:
    /// @param width  columns that tables may take
    /// @param all_at_the_end  for records that come in another order
    RunTable(std::ostream& out, std::size_t width, bool all_at_the_end = false)
        : out_(out), width_(width), all_at_the_end_(all_at_the_end) {}

    void add(Record);
    /// Prints what has not been printed.
    void finish();

private:
    void print_all();
    void print_suite();
    void print_warnings(const std::vector<Record>&);
    void print_published();
    void print_device(const std::vector<const Record*>&);
    void print_conclusions(const std::vector<const Record*>&);
    void print_sentence(std::string_view text, std::size_t indent);

    std::ostream& out_;
    std::size_t width_;
    bool all_at_the_end_;
    std::vector<Record> all_;      ///< that wait for the end
    std::vector<Record> records_;  ///< of one suite
    std::vector<std::string> warned_;
};

}  // namespace parallax
