// Times one case alternately on two devices, in rounds of A B B A with new buffers for each round.
#pragma once

#include <exception>
#include <functional>
#include <memory>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include "common/error.hpp"
#include "measure/answers.hpp"
#include "measure/paired.hpp"
#include "measure/run_case.hpp"
#include "measure/telemetry.hpp"

namespace parallax {

/// An error on one of the two sides.
struct SideError : Error {
    SideError(bool is_b, std::exception_ptr what)
        : Error("One of the two sides failed."), on_b(is_b), cause(std::move(what)) {}
    bool on_b;
    std::exception_ptr cause;
};

/// Side B does `counted + more` runs for every `counted` that it says it did: a slowdown whose size
/// is known. Of honest measurements: 0 more.
struct Slowdown {
    unsigned more = 0, counted = 1;
    double ratio() const { return 1 + static_cast<double>(more) / counted; }
};

/// What a case that was built is called while it is in hand (common/process/watchdog.hpp): another
/// name for each text and its options.
std::string watchdog_name(const DeviceInfo&, const Outcome&);

/// Batches for as few rounds as there may be would take longer than PairRule::longest_seconds.
struct TakesTooLong {
    double seconds = 0;  ///< what they would take
};

/// A case's inputs as they lie on a device, to be copied from.
using Uploaded = std::vector<std::shared_ptr<Memory>>;
Uploaded uploaded(Device&, const ReferenceData&);

/// Two devices at one case.
class PairedTimer {
public:
    /// @param a, b  outcomes of `build_and_verify` for the two devices, both `ok`; what is timed
    /// and checked is added to them
    PairedTimer(Device& device_a, Device& device_b, Outcome& a, Outcome& b, const RunConfig&,
                Slowdown planted = {});

    /// Inputs that somebody has uploaded already; empty: a side uploads its own.
    void take_inputs(Uploaded of_a, Uploaded of_b) {
        a_.inputs = std::move(of_a);
        b_.inputs = std::move(of_b);
    }

    /// Makes buffers and queues anew on both sides, the buffers at random places of a GPU's memory,
    /// places their kernels anew, and lets them take turns.
    /// @throws SideError; Interrupted
    PairRound round(unsigned number);

    /// Begins the rounds that a rule asks for.
    void begin(PairRule);
    /// Makes the next of them and gives the devices' memory back, but for the inputs. With the last
    /// one it checks what the last launches left behind, and gives the outcomes their timing.
    /// @throws SideError; Interrupted; TakesTooLong
    void go_on();
    /// Those that have been made.
    PairMeasurement& rounds() { return *rounds_; }

    /// All of them. While nobody else computes. @throws SideError; Interrupted; TakesTooLong
    PairTiming measure(PairRule);

    /// Whether launches may feel what the host computes meanwhile; true before the first round.
    bool minds_the_host() const { return minds_the_host_; }

    /// Both sides' answers to the same inputs, when the first round or, of large ones, all are
    /// over.
    const AnswerDistance& answers() const { return answers_; }
    double measuring_seconds() const { return measuring_seconds_; }

private:
    struct Side {
        Device* device = nullptr;
        Outcome* outcome = nullptr;
        std::string name;  ///< in hand
        Uploaded inputs;   ///< copied from for each round
        std::optional<Binding> binding;
        Binding::HostMemories kept;                    ///< of the first round's binding
        std::vector<std::shared_ptr<Memory>> spacers;  ///< before the round's buffers
        std::vector<double> samples, host_samples;
        std::vector<unsigned> round, repeats;
        DeviceState before, then;
        std::optional<OthersUse> others;  ///< at the device, in the round at hand
        std::vector<double> others_use;   ///< shares, of the rounds in which somebody said
    };

    template <class Step>
    auto on(Side&, Step&& step);
    void give_back();
    void finish();
    void space(Side&);
    void prepare(Side&, unsigned number);
    void calibrate();
    void take_turn(Side&, PairRound&);
    void check_last(Side&);
    void check_all_is_done(Side&);
    void compare_answers();
    void begin_round();
    void note_states();
    static bool scatters(const Side&, const std::vector<double>& batches);
    std::string disturbance(const Side&, const PairRound&) const;
    void check_both();

    const RunConfig& config_;
    DeviceLocks device_locks_;
    std::optional<PairMeasurement> rounds_;
    bool minds_the_host_ = true;
    Slowdown planted_;
    InputPattern pattern_;
    std::shared_ptr<const ReferenceData> reference_data_;
    Side a_, b_;
    unsigned repeats_ = 0, lead_in_ = 0, quads_ = 1;
    bool check_each_round_ = false;
    bool host_moves_memory_ = false;  ///< its processor carries a part of what is timed
    bool is_all_on_device_ = true;    ///< kernels in one queue, on the device's own memory
    std::mt19937_64 random_{std::random_device{}()};  ///< of placement
    AnswerDistance answers_;
    double measuring_seconds_ = 0, longest_seconds_ = 0;
};

}  // namespace parallax
