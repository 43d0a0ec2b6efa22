// What the records of experiments show about claims that are not kept.
#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "common/text.hpp"
#include "studies/published/published_cases.hpp"
#include "studies/published/published_shapes.hpp"

namespace parallax::cli {
namespace {

using Where = TodaysRecords::Where;

// Shares from which on a limit is what counts.
constexpr double nearly_all = 0.95;  // and as far above all
constexpr double most_of_it = 0.8;

std::string percent(double share) {
    return fmt::format("{:.0f} %", 100 * share);
}

std::string with_reason(const Evidence& e) {
    return e.because.empty() ? "" : fmt::format(" ({})", e.because);
}

/// What the step between these variants was published to gain, under other circumstances.
const ClaimStep* claimed_step(const Evidence& e, const std::vector<const Claim*>& claims) {
    const auto is_same = [](const ClaimedCase& a, const ClaimedCase& b) {
        return a.suite == b.suite && a.variant == b.variant;
    };
    if (is_same(e.of, e.fast)) return nullptr;
    for (const Claim* claim : claims) {
        for (const ClaimStep& step : claim->steps) {
            if (is_same(step.slow, e.of) && is_same(step.fast, e.fast)) return &step;
        }
    }
    return nullptr;
}

class Finder {
public:
    Finder(const Experiment& experiment, const TodaysRecords& records,
           std::vector<const Claim*> not_kept)
        : cases_(records, cases_of(experiment)),
          ceilings_(records, {{"ceiling", "copy"}}),
          launches_(records, {{"ceiling", "launch"}}),
          not_kept_(std::move(not_kept)) {}

    /// A sentence without device; nothing: a record is missing.
    std::optional<std::string> finding(const Where& where, const Evidence& e) const {
        const Today* of = cases_.on(where, e.of);
        if (of == nullptr) return {};
        const std::string name = in_words(e.of, of->shape.extents);
        switch (e.kind) {
            case Evidence::Kind::asked: return asked(where, e, *of, name);
            case Evidence::Kind::share: return share(where, *of, name);
            case Evidence::Kind::launches: return launching(where, e, *of, name);
            case Evidence::Kind::step: return step(where, e, *of);
        }
        return {};
    }

private:
    static std::vector<ClaimedCase> cases_of(const Experiment& experiment) {
        std::vector<ClaimedCase> cases;
        for (const Evidence& e : experiment.evidence) {
            cases.push_back(e.of);
            if (e.kind == Evidence::Kind::step) cases.push_back(e.fast);
        }
        return cases;
    }

    /// Bytes a second.
    std::optional<double> copy_on(const Where& where) const {
        const Today* copy = ceilings_.on(where, {"ceiling", "copy"});
        if (copy == nullptr || copy->bytes <= 0) return {};
        return copy->bytes / copy->seconds;
    }

    std::optional<std::string> asked(const Where& where, const Evidence& e, const Today& of,
                                     const std::string& name) const {
        const auto copy = copy_on(where);
        const double wanted =
            (of.bytes * e.per_byte + of.operations * e.per_operation) / of.seconds;
        if (!copy || wanted <= 0) return {};
        const std::string figures =
            fmt::format("{} asks for {}{}, a copy moves {}", name, rate(wanted, "B"),
                        with_reason(e), rate(*copy, "B"));
        if (wanted <= *copy) return figures + ": memory could deliver all of it";
        return fmt::format("{}: at least {} of it comes out of caches", figures,
                           percent(1 - *copy / wanted));
    }

    std::optional<std::string> share(const Where& where, const Today& of,
                                     const std::string& name) const {
        const auto copy = copy_on(where);
        if (!copy || of.bytes <= 0) return {};
        const double moved = of.bytes / of.seconds / *copy;
        return fmt::format("{} moves {}, {} of what a copy moves{}", name,
                           rate(of.bytes / of.seconds, "B"), percent(moved),
                           moved > 2 - nearly_all ? ": that copy is not its limit"
                           : moved >= nearly_all  ? ": nothing is left to gain"
                                                  : "");
    }

    std::optional<std::string> launching(const Where& where, const Evidence& e, const Today& of,
                                         const std::string& name) const {
        const Today* launch = launches_.on(where, {"ceiling", "launch"});
        if (launch == nullptr) return {};
        const double taken = e.count * launch->seconds;
        return fmt::format(
            "{} takes {}, {:.0f} empty launches take {}{}", name, duration(of.seconds), e.count,
            duration(taken),
            taken >= most_of_it * of.seconds ? ": launching is what takes the time" : "");
    }

    std::optional<std::string> step(const Where& where, const Evidence& e, const Today& of) const {
        const auto times = cases_.faster(where, e.of, e.fast);
        if (!times) return {};
        const Today* fast = cases_.on(where, e.fast);
        std::string text = fmt::format(
            "{} is {:.2f} times as fast as {}", in_words(e.fast, fast->shape.extents), *times,
            in_words(e.of,
                     of.shape == fast->shape ? std::vector<std::uint64_t>{} : of.shape.extents));
        if (const ClaimStep* claimed = claimed_step(e, not_kept_)) {
            text += fmt::format(": {}", name_of(judge(published_factors(*claimed), *times)));
        }
        return text + with_reason(e);
    }

    CasesToday cases_, ceilings_, launches_;
    std::vector<const Claim*> not_kept_;
};

}  // namespace

std::vector<ExperimentView> experiments_for(const std::vector<ShapeView>& shapes,
                                            const TodaysRecords& records) {
    std::vector<ExperimentView> views;
    for (const Experiment& experiment : experiments()) {
        std::vector<const Claim*> not_kept;
        std::vector<Where> wheres;
        for (const ShapeView& shape : shapes) {
            if (std::ranges::find(experiment.claims, shape.claim->name) ==
                experiment.claims.end()) {
                continue;
            }
            not_kept.push_back(shape.claim);
            for (const ShapeView::Outcome& outcome : shape.outcomes) {
                if (!outcome.is_kept && std::ranges::find(wheres, outcome.where) == wheres.end()) {
                    wheres.push_back(outcome.where);
                }
            }
        }
        if (wheres.empty()) continue;
        const Finder finder(experiment, records, not_kept);
        ExperimentView view{&experiment, {}, {}};
        for (const Where& where : wheres) {
            std::vector<std::string> texts;
            for (const Evidence& e : experiment.evidence) {
                if (auto text = finder.finding(where, e)) texts.push_back(std::move(*text));
            }
            if (!texts.empty()) {
                view.findings.push_back(
                    fmt::format("{}: {}.", title_of(where), fmt::join(texts, "; ")));
            }
            if (texts.size() < experiment.evidence.size()) view.missing.push_back(title_of(where));
        }
        views.push_back(std::move(view));
    }
    return views;
}

}  // namespace parallax::cli
