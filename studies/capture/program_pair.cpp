// Pairs the kernels of two recordings by their data, names and places, and splits the difference of
// the programs' times.
#include "studies/capture/program_pair.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <numeric>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "common/error.hpp"
#include "common/text/demangled.hpp"
#include "common/text/text.hpp"
#include "studies/capture/recorded_outputs.hpp"
#include "studies/capture/weighted_ratio.hpp"
#include "studies/diff/diff.hpp"
#include "studies/diff/two_kernels.hpp"

namespace parallax {
namespace {

/// Launches of a pair of kernels that are replayed.
constexpr std::size_t most_replays = 3;
/// Programs whose times differ by less are said to take the same time.
constexpr double least_difference = 0.02;
constexpr std::size_t most_parts = 4;

/// A kernel's name without what programmers add for an API: `Cuda_FindNeighbours_kernel` and
/// `find_neighbours` are alike.
std::string plain_name(const std::string& name) {
    std::string plain = lower_case(demangled(name).name);
    for (const std::string_view word : {"kernel", "opencl", "cuda", "ocl", "gpu"}) {
        for (std::size_t at; (at = plain.find(word)) != plain.npos;) plain.erase(at, word.size());
    }
    std::erase_if(plain, [](char c) { return c == '_'; });
    return plain;
}

std::string shown_name(const CapturedKernel& kernel) {
    return printable(demangled(kernel.kernel).name, 60);
}

/// Why no launch is kept; empty: one is.
std::string why_not_kept(const CapturedKernel& kernel) {
    for (const CapturedKind& kind : kernel.kinds) {
        if (!kind.name.empty()) return {};
    }
    const auto reasons = kernel.not_kept();
    return reasons.empty() ? "none of its launches is kept" : reasons.begin()->first;
}

double transfers(const Capture& capture) {
    return capture.to_device.all_seconds() + capture.from_device.all_seconds() +
           capture.on_device.all_seconds() + capture.mapped.all_seconds();
}

class Pairing {
public:
    Pairing(const Both<Capture>& captures, const RecordedPair& recorded)
        : captures_(captures), refused_(recorded.refused), outputs_(recorded) {
        partner_.a.assign(captures.a.kernels.size(), none);
        partner_.b.assign(captures.b.kernels.size(), none);
    }

    void by_hand(const std::vector<Both<std::string>>& names) {
        for (const Both<std::string>& one : names)
            join(selected(false, one.a), selected(true, one.b), PairedBy::hand);
    }
    void by_data(bool reads);
    bool has_other_namesake(std::size_t a, std::size_t b) const;
    void by_name();
    void by_position();
    std::vector<KernelPair> pairs();
    std::vector<LoneKernel> alone() const;

private:
    static constexpr std::size_t none = std::string::npos;
    struct Candidate {
        std::size_t a, b;
        PairedBy by;
        std::size_t agreeing;
    };

    const std::vector<CapturedKernel>& kernels(bool is_b) const {
        return captures_.of(is_b).kernels;
    }
    void join(std::size_t a, std::size_t b, PairedBy by) {
        partner_.a[a] = b;
        partner_.b[b] = a;
        by_[a] = by;
    }
    std::size_t selected(bool is_b, const std::string& name) const;
    std::vector<const RecordedLaunch*> kept(bool is_b, const CapturedKernel&) const;
    std::optional<Candidate> candidate(std::size_t a, std::size_t b, bool reads);
    KernelPair pair_of(std::size_t a);
    void add_launches(KernelPair&, const CapturedKernel& a, const CapturedKernel& b);

    std::string why_no_launch(bool is_b, const CapturedKernel&) const;

    const Both<Capture>& captures_;
    const Both<std::vector<RefusedCase>>& refused_;
    RecordedOutputs outputs_;
    Both<std::vector<std::size_t>> partner_;
    std::map<std::size_t, PairedBy> by_;  ///< by A's kernel
};

std::size_t Pairing::selected(bool is_b, const std::string& name) const {
    std::vector<std::size_t> exact, found;
    for (std::size_t i = 0; i < kernels(is_b).size(); ++i) {
        const std::string& own = kernels(is_b)[i].kernel;
        if (partner_.of(is_b)[i] != none) continue;
        if (own == name || demangled(own).name == name) exact.push_back(i);
        if (own.find(name) != own.npos) found.push_back(i);
    }
    if (!exact.empty()) found = std::move(exact);
    if (found.size() == 1) return found.front();
    std::vector<std::string> names;
    for (const CapturedKernel& one : kernels(is_b)) names.push_back(shown_name(one));
    throw UsageError(fmt::format(
        "--pair: '{}' names {} of the kernels of the {} recording. It has: {}.", name,
        found.empty() ? "none" : "several", is_b ? "second" : "first", fmt::join(names, ", ")));
}

std::vector<const RecordedLaunch*> Pairing::kept(bool is_b, const CapturedKernel& kernel) const {
    std::vector<const RecordedLaunch*> launches;
    for (const CapturedKind& kind : kernel.kinds) {
        const RecordedLaunch* one = outputs_.launch(is_b, kind.name);
        if (one) launches.push_back(one);
    }
    return launches;
}

// Its launches are not kept, or cannot be read.
std::string Pairing::why_no_launch(bool is_b, const CapturedKernel& kernel) const {
    for (const CapturedKind& kind : kernel.kinds) {
        const auto& refused = refused_.of(is_b);
        const auto found = std::ranges::find(refused, kind.name, &RefusedCase::name);
        if (!kind.name.empty() && found != refused.end())
            return fmt::format("{} cannot be read: {}", kind.name, found->why);
    }
    if (!captures_.of(is_b).has_contents) return "a recording has times alone (--timeline)";
    const std::string why = why_not_kept(kernel);
    return why.empty() ? "no kept launch writes a buffer" : why;
}

std::optional<Pairing::Candidate> Pairing::candidate(std::size_t a, std::size_t b, bool reads) {
    std::optional<Candidate> best;
    const auto of_a = kept(false, kernels(false)[a]), of_b = kept(true, kernels(true)[b]);
    for (std::size_t i = 0; i < of_a.size(); ++i) {
        for (std::size_t j = 0; j < of_b.size(); ++j) {
            // Numbers are read of the first launches only: one that agrees is enough.
            if (reads && (i > 0 || j > 0)) continue;
            const LaunchMatch match = outputs_.match(*of_a[i], *of_b[j], reads);
            const auto by = match.evidence();
            if (!by) continue;
            if (!best || *by < best->by) best = {a, b, *by, 0};
            best->agreeing += match.bits + match.tolerance;
        }
    }
    return best;
}

// Two kernels may begin with the same data and do different work: names tell more then.
bool Pairing::has_other_namesake(std::size_t a, std::size_t b) const {
    const std::string of_a = plain_name(kernels(false)[a].kernel),
                      of_b = plain_name(kernels(true)[b].kernel);
    const auto has = [&](bool is_b, const std::string& name) {
        for (std::size_t i = 0; i < kernels(is_b).size(); ++i) {
            if (partner_.of(is_b)[i] == none && plain_name(kernels(is_b)[i].kernel) == name)
                return true;
        }
        return false;
    };
    return of_a != of_b && (has(true, of_a) || has(false, of_b));
}

void Pairing::by_data(bool reads) {
    std::vector<Candidate> candidates;
    for (std::size_t a = 0; a < partner_.a.size(); ++a) {
        for (std::size_t b = 0; b < partner_.b.size(); ++b) {
            if (partner_.a[a] != none || partner_.b[b] != none) continue;
            const auto one = candidate(a, b, reads);
            if (!one || (one->by == PairedBy::inputs && has_other_namesake(a, b))) continue;
            // What began alike may still be found to leave the same numbers.
            if (reads || one->by == PairedBy::bytes) candidates.push_back(*one);
        }
    }
    std::ranges::stable_sort(candidates, [&](const Candidate& x, const Candidate& y) {
        const auto rank = [&](const Candidate& one) {
            const bool is_alike =
                plain_name(kernels(false)[one.a].kernel) == plain_name(kernels(true)[one.b].kernel);
            const auto place_a = static_cast<std::ptrdiff_t>(one.a);
            const auto place_b = static_cast<std::ptrdiff_t>(one.b);
            return std::tuple(one.by, !is_alike, -static_cast<std::ptrdiff_t>(one.agreeing),
                              std::abs(place_a - place_b));
        };
        return rank(x) < rank(y);
    });
    for (const Candidate& one : candidates) {
        if (partner_.a[one.a] == none && partner_.b[one.b] == none) join(one.a, one.b, one.by);
    }
}

// A name counts where only one kernel of each side without partner has it.
void Pairing::by_name() {
    Both<std::map<std::string, std::vector<std::size_t>>> places;
    for (const bool is_b : {false, true}) {
        for (std::size_t i = 0; i < kernels(is_b).size(); ++i) {
            if (partner_.of(is_b)[i] == none)
                places.of(is_b)[plain_name(kernels(is_b)[i].kernel)].push_back(i);
        }
    }
    for (const auto& [name, of_a] : places.a) {
        const auto of_b = places.b.find(name);
        if (of_b == places.b.end() || name.empty()) continue;
        if (of_a.size() == 1 && of_b->second.size() == 1)
            join(of_a.front(), of_b->second.front(), PairedBy::name);
    }
}

// Kernels are in the order of their first launches. Where as many are left between two pairs on
// both sides, they are paired in this order.
void Pairing::by_position() {
    std::vector<std::size_t> left_a;
    std::size_t next_b = 0;
    const auto settle = [&](std::size_t end_b) {
        std::vector<std::size_t> left_b;
        for (std::size_t b = next_b; b < end_b; ++b) {
            if (partner_.b[b] == none) left_b.push_back(b);
        }
        for (std::size_t i = 0; left_a.size() == left_b.size() && i < left_a.size(); ++i)
            join(left_a[i], left_b[i], PairedBy::position);
        left_a.clear();
    };
    const bool has_pairs = std::ranges::any_of(partner_.a, [](auto one) { return one != none; });
    if (!has_pairs && partner_.a.size() != 1) return;  // nothing says where either begins
    for (const bool is_b : {false, true}) {
        if (std::ranges::find(kernels(is_b), 0U, &CapturedKernel::first) != kernels(is_b).end())
            return;  // recorded by an older version, which kept no order
    }
    std::vector<std::size_t> known = partner_.a;
    std::erase(known, none);
    if (!std::ranges::is_sorted(known)) return;
    for (std::size_t a = 0; a < partner_.a.size(); ++a) {
        if (partner_.a[a] == none) {
            left_a.push_back(a);
            continue;
        }
        const std::size_t b = partner_.a[a];
        settle(b);
        next_b = b + 1;
    }
    settle(partner_.b.size());
}

/// The launches of a pair that do the same work, and whether they agree.
void Pairing::add_launches(KernelPair& pair, const CapturedKernel& a, const CapturedKernel& b) {
    const auto of_a = kept(false, a), of_b = kept(true, b);
    struct Couple {
        std::size_t a, b;
        LaunchMatch match;
    };
    std::vector<Couple> couples;
    for (std::size_t i = 0; i < of_a.size(); ++i) {
        for (std::size_t j = 0; j < of_b.size(); ++j) {
            const LaunchMatch match = outputs_.match(*of_a[i], *of_b[j], true);
            // Without a word from their data the n-th of one is the n-th of the other.
            const bool is_in_turn = i == j && of_a.size() == of_b.size() && match.same_values;
            if (match.evidence() || is_in_turn) couples.push_back({i, j, match});
        }
    }
    std::ranges::stable_sort(couples, {}, [](const Couple& one) {
        const auto by = one.match.evidence();
        return std::pair(by ? static_cast<int>(*by) : 99, one.a != one.b);
    });
    std::set<std::size_t> used_a, used_b;
    for (const Couple& one : couples) {
        if (used_a.contains(one.a) || used_b.contains(one.b)) continue;
        used_a.insert(one.a);
        used_b.insert(one.b);
        ++pair.compared;
        const Agreement agreement = one.match.agreement();
        const bool agrees = agreement == Agreement::bits || agreement == Agreement::tolerance;
        pair.agreeing += agrees;
        if (agreement == Agreement::differs && pair.agreement != Agreement::differs) {
            pair.agreement = Agreement::differs;
            pair.remark = one.match.difference;
        } else if (pair.agreement != Agreement::differs) {
            if (!agrees && pair.remark.empty()) pair.remark = one.match.remark();
            if (agrees && pair.agreement != Agreement::tolerance) pair.agreement = agreement;
        }
        const auto kind = std::ranges::find(a.kinds, of_a[one.a]->name, &CapturedKind::name);
        pair.variants.push_back(
            {{of_a[one.a]->variant, of_b[one.b]->variant}, kind->sum.all_seconds()});
    }
    if (of_a.empty() || of_b.empty())
        pair.remark = of_a.empty() ? why_no_launch(false, a) : why_no_launch(true, b);
    if (pair.remark.empty() && pair.agreement == Agreement::unknown)
        pair.remark = "no kept launches of the same work";
    std::ranges::stable_sort(pair.variants, std::ranges::greater{},
                             [](const auto& one) { return one.second; });
    if (pair.variants.size() > most_replays) pair.variants.resize(most_replays);
    if (pair.agreement == Agreement::differs) {
        // Which is faster is asked where they do the same.
        pair.variants.clear();
        pair.why_no_ratio = "they left other data";
    } else if (pair.variants.empty()) {
        pair.why_no_ratio = pair.remark;
    }
}

KernelPair Pairing::pair_of(std::size_t place) {
    const CapturedKernel& a = kernels(false)[place];
    const CapturedKernel& b = kernels(true)[partner_.a[place]];
    KernelPair pair{.kernel = {shown_name(a), shown_name(b)},
                    .by = by_.at(place),
                    .launches = {a.sum.count, b.sum.count},
                    .seconds = {a.sum.all_seconds(), b.sum.all_seconds()}};
    add_launches(pair, a, b);
    return pair;
}

std::vector<KernelPair> Pairing::pairs() {
    std::vector<KernelPair> pairs;
    for (const auto& [place, by] : by_) pairs.push_back(pair_of(place));
    std::ranges::stable_sort(pairs, std::ranges::greater{}, [](const KernelPair& one) {
        return std::max(one.seconds.a, one.seconds.b);
    });
    return pairs;
}

std::vector<LoneKernel> Pairing::alone() const {
    std::vector<LoneKernel> alone;
    for (const bool is_b : {false, true}) {
        for (std::size_t i = 0; i < kernels(is_b).size(); ++i) {
            if (partner_.of(is_b)[i] != none) continue;
            const CapturedKernel& one = kernels(is_b)[i];
            alone.push_back(
                {is_b, shown_name(one), one.sum.count, one.sum.all_seconds(), why_not_kept(one)});
        }
    }
    std::ranges::stable_sort(alone, std::ranges::greater{}, &LoneKernel::seconds);
    return alone;
}

/// Kernels that run at once share the time in which any runs.
double scale_of(const Capture& capture) {
    const double launches = capture.launch_seconds();
    return launches > 0 ? capture.kernel_seconds() / launches : 1;
}

std::vector<TimePart> parts_of(const ProgramPair& pair, const Both<Capture>& captures) {
    const Both<double> scale{scale_of(captures.a), scale_of(captures.b)};
    std::vector<TimePart> parts;
    for (const KernelPair& one : pair.kernels) {
        parts.push_back({one.kernel.a == one.kernel.b || one.kernel.b.empty()
                             ? one.kernel.a
                             : fmt::format("{}/{}", one.kernel.a, one.kernel.b),
                         {one.seconds.a * scale.a, one.seconds.b * scale.b},
                         true});
    }
    for (const LoneKernel& one : pair.alone) {
        TimePart part{one.kernel, {0, 0}, true};
        part.seconds.of(one.is_b) = one.seconds * scale.of(one.is_b);
        parts.push_back(std::move(part));
    }
    parts.push_back({"transfers", {transfers(captures.a), transfers(captures.b)}});
    parts.push_back({"builds", {captures.a.builds.seconds, captures.b.builds.seconds}});
    Both<double> rest = pair.seconds;
    for (const TimePart& part : parts) {
        rest.a -= part.seconds.a;
        rest.b -= part.seconds.b;
    }
    parts.push_back({"the host and waiting", rest});
    return parts;
}

std::string apis_of(const std::vector<RecordedLaunch>& launches, const Suite& suite) {
    std::set<std::string> apis;
    for (const RecordedLaunch& one : launches) {
        const Variant& variant = variant_named(suite, one.variant);
        apis.insert(recorded_backend(variant) == "cuda" ? "CUDA" : "OpenCL");
    }
    return fmt::format("{}", fmt::join(apis, " and "));
}

}  // namespace

std::string_view name_of(PairedBy by) {
    static constexpr std::array<std::string_view, 6> names{
        "by hand", "same bytes", "same numbers", "same input", "alike in name", "by place"};
    return names.at(static_cast<std::size_t>(by));
}

double ProgramPair::share_paired_by_data(bool is_b) const {
    double all = 0, paired = 0;
    for (const KernelPair& one : kernels) {
        all += one.seconds.of(is_b);
        if (one.by == PairedBy::bytes || one.by == PairedBy::values || one.by == PairedBy::inputs)
            paired += one.seconds.of(is_b);
    }
    for (const LoneKernel& one : alone) all += one.is_b == is_b ? one.seconds : 0;
    return all > 0 ? paired / all : 0;
}

ProgramPair pair_programs(Both<Capture> captures, const RecordedPair& recorded,
                          const std::vector<Both<std::string>>& by_hand) {
    ProgramPair pair;
    for (Capture* one : {&captures.a, &captures.b})
        std::ranges::stable_sort(one->kernels, {}, &CapturedKernel::first);
    for (const bool is_b : {false, true}) {
        pair.seconds.of(is_b) = captures.of(is_b).program_seconds();
        pair.kernel_seconds.of(is_b) = captures.of(is_b).kernel_seconds();
        pair.apis.of(is_b) = apis_of(recorded.launches.of(is_b), *recorded.suite);
    }
    Pairing pairing(captures, recorded);
    pairing.by_hand(by_hand);
    pairing.by_data(false);
    pairing.by_data(true);
    pairing.by_name();
    pairing.by_position();
    pair.kernels = pairing.pairs();
    pair.alone = pairing.alone();
    pair.parts = parts_of(pair, captures);
    return pair;
}

void add_replays(ProgramPair& pair, const Diff& diff) {
    const std::string on_a = fact_of(diff.a, "entry"), on_b = fact_of(diff.b, "entry");
    pair.replayed_on = on_a + (on_a == on_b ? "" : " and " + on_b);
    for (KernelPair& kernel : pair.kernels) {
        WeightedRatio all;
        for (const auto& [variants, seconds] : kernel.variants) {
            const auto found = std::ranges::find_if(diff.cases, [&](const CaseDiff& c) {
                const std::string& b = c.other_variant.empty() ? c.key.variant : c.other_variant;
                return c.key.variant == variants.a && b == variants.b;
            });
            if (found == diff.cases.end()) continue;
            if (!found->ratio) {
                kernel.why_no_ratio = is_about_answers(found->verdict)
                                          ? "nothing was timed, since a device only checks"
                                          : found->reason;
                continue;
            }
            all.add(std::max(seconds, 1e-9), *found->ratio);
        }
        kernel.ratio = all.ratio();
        if (kernel.ratio) kernel.why_no_ratio.clear();
    }
}

/// Whether they are told apart by their APIs, of which a recording without launches says none.
bool are_told_by_apis(const ProgramPair& pair) {
    return pair.apis.a != pair.apis.b && !pair.apis.a.empty() && !pair.apis.b.empty();
}

Both<std::string> version_names(const ProgramPair& pair) {
    return are_told_by_apis(pair) ? pair.apis : pair.names;
}

std::string sentence_of(const ProgramPair& pair) {
    const bool b_is_slower = pair.seconds.b > pair.seconds.a;
    const Both<std::string> names = version_names(pair);
    const double slow = pair.seconds.of(b_is_slower), fast = pair.seconds.of(!b_is_slower);
    const std::string times =
        fmt::format("{} and {}, one run each", duration(pair.seconds.a), duration(pair.seconds.b));
    if (!(fast > 0)) return fmt::format("The programs' times are unknown ({}).", times);
    if (slow / fast < 1 + least_difference)
        return fmt::format("Both versions take the same time: {}.", times);
    std::vector<std::pair<double, std::string>> more;
    for (const TimePart& part : pair.parts) {
        const double share = (part.seconds.of(b_is_slower) - part.seconds.of(!b_is_slower)) / fast;
        if (std::abs(share) >= std::max(0.005, (slow / fast - 1) / 20))
            more.emplace_back(share, part.name);
    }
    std::ranges::stable_sort(more, std::ranges::greater{},
                             [](const auto& one) { return std::abs(one.first); });
    if (more.size() > most_parts) more.resize(most_parts);
    std::vector<std::string> words;
    for (const auto& [share, name] : more) {
        words.push_back(share > 0 ? fmt::format("{:.2f} of it in {}", share, name)
                                  : fmt::format("{:.2f} less in {}", -share, name));
    }
    const std::string& slower = names.of(b_is_slower);
    return fmt::format("{} takes {:.2f} times as long ({}){}{}.",
                       are_told_by_apis(pair) ? fmt::format("The {} version", slower) : slower,
                       slow / fast, times, words.empty() ? "" : ": ", fmt::join(words, ", "));
}

}  // namespace parallax
