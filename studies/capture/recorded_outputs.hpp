// Compares what the kept launches of two recordings began with and what they left.
#pragma once

#include <cstddef>
#include <cstdint>
#include <list>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "common/suite/suite.hpp"
#include "studies/capture/program_pair.hpp"
#include "suites/manifest/manifest.hpp"

namespace parallax {

/// What two launches have in common. An output is a buffer that a launch changed.
struct LaunchMatch {
    std::size_t outputs = 0;              ///< of the side that has more
    std::size_t bits = 0, tolerance = 0;  ///< of these, that agree with one of the other side
    bool same_read = false;               ///< what one only read, the other had, too
    bool same_inputs = false;             ///< and the outputs held the same before
    bool same_values = false;             ///< arguments by value of one are those of the other, too
    /// Some output that agrees, or some input, is not what many launches have.
    bool has_telling_output = false, has_telling_input = false;
    std::string difference;  ///< of outputs that should agree; empty: there is none
    std::string unread;      ///< why numbers were not compared; empty: they were

    Agreement agreement() const;
    /// Why that is unknown.
    std::string remark() const;
    /// Nothing: their data do not say that they are counterparts.
    std::optional<PairedBy> evidence() const;
};

/// The launches of both recordings with their contents, which are read when they are asked for.
class RecordedOutputs {
public:
    explicit RecordedOutputs(const RecordedPair&);

    /// The launch of that name on a side; null: it is not kept, or cannot be read.
    const RecordedLaunch* launch(bool is_b, const std::string& name) const;
    /// @param reads  compares numbers where bytes differ; without, by the contents' hashes alone
    LaunchMatch match(const RecordedLaunch& a, const RecordedLaunch& b, bool reads);

private:
    struct Output {
        BufferSpec spec;
        HostArray before, after;  ///< `before` without elements: unknown
        std::string hash;         ///< of `after`
    };
    struct Contents {
        std::string variant, unread;
        std::vector<Output> outputs;
    };
    const Contents& read(const RecordedLaunch&);
    void compare_numbers(const RecordedLaunch& a, const RecordedLaunch& b,
                         const std::vector<std::string>& left_a,
                         const std::vector<std::string>& left_b, LaunchMatch&);
    bool is_telling(const std::map<std::string, std::size_t>& users, const RecordedContent&,
                    bool is_after) const;

    const RecordedPair& recorded_;
    Both<std::map<std::string, const RecordedLaunch*>> by_name_;
    std::map<std::string, std::size_t> readers_, writers_;  ///< launches by content
    std::list<Contents> read_;                              ///< the newest first
};

}  // namespace parallax
