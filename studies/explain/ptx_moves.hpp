// Puts a part of one compiler's PTX in the place of the other's.
#pragma once

#include <string>

#include "studies/explain/ptx_groups.hpp"

namespace parallax {

/// The text of `into` whose region `place` is replaced by the region `what` of `from`, which does
/// the same: registers, labels and local arrays get names of their own, what the region reads is
/// taken from the register that held the same value whenever items came there, or calculated anew
/// from the kernel's parameters, and so is what is read after it. Single items do with it what they
/// did before.
/// @param launch  the one that both were followed with
/// @throws Unsupported saying what stands in the way, in a sentence
std::string moved_ptx(const FollowedPtx& into, const PtxRegion& place, const FollowedPtx& from,
                      const PtxRegion& what, const PtxLaunch& launch);

}  // namespace parallax
