// Compares today's records with published results.
#include "studies/published/then_and_now.hpp"

#include <algorithm>
#include <array>
#include <iterator>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "common/suite/rate_unit.hpp"
#include "common/text/grouping.hpp"
#include "common/text/text.hpp"
#include "studies/occupancy/occupancy.hpp"

namespace parallax {
namespace {

std::string factor_text(double times) {
    return times < 10 ? fmt::format("{:.2f}x", times) : fmt::format("{:.1f}x", times);
}

std::string source_of(const Published& p) {
    return p.device.empty() ? "GPU not named" : std::string(p.device);
}

/// The figures that the claim's document, or another, has of this very case.
std::vector<const Published*> figures_of(const Claim& claim, const CaseKey& c) {
    std::vector<const Published*> list = published_for(c);
    std::erase_if(list, [&](const Published* p) {
        return p->key.shape != c.shape || p->figure != claim.figure;
    });
    return list;
}

/// The cases that a claim speaks of.
std::vector<CaseKey> cases_of(const Claim& claim) {
    std::vector<CaseKey> cases;
    for (const PublishedStep& step : claim.steps) {
        if (!step.slow.empty()) cases.push_back(case_named(step.slow));
        cases.push_back(case_named(step.fast));
    }
    return cases;
}

/// What tells a case from the one that it is compared with.
std::string short_name(const CaseKey& c, const CaseKey& other, bool with_suite, bool is_second) {
    std::vector<std::string> words;
    if (!is_second || c.variant != other.variant || c.suite != other.suite) {
        words.push_back(with_suite ? c.name() : c.variant);
    }
    for (const Constant& one : c.constants) {
        if (other.value_of(one.name).value_or(one.value) != one.value) {
            words.push_back(fmt::format("{}={}", one.name, one.value));
        }
    }
    if (c.shape != other.shape && !c.shape.empty()) words.push_back(to_string(Shape{c.shape}));
    return fmt::format("{}", fmt::join(words, " "));
}

/// `1.31 ms, 411 GB/s, size 8192x8192`
std::string figure_text(const Record& record, const CaseKey& c, const Published* then) {
    if (record.status != Status::ok) return std::string(name_of(record.status));
    std::vector<std::string> words{duration(record.seconds())};
    const Work& work = record.work;
    const bool by_operations =
        then ? then->unit == Unit::gigaflops : work.bytes <= 0 || !work.moves_much();
    const double done = by_operations ? work.operations : work.bytes;
    if (done > 0) {
        const ElementType type = element_type_named(record.key.type).value_or(ElementType::f32);
        words.push_back(rate(done / record.seconds(), rate_unit(by_operations, type)));
    }
    const CaseKey& key = record.key;
    if (key.shape != c.shape) words.push_back("size " + to_string(Shape{key.shape}));
    for (const Constant& one : unusual_constants(key, c)) {
        words.push_back(fmt::format("{}={}", one.name, one.value));
    }
    return fmt::format("{}", fmt::join(words, ", "));
}

/// One row on the way to its table.
class TableOfRow {
public:
    TableOfRow(const PublishedRow& row, const Today& today) : today_(today) {
        view_.row = &row;
        for (const Claim& claim : claims()) {
            if (claim.row != row.name) continue;
            view_.claims.push_back(&claim);
            note_sources(claim);
        }
        std::ranges::copy_if(
            today.places(), std::back_inserter(view_.places), [&](const DeviceAndApi& place) {
                return std::ranges::any_of(
                    cases_, [&](const CaseKey& c) { return today.best(c, place, {}); });
            });
        for (const Claim* claim : view_.claims) add(*claim);
    }

    ThenAndNow take() { return std::move(view_); }

private:
    /// The sources of figures and factors.
    void note_sources(const Claim& claim) {
        add_once(view_.references, reference_of(*claim.document));
        for (const CaseKey& c : cases_of(claim)) {
            with_suite_ = with_suite_ || (!cases_.empty() && cases_.front().suite != c.suite);
            for (const Published* p : figures_of(claim, c)) {
                add_once(view_.sources, source_of(*p));
                add_once(view_.references, reference_of(*p->document));
            }
            cases_.push_back(c);
        }
        for (const PublishedStep& step : claim.steps) {
            for (const PublishedFactor& f : published_factors(claim, step)) {
                add_once(view_.sources, f.source);
            }
        }
    }

    void add(const Claim& claim) {
        const std::vector<CaseKey> together = cases_of(claim);
        std::vector<std::string> shown;
        for (const PublishedStep& step : claim.steps) {
            const bool is_shown = std::ranges::find(shown, step.slow) != shown.end();
            if (!step.slow.empty() && !is_shown) add_line(claim, {"", step.slow}, together);
            add_line(claim, step, together);
            shown.insert(shown.end(), {step.slow, step.fast});
        }
    }

    void add_line(const Claim& claim, const PublishedStep& step,
                  const std::vector<CaseKey>& together) {
        const CaseKey fast = case_named(step.fast), slow = case_named(step.slow);
        ThenNowLine line{.claim = &claim,
                         .what = words_of(fast).substr(with_suite_ ? 0 : fast.suite.size() + 1),
                         .compares = !step.slow.empty(),
                         .then = std::vector<ThenNowCell>(view_.sources.size()),
                         .now = {}};
        const auto then = [&](const std::string& source) -> ThenNowCell& {
            const auto at = std::ranges::find(view_.sources, source) - view_.sources.begin();
            return line.then.at(static_cast<std::size_t>(at));
        };
        const auto figures = figures_of(claim, fast);
        for (const Published* p : figures) then(source_of(*p)).figure = text_of(*p);
        if (line.compares) {
            line.what = short_name(slow, fast, with_suite_, false) + " -> " +
                        short_name(fast, slow, with_suite_, true);
        }
        std::optional<double> least;
        for (const PublishedFactor& f : published_factors(claim, step)) {
            then(f.source).factor = f.text;
            if (f.factor && (!least || *f.factor < *least)) least = f.factor;
        }
        for (const DeviceAndApi& place : view_.places) {
            ThenNowCell& cell = line.now.emplace_back();
            const Record* record = today_.best(fast, place, together);
            if (record == nullptr) continue;
            cell.figure = figure_text(*record, fast, figures.empty() ? nullptr : figures.front());
            if (record->status != Status::ok && !record->reason.empty()) {
                add_once(view_.failures,
                         fmt::format("{} on {}: {}. {}", words_of(fast), place.title(),
                                     name_of(record->status), printable(record->reason, 500)));
            }
            if (!line.compares) continue;
            if (const auto times = today_.faster(slow, fast, place, together)) {
                cell.factor = factor_text(*times);
                cell.kept = judge(least, *times);
            }
        }
        view_.lines.push_back(std::move(line));
    }

    const Today& today_;
    std::vector<CaseKey> cases_;
    bool with_suite_ = false;  ///< the row has cases of several
    ThenAndNow view_;
};

}  // namespace

std::string_view name_of(Kept kept) {
    switch (kept) {
        case Kept::kept: return "kept";
        case Kept::smaller: return "smaller";
        case Kept::gone: return "gone";
        case Kept::reversed: return "reversed";
        case Kept::gain: return "new gain";
        case Kept::loss: return "new loss";
    }
    return {};
}

Kept judge(std::optional<double> published, double today) {
    const auto is_gain = [](double factor) { return factor > no_difference; };
    const auto is_loss = [](double factor) { return factor < 1 / no_difference; };
    if (published && is_loss(*published)) return judge(1 / *published, 1 / today);
    if (published && !is_gain(*published)) {
        return is_gain(today) ? Kept::gain : is_loss(today) ? Kept::loss : Kept::kept;
    }
    if (is_loss(today)) return Kept::reversed;
    if (!is_gain(today)) return Kept::gone;
    if (!published) return Kept::kept;
    return today - 1 >= kept_share * (*published - 1) ? Kept::kept : Kept::smaller;
}

std::vector<PublishedFactor> published_factors(const Claim& claim, const PublishedStep& step) {
    if (step.slow.empty()) return {};
    if (!step.stated.empty()) return {{"in words", step.factor, std::string(step.stated)}};
    std::vector<PublishedFactor> factors;
    const auto add = [&](const std::string& source, double factor) {
        factors.push_back({source, factor, factor_text(factor)});
    };
    const auto gain = [](const Published& a, const Published& b) {
        return a.unit == Unit::milliseconds ? a.value / b.value : b.value / a.value;
    };
    const auto slow = figures_of(claim, case_named(step.slow));
    const auto fast = figures_of(claim, case_named(step.fast));
    for (const Published* a : slow) {
        // What an access costs that is not as it should be.
        if (a->unit == Unit::times_slower) add(source_of(*a), a->value);
        for (const Published* b : fast) {
            if (a->device == b->device && a->document == b->document && a->unit == b->unit) {
                add(source_of(*a), gain(*a, *b));
            }
        }
    }
    // A link and a memory are two devices.
    if (factors.empty() && slow.size() == 1 && fast.size() == 1) {
        add(fmt::format("{}, {}", slow[0]->device, fast[0]->device), gain(*slow[0], *fast[0]));
    }
    return factors;
}

std::string ThenAndNow::outcome(const Claim& claim, const DeviceAndApi& place) const {
    const auto at = static_cast<std::size_t>(std::ranges::find(places, place) - places.begin());
    if (at == places.size()) return {};
    std::array<int, 6> counts{};
    int judged = 0, unknown = 0;
    for (const ThenNowLine& line : lines) {
        if (line.claim != &claim || !line.compares) continue;
        const auto& kept = line.now[at].kept;
        ++(kept ? judged : unknown);
        if (kept) ++counts.at(static_cast<std::size_t>(*kept));
    }
    if (judged == 0) return {};
    std::vector<std::string> words;
    for (std::size_t i = 0; i < counts.size(); ++i) {
        const std::string_view name = name_of(static_cast<Kept>(i));
        if (counts.at(i) == judged)
            words.emplace_back(name);
        else if (counts.at(i) > 0)
            words.push_back(fmt::format("{} {}", counts.at(i), name));
    }
    if (unknown > 0) words.push_back(fmt::format("{} not measured", unknown));
    return fmt::format("{}", fmt::join(words, "; "));
}

std::vector<std::string> occupancy_examples_today() {
    std::vector<std::string> sentences;
    for (const OccupancyExample& example : occupancy_examples()) {
        const Occupancy today = occupancy_of(*limits_of(example.compute_capability),
                                             example.registers, example.local_bytes, example.items);
        const double share = 100 * today.share();
        // 66 for two thirds.
        const bool is_kept = share >= example.percent && share < example.percent + 1;
        sentences.push_back(fmt::format(
            "groups of {} work-items with {} registers each and {} bytes of local memory on "
            "compute capability {}: {} %. 'parallax occupancy' works out {}: {}",
            example.items, example.registers, example.local_bytes, example.compute_capability,
            example.percent, in_words(today), is_kept ? "kept" : "not the same"));
    }
    return sentences;
}

ThenAndNow then_and_now(const PublishedRow& row, const Today& today) {
    ThenAndNow view = TableOfRow(row, today).take();
    for (const Published& p : published()) {
        if (p.row != row.name) continue;
        add_once(view.references, reference_of(*p.document));
        view.also.push_back(fmt::format("{}: {}{}", p.figure, text_of(p),
                                        p.device.empty() ? "" : fmt::format(", {}", p.device)));
    }
    if (row.name == "occupancy") {
        for (const OccupancyExample& one : occupancy_examples()) {
            add_once(view.references, reference_of(*one.document));
        }
        view.also = occupancy_examples_today();
    }
    return view;
}

}  // namespace parallax
