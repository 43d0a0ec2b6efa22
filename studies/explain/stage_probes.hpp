// The stages of a case on a device, ready to be timed.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "measure/binding.hpp"
#include "studies/explain/stages.hpp"

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

/// Launches of an empty kernel that are timed together.
inline constexpr unsigned launches_in_a_row = 500;

/// A case between two devices. Each of its probes belongs to one side, and times what its name
/// says; it must not outlive the bench.
class StageProbes {
public:
    /// @param request  outlives it
    StageProbes(const StageRequest& request, std::function<double()> now);

    Probe rebuilding(bool is_b);
    Probe allocating(bool is_b);
    Probe uploading(bool is_b);
    Probe uploading_locked(bool is_b);
    Probe launching(bool is_b, OpenOptions);
    Probe round_trip(bool is_b);
    Probe running(bool is_b);
    Probe running_once(bool is_b);
    Probe downloading(bool is_b);
    Probe downloading_locked(bool is_b);
    Probe whole(bool is_b);

    bool has_inputs() const { return !inputs_.empty(); }
    std::string input_amount() const;  ///< `4.00 MiB in 1 buffer.`
    std::string output_amount() const;

private:
    const StageSide& side(bool is_b) const { return request_.sides.of(is_b); }
    Device& device(bool is_b) const { return *side(is_b).device; }
    /// Wall time of `what`.
    Probe timed(std::function<void()> what) const;
    /// The side's plan on its device, loaded, and run once: nothing is done for the first time.
    Binding& bound(bool is_b);
    /// The side's program, different from all before in a constant that it does not use.
    Program new_program(bool is_b);
    /// @throws Unsupported when there are none
    void need_inputs() const;
    /// An error in the outputs of timed runs, in a sentence; empty: none.
    std::string what_is_wrong(const Binding&) const;
    /// An error in the outputs on the host, in a sentence; empty: none.
    std::string what_is_wrong_here() const;

    const StageRequest& request_;
    std::function<double()> now_;
    InputPattern pattern_;
    std::shared_ptr<const ReferenceData> reference_data_;
    std::vector<std::span<const std::byte>> inputs_;
    std::vector<HostArray> host_outputs_;
    std::vector<std::span<std::byte>> outputs_;
    Both<std::unique_ptr<Binding>> bindings_;
    std::optional<Binding> whole_;
    std::int64_t builds_ = 0;
};

}  // namespace parallax
