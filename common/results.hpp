// Result files: records, one a line, flushed as they are made, and read back whole.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "common/record.hpp"

namespace parallax {

/// A result file being written. A killed program loses the line that it was writing, at most.
class ResultWriter {
public:
    /// Opens for appending, with the folders above it made. A broken last line, left by a killed
    /// program, is closed first.
    /// @throws UsageError when it cannot be written.
    explicit ResultWriter(std::filesystem::path path);
    ~ResultWriter();
    ResultWriter(const ResultWriter&) = delete;
    ResultWriter& operator=(const ResultWriter&) = delete;

    /// Writes one record and makes sure that the system has it.
    /// @throws UsageError when it cannot (the disk is full, ...); what was written stays.
    void add(const Json& record);

    const std::filesystem::path& path() const { return path_; }

private:
    std::filesystem::path path_;
    int file_ = -1;
};

/// What a result file holds.
struct ResultFile {
    std::vector<Json> records;
    bool cut_short = false;  ///< the last line was broken, and left out
};

/// Reads and validates.
/// @throws UsageError when it cannot be read, or a line other than the last is not a record, naming
/// file and line.
ResultFile read_results(const std::filesystem::path&);

/// A device's name as a folder: lower case, digits, single hyphens: `nvidia-h100-80gb-hbm3`.
std::string folder_name(std::string_view device_name);

}  // namespace parallax
