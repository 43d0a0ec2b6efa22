// The inputs of a case's timed launches on one device: new ones for each batch where that can be.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "common/device/device.hpp"
#include "measure/draw_kernels.hpp"
#include "measure/reference_data.hpp"
#include "measure/run_case.hpp"
#include "measure/verification.hpp"

namespace parallax {

/// A case's inputs on a device, as the source of copies.
using Uploaded = std::vector<std::shared_ptr<Memory>>;
Uploaded uploaded(Device&, const ReferenceData&);

/// A number that nothing knows beforehand, never 0.
std::uint64_t fresh_key();

/// Whether a suite draws inputs again, so that none of its kernels may know them.
bool draws_again(const Case&);

/// A key is the seed of `random` inputs. Where the case has a drawing and its initialised buffers
/// are plain memory of the device, the device makes them: each batch has its own key, and the host
/// makes those of verified batches only. Else each round has one, of small cases whose inputs are
/// drawn; else all launches have the run's seed.
class TimedInputs {
public:
    enum class Renewal { none, by_round, by_batch };
    static Renewal renewal_on(const DeviceInfo&, const Case&, const Plan&, const RunConfig&);

    /// Whether verification leaves the case's own shape to the timer of two sides, which compares
    /// them with each other on the devices: there is no reference, and the host would take long.
    static bool leave_own_shape(const DeviceInfo&, const Case&, const Plan&, const RunConfig&);

    /// @param most  the most that both of two compared sides can do
    /// @throws what Suite::drawing throws
    TimedInputs(Device&, const Case&, const Plan&, const RunConfig&,
                Renewal most = Renewal::by_batch);

    Renewal renewal() const { return renewal_; }
    bool by_batch() const { return renewal_ == Renewal::by_batch; }
    /// Whether another key gives other inputs.
    bool vary() const;
    /// Whether elements of what the host made may move.
    bool may_rotate() const;

    /// The pattern and seed of a key's inputs, and what is right for them.
    InputPattern pattern(std::uint64_t key) const;
    std::uint64_t seed(std::uint64_t key) const;
    /// @throws what the reference provider throws
    std::shared_ptr<const ReferenceData> data(std::uint64_t key) const;

    /// Uses inputs of the run's seed that are on the device already, if any are needed.
    void take(Uploaded inputs) {
        if (renewal_ != Renewal::none || inputs.empty()) return;
        fixed_ = std::move(inputs);
        fixed_seed_ = config_.seed;
    }
    /// Binding::load with a key's inputs.
    void load(Binding&, std::uint64_t key, std::byte poison);
    /// The commands that write a key's inputs in place of others; none where the device has no room
    /// for a copy of what the host made.
    /// @param only_changed  those that the plan changes
    /// @param rotated  moves elements by a number of places that follows from the key, where they
    /// may move: the answers are no longer those to data()
    std::vector<Command> writes(const Binding&, std::uint64_t key, bool only_changed = false,
                                bool rotated = false);
    /// Runs the plan once on other inputs in the same buffers and resets nothing else, at once
    /// after a launch on those of `before` where that can be.
    void run_changed(Binding&, std::uint64_t before, std::uint64_t now);

    /// Whether a round that has ended is verified, unless it is the last one.
    bool is_chosen() const { return !by_batch() || (fresh_key() >> 32) % rounds_per_check == 0; }

    DrawKernels& kernels() { return *kernels_; }
    /// The names of buffers that hold the same in all launches, though a program's data differ.
    std::vector<std::string> kept_names() const;

private:
    static constexpr unsigned rounds_per_check = 4;
    void upload_fixed(std::uint64_t key);

    Device* device_;
    Case case_;
    Plan plan_;
    const RunConfig& config_;
    Renewal renewal_ = Renewal::none;
    std::vector<DrawnBuffer> drawing_;
    std::optional<DrawKernels> kernels_;
    /// For each initialised buffer what is copied there; null: nothing is.
    Uploaded fixed_;
    std::uint64_t fixed_seed_ = 0;  ///< that the host made them of
    bool has_no_room_ = false;      ///< for `fixed_`
};

/// Compares what the last timed launch left. Adds to `checked` of the outcome.
/// @param key  of the inputs in the binding
void check_batch(const Binding&, const TimedInputs&, std::uint64_t key, Outcome&);

/// Verifies the timed shape, unless the timer found the results of both sides bitwise identical.
void check_own_shape(Device&, const RunConfig&, Outcome&);

/// Whether what the last launch left would change with the inputs: enough of its elements differ
/// from the one before. A maximum may stay, and so may the NaN that a recurrence keeps.
bool is_telling(const Plan&, const Binding&);

/// Launches on inputs that took the place of others, with TimedInputs::run_changed, and compares
/// what the launch left. Adds to `checked` of the outcome.
/// @param key  of the inputs in the binding; `now` afterwards
void check_changed(Binding&, TimedInputs&, std::uint64_t& key, std::uint64_t now, Outcome&);

/// Compares what the launch on inputs that took the place of others left. Adds to `checked`.
/// @param before  what is right for the inputs before; called after an error only
void verify_changed(Binding&, const Case&, const InputPattern& before_pattern,
                    const InputPattern& pattern, std::uint64_t seed, const ReferenceData& now,
                    const std::function<std::shared_ptr<const ReferenceData>()>& before,
                    VerificationResult& checked);

/// Launches on the inputs of `before` and at once on those of `now`, in one batch where that can
/// be.
void run_changing(Device&, Binding&, const Plan&, const ReferenceData& before,
                  const ReferenceData& now);

}  // namespace parallax
