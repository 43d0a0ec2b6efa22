// Fuzzes the reading of walks, and the showing of what was read: any bytes as the text of a file.
//
//     ninja -C build-fuzz fuzz/walk_fuzz
//     build/parallax lesson all --from results/nvidia-h100-80gb-hbm3 --format json -o walk.json
//     python3 fuzz/word_seeds.py build-fuzz/walk-seeds walk.json
//     build-fuzz/fuzz/walk_fuzz -max_total_time=600 -max_len=16384 -timeout=10 \
//         -dict=fuzz/results.dict build-fuzz/walk-corpus build-fuzz/walk-seeds
//
// results_fuzz.cpp says how the build folder is made and what to do with a find.
#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "common/error.hpp"
#include "kernels/kernel_texts.hpp"
#include "mapping/translate/translate.hpp"
#include "studies/lessons/lesson.hpp"
#include "studies/lessons/view.hpp"
#include "studies/lessons/walk.hpp"

namespace {

using namespace parallax;

/// What holds for any input; an abort is a find.
void demand(bool holds) {
    if (!holds) std::abort();
}

std::string own_kernel(std::string_view file) {
    for (const EmbeddedFile& one : embedded_kernels()) {
        if (one.name == file) return std::string(one.text);
    }
    throw UsageError("There is no such kernel.");
}

/// Nothing that is shown may steer a terminal.
void demand_harmless(const std::string& shown) {
    demand(std::ranges::none_of(shown, [](char c) {
        return (static_cast<unsigned char>(c) < 0x20 && c != '\n') || c == 0x7f;
    }));
}

void show(const Walk& walk) {
    for (const WalkedLesson& walked : walk.lessons) {
        const auto lesson = std::ranges::find(lessons(), walked.name, &Lesson::name);
        if (lesson == lessons().end()) continue;
        try {
            const LessonView view = view_of(*lesson, walked, walk, own_kernel);
            std::string text = head_text(view, walk, 100);
            for (std::size_t i = 0; i < view.steps.size(); ++i) {
                text += question_text(view.steps[i], i + 1, 100) + answer_text(view.steps[i], 100);
            }
            demand_harmless(text + end_text(view, 100));
            demand_harmless(course_markdown({view}, walk, true));
        } catch (const UsageError& error) {
            demand(!std::string_view(error.what()).empty());
        }
    }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string text(reinterpret_cast<const char*>(data), size);
    Walk walk;
    try {
        walk = parse_walk("x.json", text);
    } catch (const UsageError& error) {
        demand(std::string_view(error.what()).starts_with("x.json"));
        return 0;
    }
    demand(is_walk(text));
    // What was taken is taken again; an exception is a find.
    const Walk again = parse_walk("x.json", to_json(walk).dump());
    demand(again.lessons.size() == walk.lessons.size());
    show(walk);
    return 0;
}
