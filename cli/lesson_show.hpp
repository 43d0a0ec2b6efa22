// Presents lessons: on a terminal, with questions if it is interactive, or as a file.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cli/command.hpp"
#include "studies/lessons/view.hpp"
#include "studies/lessons/walk.hpp"

namespace parallax::cli {

/// Writes the lessons.
/// @param format   `text`, `md` or `html`
/// @param answers  with results, reasons and solutions; false: a sheet for a class
/// @param output  the file; nothing: standard output, where `text` asks for predictions on
/// `context.in`
/// @throws UsageError when the file cannot be written
void show_lessons(const std::vector<LessonView>&, const Walk&, const std::string& format,
                  bool answers, const std::optional<std::string>& output, CommandContext&);

/// Writes to the file, or to standard output without one. @throws UsageError
void write_text(const std::string& text, const std::optional<std::string>& output, CommandContext&);

}  // namespace parallax::cli
