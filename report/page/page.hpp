// Assembles the page from its parts, which are embedded in the program.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "common/text/embedded_file.hpp"
#include "records/json_fwd.hpp"
#include "report/document.hpp"
#include "report/grid.hpp"
#include "report/report.hpp"
#include "studies/sweep/sweep_result.hpp"

namespace parallax {

/// A part by the name of its file: `page.css`, `chart.js`; `page.js` is all of the page's own code.
/// Empty: there is no such part.
std::string_view page_part(std::string_view name);

/// All of them. They include all scripts and styles of a page, whose hashes are in its policy: a
/// browser runs nothing else that may have got into it.
std::span<const EmbeddedFile> embedded_page();

/// JSON that is safe inside a `<script>` element: `<`, `>`, `&` and the line separators U+2028 and
/// U+2029 are written as `\uXXXX`, which JSON reads back as the same characters. They occur in JSON
/// strings only.
std::string json_for_script(std::string_view json);

/// The same of a value. What is not UTF-8 becomes U+FFFD: names and logs come from anywhere.
std::string script_json(const Json&);

/// A template with its `{{words}}` replaced: by what was made, or by the part of that name.
std::string filled(std::string_view page,
                   const std::vector<std::pair<std::string_view, std::string_view>>& made);

/// The variable parts of the frame of all pages.
struct PageFrame {
    std::string_view title;                   ///< as HTML
    std::string_view style;                   ///< part that has all of it, as CSS
    std::string_view code;                    ///< part of JavaScript, run as a module
    std::string_view images = "data: blob:";  ///< where its images may come from
};

/// A page: the frame of all pages around a body.
std::string framed(const PageFrame&, std::string_view body);

/// @throws UsageError when a library is empty: it names the package that has it
void require(std::string_view library, std::string_view name, std::string_view package);

}  // namespace parallax

namespace parallax::report {

/// All of the page of a diff but the details of its cases and the kernels' sources.
Json page_data(const Diff&);
/// Details that the row of each case shows when it is opened.
/// @param files  names of the kernel files whose sources the page shows
Json details_data(const Diff&, const std::vector<KernelTexts>& files);
/// The page of a sweep.
Json sweep_data(const SweepResult&);

/// Cases that are alike in all but one constant or one extent: curves of both sides' rates.
Json curves_json(const Diff&);
/// A line for each device, and for each value of a second name.
Json curve_json(const SweepResult&);
/// Rates of cases with operations, data and measured ceilings, and what the ceilings allow.
Json roofline_json(const Diff&);
/// Data rates of cases that only move data, and the ceilings of a copy.
Json rates_json(const Diff&);

}  // namespace parallax::report
