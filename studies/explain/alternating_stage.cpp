// Measures a stage alternately on two sides, and records why one could not run.
#include "studies/explain/alternating_stage.hpp"

#include <vector>

#include <fmt/format.h>

#include "common/error.hpp"
#include "common/process/watchdog.hpp"
#include "common/statistics/statistics.hpp"

namespace parallax {
namespace {

/// A side at its stage: its samples, or why it has none.
struct Turn {
    Probe probe;
    std::vector<double> samples;
    std::string why_not;

    /// Does `step` unless the side has failed before. @throws Interrupted
    void attempt(const std::function<void()>& step) {
        if (!why_not.empty()) return;
        try {
            step();
        } catch (const Interrupted&) {
            throw;
        } catch (const std::bad_alloc&) {
            why_not = "The host has not enough memory for it.";
        } catch (const std::exception& error) {
            why_not = error.what();
        }
    }
};

}  // namespace

void add_sentence(std::string& note, const std::string& sentence) {
    if (!note.empty() && !sentence.empty()) note += ' ';
    note += sentence;
}

void add_sentences(std::string& note, const Both<std::string>& sentences) {
    if (sentences.a == sentences.b) {
        add_sentence(note, sentences.a);
        return;
    }
    if (!sentences.a.empty()) add_sentence(note, "A: " + sentences.a);
    if (!sentences.b.empty()) add_sentence(note, "B: " + sentences.b);
}

Stage measure_alternately(const StagePlan& plan, double most_seconds, const Watch& watch) {
    Both<Turn> turns;
    const double start = watch.now();
    const auto name = [&](bool is_b) {
        return fmt::format("stage {} of {}", plan.stage.name, is_b ? 'b' : 'a');
    };
    for (const bool is_b : {false, true}) {
        Turn& turn = turns.of(is_b);
        turn.attempt([&] {
            const WatchdogScope hand(name(is_b), "a stage was prepared");
            turn.probe = plan.prepare(is_b);
        });
    }
    for (unsigned i = 0; i < plan.most_rounds; ++i) {
        const double before = watch.now();
        for (const bool second : {false, true}) {
            if (watch.check_interrupt) watch.check_interrupt();
            const bool is_b = (i % 2 == 1) != second;
            Turn& turn = turns.of(is_b);
            turn.attempt([&] {
                const WatchdogScope hand(name(is_b), "a stage was timed");
                turn.samples.push_back(turn.probe.once());
            });
        }
        const double after = watch.now();
        if (after - start + (after - before) > most_seconds) break;
    }
    Stage stage = plan.stage;
    std::size_t count = 0;
    for (const bool is_b : {false, true}) {
        Turn& turn = turns.of(is_b);
        turn.attempt([&] {
            if (turn.probe.check) turn.why_not = turn.probe.check();
        });
        if (!turn.why_not.empty()) continue;
        stage.seconds.of(is_b) = median_of(turn.samples);
        count = turn.samples.size();
    }
    if (count > 1) add_sentence(stage.note, fmt::format("Medians of {}.", count));
    add_sentences(stage.note, {turns.a.why_not, turns.b.why_not});
    return stage;
}

}  // namespace parallax
