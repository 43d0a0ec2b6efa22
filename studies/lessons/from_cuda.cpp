// Replaces OpenCL's words by CUDA's, and exchanges the sources of both.
#include <algorithm>
#include <array>
#include <cctype>
#include <utility>

#include "common/text/characters.hpp"
#include "studies/lessons/view.hpp"

namespace parallax {
namespace {

using WordPair = std::pair<std::string_view, std::string_view>;

/// Longer words before those that they begin with; the article goes with its noun.
constexpr std::array exchanged{
    WordPair{"local memory (*shared* memory in CUDA)", "shared memory (*local* memory in OpenCL)"},
    WordPair{"local memory", "shared memory"},
    WordPair{"local array", "shared array"},
    WordPair{"sub-groups", "warps"},
    WordPair{"sub-group", "warp"},
    WordPair{"a work-item", "a thread"},
    WordPair{"work-items", "threads"},
    WordPair{"work-item", "thread"},
    WordPair{"work-groups", "blocks"},
    WordPair{"work-group", "block"},
    WordPair{"an item", "a thread"},
    WordPair{"items", "threads"},
    WordPair{"item", "thread"},
    WordPair{"groups", "blocks"},
    WordPair{"group", "block"}};

/// Whether `text` has the word at `at`, in this case or with a capital, and no more letters around
/// it; a line may end where the word has a blank.
bool has_at(std::string_view text, std::size_t at, std::string_view word) {
    if (at > 0 && (is_word_character(text[at - 1]) || text[at - 1] == '-')) return false;
    if (at + word.size() > text.size()) return false;
    for (std::size_t i = 0; i < word.size(); ++i) {
        const char c = text[at + i];
        const bool same = c == word[i] || (word[i] == ' ' && c == '\n') ||
                          (i == 0 && std::tolower(static_cast<unsigned char>(c)) == word[i]);
        if (!same) return false;
    }
    const std::size_t end = at + word.size();
    return end == text.size() || !is_word_character(text[end]) || !is_word_character(word.back());
}

void exchange_sources(std::vector<CodeBlock>& texts, std::vector<CodeBlock>& others) {
    if (others.empty()) return;
    for (std::size_t i = 0; i < texts.size() && i < others.size(); ++i) {
        std::string title = std::exchange(texts[i].title, {});
        constexpr std::string_view opencl = "OpenCL C";
        if (title.ends_with(opencl))
            title.replace(title.size() - opencl.size(), opencl.size(), "CUDA C++");
        others[i].title = std::move(title);
    }
    texts.swap(others);
}

}  // namespace

std::string in_cuda_words(std::string_view markdown) {
    std::string out;
    char inside = 0;  // the mark of code or of a term that is introduced; 0: neither
    for (std::size_t at = 0; at < markdown.size();) {
        if (const char c = markdown[at]; (c == '`' || c == '*') && (inside == 0 || inside == c)) {
            inside = inside == c ? 0 : c;
        }
        const auto found = inside != 0 ? exchanged.end()
                                       : std::ranges::find_if(exchanged, [&](const WordPair& one) {
                                             return has_at(markdown, at, one.first);
                                         });
        if (found == exchanged.end()) {
            out += markdown[at++];
            continue;
        }
        std::string written(found->second);
        if (markdown[at] != found->first[0]) {
            written[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(written[0])));
        }
        out += written;
        at += found->first.size();
    }
    return out;
}

LessonView told_from_cuda(LessonView view) {
    view.is_from_cuda = true;
    const auto tell = [](std::string& text) { text = in_cuda_words(text); };
    for (std::string* text : {&view.title, &view.description, &view.introduction, &view.on_cpu}) {
        tell(*text);
    }
    for (StepView& step : view.steps) {
        for (std::string* text : {&step.title, &step.idea, &step.ask, &step.then, &step.then_cpu}) {
            tell(*text);
        }
        std::ranges::for_each(step.choices, tell);
        std::ranges::for_each(step.remarks_on_text, tell);
        exchange_sources(step.texts, step.other_texts);
    }
    for (ExerciseView& one : view.exercises) {
        for (std::string* text : {&one.title, &one.task, &one.solution}) tell(*text);
        std::ranges::for_each(one.hints, tell);
        exchange_sources(one.solved.texts, one.solved.other_texts);
    }
    return view;
}

}  // namespace parallax
