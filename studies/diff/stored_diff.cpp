// Pairs the cases of two sides, and answers the questions in their order.
#include "studies/diff/stored_diff.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <set>
#include <span>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "common/statistics/interval.hpp"
#include "common/text/unique_values.hpp"
#include "measure/reference_data.hpp"
#include "records/environment.hpp"
#include "studies/diff/diff.hpp"
#include "studies/diff/diff_verdicts.hpp"
#include "studies/diff/pairing.hpp"
#include "studies/diff/same_kernel.hpp"
#include "studies/diff/stored_ratio.hpp"

namespace parallax {
namespace {

/// Disturbances that the measurement got over by trying again. Those that it did not get over are
/// the reason of its verdict.
void tell_disturbances(const Pairing& pairing, CaseDiff& c) {
    std::size_t count = 0, rounds = 0;
    std::string why;
    for (const Pair* pair : pairing.pairs) {
        if (!pair->timing.doubt().empty()) return;
        for (const PairRound& round : pair->timing.rounds) {
            ++rounds;
            if (round.disturbed.empty()) continue;
            ++count;
            why = round.disturbed;
        }
    }
    if (count == 0) return;
    c.reason +=
        fmt::format(" {} of {} rounds were disturbed and tried again: {}.", count, rounds, why);
}

/// Titles name the constants in which cases of one suite differ, and the lane where there are
/// several.
void give_titles(std::vector<CaseDiff>& cases) {
    std::map<std::pair<std::string, std::string>, std::set<std::int64_t>> values;
    for (const CaseDiff& c : cases) {
        for (const auto& [name, value] : c.key.constants) {
            values[{c.key.name(), name}].insert(value);
        }
    }
    for (CaseDiff& c : cases) {
        c.title = fmt::format("{} {} {}", c.name(), c.key.type, fmt::join(c.key.shape, "x"));
        for (const auto& [name, value] : c.key.constants) {
            if (values[{c.key.name(), name}].size() > 1) {
                c.title += fmt::format(" {}={}", name, value);
            }
        }
        if (!c.lane.empty()) c.title += ", " + c.lane;
    }
}

Environment environment_of(const SideSet& side) {
    Environment environment;
    environment.name = side.name;
    std::vector<std::pair<std::string, std::vector<std::string>>> facts;
    std::set<std::string> runs;
    for (const Record* record : side.records) {
        ++environment.records;
        runs.insert(record->run.id);
        for (const auto& [name, value] : facts_of(*record)) add_once(at_key(facts, name), value);
        if (record->key.suite != ceiling_suite || !record->timing) continue;
        add_once(at_key(facts, "ceilings"), record->measured.empty()
                                                ? "measured in the run"
                                                : "kept from " + record->measured);
    }
    environment.runs = runs.size();
    for (auto& [name, values] : facts) {
        environment.facts.emplace_back(name, fmt::format("{}", fmt::join(values, " | ")));
    }
    return environment;
}

[[noreturn]] void refuse_nothing_in_common(const Sides& sides) {
    const auto has = [](const SideSet& side) {
        std::set<std::string> list;
        for (const Record* record : side.records) {
            if (record->key.suite == ceiling_suite) continue;
            if (list.size() < 5) list.insert(to_string(record->key));
        }
        return list.empty() ? "nothing but ceilings" : fmt::format("{}", fmt::join(list, "; "));
    };
    throw NothingToCompare(
        fmt::format("{} and {} have no case in common. The first has, for one: {}. The second: {}. "
                    "Cases are one when suite, variant, type, shape and constants are; -d A -d B "
                    "chooses devices.",
                    sides.a.name, sides.b.name, has(sides.a), has(sides.b)));
}

/// Stored sides were measured one after the other: what changed for all of a side is in its ratios.
bool all_moved(const Diff& diff) {
    const auto& mean = diff.summary.mean;
    return !diff.live && mean && verdict_of(*mean, diff.margin) != Verdict::same &&
           verdict_of(*mean, diff.margin) != Verdict::undecided;
}

/// Files may be copies of each other, or hold runs of each other.
void warn_of_own_records(Diff& diff, const Sides& sides) {
    if (sides.live) return;
    const auto content = [](const Record* r) {
        // The same samples are one measurement, whatever its run is called.
        return std::tuple{r->timing ? std::string() : r->run.id,
                          r->where.uuid,
                          r->device,
                          r->key.sorted(),
                          r->program.edits,
                          r->timing ? r->timing->samples : std::vector<double>()};
    };
    std::set<decltype(content(nullptr))> of_a;
    for (const Record* record : sides.a.records) of_a.insert(content(record));
    const auto own = std::ranges::count_if(
        sides.b.records, [&](const Record* record) { return of_a.contains(content(record)); });
    if (own == 0) return;
    diff.warnings.push_back(
        fmt::format("{} of B's {} records are A's own: all is as it is itself there, and nothing "
                    "was compared.",
                    own, sides.b.records.size()));
}

/// Warns of the environment's effects on the times, and of a device of which a side had only a
/// part.
void warn_of_environment(Diff& diff, const Sides& sides) {
    for (const SideSet* side : {&sides.a, &sides.b}) {
        std::set<std::string> runs;
        for (const Record* record : side->records) {
            if (!runs.insert(record->run.id + record->where.backend).second) continue;
            for (std::string& one : environment_warnings(record->run, record->where))
                add_once(diff.warnings, std::move(one));
        }
    }
    const auto& a = *sides.a.records.front();
    const auto& b = *sides.b.records.front();
    const std::uint32_t of_a = a.where.compute_units, of_b = b.where.compute_units;
    if (a.where.pci.empty() || of_a == 0 || of_b == 0 || of_a == of_b ||
        !one_physical_device(a.where, b.where)) {
        return;
    }
    diff.warnings.push_back(
        fmt::format("{} has {} compute units and {} has {}, of one device: a share of it was given "
                    "to a side, as NVIDIA's Multi-Process Service gives it, and is in every ratio.",
                    a.device, of_a, b.device, of_b));
}

/// `saxpy`, `each of a, b, c and 25 others`
std::string names_of(const std::set<std::string>& suites) {
    constexpr std::size_t most = 3;
    if (suites.size() == 1) return *suites.begin();
    const std::vector<std::string> all(suites.begin(), suites.end());
    const std::size_t said = all.size() > most + 1 ? most : all.size() - 1;
    return fmt::format(
        "Each of {} and {}", fmt::join(std::span(all).first(said), ", "),
        said + 1 == all.size() ? all.back() : fmt::format("{} others", all.size() - said));
}

void warn(Diff& diff, const Sides& sides) {
    warn_of_own_records(diff, sides);
    warn_of_environment(diff, sides);
    const auto& a = *sides.a.records.front();
    const auto& b = *sides.b.records.front();
    const bool one = one_physical_device(a.where, b.where);
    const bool both_known = !a.where.uuid.empty() && !b.where.uuid.empty();
    const bool has_ratios =
        std::ranges::any_of(diff.cases, [](const CaseDiff& c) { return c.ratio.has_value(); });
    if (!has_ratios) {
        // Nothing to be warned of.
    } else if (a.where.backend != b.where.backend && !one) {
        diff.warnings.push_back(
            fmt::format("{} ({}) and {} ({}) are not known to be the same physical device: ratios "
                        "compare two machines, not two APIs.",
                        a.device, a.where.name, b.device, b.where.name));
    } else if ((both_known && !one) || a.where.name != b.where.name) {
        diff.warnings.push_back(
            fmt::format("The two sides ran on two devices, {} and {}{}: ratios compare the devices "
                        "too.",
                        a.where.name, b.where.name,
                        a.where.name == b.where.name ? " (their UUIDs differ)" : ""));
    }
    for (const SelfCheck& check : diff.self) {
        if (!check.is_lie()) continue;
        diff.warnings.push_back(
            fmt::format("{} was called different from itself on {}: the clock lies here, and no "
                        "verdict below should be trusted before 'parallax selftest' passes.",
                        check.title, check.device));
    }
    std::set<std::string> agreeing;
    for (const SideSet* side : {&sides.a, &sides.b}) {
        for (const Record* record : side->records) {
            if (record->check && is_agreement(record->check->checked_against))
                agreeing.insert(record->key.suite);
        }
    }
    if (!agreeing.empty()) diff.warnings.push_back(agreement_remark(names_of(agreeing)));
    if (all_moved(diff)) {
        diff.warnings.push_back(
            fmt::format("All cases together moved, to {:.3f} of A's time: what changed between the "
                        "runs of A and those of B for all of them (load, temperature, clocks, "
                        "driver) is in every ratio. Sides measured alternately do not have that: "
                        "'parallax diff DEVICE DEVICE', or runs of both sides alternately.",
                        diff.summary.mean->value));
    }
}

/// Gives each case its explanation: the latest one where there are several.
void explain(const Sides& sides, const std::vector<Pairing>& pairings, Diff& diff) {
    for (const Explanation* line : sides.explanations) {
        for (std::size_t i = 0; i < pairings.size(); ++i) {
            if (completed(pairings[i].key) == completed(line->key))
                diff.cases[i].explanation = *line;
        }
    }
}

/// `opencl NVIDIA H100 80GB HBM3`: what a side is on each machine of a kind.
std::string kind_of(const Environment& side) {
    const std::string entry = fact_of(side, "entry");
    return entry.substr(0, entry.find(':')) + " " + fact_of(side, "device");
}

/// A warning about a baseline of another kind of device; empty: it is of this kind.
std::string other_device(const Diff& diff, const Diff& baseline, bool is_turned_round) {
    const std::array sides{std::pair{&diff.a, is_turned_round ? &baseline.b : &baseline.a},
                           std::pair{&diff.b, is_turned_round ? &baseline.a : &baseline.b}};
    for (const auto& [now, then] : sides) {
        const std::string here = fact_of(*now, "device"), there = fact_of(*then, "device");
        if (here.empty() || there.empty() || here == there) continue;
        return fmt::format(
            "The baseline {} is of {}, and this diff of {}: ratios over it are shown and decide "
            "nothing. The data of a diff on this device are its baseline.",
            diff.baseline, there, here);
    }
    return {};
}

/// Whether A of the one is B of the other, and B is A.
bool is_turned_round(const Diff& x, const Diff& y) {
    const std::string a = kind_of(x.a), b = kind_of(x.b);
    return a != b && a == kind_of(y.b) && b == kind_of(y.a);
}

/// The fewest runs of a baseline that show how runs differ.
constexpr std::size_t least_runs = 3;

/// Makes the ratio of one run as uncertain as the runs of the baseline show that runs differ.
/// @returns whether the baseline shows it
bool widen_by_noise(Ratio& now, const Ratio& then) {
    const std::size_t runs = std::min(then.units_a, then.units_b);
    if (runs < least_runs || !then.basis.ends_with("runs")) return false;
    if (now.basis == then.basis) return true;  // it has runs of its own
    const double spread = then.log_error * std::sqrt(static_cast<double>(runs));
    const double reach = student_quantile((1 + now.confidence) / 2, then.degrees) * spread;
    if (reach > std::log(now.high / now.low) / 2) {
        now.log_error = spread;
        now.degrees = then.degrees;
        now.low = now.value * std::exp(-reach);
        now.high = now.value * std::exp(reach);
    }
    return true;
}

/// Nothing passes if the timer finds a device different from itself.
void distrust(Diff& diff) {
    if (std::ranges::none_of(diff.self, &SelfCheck::is_lie)) return;
    for (CaseDiff& c : diff.cases) {
        if (c.decision == Decision::pass) c.decision = Decision::undecided;
    }
}

}  // namespace

Diff build_diff(const Sides& sides, const Judgement& asked) {
    Diff diff;
    diff.live = sides.live;
    if (sides.live) {
        diff.command = sides.a.records.front()->run.command;
        diff.seed = sides.a.records.front()->run.seed;
    }
    diff.margin = asked.margin;
    diff.max_slowdown = asked.max_slowdown;
    diff.strict = asked.strict;
    diff.by_noise = asked.by_noise;
    diff.a = environment_of(sides.a);
    diff.b = environment_of(sides.b);
    Judgement judgement = asked;
    judgement.names = side_names(diff);
    diff.environment = environment_differences(diff.a, diff.b);
    diff.never_equal = never_equal(*sides.a.records.front(), *sides.b.records.front());

    const std::vector<Pairing> pairings = pair_up(sides);
    if (std::ranges::none_of(pairings,
                             [](const Pairing& p) { return !p.a.empty() && !p.b.empty(); })) {
        refuse_nothing_in_common(sides);
    }
    // A report of many cases is to be right as a whole: each has its share of the error.
    const double error = error_of_each(
        static_cast<std::size_t>(std::ranges::count_if(pairings, [](const Pairing& p) {
            return stored_ratio(p.a, p.b, p.pairs).ratio.has_value();
        })));
    std::vector<StoredRatio> ratios;
    for (const Pairing& pairing : pairings) {
        diff.cases.push_back(case_of(pairing, judgement.names));
        ratios.push_back(stored_ratio(pairing.a, pairing.b, pairing.pairs, error));
    }
    compare_mapped_memory(sides, diff.cases);
    widen_by_spread(ratios, error);
    give_titles(diff.cases);
    for (std::size_t i = 0; i < diff.cases.size(); ++i) {
        judge(diff.cases[i], ratios[i], judgement);
        tell_disturbances(pairings[i], diff.cases[i]);
    }
    explain(sides, pairings, diff);
    for (const Pair* pair : sides.self) diff.self.push_back(self_check(*pair, judgement));
    for (const Pair* pair : sides.pairs) diff.measuring_seconds += pair->measuring_seconds;
    for (const Pair* pair : sides.self) diff.measuring_seconds += pair->measuring_seconds;
    diff.each_at_its_best = std::ranges::any_of(
        diff.cases, [](const CaseDiff& c) { return !c.a.tuned.empty() || !c.b.tuned.empty(); });
    diff.summary = summary_of(diff);
    warn(diff, sides);
    distrust(diff);
    return diff;
}

void judge_against(Diff& diff, const Diff& baseline, const std::string& name) {
    diff.baseline = name;
    const bool other_way = is_turned_round(diff, baseline);
    if (other_way) {
        diff.warnings.push_back(
            fmt::format("The baseline {} has the two sides the other way round, A as B: its ratios "
                        "were turned round.",
                        name));
    }
    const std::string foreign = other_device(diff, baseline, other_way);
    if (!foreign.empty()) diff.warnings.insert(diff.warnings.begin(), foreign);
    std::map<CaseInLane, const CaseDiff*> known;
    for (const CaseDiff& c : baseline.cases) known[case_in_lane(c.lane, c.key)] = &c;
    bool any = false, wanted = false;
    for (CaseDiff& c : diff.cases) {
        if (!c.ratio) continue;
        wanted = true;
        const auto found = known.find(case_in_lane(c.lane, c.key));
        if (found == known.end() || !found->second->ratio) {
            c.decision = Decision::none;
            c.reason += " The baseline has no ratio for it, so it has nothing to be slower than.";
            continue;
        }
        any = true;
        const Ratio then = other_way ? turned_round(*found->second->ratio) : *found->second->ratio;
        Ratio now = *c.ratio;
        c.knows_noise = widen_by_noise(now, then);
        c.against_baseline = relative_ratio(now, then);
        c.reason += fmt::format(
            " Over the baseline's ratio of {:.4f} it is {:.4f} ({:.4f} to {:.4f}).", then.value,
            c.against_baseline->value, c.against_baseline->low, c.against_baseline->high);
        if (c.knows_noise) {
            c.reason += fmt::format(" The interval has what its {} runs differ by.", then.units_a);
        } else if (diff.by_noise) {
            c.reason += fmt::format(" It has fewer than {} runs, which show no noise.", least_runs);
        }
        if (found->second->doubted) {
            c.doubted = true;
            c.reason += " The baseline's own measurement of it decides nothing.";
        }
        if (!foreign.empty()) {
            c.doubted = true;
            c.reason += " The baseline is of another device and decides nothing.";
        }
        decide(
            c,
            {.margin = diff.margin, .max_slowdown = diff.max_slowdown, .by_noise = diff.by_noise});
    }
    if (wanted && !any) {
        throw NothingToCompare(
            fmt::format("The baseline {} has no ratio for any of these cases. It has to be of the "
                        "same suites, sizes, constants and devices: earlier data of the same diff.",
                        name));
    }
    distrust(diff);
}

int exit_code(const Diff& diff) {
    const auto any = [&](auto what) { return std::ranges::any_of(diff.cases, what); };
    const Summary& summary = diff.summary;
    if (summary.of(Verdict::wrong) > 0 || diff.lost_launches > 0) return 1;
    if (summary.of(Verdict::failed) > 0) return 6;
    if (diff.strict && any([](const CaseDiff& c) { return !strict_failure(c).empty(); })) return 1;
    if (any([](const CaseDiff& c) { return c.decision == Decision::fail; })) return 3;
    if (any([](const CaseDiff& c) { return c.decision == Decision::undecided; })) return 4;
    if (diff.two_programs) {
        const std::vector<KernelPair>& pairs = diff.two_programs->kernels;
        const bool differs =
            std::ranges::find(pairs, Agreement::differs, &KernelPair::agreement) != pairs.end();
        return pairs.empty() ? 5 : diff.strict && differs ? 1 : 0;
    }
    const bool any_compared =
        summary.measured > 0 || any([](const CaseDiff& c) { return is_about_answers(c.verdict); });
    return any_compared ? 0 : 5;
}

}  // namespace parallax
