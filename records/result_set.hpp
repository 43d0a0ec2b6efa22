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
    /// @throws UsageError when a run has the same case twice.
    void take(Line line, unsigned line_number = 0);

private:
    /// By run, device, side, case and edits of the kernel.
    std::map<std::tuple<std::string, std::string, char, CaseKey, std::vector<std::string>>,
             unsigned>
        seen_;
};

/// Reads a file. @throws UsageError when it cannot be read, holds no record, or holds a case twice.
ResultSet read_result_set(const std::string& path);

}  // namespace parallax
