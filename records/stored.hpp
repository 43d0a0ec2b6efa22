// Records and pairs as they are kept in files, as far as a diff needs them.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include <nlohmann/json.hpp>

#include "common/suite.hpp"
#include "measure/paired.hpp"
#include "records/record.hpp"

namespace parallax {

/// What makes two records records of one case, wherever and whenever they ran.
struct CaseKey {
    std::string suite, variant, type;
    std::vector<std::uint64_t> shape;
    std::vector<std::pair<std::string, std::int64_t>> constants;  ///< by name

    bool operator==(const CaseKey&) const = default;
    bool operator<(const CaseKey& other) const {
        return std::tie(suite, variant, type, shape, constants) <
               std::tie(other.suite, other.variant, other.type, other.shape, other.constants);
    }
};

/// One record.
struct StoredRecord {
    CaseKey key;
    std::vector<std::pair<std::string, std::int64_t>> constants;  ///< in the suite's order
    std::string device;                                           ///< `opencl:1`
    char side = 0;    ///< `a` or `b`: of a live diff; 0: of a run
    std::string run;  ///< the run's id
    std::string started;
    std::uint64_t seed = 0;
    Status status = Status::skipped;
    std::string reason, log;
    std::string file, language, source_hash, floats, edits;
    std::vector<std::string> options;
    Json launches = Json::array();
    std::string scope;  ///< what lies between two readings of the clock, and its unit
    Work work;
    double median = 0, low = 0, high = 0;  ///< seconds; 0: not timed
    std::vector<double> round_medians;     ///< seconds
    bool in_cache = false;
    Ceiling ceiling;
    double share = 0;
    std::string share_of;
    double worst_ulp = 0;
    std::string checked_against;  ///< as the record says; empty: it does not
    std::string output_hash;
    std::optional<bool> repeatable;
    std::vector<std::string> notes;
    /// Of the device and of the program: `device`, `driver`, `compiler`, ... In a fixed order.
    std::vector<std::pair<std::string, std::string>> facts;
    std::string backend;
    std::string uuid;  ///< `unknown` where the device does not say

    const std::string& fact(std::string_view name) const;
};

/// @param record  one that problems_of finds nothing wrong with
StoredRecord stored_record(const Json& record);

/// Whether both ran on one piece of hardware, as same_physical_device says of live entries. False
/// where that is not known.
bool one_physical_device(const StoredRecord& a, const StoredRecord& b);

/// One pair: a case that was timed on two devices by turns, or on one against itself.
struct StoredPair {
    CaseKey key;
    std::vector<std::pair<std::string, std::int64_t>> constants;
    std::string run;
    std::string device_a, device_b;
    bool self = false;
    PairTiming timing;
    double launch_seconds_a = 0, launch_seconds_b = 0;  ///< of an empty launch; 0: not measured
    double measuring_seconds = 0;
    std::optional<SameAnswer::Distance> distance;
    bool identical = false;  ///< where there is a distance
};

/// A pair of this case, not yet measured.
StoredPair pair_for(const Case&);

/// The pair as a line of JSON; docs/record.md lists its members.
Json to_json(const StoredPair&, const RunInfo&);
/// @param pair  one that problems_of finds nothing wrong with
StoredPair stored_pair(const Json& pair);

/// Of the case that a valid line is about, whatever its kind.
CaseKey key_of(const Json& line);
/// Of a case that ran here.
CaseKey key_of(const Case&);
/// `reduction/vector float 1048576 OP=0 GROUP=256`
std::string to_string(const CaseKey&);

/// What was read from one file, or kept by one live diff.
struct ResultSet {
    std::string name;  ///< what the user called it
    std::vector<StoredRecord> records;
    std::vector<StoredPair> pairs;
    std::vector<Json> explanations;  ///< why sides differ, as in their lines
    bool cut_short = false;          ///< its last line was broken, and left out

    /// Takes over one line.
    /// @param line  its number in the file, for messages; 0: it is no file's
    /// @throws UsageError when a run has the same case twice.
    void add(const Json& json, unsigned line = 0);

private:
    std::map<std::tuple<std::string, std::string, char, CaseKey>, unsigned> seen_;
};

/// Reads a file. @throws UsageError when it cannot be read, holds no record, or holds a case twice.
ResultSet read_result_set(const std::string& path);

}  // namespace parallax
