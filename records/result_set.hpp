// The results of one file or of one live diff.
#pragma once

#include <map>
#include <string>
#include <tuple>
#include <vector>

#include "records/results.hpp"

namespace parallax {

/// The lines of a file, with each case of a run once.
struct ResultSet : ResultFile {
    std::string name;  ///< the user's name for it

    /// Adds one line.
    /// @param line_number  in the file, for messages; 0: not from a file
    /// @throws UsageError for duplicate cases or pairs of a run, or for two runs with the same
    /// samples.
    void take(ResultEntry line, unsigned line_number = 0);

    /// Checks every pair of two sides against the records of both.
    /// @throws UsageError when a run lacks one of them, or its samples are not those of the pair
    void check_pairs() const;

private:
    /// By run, device, side, case and edits of the kernel.
    std::map<std::tuple<std::string, std::string, char, CaseKey, std::vector<std::string>>,
             unsigned>
        seen_;
    /// Lines of the timed records.
    std::map<std::vector<double>, unsigned> samples_seen_;
    /// By run, devices and case.
    std::map<std::tuple<std::string, std::string, std::string, CaseKey>, unsigned> pairs_seen_;
};

/// Reads a file. @throws UsageError when it cannot be read, holds no record, has a case twice, or a
/// pair that does not match its records.
ResultSet read_result_set(const std::string& path);

}  // namespace parallax
