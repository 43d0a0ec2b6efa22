// Names doubts, prints them, and finds those that older programs kept among the notes.
#include "records/doubt.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace parallax {
namespace {

constexpr std::string_view doubtful = "Suspicious: ";

constexpr std::array doubt_words{
    std::pair{DoubtKind::open_questions, std::string_view{"open questions"}},
    std::pair{DoubtKind::unwritten_output, std::string_view{"unwritten output"}},
    std::pair{DoubtKind::same_for_others, std::string_view{"same for others"}},
    std::pair{DoubtKind::wide_tolerance, std::string_view{"wide tolerance"}},
    std::pair{DoubtKind::not_a_number, std::string_view{"not a number"}},
    std::pair{DoubtKind::race, std::string_view{"race"}},
    std::pair{DoubtKind::skipped_work, std::string_view{"skipped work"}},
    std::pair{DoubtKind::consumed_inputs, std::string_view{"consumed inputs"}},
    std::pair{DoubtKind::empty_launch, std::string_view{"empty launch"}},
    std::pair{DoubtKind::beyond_ceiling, std::string_view{"beyond ceiling"}},
    std::pair{DoubtKind::unnamed, std::string_view{"unnamed"}},
};

}  // namespace

std::string_view name_of(DoubtKind kind) {
    return std::ranges::find(doubt_words, kind, [](const auto& p) { return p.first; })->second;
}

std::optional<DoubtKind> doubt_kind_named(std::string_view name) {
    for (const auto& [kind, word] : doubt_words) {
        if (word == name) return kind;
    }
    return {};
}

std::string to_string(const Doubt& doubt) {
    return std::string(doubtful) + doubt.sentence;
}

std::vector<std::string> remarks_of(std::vector<std::string> notes, const Doubts& doubts) {
    for (const Doubt& one : doubts) notes.push_back(to_string(one));
    return notes;
}

Doubts doubts_among(std::vector<std::string>& notes) {
    Doubts found;
    std::erase_if(notes, [&](const std::string& note) {
        if (!note.starts_with(doubtful)) return false;
        found.push_back({DoubtKind::unnamed, note.substr(doubtful.size())});
        return true;
    });
    return found;
}

}  // namespace parallax
