// Claims of documents judged by today's records.
#include "studies/published/published_shapes.hpp"

#include <algorithm>
#include <map>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "studies/published/published_cases.hpp"

namespace parallax::cli {
namespace {

using Where = TodaysRecords::Where;

std::string factor(double times) {
    return times < 10 ? fmt::format("{:.2f}x", times) : fmt::format("{:.1f}x", times);
}

std::vector<ClaimedCase> cases_of(const Claim& claim) {
    std::vector<ClaimedCase> cases;
    const auto add = [&](const ClaimedCase& c) {
        if (std::ranges::find(cases, c) == cases.end()) cases.push_back(c);
    };
    for (const ClaimStep& step : claim.steps) {
        add(step.slow);
        add(step.fast);
    }
    return cases;
}

/// What tells a case from the one that it is compared with.
std::string short_name(const ClaimedCase& c, const ClaimedCase& other, bool with_suite,
                       bool is_second) {
    std::vector<std::string> words;
    if (!is_second || c.variant != other.variant || c.suite != other.suite) {
        words.push_back(with_suite ? c.suite + "/" + c.variant : c.variant);
    }
    for (const Constant& constant : c.constants) {
        const bool is_shared =
            std::ranges::find(other.constants, constant) != other.constants.end();
        const bool is_named = std::ranges::find(other.constants, constant.name, &Constant::name) !=
                              other.constants.end();
        if (!is_shared && is_named) words.push_back(in_words({constant}));
    }
    if (c.shape != other.shape && !c.shape.empty()) words.push_back(to_string(Shape{c.shape}));
    return fmt::format("{}", fmt::join(words, " "));
}

/// One claim on the way to its view.
class Judged {
public:
    Judged(const Claim& claim, const TodaysRecords* records) : claim_(claim) {
        for (const ClaimedCase& c : cases_of(claim)) {
            with_suite_ = with_suite_ || c.suite != claim.steps.front().slow.suite;
        }
        steps_ = claim.steps;
        if (const auto whole = all_steps(claim)) steps_.push_back(*whole);
        for (const ClaimStep& step : steps_) published_.push_back(published_factors(step));
        view_.claim = &claim;
        add_published();
        if (records != nullptr) {
            const CasesToday cases(*records, cases_of(claim));
            for (const Where& where : records->where()) add_today(where, cases);
        }
    }

    ShapeView take() { return std::move(view_); }

private:
    std::string label_of(const ClaimStep& step) const {
        return short_name(step.slow, step.fast, with_suite_, false) + " -> " +
               short_name(step.fast, step.slow, with_suite_, true);
    }

    void add_published() {
        for (const ClaimStep& step : steps_) view_.lines.push_back({label_of(step), {}});
        std::vector<std::string> sources;
        for (const auto& factors : published_) {
            for (const PublishedFactor& f : factors) {
                if (std::ranges::find(sources, f.source) == sources.end())
                    sources.push_back(f.source);
            }
        }
        for (const std::string& source : sources) {
            view_.columns.push_back(source + ", published");
            for (std::size_t i = 0; i < steps_.size(); ++i) {
                const auto found =
                    std::ranges::find(published_[i], source, &PublishedFactor::source);
                view_.lines[i].cells.push_back(found == published_[i].end() ? "" : found->text);
            }
        }
    }

    void add_today(const Where& where, const CasesToday& cases) {
        std::vector<std::string> cells;
        std::map<ShapeVerdict, int> counts;
        int judged = 0;
        for (std::size_t i = 0; i < steps_.size(); ++i) {
            const auto times = cases.faster(where, steps_[i].slow, steps_[i].fast);
            if (!times) {
                cells.emplace_back();
                continue;
            }
            const ShapeVerdict verdict = judge(published_[i], *times);
            cells.push_back(fmt::format("{}, {}", factor(*times), name_of(verdict)));
            // The way as a whole is no step.
            if (i >= claim_.steps.size()) continue;
            ++counts[verdict];
            ++judged;
        }
        if (judged == 0) return;
        view_.columns.push_back(title_of(where));
        for (std::size_t i = 0; i < cells.size(); ++i) view_.lines[i].cells.push_back(cells[i]);
        const int kept = counts[ShapeVerdict::kept], smaller = counts[ShapeVerdict::smaller];
        ShapeView::Outcome outcome{where, {}, kept + smaller == judged};
        if (kept == judged) {
            outcome.text = name_of(ShapeVerdict::kept);
        } else if (outcome.is_kept) {
            outcome.text = name_of(ShapeVerdict::smaller);
        } else {
            std::vector<std::string> words;
            for (const auto& [verdict, count] : counts) {
                if (count > 0) words.push_back(fmt::format("{} {}", count, name_of(verdict)));
            }
            outcome.text =
                judged == 1 ? std::string(name_of(
                                  std::ranges::find_if(counts, [](auto& c) { return c.second > 0; })
                                      ->first))
                            : fmt::format("{}", fmt::join(words, "; "));
        }
        const auto unknown = static_cast<int>(claim_.steps.size()) - judged;
        if (unknown > 0) outcome.text += fmt::format("; {} not measured", unknown);
        view_.outcomes.push_back(std::move(outcome));
        add_order(where, cases);
    }

    /// Only where the steps lead from each case to the next.
    void add_order(const Where& where, const CasesToday& cases) {
        if (!all_steps(claim_)) return;
        std::vector<std::pair<double, std::string>> speeds;
        for (const ClaimedCase& c : cases_of(claim_)) {
            const Today* today = cases.on(where, c);
            if (today == nullptr) return;
            speeds.emplace_back(speed_of(*today), c.variant);
        }
        std::ranges::stable_sort(speeds, {}, &std::pair<double, std::string>::first);
        std::vector<std::string> names;
        for (const auto& [speed, name] : speeds) names.push_back(name);
        view_.orders.push_back(fmt::format("From the slowest to the fastest on {}: {}.",
                                           title_of(where), fmt::join(names, ", ")));
    }

    const Claim& claim_;
    bool with_suite_ = false;
    std::vector<ClaimStep> steps_;  ///< and the whole way, where they make one
    std::vector<std::vector<PublishedFactor>> published_;
    ShapeView view_;
};

}  // namespace

std::vector<ShapeView> shapes_of(const PublishedRow& row, const TodaysRecords* records) {
    std::vector<ShapeView> views;
    for (const Claim& claim : claims()) {
        if (claim.row == row.name) views.push_back(Judged(claim, records).take());
    }
    return views;
}

}  // namespace parallax::cli
