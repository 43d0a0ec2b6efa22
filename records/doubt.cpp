// Names doubts, prints them, and finds those that older programs kept among the notes.
#include "records/doubt.hpp"

#include <algorithm>
#include <array>
#include <cctype>

namespace parallax {
namespace {

constexpr std::string_view prefix = "Doubtful: ";
/// Prefix of a doubt among the notes.
constexpr std::string_view old_prefix = "Suspicious: ";

struct KindWords {
    DoubtKind kind;
    std::string_view name, hint;
};
constexpr std::array kind_words{
    KindWords{DoubtKind::open_questions, "open questions",
              "Hold the manifest against your program, and delete its list 'check'."},
    KindWords{DoubtKind::unwritten_output, "unwritten output",
              "Look whether the kernel writes the output; what it need not write is \"scratch\"."},
    KindWords{DoubtKind::same_for_others, "same for others",
              "Look whether lengths and launch let the kernel read its inputs."},
    KindWords{DoubtKind::wide_tolerance, "wide tolerance",
              "Narrow the manifest's \"tolerance\"; 'parallax selftest MANIFEST' tries it."},
    KindWords{DoubtKind::not_a_number, "not a number",
              "Choose inputs with \"fill\" for which the right answer is a number."},
    KindWords{
        DoubtKind::race, "race",
        "Look for a missing barrier or atomic function with 'parallax run --check -d host:1'."},
    KindWords{DoubtKind::skipped_work, "skipped work", "Measure it again on a quiet device."},
    KindWords{DoubtKind::consumed_inputs, "consumed inputs",
              "Let the kernel write its answer to a buffer of its own, so that each launch has all "
              "of the work."},
    KindWords{DoubtKind::empty_launch, "empty launch",
              "Look whether the launch has work-items, and whether the lengths let them work."},
    KindWords{DoubtKind::beyond_ceiling, "beyond ceiling",
              "Hold \"work\" against what the kernel does, and look for work that the compiler "
              "left out."},
    KindWords{DoubtKind::wrong_on_host, "wrong on host:1",
              "Repeat it with 'parallax run --check -d host:1 -s MANIFEST', which names the line "
              "where it can."},
    KindWords{DoubtKind::unnamed, "unnamed", ""},
};

}  // namespace

std::string_view name_of(DoubtKind kind) {
    return std::ranges::find(kind_words, kind, &KindWords::kind)->name;
}

std::optional<DoubtKind> doubt_kind_named(std::string_view name) {
    const auto found = std::ranges::find(kind_words, name, &KindWords::name);
    return found == kind_words.end() ? std::nullopt : std::optional(found->kind);
}

std::string_view hint_for(DoubtKind kind) {
    return std::ranges::find(kind_words, kind, &KindWords::kind)->hint;
}

std::string to_string(const Doubt& doubt) {
    return std::string(prefix) + doubt.sentence;
}

std::string sentences_of(const Doubts& doubts) {
    std::string all;
    for (const Doubt& one : doubts) {
        all += (all.empty() ? "" : " ") + one.sentence;
        char& first = all[all.size() - one.sentence.size()];
        if (!one.sentence.empty()) first = static_cast<char>(std::toupper(first));
    }
    return all;
}

std::vector<std::string> remarks_of(std::vector<std::string> notes, const Doubts& doubts) {
    for (const Doubt& one : doubts) notes.push_back(to_string(one));
    return notes;
}

Doubts doubts_among(std::vector<std::string>& notes) {
    Doubts found;
    std::erase_if(notes, [&](const std::string& note) {
        if (!note.starts_with(old_prefix)) return false;
        found.push_back({DoubtKind::unnamed, note.substr(old_prefix.size())});
        return true;
    });
    return found;
}

}  // namespace parallax
