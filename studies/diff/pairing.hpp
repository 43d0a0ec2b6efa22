// Pairs the records of two sides by case, and extracts what a diff shows.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "records/result_set.hpp"
#include "records/result_store.hpp"
#include "studies/diff/diff.hpp"
#include "studies/diff/stored_diff.hpp"

namespace parallax {

/// The identity of a case within a diff and across diffs: its lane and its key, with all constants
/// that its suite has by now.
using CaseInLane = std::pair<std::string, CaseKey>;
inline CaseInLane case_in_lane(const std::string& lane, const CaseKey& key) {
    return {lane, completed(key)};
}

/// The suite of the ceilings: its cases are in no comparison.
inline constexpr std::string_view ceiling_suite = "ceiling";

/// One case with its records on both sides; a side without any has none.
struct Pairing {
    std::string lane;  ///< which devices, where a side has several; else empty
    CaseKey key;
    Records a, b;
    std::vector<const Pair*> pairs;
};

/// In the order of A's records, what only B has behind it. Ceilings and kernels that were broken on
/// purpose are left out.
std::vector<Pairing> pair_up(const Sides&);

/// The first two questions answered; not yet judged, and without a title.
CaseDiff case_of(const Pairing&, const Both<std::string>& names);

/// An API may keep a buffer that was requested in host memory in device memory, and copy it when
/// the host reads it. A kernel then moves data at the speed of device memory on that side only,
/// which no link to the host reaches. Where one case with such buffers shows this, all cases with
/// such buffers get a difference that forbids a comparison.
/// @param cases  of both sides, before they are judged
void compare_mapped_memory(const Sides&, std::vector<CaseDiff>& cases);

}  // namespace parallax
