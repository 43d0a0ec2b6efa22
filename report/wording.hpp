// Wording of ratios, verdicts and cases, shared by all reports.
#pragma once

#include <array>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "common/text/text.hpp"
#include "studies/diff/diff.hpp"

namespace parallax::report {

/// The lines of a text, each printable; tabs are four spaces, empty lines at the end are gone.
std::vector<std::string> printable_lines(std::string_view text);
/// At most `columns` columns of a printable text; `…` replaces the rest.
std::string clipped(std::string_view printable_text, std::size_t columns);

/// Limits of verification for kernels that are not this program's own.
inline constexpr std::string_view unseen_by_the_gate =
    "races that the order of items hid, local memory that is read before it is written, and what a "
    "kernel does outside of local memory or reads for nothing";

/// `1 case`, `2 cases`
std::string counted(std::size_t count, std::string_view what);
/// `1.003`; `nan` and `inf` where it is not finite.
std::string decimal(double ratio);
/// `1.003 (0.998-1.008)`
std::string ratio_text(const Ratio&);
/// The ratio of the longer time to the shorter: `1.64x`, `1.023x` below 1.1.
std::string factor(double ratio);
/// Seconds with a unit; empty where there is no time.
std::string time_text(double seconds);
/// Units in the last place, `2`, `1.5e+07`.
std::string ulp_text(double ulp);
/// Bytes or operations a second with the unit of the element type, `2.91 GB/s`, `51.4 TFLOP/s`;
/// empty where there is no rate.
std::string speed_text(double per_second, bool by_operations, const CaseDiff&);

/// side_names() as heads of columns and in cells: `A` and `B` where one is too long for them.
Both<std::string> column_names(const Diff&);
/// `CUDA over OpenCL`: what a ratio is of.
std::string ratio_name(const Both<std::string>& names);
/// A verdict names the side that is slower: `SAME`, `CUDA slower`.
std::string word_of(Verdict, const Both<std::string>& names);
/// What follows a case's verdict in every report but JSON, which has a member for it.
std::string_view doubtful_suffix(const CaseDiff&);
inline constexpr std::string_view not_measured = "NOT MEASURED";
/// Whether the time ended before a side of it was run: nothing is known of it.
bool was_not_reached(const CaseDiff&);
/// The same of a case: `NOT MEASURED` where it was not reached.
std::string plain_word_of(const CaseDiff&, const Both<std::string>& names);
/// plain_word_of(), `SAME, doubtful` where a side is.
std::string word_of(const CaseDiff&, const Both<std::string>& names);
/// `SAME`, `CUDA 1.64x slower`
std::string verdict_text(Verdict, const std::optional<Ratio>&, const Both<std::string>& names);
/// The same of a case, as word_of() has it.
std::string verdict_text(const CaseDiff&, const Both<std::string>& names);
/// status_word(), `missing`
std::string_view status_text(const Side&);
/// `launching`, `cached`
std::vector<std::string> labels_of(const CaseDiff&);
/// `pass`, `fail`, `open`, `none`
std::string_view word_of(Decision);
/// Printable and never empty.
std::string title_of(const CaseDiff&);
/// The smallest and the largest ratio: `0.991 to 1.012`.
std::string range_text(const std::vector<const CaseDiff*>&);

/// The distance from 1, as an absolute logarithm; 0 if there is no ratio.
double distance_of(const std::optional<Ratio>&);
/// All verdicts, what matters first.
inline constexpr std::array weighty_first{
    Verdict::wrong,     Verdict::failed,  Verdict::slower,         Verdict::faster,
    Verdict::undecided, Verdict::refused, Verdict::not_comparable, Verdict::within_tolerance,
    Verdict::equal,     Verdict::same};
/// The place among them; which side is slower makes no difference.
int weight_of(Verdict);
/// All cases, by weight_of(), then by gap, those about launch overhead last of their verdict.
std::vector<const CaseDiff*> by_weight(const Diff&);

/// Short names of cases.
class Names {
public:
    explicit Names(const Diff&);
    /// `suite/variant` where the report has one such case, else the title.
    std::string of(const CaseDiff&) const;
    /// Up to four names, and how many more there are: `a, b, c, d (12 cases)`.
    std::string of(const std::vector<const CaseDiff*>&) const;

private:
    std::map<std::pair<std::string, std::string>, std::size_t> count_;
};

/// Remarks, each with all of its cases: at_key() adds to them.
using Remarks = std::vector<std::pair<std::string, std::vector<const CaseDiff*>>>;

}  // namespace parallax::report
