// The tables of `parallax run`, of records just made or read from a file.
#pragma once

#include <iosfwd>
#include <string>
#include <string_view>
#include <vector>

#include "records/record.hpp"
#include "report/junit.hpp"

namespace parallax {

/// When which tables are printed.
enum class RunTables {
    as_they_come,    ///< a suite's when the next suite begins
    all_at_the_end,  ///< in the order of the suites, with what was left out in the first line
    overview         ///< the same, but a line for each suite, and what is not right
};

/// Collects records, and prints their tables. Ceilings that are right have none next to other
/// cases, unless they were asked for: a sentence has those that a share is of.
class RunTable {
public:
    /// @param width  columns that tables may take
    /// @param is_short  at most a screen: remarks that have no room there are counted
    RunTable(std::ostream& out, std::size_t width, RunTables tables = RunTables::as_they_come,
             bool shows_ceilings = false, bool is_short = false)
        : out_(out),
          width_(width),
          tables_(tables),
          shows_ceilings_(shows_ceilings),
          is_short_(is_short) {}

    void add(Record);
    /// Prints what has not been printed.
    void finish();

private:
    void print_all();
    void print_suite();
    void print_warnings(const std::vector<Record>&);
    void print_overview(const std::vector<Record>&);
    void print_device(const std::vector<const Record*>&);
    void print_remarks(const std::vector<const Record*>&);
    void print_conclusions(const std::vector<const Record*>&);
    void print_sentence(std::string_view text, std::size_t indent);

    std::ostream& out_;
    std::size_t width_;
    RunTables tables_;
    bool shows_ceilings_, is_short_, has_others_ = false;
    std::vector<Record> all_;       ///< that wait for the end
    std::vector<Record> records_;   ///< of one suite
    std::vector<Record> ceilings_;  ///< that wait for other cases
    std::vector<std::string> warned_;
};

}  // namespace parallax

namespace parallax::report {

/// A test per record, for junit_text() and sarif_text().
/// @param strict  doubtful and refused cases are failures
TestReport run_tests(const std::vector<Record>&, bool strict);

}  // namespace parallax::report
