// Chooses the result files: the named file, or one in the folder of each physical device.
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

/// The result files of one command.
class ResultWriters {
public:
    /// @param file  named with `option`; none: `results/DEVICE/KIND-TIME.jsonl`
    /// @throws UsageError when it cannot be written.
    ResultWriters(const std::optional<std::string>& file, const std::string& kind,
                  std::string_view option);

    /// The common file of the entries: the named one, or one in their device's folder.
    /// @throws UsageError when it cannot be written.
    std::string path_for(const std::vector<Entry>& entries) const;

    /// @throws UsageError when it cannot be written; earlier lines stay.
    void add(const ResultEntry& line, const std::string& device_name);

    /// Continues after an earlier worker: its lines are not written again.
    /// @param all  a file that receives every line, for the next worker
    void go_on(const std::string& all, const ResumeState&);

    /// Prints the names of the written files, one per line, and what to do with them.
    void print_places(std::ostream&) const;

private:
    struct Kept {
        std::unique_ptr<ResultWriter> writer;
        std::size_t lines = 0;
    };
    std::string kind_;
    bool named_ = false;
    std::string name_;
    std::map<std::string, Kept> writers_;
    std::unique_ptr<ResultWriter> all_;
    ResumeState earlier_;
};

}  // namespace parallax::cli
