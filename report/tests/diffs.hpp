// Diffs made by hand, for the tests of the reports.
#pragma once

#include <string>

#include "studies/diff/diff.hpp"

namespace parallax::test {

/// A ratio with an interval of `half` on both sides in the logarithm.
Ratio ratio_of(double value, double half = 0.005);

/// Both sides ran and are right; the times are 1 ms and `ratio` times that.
CaseDiff ran(const std::string& suite, const std::string& variant, Verdict, double ratio);
CaseDiff same(const std::string& suite, const std::string& variant, double ratio = 1.003);
/// B gives a wrong answer.
CaseDiff wrong(const std::string& suite, const std::string& variant);
/// B does not support it.
CaseDiff unsupported(const std::string& suite, const std::string& variant);
/// B's build failed, with a compiler log.
CaseDiff failed(const std::string& suite, const std::string& variant);

/// `opencl:1` and `cuda:0` on an NVIDIA H100, no case.
Diff empty_diff();
/// A case of each verdict and of each kind of answer, and a case against itself on each side.
Diff small_diff();
/// Names, reasons and logs that try to break out of each format.
Diff hostile_diff();
/// `count` cases in ten suites; every hundredth is SLOWER.
Diff large_diff(std::size_t count);
/// Stored runs against a baseline, with decisions asked for.
Diff stored_diff();

/// Words of the malicious diff that no report may contain.
extern const std::string hostile_text;

}  // namespace parallax::test
