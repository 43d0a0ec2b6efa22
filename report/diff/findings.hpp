// What a diff found, as printable sentences without layout: text and Markdown say the same.
#pragma once

#include <string>
#include <vector>

#include "report/document.hpp"
#include "report/left_out.hpp"
#include "report/wording.hpp"

namespace parallax::report {

/// `cuda:0 against opencl:1 on NVIDIA H100`
std::string pair_of(const Diff&);
/// The answer in one to four sentences.
Sentences headline(const Diff&);
/// How B's speed compares with A's, in one self-contained sentence.
std::string in_a_sentence(const Diff&);
/// A case that is FASTER or SLOWER.
struct Gap {
    std::size_t place = 0;  ///< among the diff's cases
    std::string name;       ///< `zero_copy/mapped`
    std::string words;      ///< `25.2x slower`
    Verdict verdict = Verdict::undecided;
    std::string cause;  ///< as far as it is known, else how to find it
};
/// Up to three, the largest first, by the ratio either way.
std::vector<Gap> largest_gaps(const Diff&);
Sentences warnings(const Diff&);
/// What a live diff had no time for, to be said before all else.
LeftOut left_out(const Diff&);
/// The same for reports that people read.
Section not_reached(const Diff&);

/// Why a case is not SAME, by what matters first; what the sides add to it, and the answer of its
/// explanation.
std::vector<Remark> reasons(const Diff&);
/// What a reader of single figures should know.
std::vector<Remark> notes(const Diff&);
/// What a compiler said of builds that failed.
std::vector<Preformatted> compiler_logs(const Diff&);
/// Remarks with the names of their cases before them.
Sentences sentences_of(const std::vector<Remark>&, const Diff&);

Sentences same_kernel(const Diff&);
/// In what the two environments differ, and what can never be equal.
Sentences environment(const Diff&);
/// What both sides were run on and with, a row for each fact; those that differ have a tone.
Grid environment_grid(const Diff&);
Sentences same_answer(const Diff&);
/// How the elements of the two answers differ, with the first that does.
std::string distance_text(const AnswerDistances&);
/// A against A, B against B; empty where that was not measured.
Sentences against_itself(const Diff&);
/// The same, a row for each case.
Grid against_itself_grid(const Diff&);
/// Whether a measurement of a case against itself came out FASTER or SLOWER.
bool clock_lied(const Diff&);
/// What to mistrust then, in a sentence; empty where it did not lie.
std::string clock_lie(const Diff&);
/// Empty where there is no baseline.
Sentences against_baseline(const Diff&);
/// A number that stands for all cases: `label: value. note`.
struct KeyFigure {
    std::string label, value, note;
};
std::vector<KeyFigure> figures_of(const Diff&);
Sentences in_one_number(const Diff&);
Sentences measuring(const Diff&);
/// What was published of the cases, a sentence for each suite, device and document.
Sentences published_figures(const Diff&);

/// What the cases say of the captured programs that they are from; empty without any.
Sentences captured_programs(const Diff&);

/// All that is said of the diff behind its headline and its cases, in the order in which it is
/// said. Empty sections are left out.
std::vector<Section> sections_of(const Diff&);

}  // namespace parallax::report
