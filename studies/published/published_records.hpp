// Today's figures for what was published: the best record of each device and backend.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "common/suite.hpp"
#include "records/record.hpp"

namespace parallax::cli {

/// What a record says that matters beside a published figure.
struct Today {
    std::string device, backend;  ///< `NVIDIA H100 80GB HBM3`, `opencl`
    std::string suite, variant, type;
    Shape shape;
    std::vector<Constant> constants;
    Status status = Status::skipped;
    std::string reason;
    double seconds = 0;                ///< of one run; 0: not measured
    double bytes = 0, operations = 0;  ///< of one run, by the suite's own model
    std::string started;               ///< of its run, UTC
};

/// A line of a table: a variant under circumstances.
struct Circumstances {
    const Suite* suite = nullptr;
    const Variant* variant = nullptr;
    std::vector<std::uint64_t> shape = {};  ///< empty: the largest that there is
    std::vector<Constant> constants = {};   ///< that must have these values
};

/// Constants that the line does not name and that have other values than the suite and the variant
/// give them.
std::vector<Constant> unusual(const Today&, const Circumstances&);

/// All records of DIR/*/*.jsonl that were made of kernels as they are, by suite and variant.
class TodaysRecords {
public:
    /// @param folder  that has a folder for each device
    /// @throws UsageError when it or a file in it cannot be read
    explicit TodaysRecords(const std::filesystem::path& folder);

    /// The record that shows the line best on a device: with the constants that the line names and
    /// the suite's first type; then of the line's shape; then with as few unusual constants as can
    /// be; then the largest; then of the newest run. What was skipped counts only where there is
    /// nothing else. Null: there is none.
    const Today* best(const Circumstances&, const std::string& device,
                      const std::string& backend) const;

    /// For lines that say no shape: the one that most of the given lines of `suite` have a measured
    /// record of on this device, through any backend; of several the largest. Empty: none has.
    std::vector<std::uint64_t> common_shape(const std::vector<Circumstances>&, const Suite& suite,
                                            const std::string& device) const;

    /// Devices and backends that there are records of.
    struct Where {
        std::string device, backend;
        bool is_gpu = false;  ///< has a compute capability
        bool operator==(const Where& other) const {
            return device == other.device && backend == other.backend;
        }
    };
    /// By name; of a device OpenCL first.
    const std::vector<Where>& where() const { return where_; }

private:
    void take(const Record& line);
    /// Those with the constants that the line names and the suite's first type.
    std::vector<const Today*> candidates(const Circumstances&, const std::string& device) const;

    std::map<std::pair<std::string, std::string>, std::vector<Today>> records_;
    std::vector<Where> where_;
};

}  // namespace parallax::cli
