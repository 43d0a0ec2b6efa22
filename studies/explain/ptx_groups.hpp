// Where two compilers' PTX of one kernel does the same with other instructions.
#pragma once

#include <array>
#include <string>
#include <utility>
#include <vector>

#include "records/explanation.hpp"
#include "studies/explain/ptx_program.hpp"

namespace parallax {

/// A part of a kernel that is entered at one block and left, but for the kernel's end, to one.
struct PtxRegion {
    int head = 0, exit = 0;
    std::vector<bool> inside;  ///< for each block
};

/// One compiler's PTX, followed by the same work-items as the other's.
struct FollowedPtx {
    FollowedPtx(const PtxText& text, std::string_view kernel) : program(text, kernel) {}
    PtxProgram program;
    std::vector<PtxWalk> walks;
    std::vector<std::vector<bool>> live;  ///< as PtxProgram::live_at_begin

    /// Runs of the block, of all items that were followed.
    double visits(std::size_t block) const;
};

/// What one side does in a region, an item that was followed.
using PtxCounts = std::array<double, ptx_kinds>;

/// Two regions that do the same: whenever items enter and leave them, as much was stored.
struct PtxGroup {
    PtxRegion a, b;
    PtxCounts in_a{}, in_b{};  ///< executed by an item, by kind
    bool is_loop = false;      ///< on one side at least
    /// Of all instructions by which what an item executes differs, opcode by opcode, how many no
    /// longer do when the region is the same on both sides.
    double weight = 0;
};

/// Follows three items of the launch through the text: the same ones through any.
void follow(FollowedPtx&, const PtxLaunch&);

/// Every region of `x`, but for those that no item entered.
std::vector<PtxRegion> regions_of(const FollowedPtx& x);

/// Places in the logs of the walks where a region is entered, and where it is left.
struct PtxEvents {
    struct Place {
        std::size_t walk, visit;
    };
    std::vector<Place> entries, exits;
};
PtxEvents events_of(const FollowedPtx&, const PtxRegion&);

/// Pairs of regions that do the same with other instructions, nested ones among them. Both texts
/// were followed.
std::vector<PtxGroup> groups_of(const FollowedPtx& a, const FollowedPtx& b);

/// The two kernels as one group, whatever their parts do.
PtxGroup whole_kernels(const FollowedPtx& a, const FollowedPtx& b);

/// What a group is about: `5 instructions of address arithmetic for 2, 1 conversion for none`.
/// @param names  of the sides
std::string words_for(const PtxGroup&, const std::string& name_a, const std::string& name_b);

}  // namespace parallax
