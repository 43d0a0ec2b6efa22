// Made-up diffs for the tests of the page: every verdict, sweeps, missing sides, malicious names.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "report/report.hpp"

namespace parallax {

/// `count` cases of several suites. The first 40 have every verdict and status, sweeps of a
/// constant, of a size and of a square shape, and cases with and without operations.
Diff synthetic_diff(std::size_t count);

/// Strings that try to be markup, code, formulas, terminal controls or to turn the direction of
/// writing, in every string of a results file.
Diff hostile_diff();

std::vector<KernelTexts> synthetic_kernels();
std::vector<KernelTexts> hostile_kernels();

/// A course of one lesson of two steps as Markdown: choice 2 of the first is right, nothing decides
/// the second.
std::string synthetic_course();

}  // namespace parallax
