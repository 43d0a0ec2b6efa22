// Puts the sample walk together.
#include "studies/lessons/tests/sample_walk.hpp"

#include <algorithm>

#include "records/results.hpp"

namespace parallax {

Lesson sample_lesson() {
    return parse_lesson("sample", R"(order: 1
title: Turning a matrix
teaches: Why a tile pays.
introduction: It calculates nothing.
on_cpu: There are caches.
from: ["NVIDIA, \"OpenCL Optimization\""]
steps:
  - name: naive
    title: Read rows, write columns
    idea: The idea of *naive*.
    run: transpose/naive
    predict: {ask: "Which share?", of: share, bounds: [0.1, 0.3]}
    then: After naive.
    then_cpu: After naive on a CPU.
  - name: padded
    title: A spare column
    idea: The idea of padded.
    run: transpose/padded
    predict: {ask: "How much faster?", of: speedup, bounds: [2, 20]}
    then: After padded.
  - name: late
    title: Without the barrier
    idea: The idea of late.
    break: padded
    replace:
      - find: "left + column];\n    }\n    barrier(CLK_LOCAL_MEM_FENCE);\n"
        by: "left + column];\n    }\n"
    predict: {ask: "Why?", choices: [This., That.], right: 2}
    then: After late.
  - name: word
    title: The word
    idea: The idea of word.
    command: map barrier
    predict: {ask: "What is it?", choices: [One., Two.], right: 1}
    then: After word.
exercises:
  - title: Do it alone
    task: The task.
    hints: [The first hint., The second hint.]
    solution: The solution.
    run: transpose/tiled
)");
}

Walk sample_walk() {
    Walk walk{.program = "0.1.0",
              .started = "2026-11-22T00:00:00Z",
              .devices = {{.id = "opencl:0",
                           .name = "NVIDIA H100 80GB HBM3",
                           .backend = "opencl",
                           .is_gpu = true,
                           .physical = 0},
                          {.id = "cuda:0",
                           .name = "NVIDIA H100 80GB HBM3",
                           .backend = "cuda",
                           .is_gpu = true,
                           .physical = 0}},
              .lessons = {planned_lesson(sample_lesson())}};
    const ResultFile file =
        read_results(std::string(SOURCE_ROOT "/results") + "/nvidia-h100-80gb-hbm3/overview.jsonl");
    WalkedLesson& lesson = walk.lessons.at(0);
    for (WalkedStep* step : lesson.all()) {
        for (WalkedPoint& point : step->points) {
            for (const WalkDevice& device : walk.devices) {
                const auto found = std::ranges::find_if(file.records, [&](const Record& record) {
                    return record.key.suite == "transpose" &&
                           record.key.variant == step->the_case->variant->name &&
                           record.where.backend == device.backend;
                });
                if (found == file.records.end()) continue;
                point.records.push_back(*found);
                point.records.back().device = device.id;  // whichever it was on that machine
            }
        }
    }
    lesson.steps.at(2).broken = {{"opencl:0", "wrong", "3 elements wrong."},
                                 {"cuda:0", "skipped", std::string(passed_all_the_same)}};
    lesson.steps.at(3).output = "__syncthreads()\n";
    return walk;
}

}  // namespace parallax
