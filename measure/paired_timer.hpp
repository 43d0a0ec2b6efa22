// Times one case alternately on two devices, in rounds of A B B A with new buffers per round.
#pragma once

#include <array>
#include <exception>
#include <functional>
#include <memory>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include "common/error.hpp"
#include "measure/paired.hpp"
#include "measure/result_distance.hpp"
#include "measure/run_case.hpp"
#include "measure/telemetry.hpp"
#include "measure/timed_inputs.hpp"

namespace parallax {

/// An error on one of the two sides.
struct SideError : Error {
    SideError(bool is_b, std::exception_ptr what)
        : Error("One of the two sides failed."), on_b(is_b), cause(std::move(what)) {}
    bool on_b;
    std::exception_ptr cause;
};

/// Side B executes `counted + more` runs for every `counted` that it reports: a slowdown of known
/// size, for tests. 0 more for real measurements.
struct Slowdown {
    unsigned more = 0, counted = 1;
    double ratio() const { return 1 + static_cast<double>(more) / counted; }
};

/// The name of a built case for the watchdog (common/process/watchdog.hpp), unique per source and
/// options.
std::string watchdog_name(const DeviceInfo&, const Outcome&);

/// Thrown where batches for the minimum number of rounds would exceed PairRule::longest_seconds.
struct TakesTooLong {
    double seconds = 0;  ///< expected duration
};

/// Alternates between two devices that run the same case.
class PairedTimer {
public:
    /// @param a, b  outcomes of `build_and_verify` for the two devices, both `ok`; timings and
    /// checks are added to them
    PairedTimer(Device& device_a, Device& device_b, Outcome& a, Outcome& b, const RunConfig&,
                Slowdown planted = {});

    /// Uses `random` inputs that are on the devices already; empty: a side uploads its own.
    void take_inputs(Uploaded of_a, Uploaded of_b) {
        a_.inputs->take(std::move(of_a));
        b_.inputs->take(std::move(of_b));
    }

    /// Restricts verification of timed launches to a quick check: enough for cases that get a full
    /// verification later if they are of interest, and for cases that others cover already. Call it
    /// before the last round.
    void look_no_further() { looks_further_ = false; }

    /// Creates new buffers and queues on both sides, the buffers at random addresses of a GPU's
    /// memory, relocates their kernels, and times the sides alternately.
    /// @throws SideError; Interrupted
    PairRound round(unsigned number);

    /// Starts the rounds of a rule.
    void begin(PairRule);
    /// Runs the next round and frees device memory, except for the inputs. The last round verifies
    /// the final outputs, and stores the timing in the outcomes.
    /// @throws SideError; Interrupted; TakesTooLong
    void go_on();
    /// The rounds so far.
    PairMeasurement& rounds() { return *rounds_; }

    /// Runs all rounds, with the pool paused. @throws SideError; Interrupted; TakesTooLong
    PairTiming measure(PairRule);

    /// Whether work on the host may disturb launches; true before the first round.
    bool minds_the_host() const { return minds_the_host_; }

    /// Distances between both sides' results for the same inputs, available after the first round
    /// or, for large outputs, after all rounds.
    const AnswerDistance& answers() const { return answers_; }
    double measuring_seconds() const { return measuring_seconds_; }

private:
    struct Side {
        Device* device = nullptr;
        Outcome* outcome = nullptr;
        std::string name;  ///< for the watchdog
        std::optional<TimedInputs> inputs;
        std::uint64_t key = 0;              ///< of the inputs in the binding
        std::vector<std::uint64_t> hashes;  ///< of outputs that agreed with the other side's
        bool agrees = false;                ///< some did
        unsigned runs = 0;                  ///< in a batch
        std::optional<Binding> binding;
        Binding::HostMemories kept;                    ///< of the first round's binding
        std::array<std::size_t, 2> spacing{};          ///< bytes of the round's `spacers`
        std::vector<std::shared_ptr<Memory>> spacers;  ///< allocated before the round's buffers
        std::vector<double> samples, host_samples;
        std::vector<unsigned> round, repeats;
        DeviceState before, then;
        std::optional<OthersUse> others;  ///< of the device, in the current round
        std::vector<double> others_use;   ///< shares, of the rounds in which they are known
    };

    template <class Step>
    auto on(Side&, Step&& step);
    template <class Step>
    static void concurrently(Side& first, Side& second, Step&& step);
    void give_back();
    void finish();
    void space(Side&);
    void prepare(Side&, unsigned number);
    void calibrate();
    void take_turn(Side&, PairRound&);
    Side& reference_of(Side&);
    bool agrees(Side&, bool is_batch);
    void throw_if_wrong(Side&);
    void check_batches();
    void check_changed_inputs();
    void check_work(Side&);
    void compare_answers();
    void begin_round();
    void note_states(bool asks_for_others);
    DeviceState whole_state(const Side&) const;
    std::string_view feels_others(const PairRound&) const;
    static bool scatters(const Side&, const std::vector<double>& batches);
    std::string disturbance(const Side&, const PairRound&) const;
    std::uint64_t key_of(std::size_t batch);

    const RunConfig& config_;
    DeviceLocks device_locks_;
    std::optional<PairMeasurement> rounds_;
    bool minds_the_host_ = true;
    Slowdown planted_;
    Side a_, b_;
    unsigned lead_in_ = 0, quads_ = 1;
    bool check_each_round_ = false;
    bool is_round_checked_ = false, has_compared_answers_ = false, looks_further_ = true;
    bool sides_agree_ = false;         ///< there is no reference but the other side
    std::vector<std::uint64_t> keys_;  ///< of both sides' batches
    bool host_moves_memory_ = false;   ///< the host's processor is involved in the timed work
    bool is_all_on_device_ = true;     ///< kernels in one queue, on the device's own memory
    std::mt19937_64 random_{std::random_device{}()};  ///< of placement
    AnswerDistance answers_;
    double measuring_seconds_ = 0, longest_seconds_ = 0;
};

}  // namespace parallax
