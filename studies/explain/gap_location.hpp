// Where a gap arises: each side's code run by the other.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "studies/explain/case_bench.hpp"

namespace parallax {

/// Options of the search for the origin.
struct OriginSearch {
    double log_gap = 0;  ///< logarithm of B's time over A's
    PairRule rule;       ///< of each comparison
    std::function<void(const std::string& what)> tell;
    /// As ExplainHelp::try_exchange.
    std::function<std::string(const Case&, bool is_b)> try_elsewhere;
};

/// Two sides that could exchange code. Its arguments must outlive it.
class Origin {
public:
    /// @param built  both sides as they are, which passed verification
    Origin(CaseBench& bench, const Both<Configuration>& base, const Both<Built>& built,
           const Case& the_case, bool one_hardware)
        : bench_(bench),
          base_(base),
          built_(built),
          case_(the_case),
          one_hardware_(one_hardware) {}

    /// Why code cannot be exchanged between the two; empty: it may be tried.
    std::string why_not() const;

    /// The other side's code for this side.
    /// @throws Unsupported when there is none, or this side cannot take it
    Configuration exchanged(bool is_b) const;

    /// OpenCL's own code, the same PTX loaded by CUDA, NVRTC's PTX assembled by the driver, CUDA's
    /// own code: three steps from one side to the other, which add up to the gap. And a second look
    /// at the front ends, through OpenCL, which has no share of its own.
    std::vector<OriginStep> steps(const OriginSearch&) const;

private:
    /// A side that runs the other's code.
    struct Foreign {
        Configuration configuration;
        Built built;
        std::string reason;  ///< why it cannot; empty: it can
    };
    Foreign with_others_code(const OriginSearch&, bool is_b) const;
    Built built_and_verified(bool is_b, const Configuration&) const;

    CaseBench& bench_;
    const Both<Configuration>& base_;
    const Both<Built>& built_;
    const Case& case_;
    bool one_hardware_;
};

}  // namespace parallax
