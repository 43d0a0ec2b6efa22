// Where results go: the file that was named, or one in the folder of each physical device.
#pragma once

#include <iosfwd>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "common/device/devices.hpp"
#include "measure/resume_state.hpp"
#include "records/results.hpp"

namespace parallax::cli {

/// Result files of one command.
class ResultWriters {
public:
    /// @param file  that was named with `option`; none: `results/DEVICE/KIND-TIME.jsonl`
    /// @throws UsageError when it cannot be written.
    ResultWriters(const std::optional<std::string>& file, const std::string& kind,
                  std::string_view option);

    /// One file for all of the entries: the one that was named, or one in their device's folder.
    /// @throws UsageError when it cannot be written.
    std::string path_for(const std::vector<Entry>& entries) const;

    /// @throws UsageError when it cannot be written; what was written stays.
    void add(const ResultEntry& line, const std::string& device_name);

    /// Goes on with what another process has begun: what it kept is not kept again.
    /// @param all  a file that gets every line, for the process after this one
    void go_on(const std::string& all, const ResumeState&);

    /// Names the files that got a line, each in a line of its own.
    void print_places(std::ostream&) const;

private:
    struct Kept {
        std::unique_ptr<ResultWriter> writer;
        std::size_t lines = 0;
    };
    bool named_ = false;
    std::string name_;
    std::map<std::string, Kept> writers_;
    std::unique_ptr<ResultWriter> all_;
    ResumeState earlier_;
};

}  // namespace parallax::cli
