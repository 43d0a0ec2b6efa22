// Doubts: why a right answer needs a human look.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace parallax {

/// Doubts about a right answer.
enum class DoubtKind {
    open_questions,    ///< the manifest still has its list `check`
    unwritten_output,  ///< an output is the same after every launch as before it
    same_for_others,   ///< an output is the same for other inputs
    wide_tolerance,    ///< a good part of an output could be something else
    not_a_number,      ///< a good part of an output is NaN
    race,              ///< equal inputs give other numbers, through OpenCL as well
    skipped_work,      ///< a run seems to leave out what its outputs hold already
    consumed_inputs,   ///< a run finds less to do on the inputs that the one before left
    empty_launch,      ///< faster than a launch that does nothing
    beyond_ceiling,    ///< faster than the device has been seen to be
    wrong_on_host,     ///< the device that checks races and bounds finds an error
    unnamed            ///< of a program that kept doubts as notes
};
std::string_view name_of(DoubtKind);
std::optional<DoubtKind> doubt_kind_named(std::string_view);
/// Advice, in one sentence; empty: none.
std::string_view hint_for(DoubtKind);

/// One of the doubts about a case.
struct Doubt {
    DoubtKind kind = DoubtKind::unnamed;
    std::string sentence;  ///< without its first capital: `it takes 5 times as long when ...`
    bool operator==(const Doubt&) const = default;
};
using Doubts = std::vector<Doubt>;

/// `Doubtful: it takes 5 times as long when ...`
std::string to_string(const Doubt&);
/// All of them, `It takes ... It is ...`; empty: there are none.
std::string sentences_of(const Doubts&);
/// What a reader of a result should know: its notes, followed by its doubts.
std::vector<std::string> remarks_of(std::vector<std::string> notes, const Doubts&);

/// Remarks on right answers.
struct AnswerRemarks {
    std::vector<std::string> notes;  ///< what a reader should know
    Doubts doubts;
    bool empty() const { return notes.empty() && doubts.empty(); }
};

/// Older programs kept doubts among the notes: takes them out, as `unnamed`.
Doubts doubts_among(std::vector<std::string>& notes);

}  // namespace parallax
