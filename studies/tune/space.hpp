// What a search for better constants goes over: the axes of a case, and its candidates.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "studies/sweep/sweep_points.hpp"
#include "studies/tune/search.hpp"

namespace parallax {

/// The candidates of a case: each choice of values that its suite takes.
struct TuneSpace {
    SweepPoints candidates;          ///< each with its case
    std::optional<std::size_t> own;  ///< the one with the variant's own constants, if it is one
    std::size_t refused = 0;         ///< choices that the suite does not take

    SearchSpace search_space() const;
};

/// The text of a kernel file, as RunConfig::kernel_source.
using KernelSource = std::function<std::string(std::string_view file)>;

/// Whether another value of the constant makes another program of the case: the kernels that it
/// launches, with the functions and macros that they need, have its name, or its plan is another.
/// @param c  its shape is known
bool is_used(const Case& c, const ConstantSpec&, const KernelSource&);

/// The axes are the constants with values worth trying (ConstantSpec::worth) that are used, but for
/// those that are defined, and those of `over`, whose values are taken instead. The variant's own
/// value is on each axis. Without a shape in the request the suite's smallest stands for it.
/// @throws UsageError as sweep_points() does; where there is no axis; for an extent, or a constant
/// of the program's own suites that changes the answer; for more than 50000 choices
TuneSpace tune_space(const SweepRequest&, const KernelSource&);

}  // namespace parallax
