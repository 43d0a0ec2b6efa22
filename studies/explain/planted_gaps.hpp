// Gaps put into one side on purpose, and the knob that must be named for each.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "common/suite/suite.hpp"
#include "records/explanation.hpp"
#include "studies/explain/case_bench.hpp"
#include "studies/explain/rewrite.hpp"

namespace parallax {

/// A case whose two sides are the same but for one thing.
struct PlantedGap {
    std::string name;                               ///< unique
    std::string what;                               ///< was planted, in a few words
    std::string suite, variant;                     ///< variant: the first, where it is empty
    Shape shape;                                    ///< without extents: the suite's first
    std::vector<Constant> constants = {};           ///< of both sides
    std::function<void(Configuration&)> base = {};  ///< done to both sides; none: nothing
    std::string backend;  ///< the side that is changed: `cuda`, which the host's CUDA is, too
    std::function<void(Configuration&)> plant;  ///< the change
    /// The change takes something away that the other side keeps: that is the one which is slow.
    bool on_other = false;
    bool is_stranger = false;        ///< `suite` is a manifest in `strangers/`, not one of suites()
    std::vector<std::string> knobs;  ///< any of these names the cause
};

const std::vector<PlantedGap>& planted_gaps();

/// The gaps that are planted in the external kernels of `strangers/`.
std::vector<PlantedGap> gaps_of_strangers();
/// The suite of a manifest in `strangers/`, by its file's name without `.json`.
const Suite& stranger(const std::string& name);

/// A change that puts `replace` in the one place of `find`.
std::function<void(Configuration&)> planted_edit(std::string find, std::string replace);
/// A change that rewrites the source.
std::function<void(Configuration&)> planted_rewrite(std::function<Rewritten(std::string_view)> how);

/// @throws UsageError when there is none of that name, saying which there are
const PlantedGap& planted_gap_named(std::string_view name);

/// @throws UsageError when a suite or constant is not there
Case case_of(const PlantedGap&);

/// Counts the planted gaps whose cause was named.
class PlantedTally {
public:
    void add(const PlantedGap&, const Explanation&);
    /// @param problem  why there is no explanation
    void add(const PlantedGap&, const std::string& problem);

    std::size_t planted() const { return rows_.size(); }
    std::size_t missed() const;
    std::string text() const;

private:
    struct Row {
        std::string name, what, gap, named, took;
        bool found = false;
    };
    std::vector<Row> rows_;
};

}  // namespace parallax
