// Times a case directly and through Parallax, batch by batch alternately.
#include "benchmarks/cost.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <optional>

#include <fmt/format.h>

#include "common/error.hpp"
#include "measure/binding.hpp"
#include "measure/verification.hpp"

namespace parallax::benchmarks {
namespace {

/// More than any case needs: a round that runs out of time has no whole quads.
constexpr double most_seconds = 3600;

Job job_of(const Program& program, const Plan& plan, const Codes& codes) {
    Job job{program.name, plan, {}};
    for (const auto& [name, code] : codes) job.kernels[name] = {code->source, code->options};
    return job;
}

void refuse_what_does_not_fit(const DeviceInfo& info, const Case& c, const Plan& plan) {
    const Footprint need = footprint(plan);
    if (2 * need.total > info.memory_bytes || need.largest > info.max_allocation_bytes) {
        throw UsageError(
            fmt::format("{}: two sets of its buffers need {:.1f} GiB; {} ({}) has {:.1f} "
                        "GiB and allows {:.1f} in one piece. Choose '--scale small'.",
                        c.title(), static_cast<double>(2 * need.total) / 0x1p30, info.id(),
                        info.name, static_cast<double>(info.memory_bytes) / 0x1p30,
                        static_cast<double>(info.max_allocation_bytes) / 0x1p30));
    }
}

void check_identical(const Binding& binding, const std::vector<HostArray>& direct, const Case& c) {
    std::size_t next = 0;
    for (const std::size_t output : binding.outputs()) {
        const std::span<const std::byte> other = direct.at(next++).bytes();
        std::uint64_t seen = 0;
        binding.read_in_parts(output, [&](const HostArray& part, std::uint64_t first) {
            const std::span<const std::byte> bytes = part.bytes();
            const std::uint64_t at = first * size_of(part.type());
            if (at > other.size() || other.size() - at < bytes.size() ||
                std::memcmp(bytes.data(), other.data() + at, bytes.size()) != 0) {
                throw Error(
                    fmt::format("{}: the direct answer differs from Parallax's, from element "
                                "{} on or behind it.",
                                c.title(), first));
            }
            seen += bytes.size();
        });
        if (seen != other.size()) {
            throw Error(
                fmt::format("{}: {} bytes of the direct answer were compared, and it has {}.",
                            c.title(), seen, other.size()));
        }
    }
}

/// Both sides of one case.
class Pair {
public:
    Pair(Device& device, Direct& direct, const Case& c, const RunConfig& config)
        : device_(device),
          direct_(direct),
          case_(c),
          config_(config),
          plan_(plan_of(c)),
          program_(program_of(c, config)),
          pattern_(input_patterns_of(c)[1]) {
        refuse_what_does_not_fit(device.info(), c, plan_);
        job_ = job_of(program_, plan_, build(device, program_, plan_));
        reference_data_ = config.references->get(c, pattern_, config.seed);
    }

    ~Pair() {
        try {
            direct_.release();
        } catch (const Error&) {
            // The first failed call has reported the error.
        }
    }
    Pair(const Pair&) = delete;
    Pair& operator=(const Pair&) = delete;

    std::size_t launches() const { return plan_.steps.size(); }

    /// Creates all objects; the sides alternate in being the first to allocate.
    Runnable make(unsigned round) {
        check_last();
        binding_.reset();
        direct_.release();
        const bool direct_first = round % 2 == 0;
        if (direct_first) direct_.prepare(job_, reference_data_->inputs);
        const Codes codes = build(device_, program_, plan_);
        for (const auto& [name, code] : codes) check_same_text(name, *code);
        binding_.emplace(device_, plan_, codes);
        binding_->load(reference_data_->inputs, std::byte{0xff});
        if (!direct_first) direct_.prepare(job_, reference_data_->inputs);
        batches_.emplace_back();
        return [this](unsigned repeats) { return run(repeats); };
    }

    /// Verifies the results of the last round.
    void check_last() {
        if (!binding_) return;
        VerificationResult checked;
        verify_after_timing(*binding_, case_, pattern_, config_.seed, *reference_data_, checked);
        if (!checked.right()) {
            throw Error(fmt::format("{}: {}", case_.title(), checked.failure->what));
        }
        check_identical(*binding_, direct_.outputs(), case_);
    }

    /// A round's measurement: Parallax's samples from `measure`, and the direct batches next to
    /// them.
    Round round(unsigned number, const Timing& timing) const {
        Round round;
        round.repeats = timing.repeats.at(number);
        for (std::size_t i = 0; i < timing.samples.size(); ++i) {
            if (timing.round[i] == number) round.parallax.push_back(timing.samples[i]);
        }
        const std::vector<Batch>& all = batches_.at(number);
        if (all.size() < round.parallax.size()) throw Error("More samples than batches.");
        // Earlier batches determined the batch size.
        for (std::size_t i = all.size() - round.parallax.size(); i < all.size(); ++i) {
            if (all[i].repeats != round.repeats)
                throw Error("A sample of a batch of another size.");
            round.direct.push_back(all[i].seconds / round.repeats);
            round.direct_first.push_back(all[i].first);
        }
        return round;
    }

private:
    /// A direct batch, before or after one of the same size through Parallax.
    struct Batch {
        unsigned repeats = 0;
        bool first = false;
        double seconds = 0;
    };

    void check_same_text(const std::string& name, const Code& code) const {
        const KernelSource& given = job_.kernels.at(name);
        if (code.source != given.text || code.options != given.options) {
            throw Error(
                fmt::format("{}: the compiler is not given the same text each time.", name));
        }
    }

    Elapsed run(unsigned repeats) {
        std::vector<Batch>& batches = batches_.back();
        Batch batch{repeats, batches.size() % 2 == 0, 0};
        if (batch.first) batch.seconds = direct_.run(repeats);
        const Elapsed elapsed = binding_->run(repeats);
        if (!batch.first) batch.seconds = direct_.run(repeats);
        if (!(batch.seconds > 0)) {
            throw DeviceError("The device's clock stood still over a batch of direct calls.");
        }
        batches.push_back(batch);
        return elapsed;
    }

    Device& device_;
    Direct& direct_;
    const Case& case_;
    const RunConfig& config_;
    Plan plan_;
    Program program_;
    InputPattern pattern_;
    Job job_;
    std::shared_ptr<const ReferenceData> reference_data_;
    std::optional<Binding> binding_;
    std::vector<std::vector<Batch>> batches_;  ///< of each round
};

double ratio_of(const Round& round) {
    std::vector<double> quads;
    for (std::size_t i = 0; i + 1 < round.direct.size(); i += 2) {
        // Two neighbours have both orders, so that the effect of the order cancels.
        const double first = std::log(round.parallax[i] / round.direct[i]);
        const double second = std::log(round.parallax[i + 1] / round.direct[i + 1]);
        quads.push_back(std::exp((first + second) / 2));
    }
    return estimate_median(quads).median;
}

}  // namespace

Cost cost_of(Device& device, Direct& direct, const Case& c, const RunConfig& config,
             const Extent& extent) {
    StoppingRule rule = config.rule;
    rule.batch_seconds =
        std::max(rule.batch_seconds, least_batch_seconds(device.info().timer_tick_seconds));
    rule.rounds = extent.rounds;
    // Every round takes exactly its share of these.
    rule.least_samples = rule.most_samples = 2 * extent.quads * extent.rounds;
    rule.most_seconds = most_seconds;

    Pair pair(device, direct, c, config);
    const Timing timing = measure([&](unsigned round) { return pair.make(round); }, rule);
    pair.check_last();

    Cost cost;
    cost.the_case = c;
    cost.launches = pair.launches();
    std::vector<double> all_direct, ratios;
    for (unsigned number = 0; number < extent.rounds; ++number) {
        Round round = pair.round(number, timing);
        if (round.direct.size() < 2)
            throw Error(c.title() + ": a round ended before its first quad.");
        round.ratio = ratio_of(round);
        ratios.push_back(round.ratio);
        all_direct.insert(all_direct.end(), round.direct.begin(), round.direct.end());
        cost.rounds.push_back(std::move(round));
    }
    cost.direct = estimate_median(all_direct);
    cost.parallax = timing.estimate;
    cost.ratio = estimate_median(ratios);
    return cost;
}

Verdict verdict_of(const Cost& cost) {
    if (cost.direct.median < least_seconds) return Verdict::too_short;
    if (cost.ratio.confidence < least_confidence) return Verdict::undecided;
    const double low = 1 - margin, high = 1 + margin;
    if (cost.ratio.low >= low && cost.ratio.high <= high) return Verdict::within;
    if (cost.ratio.high < low || cost.ratio.low > high) return Verdict::outside;
    return Verdict::undecided;
}

std::string_view word_of(Verdict verdict) {
    switch (verdict) {
        case Verdict::within: return "within";
        case Verdict::undecided: return "undecided";
        case Verdict::outside: return "outside";
        case Verdict::too_short: break;
    }
    return "too short to judge";
}

}  // namespace parallax::benchmarks
