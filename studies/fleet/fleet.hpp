// Records of many devices on many nodes: which compute wrong, which are missing, which are slow
// among their peers, and where they differ. Plain data; report/fleet draws it.
#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "records/brief.hpp"

namespace parallax {

/// The property of a device that a result mostly depends on.
enum class FleetClass { memory, compute, transfer };
inline constexpr std::array fleet_classes{FleetClass::memory, FleetClass::compute,
                                          FleetClass::transfer};
std::string_view name_of(FleetClass);

/// A node's name in a report: older records have no host name.
std::string node_name(const std::string& host);

/// Other processes that used a device while it was measured, according to the records.
struct FleetOthers {
    std::size_t records = 0;  ///< that saw them
    std::optional<double> most_use =
        {};                 ///< of the device, 0 to 1; nothing: no record has a number
    std::string said = {};  ///< by the first record without a number
};

/// One device in one place. The same UUID on two hosts is two of them.
struct FleetDevice {
    std::string host;  ///< empty: its records are older than the member
    std::optional<std::uint32_t> slot;
    std::string uuid, pci;  ///< empty: it has none
    std::string entry;      ///< `opencl:0`, where nothing else names it
    std::string model;
    /// Properties that may differ from those of its peers, by name, with every value in its
    /// records.
    std::map<std::string, std::set<std::string>> facts = {};
    std::set<std::uint64_t> runs = {};  ///< by hashes of their ids
    std::size_t records = 0;
    FleetOthers others = {};

    /// Whether other processes used it during any of its records: its times are then not its own.
    bool is_busy() const { return others.records > 0; }
    /// `nid000017 gpu 2`: unique but for parts of one card.
    std::string place() const;
    /// The UUID, or its substitute.
    const std::string& identity() const {
        return !uuid.empty() ? uuid : !pci.empty() ? pci : entry;
    }
};

struct FleetCase {
    /// `transpose/padded float 4096x4096 (cuda)`, with constants where these do not tell it apart.
    std::string title;
    CaseKey key;  ///< its constants by name
    std::string backend;
    std::string identity;  ///< equal for both backends: text, rules and what the key says
    FleetClass kind = FleetClass::memory;
    Work work;
    bool by_operations = false;
};

/// Devices that can be held against each other.
struct FleetPeers {
    std::string model;
    std::string power_limit;  ///< `700 W`, `unknown`
    std::string mig;          ///< `off`, `unknown`, `1g.10gb`

    std::string title() const;
    auto operator<=>(const FleetPeers&) const = default;
};

/// Hosts in the order that people give them: node9 before node10.
bool natural_before(const std::string& a, const std::string& b);
/// By host, then by slot.
bool before_in_place(const FleetDevice&, const FleetDevice&);

/// A device's answers to a case, over all runs.
struct FleetAnswers {
    unsigned runs = 0, wrong = 0, failed = 0;
    unsigned by_time = 0;  ///< of the wrong those that nothing but times speak against
    std::string reason;    ///< of the first that was wrong or failed, if it can be not by time

    bool is_bad() const { return wrong + failed > 0; }
};

/// The result of reading: records, and lines that are none.
struct FleetReading {
    std::size_t files = 0, records = 0;
    std::size_t again = 0;         ///< records that were there already
    std::size_t contradicted = 0;  ///< of those, with a different result: the first counts
    std::size_t launching = 0;     ///< results shorter than twice an empty launch
    std::size_t kept = 0;          ///< ceilings of an earlier run that a record repeats
    std::size_t doubtful = 0;      ///< that passed the checks, with a doubt
    std::size_t edited = 0;        ///< of kernels that were changed on purpose
    std::size_t cut = 0, newer = 0, refused = 0;  ///< lines
    /// Files and lines that could not be read, as sentences; at most `most_problems`.
    std::vector<std::string> problems;
    std::size_t unreadable = 0;  ///< files
};

/// Everything that a report needs of the records, without them.
struct FleetRecords {
    FleetReading reading;
    std::vector<FleetDevice> devices;
    std::vector<FleetCase> cases;
    std::vector<FleetPeers> peers;
    /// Logarithms of seconds, one per run, by indices of device, peers and case.
    std::map<std::array<std::uint32_t, 3>, std::vector<double>> figures;
    /// By indices of device and case.
    std::map<std::pair<std::uint32_t, std::uint32_t>, FleetAnswers> answers;

    /// The answers without errors that only times show, where others used the device.
    FleetAnswers answers_of(std::uint32_t device, std::uint32_t the_case) const;
    /// Sorts indices of devices by host, then by slot.
    void sort(std::vector<std::uint32_t>& indices) const;
    /// The indices of all devices in that order.
    std::vector<std::uint32_t> in_place() const;
};

/// Collects records one by one; each counts once however often it comes.
class FleetReader {
public:
    /// Sentences about what could not be read that are kept.
    static constexpr std::size_t most_problems = 20;

    void add(const Record&);
    /// Counts a line that is no record. @param where  `FILE:LINE`
    void add_problem(const BriefLine&, const std::string& where);
    FleetReading& reading() { return made_.reading; }
    FleetRecords take();

private:
    std::uint32_t device_of(const Record&);
    std::uint32_t case_of(const Record&);
    std::uint32_t peers_of(const Record&);
    bool is_new(const Record&, std::uint32_t device, std::uint32_t the_case);

    FleetRecords made_;
    std::unordered_map<std::string, std::uint32_t> device_index_, case_index_, peers_index_;
    std::unordered_map<std::string, double> launch_seconds_;  ///< by device and backend
    std::unordered_map<std::uint64_t, float> seen_;  ///< results by hashes of what identifies a
                                                     ///< record
};

/// Reads every `.jsonl` file in the folders and below, on all cores. A file may be named as well.
/// @throws UsageError for what is not there; nothing within a file ends the reading
FleetRecords read_fleet(const std::vector<std::filesystem::path>& folders);

/// Devices that should be there.
struct FleetExpectation {
    struct Node {
        std::string host;
        std::size_t count = 0;           ///< of devices; with UUIDs their number
        std::vector<std::string> uuids;  ///< 32 hex digits
    };
    std::vector<Node> nodes;
};

/// Lines `HOST COUNT`, `HOST UUID...` or, as `sinfo -h -N -o "%N %G"` prints them,
/// `HOST gpu:h100:4(S:0-1)`; `#` begins a remark. A host that is listed twice counts once.
/// @throws UsageError with the line that is none of these
FleetExpectation parse_expectation(std::string_view text, const std::string& name);
/// The same of a file. @throws UsageError, also when it cannot be read
FleetExpectation read_expectation(const std::filesystem::path&);
/// Adds what another list expects.
void add_expectation(FleetExpectation&, const FleetExpectation& more);

}  // namespace parallax
