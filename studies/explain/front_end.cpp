// Moves regions from one front end's PTX to the other's, and measures each.
#include "studies/explain/front_end.hpp"

#include <algorithm>
#include <cmath>
#include <set>

#include <fmt/format.h>

#include "common/error.hpp"
#include "studies/explain/explanation_names.hpp"
#include "studies/explain/ptx_moves.hpp"

namespace parallax {
namespace {

/// Experiments of one search.
constexpr std::size_t most_groups = 4;
/// What stands for a group is tried so many times before it is given up.
constexpr std::size_t most_tries = 6;

bool overlap(const PtxRegion& x, const PtxRegion& y) {
    for (std::size_t b = 0; b < x.inside.size(); ++b) {
        if (x.inside[b] && y.inside[b]) return true;
    }
    return false;
}

/// Whether the region has nearly all of the kernel's instructions.
bool is_nearly_all(const PtxRegion& region, const FollowedPtx& of) {
    constexpr double nearly_all = 0.8;
    std::size_t inside = 0;
    for (std::size_t b = 0; b < region.inside.size(); ++b) {
        const PtxBlock& block = of.program.blocks[b];
        if (region.inside[b]) inside += block.last - block.first;
    }
    return static_cast<double>(inside) >= nearly_all * static_cast<double>(of.program.code.size());
}

std::size_t size_of_group(const PtxGroup& group) {
    return static_cast<std::size_t>(std::ranges::count(group.a.inside, true) +
                                    std::ranges::count(group.b.inside, true));
}

class RegionMoves {
public:
    RegionMoves(ExplainContext& explained, Trials& trials, const FrontEnds& front_ends)
        : s_(explained),
          trials_(trials),
          front_ends_(front_ends),
          cuda_is_b_(explained.bench->info(true).backend == "cuda"),
          slower_(explained.found.b_is_slower()),
          names_(short_names(explained.found)) {}

    NotMoved run() {
        if (front_ends_.gap) gap_ = *front_ends_.gap;
        if (!front_ends_.gap && !measure_gap()) return {};
        share_ = std::log(gap_.value) / std::log(s_.found.gap.value);
        if (share_ < least_front_end_share) return {};
        for (const auto& [kernel, ptx] : front_ends_.ptx.a) {
            const auto other = front_ends_.ptx.b.find(kernel);
            if (other == front_ends_.ptx.b.end()) continue;
            try {
                look_at(kernel, ptx, other->second);
            } catch (const Unsupported& error) {
                not_moved_.why = error.what();
            }
        }
        return std::move(not_moved_);
    }

private:
    void look_at(const std::string& kernel, const std::string& ptx_a, const std::string& ptx_b) {
        const PtxText text_a(with_own_registers(ptx_a)), text_b(with_own_registers(ptx_b));
        FollowedPtx a(text_a, kernel), b(text_b, kernel);
        const Outcome& own = s_.built.of(cuda_is_b_).outcome;
        const auto inputs = s_.context.config.references->get(
            own.the_case, input_patterns_of(own.the_case)[1], s_.context.config.seed,
            s_.bench->info(cuda_is_b_).id());
        const PtxLaunch launch = followed_launch(own.plan, kernel, inputs->inputs);
        follow(a, launch);
        follow(b, launch);
        const auto chosen = choose_groups(groups_of(a, b), most_groups);
        // A part says it better.
        if (not_moved_.counts.empty()) {
            not_moved_.counts = fmt::format("In '{}' {}.", kernel,
                                            words_for(whole_kernels(a, b), names_.a, names_.b));
        }
        if (chosen.empty()) {
            throw Unsupported(
                "No part of one PTX was found that does the same as a part of the other with other "
                "instructions.");
        }
        const double begin = s_.left();
        const auto lines = lines_of(kernel, cuda_is_b_ ? b : a);
        last_took_ = std::max(last_took_, begin - s_.left());
        for (const std::vector<PtxGroup>& candidates : chosen) {
            if (!has_time()) return;
            try_first_of(kernel, candidates, a, b, launch, lines);
        }
    }

    bool measure_gap() {
        const Configuration a = configuration(false), b = configuration(true);
        Both<Built> both{built(a), built(b)};
        const auto timing = both.a.ok() && both.b.ok()
                                ? s_.bench->time_paired(both.a, a, both.b, b, rule())
                                : std::nullopt;
        if (!timing || !timing->doubt().empty() || !timing->ratio()) return false;
        gap_ = *timing->ratio();
        fast_ = both.of(!slower_);
        return true;
    }

    bool has_time() const { return s_.left() > last_took_ + s_.trial_seconds(); }

    /// The source's line of each instruction; empty where the compiler does not say.
    std::vector<unsigned> lines_of(const std::string& kernel, const FollowedPtx& cuda) const {
        Configuration with_lines = s_.base.of(cuda_is_b_);
        with_lines.program.options.emplace_back("--generate-line-info");
        const Built built = s_.bench->build(cuda_is_b_, with_lines);
        const auto code = built.outcome.codes.find(kernel);
        if (code == built.outcome.codes.end()) return {};
        std::vector<unsigned> lines;
        const PtxText text(code->second->ptx);
        const PtxFunction* const function = text.function(kernel);
        if (!function) return {};
        for (const PtxStatement& s : function->body) {
            if (s.kind == PtxStatement::Kind::instruction) lines.push_back(s.line);
        }
        return lines.size() == cuda.program.code.size() ? lines : std::vector<unsigned>{};
    }

    std::string place_of(const PtxGroup& group, const FollowedPtx& cuda,
                         const std::vector<unsigned>& lines) const {
        const PtxRegion& region = cuda_is_b_ ? group.b : group.a;
        std::set<unsigned> seen;
        for (std::size_t b = 0; b < region.inside.size(); ++b) {
            const PtxBlock& block = cuda.program.blocks[b];
            for (std::size_t i = block.first; i < block.last && region.inside[b]; ++i) {
                if (i < lines.size() && lines[i] > 0) seen.insert(lines[i]);
            }
        }
        const std::string what = group.is_loop ? "the loop" : "the code";
        if (seen.empty()) return what;
        return *seen.begin() == *seen.rbegin()
                   ? fmt::format("{} of line {}", what, *seen.begin())
                   : fmt::format("{} of lines {} to {}", what, *seen.begin(), *seen.rbegin());
    }

    void try_first_of(const std::string& kernel, const std::vector<PtxGroup>& candidates,
                      const FollowedPtx& a, const FollowedPtx& b, const PtxLaunch& launch,
                      const std::vector<unsigned>& lines) {
        const double begin = s_.left();
        const std::string faster = names_.of(!slower_);
        Trial trial;
        trial.knobs = {std::string(front_end_knob)};
        trial.side = slower_ ? KnobSide::b : KnobSide::a;
        std::string problem;
        for (const PtxGroup& group : candidates) {
            const std::string place = place_of(group, cuda_is_b_ ? b : a, lines);
            TrialWords words;
            const std::string differs = words_for(group, names_.a, names_.b);
            // A part that is nearly all of the kernel is no place in it.
            words.cause =
                is_nearly_all(group.a, a) && is_nearly_all(group.b, b)
                    ? fmt::format("It arises all over '{}', where {}.", kernel, differs)
                    : fmt::format("It arises in {} in '{}', where {}.", place, kernel, differs);
            trial.setting = fmt::format("{} as in {}'s PTX", place, faster);
            try {
                const std::string text = slower_ ? moved_ptx(b, group.b, a, group.a, launch)
                                                 : moved_ptx(a, group.a, b, group.b, launch);
                s_.tell(trial.setting);
                measure(trial, kernel, text);
                trials_.add(std::move(trial), std::move(words));
                last_took_ = std::max(last_took_, begin - s_.left());
                return;
            } catch (const Unsupported& error) {
                if (problem.empty()) {
                    problem = fmt::format("{} cannot be moved ({}). {}", place, error.what(),
                                          words.cause);
                }
            }
        }
        trial.status = TrialStatus::unsupported;
        trial.reason = problem;
        trials_.add(std::move(trial), {});
    }

    /// Two texts that are compared need a device each. The faster is as its front end made it.
    Configuration configuration(bool of_b) const {
        Configuration made = s_.base.of(cuda_is_b_);
        made.ptx = front_ends_.ptx.of(of_b);
        made.is_tried = of_b != slower_;
        return made;
    }

    Built built(const Configuration& setup) const {
        Built made = s_.bench->build(cuda_is_b_, setup);
        if (made.outcome.status == Status::skipped) s_.bench->check(cuda_is_b_, made);
        return made;
    }

    /// Both on CUDA's device: the faster text, and the slower with the region moved into it.
    void measure(Trial& trial, const std::string& kernel, const std::string& text) {
        const Configuration fast = configuration(!slower_);
        if (!fast_.device) fast_ = built(fast);
        Configuration slow = configuration(slower_);
        slow.ptx[kernel] = text;
        Built moved = built(slow);
        const auto timing = !fast_.ok() || !moved.ok() ? std::nullopt
                            : slower_ ? s_.bench->time_paired(fast_, fast, moved, slow, rule())
                                      : s_.bench->time_paired(moved, slow, fast_, fast, rule());
        if (!timing || !timing->doubt().empty() || !timing->ratio()) {
            const Outcome& bad = (moved.ok() ? fast_ : moved).outcome;
            trial.status = bad.status == Status::wrong ? TrialStatus::wrong : TrialStatus::failed;
            trial.reason = timing ? timing->doubt() : bad.reason;
            return;
        }
        trial.status = TrialStatus::measured;
        trial.ratio = timing->ratio();
        rate(trial, gap_, s_.request.margin);
        const double own = trial.ratio->value / gap_.value;
        trial.own_change = slower_ ? own : 1 / own;
        trial.consequences.push_back(
            fmt::format("the front ends' {:.3f} -> {:.3f}", gap_.value, trial.ratio->value));
        // Of the whole gap, the rest of which stays.
        for (double* closes : {&trial.closes, &trial.closes_low, &trial.closes_high}) {
            *closes *= share_;
        }
        const double log_gap = std::log(s_.found.gap.value);
        trial.ratio->value = std::exp((1 - trial.closes) * log_gap);
        trial.ratio->low = std::exp((1 - trial.closes_high) * log_gap);
        trial.ratio->high = std::exp((1 - trial.closes_low) * log_gap);
        if (trial.ratio->low > trial.ratio->high) std::swap(trial.ratio->low, trial.ratio->high);
        trial.closed = verdict_of(*trial.ratio, s_.request.margin) == Verdict::same;
    }

    PairRule rule() const { return s_.rule(s_.trial_seconds(), true); }

    ExplainContext& s_;
    Trials& trials_;
    const FrontEnds& front_ends_;
    bool cuda_is_b_, slower_;
    Both<std::string> names_;
    Ratio gap_;         ///< as FrontEnds
    double share_ = 0;  ///< of the whole gap
    Built fast_;
    NotMoved not_moved_;
    double last_took_ = 0;
};

}  // namespace

NotMoved move_regions(ExplainContext& explained, Trials& trials, const FrontEnds& front_ends) {
    return RegionMoves(explained, trials, front_ends).run();
}

PtxLaunch followed_launch(const Plan& plan, const std::string& kernel,
                          const std::vector<HostArray>& inputs) {
    PtxLaunch made;
    const auto address = [](std::size_t buffer) { return std::uint64_t{buffer + 1} << 36; };
    std::size_t next = 0;
    for (std::size_t i = 0; i < plan.buffers.size(); ++i) {
        const bool is_input = is_loaded(plan.buffers[i].role) && next < inputs.size();
        made.buffers.push_back(
            {address(i), is_input ? inputs[next++].bytes() : std::span<const std::byte>()});
    }
    for (const Launch* launch : launches_of(plan)) {
        if (launch->kernel != kernel) continue;
        made.items = launch->geometry.items;
        made.groups = launch->geometry.groups;
        std::uint32_t offset = 0;
        bool has_local = false;
        const auto put = [&](std::span<const std::byte> bytes) {
            made.parameters.emplace_back(bytes.begin(), bytes.end());
        };
        for (const LaunchArgument& argument : launch->arguments) {
            if (const auto* buffer = std::get_if<BufferIndex>(&argument)) {
                const std::uint64_t at = address(buffer->index);
                put(std::as_bytes(std::span(&at, 1)));
            } else if (const auto* local = std::get_if<LocalBytes>(&argument)) {
                // As the CUDA backend: the first is where the array begins.
                if (has_local) put(std::as_bytes(std::span(&offset, 1)));
                has_local = true;
                offset += (local->bytes + 127) / 128 * 128;
            } else {
                put(bytes_of(std::get<Scalar>(argument)));
            }
        }
        return made;
    }
    throw Unsupported(fmt::format("'{}' is not launched.", kernel));
}

std::vector<std::vector<PtxGroup>> choose_groups(std::vector<PtxGroup> groups, std::size_t most) {
    constexpr double alike = 0.97;
    std::vector<std::vector<PtxGroup>> chosen;
    while (!groups.empty() && chosen.size() < most) {
        const double best = std::ranges::max(groups, {}, &PtxGroup::weight).weight;
        std::vector<PtxGroup> candidates;
        for (const PtxGroup& group : groups) {
            if (group.weight >= alike * best) candidates.push_back(group);
        }
        std::ranges::stable_sort(candidates, {},
                                 [](const PtxGroup& one) { return size_of_group(one); });
        if (candidates.size() > most_tries) candidates.resize(most_tries);
        std::erase_if(groups, [&](const PtxGroup& group) {
            return overlap(group.a, candidates.front().a) || overlap(group.b, candidates.front().b);
        });
        chosen.push_back(std::move(candidates));
    }
    return chosen;
}

}  // namespace parallax
