// Lessons as documents: for a terminal step by step, for a page of documents and a browser in one.
#pragma once

#include <string>
#include <vector>

#include "studies/lessons/view.hpp"

namespace parallax {

/// The text before the first step, on a terminal.
std::string head_text(const LessonView&, const Walk&, unsigned width);
/// A step as far as its question, with the choices numbered from 1.
/// @param number  of the step, from 1
std::string question_text(const LessonView&, std::size_t number, unsigned width);
/// The rest of it.
std::string answer_text(const StepView&, unsigned width);
/// The text after the last step. @param answers  with solutions of exercises, and conclusions
std::string end_text(const LessonView&, unsigned width, bool answers = true);

struct LessonStyle {
    bool for_page = false;  ///< the page's code takes answers, and results have bars
    bool answers = true;    ///< results, reasons and solutions; false: a sheet for the class
};

/// GitHub's Markdown, also the source of a browser's page. The lesson's own prose is taken as it
/// is; all other strings are escaped.
std::string to_markdown(const LessonView&, LessonStyle);

/// A title, the devices and a table of contents, and all lessons.
std::string course_markdown(const std::vector<LessonView>&, const Walk&, LessonStyle);

}  // namespace parallax
