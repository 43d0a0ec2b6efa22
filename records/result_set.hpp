// What was read from one file, or kept by one live diff.
#pragma once

#include <map>
#include <string>
#include <tuple>
#include <vector>

#include "records/results.hpp"

namespace parallax {

/// The lines of a file, each case of a run once.
struct ResultSet : ResultFile {
    std::string name;  ///< what the user called it

    /// Takes over one line.
    /// @param line_number  in the file, for messages; 0: it is no file's
    /// @throws UsageError when a run has the same case or the same pair of two sides twice, or two
    /// runs have the same samples.
    void take(ResultEntry line, unsigned line_number = 0);

    /// Holds every pair of two sides against the records that were made with it.
    /// @throws UsageError when a run lacks one of them, or its samples are not those of the pair
    void check_pairs() const;

private:
    /// By run, device, side, case and edits of the kernel.
    std::map<std::tuple<std::string, std::string, char, CaseKey, std::vector<std::string>>,
             unsigned>
        seen_;
    /// Of the records that were timed: their line.
    std::map<std::vector<double>, unsigned> samples_seen_;
    /// By run, devices and case.
    std::map<std::tuple<std::string, std::string, std::string, CaseKey>, unsigned> pairs_seen_;
};

/// Reads a file. @throws UsageError when it cannot be read, holds no record, holds a case twice, or
/// a pair that does not fit its records.
ResultSet read_result_set(const std::string& path);

}  // namespace parallax
