// Result files: lines, flushed as they are made, and read back in blocks.
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "records/lines.hpp"

namespace parallax {

/// Finds out whether a file of any kind can be written, and leaves no trace when it was not there
/// before. @throws UsageError when it cannot be written.
void try_to_write(const std::filesystem::path&);

/// A result file being written. A killed program loses the line that it was writing, at most.
class ResultWriter {
public:
    /// As try_to_write(): file and folders above it are made with the first line.
    /// @throws UsageError when it cannot be written, or holds something else than results.
    explicit ResultWriter(std::filesystem::path path);
    ~ResultWriter();
    ResultWriter(const ResultWriter&) = delete;
    ResultWriter& operator=(const ResultWriter&) = delete;

    /// Appends one line and makes sure that the system has it. A broken last line, left by a
    /// killed program, is closed before the first.
    /// @throws UsageError when it cannot (the disk is full, ...); what was written stays.
    void add(const ResultEntry& line);

    const std::filesystem::path& path() const { return path_; }

private:
    void begin();
    void check_holds_results();

    std::filesystem::path path_;
    int file_ = -1;  ///< -1: not there yet
    bool begun_ = false;
};

/// What was in a result file.
struct ReadSummary {
    std::size_t records = 0;   ///< lines that were delivered, of any kind; 0: it has none
    bool cut_short = false;    ///< at least one line ended in the middle, and was left out
    std::size_t left_out = 0;  ///< number of such lines; a killed run leaves one at most
};

/// Who takes a line, and its number in the file, from 1 on.
using TakeLine = std::function<void(ResultEntry&& line, unsigned number)>;

/// Reads a file (or a pipe without a name) once, from its beginning to its end, and hands over its
/// lines in order. Lines are read and checked on all cores, a few MiB at a time; no more is in
/// memory than that.
/// @param take called on this thread; what it throws ends the reading
/// @throws UsageError when the file cannot be read, or a line that does not just end in the middle
/// is no record, pair or explanation: with file, line, what is wrong and what can be done.
ReadSummary read_results(const std::filesystem::path&, const TakeLine& take);

/// What a result file holds.
struct ResultFile {
    std::vector<Record> records;
    std::vector<Pair> pairs;
    std::vector<Explanation> explanations;
    std::vector<TimeSpent> times_spent;
    bool cut_short = false;  ///< as in ReadSummary

    void add(ResultEntry&& line);
};

/// All of it at once. @throws UsageError as above.
ResultFile read_results(const std::filesystem::path&);

/// A device's name as a folder: lower case, digits, single hyphens: `nvidia-h100-80gb-hbm3`.
std::string folder_name(std::string_view device_name);

}  // namespace parallax
