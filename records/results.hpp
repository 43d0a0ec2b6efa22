// Writes result files line by line, and reads them in blocks.
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "records/result_lines.hpp"

namespace parallax {

/// Checks that a file of any kind can be written, and removes it if it was created for that.
/// @throws UsageError when it cannot be written.
void try_to_write(const std::filesystem::path&);

/// A result file being written. A killed program loses at most the current line.
class ResultWriter {
public:
    /// Like try_to_write(): the file and its folders are created with the first line.
    /// @throws UsageError when it cannot be written, or holds something other than results.
    explicit ResultWriter(std::filesystem::path path);
    ~ResultWriter();
    ResultWriter(const ResultWriter&) = delete;
    ResultWriter& operator=(const ResultWriter&) = delete;

    /// Appends one line and flushes it to the system. A truncated last line of a killed program is
    /// terminated first.
    /// @throws UsageError when it cannot be written (disk full, ...); earlier lines stay.
    void add(const ResultEntry& line);

    const std::filesystem::path& path() const { return path_; }

private:
    void begin();
    void check_holds_results();

    std::filesystem::path path_;
    int file_ = -1;  ///< -1: not created yet
    bool begun_ = false;
};

/// Summary of a result file.
struct ReadSummary {
    std::size_t records = 0;   ///< number of lines of any kind; 0: none
    bool cut_short = false;    ///< at least one truncated line was skipped
    std::size_t left_out = 0;  ///< number of such lines; a killed run leaves at most one
};

/// Receives a line, and its number in the file, from 1.
using TakeLine = std::function<void(ResultEntry&& line, unsigned number)>;

/// Reads a file (or an anonymous pipe) once from start to end, and passes on its lines in order.
/// Lines are parsed on all cores, with a few MiB in memory at a time.
/// @param take called on this thread; an exception ends the reading
/// @throws UsageError when the file cannot be read, or a complete line is invalid: with file, line,
/// error and advice.
ReadSummary read_results(const std::filesystem::path&, const TakeLine& take);

/// The content of a result file.
struct ResultFile {
    std::vector<Record> records;
    std::vector<Pair> pairs;
    std::vector<Explanation> explanations;
    std::vector<TimeSpent> times_spent;
    bool cut_short = false;  ///< as in ReadSummary

    void add(ResultEntry&& line);
};

/// Reads the whole file. @throws UsageError as above.
ResultFile read_results(const std::filesystem::path&);

/// A device's name as a folder name: lower case, digits, single hyphens: `nvidia-h100-80gb-hbm3`.
std::string folder_name(std::string_view device_name);

}  // namespace parallax
