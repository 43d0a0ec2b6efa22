// What a search found, and what its intervals allow to be said.
#include <algorithm>
#include <map>

#include <fmt/format.h>

#include "common/error.hpp"
#include "records/result_store.hpp"
#include "studies/tune/tune.hpp"

namespace parallax {
namespace {

/// Wrong candidates that are named one by one.
constexpr std::size_t most_named = 5;

/// Costs that were kept.
class KeptCosts final : public Costs {
public:
    KeptCosts(const TuneSpace& space, const std::vector<Record>& records) {
        std::map<CaseKey, const Record*> known;
        for (const Record& record : records) known[completed(record.key)] = &record;
        for (const Point& point : space.candidates.points) {
            const auto found = known.find(key_of(*point.the_case));
            const bool has = found != known.end() && found->second->timing;
            costs_.push_back(has ? std::optional(found->second->seconds()) : std::nullopt);
        }
    }

    Cost of(std::size_t point) override { return {.has_ended = false, .value = costs_[point]}; }
    void expect(std::span<const std::size_t>) override {}

private:
    std::vector<std::optional<double>> costs_;
};

std::string tried_sentence(const TuneResult& result) {
    const std::size_t looked_at = result.device().cells.size();
    const auto missing = static_cast<std::size_t>(
        std::ranges::count(result.device().cells, "missing", &SweepCell::status));
    const std::size_t tried = looked_at - missing;
    std::string text;
    if (result.end == Search::End::all) {
        text = missing > 0 ? fmt::format("Of {} candidates {} have a record", looked_at, tried)
                           : fmt::format("All {} candidates were tried", result.candidates);
    } else {
        text = fmt::format(
            "{} of {} candidates were tried, by the strategy {} with the seed {}, until {}", tried,
            result.candidates, name_of(result.strategy), result.seed,
            result.end == Search::End::trials ? "all trials were made" : "the budget was used up");
    }
    if (result.refused > 0) {
        text += fmt::format("; {} more choices the suite does not take", result.refused);
    }
    return text + ".";
}

/// How much the search has brought, against the variant's own constants.
std::string own_sentence(const TuneResult& result) {
    const SweepResult& found = result.found;
    if (!result.own) return "The variant's own constants are no candidate.";
    const Point& own = found.points.points[*result.own];
    const SweepCell& cell = result.device().cells[*result.own];
    const std::string label = found.points.label(own);
    if (!cell.ran()) return fmt::format("The variant's own constants, {}, did not run.", label);
    if (result.best() == result.own) {
        return fmt::format(
            "By the intervals nothing is faster than the variant's own constants: "
            "{}, {}.",
            label, found.figure_text(cell));
    }
    return fmt::format(
        "With the variant's own constants, {}, it is {}: {} is {:.3g} times as fast.", label,
        found.figure_text(cell), found.points.label(found.points.points[*result.best()]),
        result.gain().value_or(1));
}

/// What did not run, by how it ended; wrong answers by their names.
std::vector<std::string> fallen(const TuneResult& result) {
    std::vector<std::string> lines;
    for (const std::string_view status : {"wrong", "failed", "unsupported"}) {
        std::size_t count = 0;
        for (std::size_t i = 0; i < result.device().cells.size(); ++i) {
            const SweepCell& cell = result.device().cells[i];
            if (cell.status != status || ++count > most_named) continue;
            lines.push_back(fmt::format("{}: {} {}", status,
                                        result.found.points.label(result.found.points.points[i]),
                                        cell.reason));
        }
        if (count > most_named) {
            lines.push_back(fmt::format("{}: {} more.", status, count - most_named));
        }
    }
    return lines;
}

}  // namespace

std::optional<std::size_t> TuneResult::best() const {
    const std::vector<SweepCell>& cells = device().cells;
    if (!own || !cells[*own].ran()) return device().highest;
    std::size_t fastest = *own;
    for (std::size_t i = 0; i < cells.size(); ++i) {
        const bool is_faster = found.least(cells[i]) > found.most(cells[*own]);
        if (is_faster && found.figure(cells[i]) > found.figure(cells[fastest])) fastest = i;
    }
    return fastest;
}

std::optional<double> TuneResult::gain() const {
    const auto at = best();
    if (!at || !own || !device().cells[*own].ran()) return {};
    return device().cells[*own].seconds / device().cells[*at].seconds;
}

std::vector<std::string> TuneResult::sentences() const {
    std::vector<std::string> lines = found.claims();
    lines.push_back(own_sentence(*this));
    lines.push_back(tried_sentence(*this));
    std::ranges::move(fallen(*this), std::back_inserter(lines));
    return lines;
}

TuneResult tune_result(const TuneRequest& request, const TuneSpace& space, const Search& found,
                       const std::vector<Record>& records) {
    SweepPoints points = space.candidates;
    points.points.clear();
    TuneResult result;
    for (const std::size_t point : found.tried) {
        if (space.own == point) result.own = points.points.size();
        points.points.push_back(space.candidates.points[point]);
    }
    result.found = sweep_result(points, records);
    result.candidates = space.candidates.points.size();
    result.refused = space.refused;
    result.strategy = request.strategy;
    result.seed = request.seed;
    result.end = found.end;
    return result;
}

TuneResult tune_records(const TuneRequest& request, const std::vector<Record>& records,
                        const KernelSource& text) {
    SweepRequest sized = request.what;
    if (!sized.shape) {
        std::vector<Records> each;
        for (const Record& record : records) each.push_back({&record});
        const std::vector<std::uint64_t> shape = common_size(each);
        if (!shape.empty()) sized.shape = Shape{shape};
    }
    const TuneSpace space = tune_space(sized, text);
    KeptCosts costs(space, records);
    const Search found =
        search(space.search_space(), request.strategy, request.most_trials, request.seed, costs);
    return tune_result(request, space, found, records);
}

std::optional<Tuned> tuned_of(const TuneResult& result, const std::vector<Record>& records,
                              const RunInfo& run) {
    const auto best = result.best();
    if (!best) return {};
    const SweepPoints& points = result.found.points;
    const Point& point = points.points[*best];
    const CaseKey key = key_of(*point.the_case);
    const SweepDevice& device = result.device();
    const auto record = std::ranges::find_if(records, [&](const Record& one) {
        return one.key == key && one.device == device.id && one.timing;
    });
    if (record == records.end()) return {};
    const SweepCell& cell = device.cells[*best];
    Tuned tuned{.key = key,
                .device = record->where.name,
                .backend = record->where.backend,
                .driver = record->where.driver,
                .source_hash = record->program.source_hash,
                .seconds = cell.seconds,
                .low = cell.low,
                .high = cell.high,
                .own_seconds = result.own ? device.cells[*result.own].seconds : 0,
                .tried = device.cells.size(),
                .candidates = result.candidates,
                .run = run};
    tuned.key.constants.clear();
    for (std::size_t i = 0; i < points.axes.size(); ++i) {
        tuned.key.constants.push_back({points.axes[i].name, point.values[i]});
    }
    return tuned;
}

}  // namespace parallax
