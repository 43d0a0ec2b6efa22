// Made-up explanations, one of each kind, for tests: their numbers were never measured.
#pragma once

#include <vector>

#include "records/explanation.hpp"
#include "records/record.hpp"

namespace parallax::test {

/// OpenCL is 1.64 times slower; ALIGN=16 closes it. Everything an explanation can have is in it.
Explanation fully_explained();
/// B is slower, and changes close 40 % and 25 % of it.
Explanation explained_in_part();
/// Nothing that was tried closes it.
Explanation unexplained();
/// As unexplained(), with a change on both sides by which both gain, and which makes them alike.
Explanation with_common_gain();
/// The two take the same time.
Explanation same_speed();
/// The interval holds an edge of the margin.
Explanation undecided();
/// An answer of a side is not right.
Explanation wrong_answer();
/// A side does not support it.
Explanation not_comparable();
/// Shorter than twice an empty launch.
Explanation launching();
/// Two entries of one CPU, with a difference put in on purpose.
Explanation on_one_cpu();

/// All of the above.
/// With its answer in words, as `explain` hands it out.
Explanation answered(Explanation);

std::vector<Explanation> all_explanations();

RunInfo some_run();

/// A ratio with an interval of `half` on both sides in the logarithm.
Ratio made_ratio(double value, double half = 0.006);

}  // namespace parallax::test
