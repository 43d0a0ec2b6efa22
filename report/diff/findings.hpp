// What a diff found, as printable sentences without layout: text and Markdown say the same.
#pragma once

#include <string>
#include <vector>

#include "report/words.hpp"

namespace parallax::report {

using Sentences = std::vector<std::string>;

/// `cuda:0 against opencl:1 on NVIDIA H100`
std::string pair_of(const Diff&);
/// The answer in one to four sentences.
Sentences headline(const Diff&);
Sentences warnings(const Diff&);

/// Why a case is not SAME, by what matters first; what the sides add to it, and the answer of its
/// explanation.
std::vector<Remark> reasons(const Diff&);
/// What a reader of single figures should know.
std::vector<Remark> notes(const Diff&);
/// What a compiler said of builds that failed.
struct Log {
    std::string heading;
    std::vector<std::string> lines;
};
std::vector<Log> compiler_logs(const Diff&);

Sentences same_kernel(const Diff&);
/// In what the two environments differ, and what can never be equal.
Sentences environment(const Diff&);
Sentences same_answer(const Diff&);
/// A against A, B against B; empty where that was not measured.
Sentences against_itself(const Diff&);
/// Whether a measurement of a case against itself came out FASTER or SLOWER.
bool clock_lied(const Diff&);
/// Empty where there is no baseline.
Sentences against_baseline(const Diff&);
Sentences in_one_number(const Diff&);
Sentences measuring(const Diff&);

}  // namespace parallax::report
