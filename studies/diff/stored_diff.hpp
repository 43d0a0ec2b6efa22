// Builds the diff of two sides from their stored results.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "records/result_set.hpp"
#include "studies/diff/diff.hpp"

namespace parallax {

/// Options of the judgement.
struct Judgement {
    double margin = 0.02;
    std::optional<double> max_slowdown;  ///< a decision is asked for: B may be this much slower
    bool strict = false;                 ///< as Diff::strict
    bool by_noise = false;               ///< as Diff::by_noise
    Both<std::string> names = {"Side A", "Side B"};  ///< side_names(), for reasons
};

/// The records of one side of a diff.
struct SideSet {
    std::string name;
    std::vector<const Record*> records;
    std::vector<const Record*> ceilings = {};  ///< of a live diff, which are of no side
};

/// The two sides to compare, chosen from one set or two.
struct Sides {
    SideSet a, b;
    std::vector<const Pair*> pairs;  ///< of A and B, timed alternately, where there were any
    std::vector<const Pair*> self;
    std::vector<const Explanation*> explanations;  ///< of why B differs from A
    bool live = false;                             ///< measured alternately, not one after the
                                                   ///< other
};

/// Two files: old and new, or one a device. Devices narrow the sides (`opencl`, `cuda:0`,
/// `opencl:part of the name`): with two, the first is for A and the second for B; with one, for
/// both.
/// @throws UsageError when a device names nothing in the file
Sides sides_of(const ResultSet& a, const ResultSet& b, const std::vector<std::string>& devices);

/// One set: a live diff, or a run on two entries of one physical device.
/// @throws UsageError when there are not two sides in it, saying what there is
Sides sides_within(const ResultSet&, const std::vector<std::string>& devices);

/// Whether sides_within finds two sides in it without being told devices.
bool holds_two_sides(const ResultSet&);

/// Pairs the cases, and answers the questions about each in their order.
/// @throws UsageError when there is no case in common, saying what each side has
Diff build_diff(const Sides&, const Judgement&);

/// Judges the diff's ratios against those of an earlier one. Cases that it lacks keep their
/// decision none, and say so. One of another kind of device decides nothing, and a warning says so.
/// @throws NothingToCompare when it has a ratio for none of them
void judge_against(Diff&, const Diff& baseline, const std::string& name);

/// 0, 1, 3, 4, 5 or 6, as the command line documents them.
int exit_code(const Diff&);

}  // namespace parallax
