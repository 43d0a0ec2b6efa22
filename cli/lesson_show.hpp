// Lessons as a reader gets them: told on a terminal, with questions where somebody can be asked, or
// as a file.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cli/command.hpp"
#include "studies/lessons/view.hpp"
#include "studies/lessons/walk.hpp"

namespace parallax::cli {

/// Writes the lessons.
/// @param format  `text`, `md` or `html`
/// @param output  the file; nothing: standard output, where `text` asks `context.in` for
/// predictions
/// @throws UsageError when the file cannot be written
void show_lessons(const std::vector<LessonView>&, const Walk&, const std::string& format,
                  const std::optional<std::string>& output, CommandContext&);

/// To the file, or where there is none to standard output. @throws UsageError
void write_text(const std::string& text, const std::optional<std::string>& output, CommandContext&);

}  // namespace parallax::cli
