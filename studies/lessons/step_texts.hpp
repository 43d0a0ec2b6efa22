// The kernels of a step as code: whole, as what changed, or broken on purpose.
#pragma once

#include <string>
#include <vector>

#include "common/suite/suite.hpp"
#include "studies/lessons/view.hpp"

namespace parallax {

/// The texts of a `run` step: its kernels, or what differs from an earlier step's.
/// @param own, before, other  own or before's part of the walk; null: the variants' defaults
void show_texts(const LessonStep& step, const WalkedStep* own, const LessonStep* before,
                const WalkedStep* other, const KernelSource&, StepView& view);

/// What a `broken` step changes in the kernels of another.
void show_edits(const LessonStep& step, const LessonStep& broken, const WalkedStep* other,
                const KernelSource&, StepView& view);

/// The kernels of a run, whole: in OpenCL C and in CUDA C++.
struct WholeTexts {
    std::vector<CodeBlock> texts, cuda_sources;
};
WholeTexts whole_texts(const Case&, const KernelSource&);

/// The case that a step's words and what the walk made of them stand for, on the smallest shape.
/// @throws UsageError for a suite or variant that is not there
Case case_for(const LessonRun&, const WalkedStep*);

}  // namespace parallax
