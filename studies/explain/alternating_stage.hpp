// One stage measured alternately on both sides.
#pragma once

#include <functional>
#include <string>

#include "records/explanation.hpp"

namespace parallax {

/// One side's measurement of its stage.
struct Probe {
    std::function<double()> once;  ///< measures it once: seconds
    /// After the last time: what was wrong with it, in a sentence; empty: nothing was.
    std::function<std::string()> check = {};
};

/// A stage, and how it is to be measured.
struct StagePlan {
    Stage stage;  ///< without its seconds
    /// Makes a side ready. What it throws, or what its probe throws, becomes the reason why the
    /// side has no such part.
    std::function<Probe(bool is_b)> prepare;
    unsigned most_rounds = 15;  ///< of each side
};

/// The surroundings of a measurement.
struct Watch {
    std::function<double()> now;                 ///< seconds of the host's timer
    std::function<void()> check_interrupt = {};  ///< called before each turn; may throw Interrupted
};

/// Medians of turns A B, B A, A B, ... for `most_seconds` at most, but one of each side at least;
/// the note says how many, and why a side has none. @throws Interrupted
Stage measure_alternately(const StagePlan&, double most_seconds, const Watch&);

/// Adds a sentence to a note; an empty one changes nothing.
void add_sentence(std::string& note, const std::string& sentence);

/// Adds a sentence that holds for both sides once; else each side's with its name.
void add_sentences(std::string& note, const Both<std::string>& sentences);

}  // namespace parallax
