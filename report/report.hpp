// The reports: one diff in six formats, and explanations in three.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "mapping/sidebyside/sidebyside.hpp"
#include "records/explanation.hpp"
#include "records/json_fwd.hpp"
#include "report/junit.hpp"
#include "studies/diff/diff.hpp"

namespace parallax {

struct SweepResult;

/// For a terminal: the answer, then a line and a bar for each case, the largest gap first, then
/// why.
/// @param width  columns, at least 60
/// @param colour  ANSI colours for verdicts
std::string text_report(const Diff&, unsigned width, bool colour);

/// Only the answer of the same: the basis of a decision.
std::string text_summary(const Diff&, unsigned width, bool colour);

/// Of the same the answer, the cases in which something matters, and what to do next: at most 25
/// lines of 100 columns for one case, 40 for 28.
std::string text_first_screen(const Diff&, unsigned width, bool colour);

/// For a pull request.
std::string markdown_report(const Diff&);

/// Why sides differ, for a terminal: of each the answer first, then what it rests on.
/// @param width  columns, at least 60
/// @param colour  ANSI colours
std::string text_report(const std::vector<Explanation>&, unsigned width, bool colour);

/// The same for a pull request or a page of documents.
std::string markdown_report(const std::vector<Explanation>&);

/// The causes of gaps so far, as a documentation page in Markdown. Gaps that were planted, and gaps
/// of launch overhead, are left out.
/// @param command  that makes the page, with the files that it reads
std::string causes_page(const std::vector<Explanation>&, std::string_view command);

/// The report for programs; docs/reference/reports.md lists its members.
Json to_json(const Diff&);
std::string json_report(const Diff&);
/// Lines of docs/reference/records.md in a list.
std::string json_report(const std::vector<Explanation>&);

/// For spreadsheets and data frames: a line for each case, names of columns first, as RFC 4180
/// says.
std::string csv_report(const Diff&);

/// For CI, as report::junit_text() or sarif_text(): a suite for each suite, a test for each case.
report::TestReport tests_of(const Diff&);

/// Both sources of a kernel file.
struct KernelTexts {
    std::string file;
    SideBySide texts;     ///< the right one is empty where it was not translated
    std::string prelude;  ///< code before the CUDA source
};

/// The JavaScript libraries that go into a page; an empty text: not there when the program was
/// built.
struct PageLibraries {
    std::string_view chart;      ///< Chart.js 3
    std::string_view highlight;  ///< highlight.js 9; only pages that show kernel sources need it
};

/// The libraries that this program was built with.
PageLibraries page_libraries();

/// One page that needs nothing else: it opens offline.
/// @throws UsageError when a library is not there that the page needs
std::string html_report(const Diff&, const std::vector<KernelTexts>&,
                        const PageLibraries& = page_libraries());

/// The curves of a sweep as a page of the same kind.
/// @param sweep  one without points gives an empty page
/// @throws UsageError when Chart.js is not there
std::string html_sweep(const SweepResult& sweep, const PageLibraries& = page_libraries());

/// Lessons as a page of the same kind.
/// @param markdown  of the course, HTML in it allowed: it is this program's own
/// @throws UsageError when the program was built without the page's libraries
std::string html_course(std::string_view markdown);

/// A page of the same style around `body`: kernel sources as sidebyside writes them, in
/// `<pre class="texts"><code>`, and anything else. It works without JavaScript, which colours the
/// sources where the program was built with highlight.js.
/// @param title  as text
/// @param body  as HTML
std::string html_text_page(std::string_view title, std::string_view body);

}  // namespace parallax
