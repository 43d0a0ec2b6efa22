// How the page is put together from its parts, which are embedded in the program.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "common/text/embedded_file.hpp"
#include "report/report.hpp"

namespace parallax {

/// A part by the name of its file: `page.css`, `chart.js`; `page.js` is all of the page's own code.
/// Empty: there is no such part.
std::string_view page_part(std::string_view name);

/// All of them. What a page runs and how it looks is among these, and their hashes are in its
/// policy: a browser runs nothing else that may have got into it.
std::span<const EmbeddedFile> embedded_page();

/// JSON that can stand inside a `<script>` element: `<`, `>`, `&` and the line separators U+2028
/// and U+2029 are written as `\uXXXX`, which JSON reads back as the same characters. They occur in
/// JSON within texts only.
std::string json_for_script(std::string_view json);

/// The same of a value. What is not UTF-8 becomes U+FFFD: names and logs come from anywhere.
std::string script_json(const Json&);

/// A template with its `{{words}}` replaced: by what was made, or by the part of that name.
std::string filled(std::string_view page,
                   const std::vector<std::pair<std::string_view, std::string_view>>& made);

/// What the frame of all pages takes from one.
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
