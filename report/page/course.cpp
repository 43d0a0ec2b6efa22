// Writes the page of a course: Markdown in a frame that takes the reader's choices.
#include <stdexcept>

#include <md4c-html.h>

#include "report/page/page.hpp"

namespace parallax {

std::string html_course(std::string_view markdown) {
    const PageLibraries libraries = page_libraries();
    require(libraries.highlight, "highlight.js", "libjs-highlight.js");
    std::string html;
    const auto take = [](const MD_CHAR* text, MD_SIZE size, void* to) {
        static_cast<std::string*>(to)->append(text, size);
    };
    if (md_html(markdown.data(), static_cast<MD_SIZE>(markdown.size()), take, &html,
                MD_FLAG_TABLES | MD_FLAG_STRIKETHROUGH, 0) != 0) {
        throw std::runtime_error("The Markdown of the course could not be read.");
    }
    return framed({.title = "Parallax: OpenCL and CUDA, each from the other",
                   .style = "course.css",
                   .code = "course.js",
                   .images = "data:"},
                  filled(page_part("course.html"),
                         {{"course", html}, {"highlight.js", libraries.highlight}}));
}

}  // namespace parallax
