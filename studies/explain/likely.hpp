// Which knobs come first: those about what the two sides are seen to differ in.
#pragma once

#include <string_view>

#include "measure/outcome.hpp"
#include "records/explanation.hpp"
#include "studies/explain/case_bench.hpp"

namespace parallax {

/// How likely a knob's position is the cause, the most likely first.
enum class Likelihood {
    by_setting,  ///< it takes a setting of this side back, or makes it the other side's
    by_ptx,      ///< the slower side's PTX has instructions, or lacks some, that it is about
    perhaps,     ///< the PTX of the two differs in the numbers of such instructions
    unknown
};

/// The features of the launched kernels' PTX, on both sides.
class PtxSigns {
public:
    /// @param here  the side whose knobs are turned
    PtxSigns(const Outcome& here, const Outcome& there);
    /// By the PTX alone.
    Likelihood of(std::string_view knob) const;

private:
    using Counts = std::vector<std::uint32_t>;  ///< of each sign
    static void count(const Outcome&, Counts&, InstructionMix&);
    Counts here_, there_;
    std::vector<InstructionClass> moved_;
};

/// Whether the changed configuration lacks an option of the one before, or is nearer to the other
/// side's rules and constants.
bool is_nearer(const Configuration& changed, const Configuration& before, const Outcome& here,
               const Outcome& there);

}  // namespace parallax
