// Compares today's records with published results.
#include "studies/published/then_and_now.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <tuple>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "common/suite/answer.hpp"
#include "common/text/text.hpp"
#include "common/text/unique_values.hpp"
#include "studies/occupancy/occupancy.hpp"

namespace parallax {
namespace {

using Cases = std::span<const CaseKey>;

std::string factor_text(double times) {
    return times < 10 ? fmt::format("{:.2f}x", times) : fmt::format("{:.1f}x", times);
}

std::string source_of(const Published& p) {
    return p.device.empty() ? "GPU not named" : p.device;
}

/// The results that the claim's document, or another, has of this case.
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
        if (step.compares()) cases.push_back(step.slow);
        cases.push_back(step.fast);
    }
    return cases;
}

/// The words that distinguish a case from the one that it is compared with.
std::string short_name(CaseKey c, const CaseKey& other, bool with_suite, bool is_second) {
    std::erase_if(c.constants, [&](const Constant& one) {
        return other.value_of(one.name).value_or(one.value) == one.value;
    });
    if (c.shape == other.shape) c.shape.clear();
    const std::string name = c.name(), words = words_of(c);
    const bool is_named = !is_second || name != other.name();
    return words.substr(is_named ? (with_suite ? 0 : c.suite.size() + 1)
                                 : std::min(name.size() + 1, words.size()));
}

/// `1.31 ms, 411 GB/s, size 8192x8192`
std::string figure_text(const Record& record, const CaseKey& c, const Published* then) {
    if (record.status != Status::ok) return std::string(name_of(record.status));
    std::vector<std::string> words{duration(record.seconds())};
    const Work& work = record.work;
    const bool by_operations =
        then ? then->unit == "GFLOP/s" : work.bytes <= 0 || !work.moves_much();
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

/// Whether no constant of `some` has another value in `all`.
bool agrees(const Constants& some, const CaseKey& all) {
    return std::ranges::all_of(some, [&](const Constant& one) {
        return all.value_of(one.name).value_or(one.value) == one.value;
    });
}

/// Bytes a second; operations a second when the case moves no bytes.
double speed_of(const Record& record) {
    return record.work.bytes > 0 ? record.bytes_per_second() : record.operations_per_second();
}

/// The speedup of `fast` over `slow`, by the work that each does per second; nothing: one was not
/// measured, or their sizes or constants that neither names differ.
std::optional<double> faster(const PublishedStep& step, const Record* before, const Record* after) {
    if (!before || !after || before == after) return {};
    if (step.slow.suite == step.fast.suite &&
        (size_of_problem(before->key.shape) != size_of_problem(after->key.shape) ||
         !agrees(unusual_constants(before->key, step.slow), after->key) ||
         !agrees(unusual_constants(after->key, step.fast), before->key))) {
        return {};
    }
    // Nothing was measured where there is no speed.
    if (speed_of(*before) <= 0 || speed_of(*after) <= 0) return {};
    return speed_of(*after) / speed_of(*before);
}

ThenNowLine line_of(ThenAndNow& view, const Claim& claim, const PublishedStep& step,
                    const Today& today, Cases together, bool with_suite) {
    const auto& [slow, fast, stated, factor] = step;
    ThenNowLine line{.claim = &claim,
                     .what = words_of(fast).substr(with_suite ? 0 : fast.suite.size() + 1),
                     .compares = step.compares(),
                     .then = std::vector<ThenNowCell>(view.sources.size()),
                     .now = {}};
    const auto then = [&](const std::string& source) -> ThenNowCell& {
        const auto at = std::ranges::find(view.sources, source) - view.sources.begin();
        return line.then.at(static_cast<std::size_t>(at));
    };
    const auto figures = figures_of(claim, fast);
    for (const Published* p : figures) then(source_of(*p)).figure = p->text;
    if (line.compares) {
        line.what = short_name(slow, fast, with_suite, false) + " -> " +
                    short_name(fast, slow, with_suite, true);
    }
    std::optional<double> least;
    for (const PublishedFactor& f : published_factors(claim, step)) {
        then(f.source).factor = f.text;
        if (f.factor && (!least || *f.factor < *least)) least = f.factor;
    }
    for (const DeviceAndApi& place : view.places) {
        ThenNowCell& cell = line.now.emplace_back();
        const Record* record = today.best(fast, place, together);
        if (record == nullptr) continue;
        cell.figure = figure_text(*record, fast, figures.empty() ? nullptr : figures.front());
        if (record->status != Status::ok && !record->reason.empty()) {
            add_once(view.failures,
                     fmt::format("{} on {}: {}. {}", words_of(fast), place.title(),
                                 name_of(record->status), printable(record->reason, 500)));
        }
        if (!line.compares) continue;
        if (const auto times = faster(step, today.best(slow, place, together), record)) {
            cell.factor = factor_text(*times);
            cell.kept = judge(least, *times);
        }
    }
    return line;
}

/// The document's example, worked out again.
std::string occupancy_today(const OccupancyExample& example) {
    const Occupancy today = occupancy_of(limits_of(example.compute_capability).value(),
                                         example.registers, example.local_bytes, example.items);
    const double share = 100 * today.share();
    // 66 for two thirds.
    const bool is_kept = share >= example.percent && share < example.percent + 1;
    return fmt::format(
        "groups of {} work-items with {} registers each and {} bytes of local memory on compute "
        "capability {}: {} %. 'parallax occupancy' works out {}: {}",
        example.items, example.registers, example.local_bytes, example.compute_capability,
        example.percent, in_words(today), is_kept ? "kept" : "not the same");
}

}  // namespace

std::string DeviceAndApi::title() const {
    return fmt::format("{}, {}", printable(device, 60), printable(backend));
}

Today::Today(std::vector<Record> records) {
    for (Record& r : records) {
        if (!is_of_the_suite(r)) continue;
        add_once(places_, DeviceAndApi{r.where.name, r.where.backend});
        store_.add(std::move(r));
    }
    std::ranges::sort(places_, {}, [](const DeviceAndApi& place) {
        return std::tuple(place.device, place.backend != "opencl", place.backend);
    });
}

Records Today::all_of(CaseKey c, const std::string& device) const {
    c.type = name_of(suite_named(c.suite).types.front());
    c.shape.clear();
    Records all = store_.of(c);
    std::erase_if(all, [&](const Record* record) { return record->where.name != device; });
    return all;
}

const Record* Today::best(const CaseKey& c, const DeviceAndApi& place, Cases together) const {
    CaseKey wanted = c;
    if (c.shape.empty()) {
        std::vector<Records> of_each;
        for (const CaseKey& other : together) {
            if (other.suite != c.suite || !other.shape.empty()) continue;
            of_each.push_back(all_of(other, place.device));
            std::erase_if(of_each.back(), [&](const Record* record) {
                return !unusual_constants(record->key, other).empty();
            });
        }
        wanted.shape = common_size(of_each);
    }
    Records records = all_of(c, place.device);
    std::erase_if(records,
                  [&](const Record* record) { return record->where.backend != place.backend; });
    return chosen(records, SelectionPolicy::best, wanted);
}

std::string_view name_of(Kept kept) {
    constexpr std::array<std::string_view, 6> names{"kept",     "smaller",  "gone",
                                                    "reversed", "new gain", "new loss"};
    return names.at(static_cast<std::size_t>(kept));
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
    if (!step.compares()) return {};
    if (!step.stated.empty()) return {{"in words", step.factor, step.stated}};
    std::vector<PublishedFactor> factors;
    const auto add = [&](const std::string& source, double factor) {
        factors.push_back({source, factor, factor_text(factor)});
    };
    const auto gain = [](const Published& a, const Published& b) {
        return a.unit == "ms" ? a.value / b.value : b.value / a.value;
    };
    const auto slow = figures_of(claim, step.slow), fast = figures_of(claim, step.fast);
    for (const Published* a : slow) {
        // The cost of an irregular access.
        if (a->unit.starts_with("times slower")) add(source_of(*a), a->value);
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
    std::map<Kept, int> counts;
    int unknown = 0;
    for (const ThenNowLine& line : lines) {
        if (at == places.size() || line.claim != &claim || !line.compares) continue;
        ++(line.now[at].kept ? counts[*line.now[at].kept] : unknown);
    }
    if (counts.empty()) return {};
    std::vector<std::string> words;
    for (const auto& [kept, count] : counts) {
        words.push_back(counts.size() == 1 ? std::string(name_of(kept))
                                           : fmt::format("{} {}", count, name_of(kept)));
    }
    if (unknown > 0) words.push_back(fmt::format("{} not measured", unknown));
    return fmt::format("{}", fmt::join(words, "; "));
}

ThenAndNow then_and_now(const PublishedRow& row, const Today& today) {
    ThenAndNow view{.row = &row};
    std::vector<CaseKey> cases;
    for (const Claim& claim : row.claims) {
        add_once(view.references, claim.document);
        for (const CaseKey& c : cases_of(claim)) {
            for (const Published* p : figures_of(claim, c)) {
                add_once(view.sources, source_of(*p));
                add_once(view.references, p->document);
            }
            cases.push_back(c);
        }
        for (const PublishedStep& step : claim.steps) {
            for (const PublishedFactor& f : published_factors(claim, step)) {
                add_once(view.sources, f.source);
            }
        }
    }
    std::ranges::copy_if(today.places(), std::back_inserter(view.places), [&](const auto& place) {
        return std::ranges::any_of(cases,
                                   [&](const CaseKey& c) { return today.best(c, place, {}); });
    });
    const bool with_suite = std::ranges::any_of(
        cases, [&](const CaseKey& c) { return c.suite != cases.front().suite; });
    for (const Claim& claim : row.claims) {
        const std::vector<CaseKey> together = cases_of(claim);
        std::vector<CaseKey> shown;
        const auto add = [&](const PublishedStep& step) {
            view.lines.push_back(line_of(view, claim, step, today, together, with_suite));
            shown.push_back(step.fast);
        };
        for (const PublishedStep& step : claim.steps) {
            const bool is_shown = std::ranges::find(shown, step.slow) != shown.end();
            if (step.compares() && !is_shown) add({.slow = {}, .fast = step.slow});
            add(step);
        }
    }
    view.also = row.also;
    for (const OccupancyExample& one : row.occupancy) view.also.push_back(occupancy_today(one));
    for (const std::string& document : row.documents) add_once(view.references, document);
    return view;
}

}  // namespace parallax
