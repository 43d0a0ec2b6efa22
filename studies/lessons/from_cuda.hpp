// A lesson for readers who know CUDA: its words and its sources come first.
#pragma once

#include <string>
#include <string_view>

#include "studies/lessons/view.hpp"

namespace parallax {

/// Markdown with OpenCL's words for work-items, groups and memory in CUDA's; code and what is
/// emphasised, where a lesson explains both words, stay.
std::string in_cuda_words(std::string_view markdown);

/// The lesson in CUDA's words, with CUDA's sources first and OpenCL's beside them.
LessonView told_from_cuda(LessonView);

}  // namespace parallax
