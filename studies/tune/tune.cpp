// Tries the candidates that a search requests on a device, and reports the result.
#include "studies/tune/tune.hpp"

#include <algorithm>
#include <map>

#include <fmt/format.h>

#include "common/error.hpp"
#include "common/host_clock.hpp"
#include "measure/device_session.hpp"
#include "measure/sizing.hpp"
#include "measure/time_budget.hpp"
#include "records/result_store.hpp"

namespace parallax {
namespace {

/// Share of a trial's time that one run of it should take at most.
constexpr double share_of_a_run = 1.0 / 200;
/// Share of a device's time that is left for the finals.
constexpr double finals_share = 0.15;
/// Candidates that are timed once more where the intervals do not tell which is best.
constexpr std::size_t most_finalists = 6;
/// Host seconds for the batches of a trial, and of one of the finals.
constexpr double least_seconds_of_trial = 0.05, most_seconds_of_trial = 0.5,
                 most_seconds_of_final = 1.2;

/// For each candidate its position on each axis.
SearchSpace search_space(const SweepPoints& candidates) {
    SearchSpace space{.points = {}, .start = candidates.own};
    for (const Point& point : candidates.points) {
        std::vector<std::size_t>& place = space.points.emplace_back();
        for (std::size_t i = 0; i < point.values.size(); ++i) {
            const std::vector<std::int64_t>& values = candidates.axes[i].values;
            place.push_back(static_cast<std::size_t>(std::ranges::find(values, point.values[i]) -
                                                     values.begin()));
        }
    }
    return space;
}

/// The result of a search, from its records. @param records  of one device
TuneResult tune_result(const TuneRequest& request, const SweepPoints& space, const Search& found,
                       const std::vector<Record>& records) {
    SweepPoints points = space;
    points.points.clear();
    points.own.reset();
    TuneResult result;
    for (const std::size_t point : found.tried) {
        if (space.own == point) points.own = points.points.size();
        points.points.push_back(space.points[point]);
    }
    result.found = sweep_result(points, records);
    result.candidates = space.points.size();
    result.strategy = request.strategy;
    result.seed = request.seed;
    result.end = found.end;
    return result;
}

/// Wrong candidates that are named one by one.
constexpr std::size_t most_named = 5;

/// Costs that were kept.
class KeptCosts final : public Costs {
public:
    KeptCosts(const SweepPoints& space, const std::vector<Record>& records) {
        std::map<CaseKey, const Record*> known;
        for (const Record& record : records) known[completed(record.key)] = &record;
        for (const Point& point : space.points) {
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
    if (result.found.points.refused > 0) {
        text +=
            fmt::format("; {} more choices the suite does not take", result.found.points.refused);
    }
    return text + ".";
}

/// The gain of the search over the variant's own constants.
std::string own_sentence(const TuneResult& result) {
    const SweepResult& found = result.found;
    if (!result.own()) return "The variant's own constants are no candidate.";
    const Point& own = found.points.points[*result.own()];
    const SweepCell& cell = result.device().cells[*result.own()];
    const std::string label = found.points.label(own);
    if (!cell.ran()) return fmt::format("The variant's own constants, {}, did not run.", label);
    if (result.best() == result.own()) {
        return fmt::format(
            "By the intervals nothing is faster than the variant's own constants: {}, {}.", label,
            found.figure_text(cell));
    }
    return fmt::format(
        "With the variant's own constants, {}, it is {}: {} is {:.3g} times as fast.", label,
        found.figure_text(cell), found.points.label(found.points.points[*result.best()]),
        result.gain().value_or(1));
}

/// The points that did not run, by how they ended; wrong answers by their names.
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

class DeviceTuning final : public Costs {
public:
    DeviceTuning(const TuneRequest& request, const Entry& entry, const RunConfig& config,
                 const RunInfo& run, const Listener& listener, Totals& totals,
                 const TimeBudget& time_budget, double until)
        : request_(request),
          run_(run),
          listener_(listener),
          totals_(totals),
          time_budget_(time_budget),
          until_(until),
          context_(config, {entry}),
          device_session_(context_.add_session(entry)) {
        context_.config.has_time = [this] { return time_budget_.elapsed() < until_; };
    }

    TuneResult tuned() {
        device_session_.device();  // one that cannot be opened is said before anything is measured
        measure_ceilings();
        SweepRequest sized = request_.what;
        sized.shape = size();
        space_ = tune_points(sized, context_.config.kernel_source);
        left_ = std::min(request_.most_trials, space_.points.size());
        progress_.total = left_;
        search_until_ = until_ - finals_share * (until_ - time_budget_.elapsed());
        const Search found = search(search_space(space_), request_.strategy, request_.most_trials,
                                    request_.seed, *this);
        TuneResult result = result_of(found);
        if (run_finals(found, result)) result = result_of(found);
        return result;
    }

    Cost of(std::size_t point) override {
        if (time_budget_.elapsed() >= search_until_ && !earlier(point)) return {.has_ended = true};
        const double share = (search_until_ - time_budget_.elapsed()) / static_cast<double>(left_);
        const Record record =
            tried(point, std::clamp(share - beside_, least_seconds_of_trial, most_seconds_of_trial),
                  run_);
        --left_;
        ++progress_.done;
        if (record.status != Status::ok) return {};
        return {.has_ended = false, .value = record.seconds()};
    }

    void expect(std::span<const std::size_t> points) override {
        for (const std::size_t point : points) {
            if (!earlier(point)) context_.ask_build(device_session_.device(), case_at(point));
        }
    }

private:
    const Case& case_at(std::size_t point) const { return *space_.points[point].the_case; }
    const DeviceInfo& info() const { return device_session_.entry.info; }

    /// The record of an earlier process of this run; null: none.
    const Record* earlier(std::size_t point) const {
        return context_.config.earlier.record(info().id(), case_at(point));
    }

    TuneResult result_of(const Search& found) const {
        return tune_result(request_, space_, found, records_);
    }

    void tell(const std::string& what) {
        progress_.what = fmt::format("{} {}", info().id(), what);
        progress_.elapsed_seconds = time_budget_.elapsed();
        progress_.left_seconds = std::max(0.0, until_ - progress_.elapsed_seconds);
        if (listener_.progress) listener_.progress(progress_);
    }

    /// Builds, checks and times a candidate. @param seconds  for its batches
    Record tried(std::size_t point, double seconds, const RunInfo& run) {
        if (const Record* const made = earlier(point)) return keep(*made);
        if (context_.config.check_interrupt) context_.config.check_interrupt();
        const Case& c = case_at(point);
        tell(space_.label(space_.points[point]));
        const HostClock::time_point begin = HostClock::now();
        DeviceSession::VerifiedCase checked = device_session_.verify(c, [] { return true; });
        context_.get_reference_data(info(), checked.outcome);
        const ThreadPool::Pause rest(context_.config.pool);
        device_session_.renew(checked);
        Outcome& o = checked.outcome;
        if (o.status == Status::skipped) end_unreached(o, info(), request_.budget_seconds);
        if (o.status == Status::ok) device_session_.time(o, seconds);
        if (const std::string trouble = device_session_.take_trouble();
            !trouble.empty() && listener_.trouble) {
            listener_.trouble(trouble);
        }
        const double whole = seconds_since(begin);
        const double all = static_cast<double>(records_.size());
        beside_ = (beside_ * all + std::max(0.0, whole - seconds)) / (all + 1);
        return keep(to_record(o, info(), run));
    }

    Record keep(const Record& record) {
        totals_.add(record, true);
        records_.push_back(record);
        if (listener_.record) listener_.record(record);
        return record;
    }

    void measure_ceilings() {
        device_session_.ceilings = measured_ceilings(
            context_, device_session_, {request_.what.type}, ceiling_seconds, run_,
            {.tell = [&](const Case& c) { tell(c.title()); },
             .keep =
                 [&](const Record& record) {
                     if (listener_.record) listener_.record(record);
                 }});
    }

    /// The shape of the request, or one that suits the device.
    Shape size() const {
        if (request_.what.shape) return *request_.what.shape;
        const SweepPoints open = tune_points(request_.what, context_.config.kernel_source);
        Case c = *open.points[open.own.value_or(0)].the_case;
        c.shape = {};
        if (const Record* const made = context_.config.earlier.record(info().id(), c)) {
            return Shape{made->key.shape};
        }
        const double trials =
            static_cast<double>(std::min(request_.most_trials, open.points.size()));
        const Sized sized{&info(), device_session_.ceiling_of(c)};
        return choose_shape(c, {&sized, 1},
                            share_of_a_run * (until_ - time_budget_.elapsed()) / trials);
    }

    /// Times the best point again, together with those whose intervals overlap its own: the lowest
    /// of many results is low by chance, too. @returns whether there were any
    bool run_finals(const Search& found, const TuneResult& result) {
        const SweepDevice* device = result.found.devices.empty() ? nullptr : &result.device();
        if (!device || !device->highest || device->tied.empty()) return false;
        std::vector<std::size_t> finalists = device->tied;
        std::ranges::stable_sort(finalists, std::ranges::greater{}, [&](std::size_t i) {
            return result.found.figure(device->cells[i]);
        });
        finalists.insert(finalists.begin(), *device->highest);
        finalists.resize(std::min(finalists.size(), most_finalists));
        // A run has one record of a case.
        RunInfo run = run_;
        run.id += "-finals";
        bool any = false;
        for (std::size_t i = 0; i < finalists.size(); ++i) {
            const double left = until_ - time_budget_.elapsed();
            if (left <= 0) break;
            const std::size_t point = found.tried[finalists[i]];
            if (earlier(point)) continue;
            tried(point,
                  std::clamp(left / static_cast<double>(finalists.size() - i) - beside_,
                             least_seconds_of_trial, most_seconds_of_final),
                  run);
            any = true;
        }
        return any;
    }

    const TuneRequest& request_;
    const RunInfo& run_;
    const Listener& listener_;
    Totals& totals_;
    const TimeBudget& time_budget_;
    double until_, search_until_ = 0;
    double beside_ = 0;  ///< host seconds of a trial in addition to its batches
    SweepPoints space_;
    std::size_t left_ = 0;         ///< trials
    std::vector<Record> records_;  ///< of candidates
    Progress progress_;
    MeasurementContext context_;
    DeviceSession& device_session_;
};

}  // namespace

std::vector<TuneResult> tune(const TuneRequest& request, const std::vector<Entry>& entries,
                             const RunConfig& config, const RunInfo& run, const Listener& listener,
                             Totals& totals) {
    std::vector<TuneResult> results;
    const TimeBudget time_budget(request.budget_seconds);
    for (std::size_t i = 0; i < entries.size(); ++i) {
        const double until =
            time_budget.elapsed() + time_budget.left() / static_cast<double>(entries.size() - i);
        try {
            TuneResult result =
                DeviceTuning(request, entries[i], config, run, listener, totals, time_budget, until)
                    .tuned();
            if (!result.found.devices.empty()) results.push_back(std::move(result));
        } catch (const DeviceError& error) {
            ++totals.lost_devices;
            if (listener.trouble) listener.trouble(error.what());
        }
    }
    return results;
}

std::optional<std::size_t> TuneResult::best() const {
    const std::vector<SweepCell>& cells = device().cells;
    if (!own() || !cells[*own()].ran()) return device().highest;
    std::size_t fastest = *own();
    for (std::size_t i = 0; i < cells.size(); ++i) {
        const bool is_faster = found.least(cells[i]) > found.most(cells[*own()]);
        if (is_faster && found.figure(cells[i]) > found.figure(cells[fastest])) fastest = i;
    }
    return fastest;
}

std::optional<double> TuneResult::gain() const {
    const auto at = best();
    if (!at || !own() || !device().cells[*own()].ran()) return {};
    return device().cells[*own()].seconds / device().cells[*at].seconds;
}

std::vector<std::string> TuneResult::sentences() const {
    std::vector<std::string> lines = found.claims();
    lines.push_back(own_sentence(*this));
    lines.push_back(tried_sentence(*this));
    std::ranges::move(fallen(*this), std::back_inserter(lines));
    return lines;
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
    const SweepPoints space = tune_points(sized, text);
    KeptCosts costs(space, records);
    const Search found =
        search(search_space(space), request.strategy, request.most_trials, request.seed, costs);
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
                .own_seconds = result.own() ? device.cells[*result.own()].seconds : 0,
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
