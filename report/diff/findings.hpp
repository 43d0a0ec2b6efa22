// The findings of a diff and of explanations, without layout: all formats have the same.
#pragma once

#include <string>
#include <vector>

#include "report/document.hpp"
#include "report/left_out.hpp"
#include "report/wording.hpp"

namespace parallax::report {

/// `OpenCL (opencl:1) and CUDA (cuda:0) on NVIDIA H100`
std::string pair_of(const Diff&);
/// `32 SAME, CUDA slower in 5, OpenCL slower in 6; nothing wrong.`
std::string verdicts_of(const Diff&);
/// What a decision needs besides: what to do, in plain words, where it can be said; what was asked
/// for, where each side is slower, the medians of the ratios. @param is_brief  without these
Sentences answers_of(const Diff&, bool is_brief = false);
/// All of these: first what to do, then pair_of() with verdicts_of().
Sentences headline(const Diff&, bool is_brief = false);
/// A case in which one side is slower.
struct Gap {
    std::size_t place = 0;  ///< in by_weight()
    std::string name;       ///< `zero_copy/mapped`
    std::string words;      ///< `CUDA 25.2x slower`
    Verdict verdict = Verdict::undecided;
    std::string cause;  ///< as far as it is known, otherwise how to find it
};
/// Up to three, the largest first, by the ratio either way; of each side that is slower in a case.
std::vector<Gap> largest_gaps(const Diff&);
Sentences warnings(const Diff&);
/// The cases that a live diff had no time for; printed first.
LeftOut left_out(const Diff&);
/// The same for reports that people read.
Section not_reached(const Diff&);

/// The reasons why cases are not SAME, the most important first, with the sides' own reasons and
/// the answer of the explanation.
Remarks reasons(const Diff&);
/// What a reader of single results should know.
Remarks notes(const Diff&);
/// Compiler logs of failed builds.
std::vector<Preformatted> compiler_logs(const Diff&);
/// Remarks with the names of their cases before them. @param most  of them; then how many more
Sentences sentences_of(const Remarks&, const Diff&, std::size_t most = std::string::npos);

/// Whether two kernels are of one file, which does not make them one kernel.
bool are_of_one_file(const CaseDiff&);
Sentences same_kernel(const Diff&);
/// The differences between the two environments, and inevitable differences.
Sentences environment(const Diff&);
/// The environments of both sides, one row per fact; facts that differ have a tone.
Grid environment_grid(const Diff&);
/// Heads of columns about the sides: `OpenCL: opencl:1`.
Both<std::string> side_heads(const Diff&);
Sentences same_answer(const Diff&);
/// Limits of the checks of users' kernels, each once; empty for built-in suites.
Sentences not_checked(const Diff&);
/// The differences between the elements of the two answers, with the first of them.
std::string distance_text(const AnswerDistances&, const Both<std::string>& sides);
/// A against A, B against B; empty where that was not measured.
Sentences against_itself(const Diff&);
/// The same, a row for each case.
Grid against_itself_grid(const Diff&);
/// Whether a measurement of a case against itself came out different.
bool clock_lied(const Diff&);
/// A sentence about what to mistrust if the timer failed its self-check; otherwise empty.
std::string clock_lie(const Diff&);
/// Of a single case whether kernel and answers are the same; of several what keeps them from it.
Sentences sameness(const Diff&);
/// The next commands, in a sentence.
std::string next_step(const Diff&);
/// Empty where there is no baseline.
Sentences against_baseline(const Diff&);
Sentences measuring(const Diff&);
/// Conclusions from the cases on the captured programs that they are from; empty without any.
Sentences captured_programs(const Diff&);

/// Two recordings side by side, under this title.
inline constexpr std::string_view two_programs_title = "The two programs";
Section program_pair_section(const ProgramPair&);
Json json_of(const ProgramPair&);

/// All that is known of one case, which a reader opens behind its row: both sides, the kernel, the
/// answers, the speeds, the launches; empty sections are left out.
std::vector<Section> parts_of(const CaseDiff&, const Diff&);
/// `float, 1024 x 777, TILE=32, transpose.cl (26e2b36f)`
std::string subtitle_of(const CaseDiff&);

/// All sections of the diff after its headline and its cases, in order. Empty sections are left
/// out.
std::vector<Section> sections_of(const Diff&);

/// The evidence: the changes with the share of the gap that each closes, where the gap arises,
/// where the time goes, what would make a side faster, the compilers' output for the kernels, its
/// differences, what was ruled out and not tried. Empty sections are left out.
/// @param most_lines  of one difference
std::vector<Section> sections_of(const Explanation&, std::size_t most_lines);

}  // namespace parallax::report
