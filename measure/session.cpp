// Runs cases on devices within the budget: ceilings first, physical devices concurrently.
#include "measure/session.hpp"

#include <algorithm>
#include <map>
#include <mutex>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "common/error.hpp"
#include "common/host_clock.hpp"
#include "measure/case_block.hpp"
#include "measure/concurrency.hpp"
#include "measure/device_session.hpp"
#include "measure/sizing.hpp"
#include "measure/time_budget.hpp"
#include "measure/verification.hpp"

namespace parallax {
namespace {

/// Host time for all batches of a case in a run of all suites.
constexpr double overview_seconds = 0.1;

/// The records of a block of cases on their way to a listener, in order although they are made in
/// any order: reports need a fixed one. Not thread-safe.
class RecordsInOrder {
public:
    /// @param listener  may be empty
    explicit RecordsInOrder(const std::function<void(const Record&)>& listener)
        : listener_(listener) {}

    /// Starts a new block of `count` records.
    void begin(std::size_t count) {
        made_.assign(count, {});
        given_ = 0;
        missing_ = count;
    }
    /// Passes the record on as soon as all before it were passed on.
    void add(std::size_t place, Record record) {
        --missing_;
        made_[place] = std::move(record);
        while (given_ < made_.size() && made_[given_]) give_next();
    }
    /// Passes on the remaining records; missing ones leave no gap.
    void give_rest() {
        while (given_ < made_.size()) give_next();
    }
    /// Number of records of the block that were not added yet.
    std::size_t missing() const { return missing_; }

private:
    void give_next() {
        const std::optional<Record> next = std::exchange(made_[given_++], {});
        if (next && listener_) listener_(*next);
    }

    const std::function<void(const Record&)>& listener_;
    std::vector<std::optional<Record>> made_;
    std::size_t given_ = 0, missing_ = 0;
};

/// Largest share of a case's time for one run: verification and all batches of all rounds must fit.
constexpr double share_of_a_run = 1.0 / 800;

/// Chooses shapes once the ceilings are known. All arguments must outlive it.
class OpenShapes {
public:
    OpenShapes(const Request& request, const std::vector<Case>& cases,
               const std::vector<DeviceSession*>& device_sessions)
        : request_(request), cases_(cases), device_sessions_(device_sessions) {}

    /// The case with its own shape, or one that suits the session's physical device: both sides of
    /// a comparison run the same shape. Requested points with the same choice of shapes get the
    /// smallest shape that suits one of them.
    /// @param cases_in_a_row  number of successive cases that share the budget
    Case sized(const Case&, const DeviceSession&, double cases_in_a_row);

private:
    Shape telling(const Case&, const DeviceSession&, double cases_in_a_row) const;

    const Request& request_;
    const std::vector<Case>& cases_;
    const std::vector<DeviceSession*>& device_sessions_;
    /// The shape of points for each physical device and list of shapes.
    std::map<std::pair<unsigned, const std::vector<Shape>*>, Shape> of_points_;
};

Case OpenShapes::sized(const Case& c, const DeviceSession& device_session, double cases_in_a_row) {
    if (!c.shape.extents.empty()) return c;
    if (request_.points.empty()) return with_shape(c, telling(c, device_session, cases_in_a_row));
    const std::vector<Shape>& shapes = shapes_of(*c.suite, *c.variant);
    const auto [known, is_new] = of_points_.try_emplace({device_session.entry.physical, &shapes});
    if (is_new) {
        std::size_t smallest = shapes.size() - 1;
        for (const Case& point : cases_) {
            if (!point.shape.extents.empty()) continue;
            if (&shapes_of(*point.suite, *point.variant) != &shapes) continue;
            const auto at =
                std::ranges::find(shapes, telling(point, device_session, cases_in_a_row)) -
                shapes.begin();
            smallest = std::min(smallest, static_cast<std::size_t>(at));
        }
        known->second = shapes[smallest];
    }
    return with_shape(c, known->second);
}

Shape OpenShapes::telling(const Case& c, const DeviceSession& device_session,
                          double cases_in_a_row) const {
    std::vector<Sized> devices;
    for (const DeviceSession* other : device_sessions_) {
        if (other->entry.physical != device_session.entry.physical) continue;
        devices.push_back({&other->entry.info, other->ceiling_of(c)});
    }
    return choose_shape(c, devices, share_of_a_run * request_.budget_seconds / cases_in_a_row);
}

class Session {
public:
    Session(const Request& request, const std::vector<Entry>& entries, const RunConfig& config,
            const RunInfo& run, const Listener& listener)
        : request_(request),
          entries_(entries),
          listener_(listener),
          run_(run),
          cases_(request.is_overview()    ? by_worth(expand(request))
                 : request.points.empty() ? expand(request)
                                          : request.points),
          context_(config, entries, request.budget_seconds) {
        context_.config.has_time = [&budget = time_budget_] { return budget.left() > 0; };
        for (const Entry& entry : entries) {
            device_sessions_.push_back(&context_.add_session(entry));
        }
        if (listener.trouble) context_.config.locks.tell = listener.trouble;
        context_.config.only_checks = request.only_check;
        if (request.is_overview()) {
            context_.config.is_brief = true;
            context_.config.rule.rounds = 1;
            context_.config.rule.most_seconds = overview_seconds;
        }
        // Reports a missing file before anything runs.
        for (const Case& c : cases_) program_of(c, context_.config);
        types_ = ceiling_types(cases_);
        // A request without any other case is for the ceilings.
        if (cases_.empty() &&
            std::ranges::all_of(device_sessions_, [&](const DeviceSession* device_session) {
                return is_only_checked(*device_session);
            })) {
            throw UsageError(
                "Ceilings are times, and there is no device whose times count: --check checks "
                "their answers.");
        }
        context_.config.fresh_ceilings = context_.config.fresh_ceilings || cases_.empty();
        if (types_.empty()) types_.insert(request.types.begin(), request.types.end());
        if (types_.empty()) types_.insert(ElementType::f32);
        // For requested sizes. A suite's own size that is too large becomes `unsupported`.
        if (!request.shapes.empty()) {
            for (const Case& c : cases_) refuse_what_fits_nowhere(c, entries);
        }
        count_what_is_to_do();
    }

    Totals run() {
        ask_host_trials(context_.config, cases_, entries_);
        open_all();
        count_what_is_to_do();
        for (DeviceSession* device_session : device_sessions_) {
            if (!is_only_checked(*device_session))
                ask_ceilings(context_, *device_session, types_, run_);
        }
        // Tuned constants depend on a size that is not known yet.
        for (const Case& c : cases_) {
            if (request_.tuned) break;
            for (DeviceSession* device_session : device_sessions_) {
                if (!earlier(*device_session, c)) context_.ask_build(device_session->device(), c);
            }
        }
        measure_ceilings();
        for (std::size_t done = 0; !device_sessions_.empty() && done < cases_.size();) {
            done += run_block(done);
        }
        if (totals_.ok + totals_.doubtful + totals_.wrong + totals_.failed + totals_.refused == 0 &&
            !refusal_.empty()) {
            throw UsageError(refusal_);
        }
        return totals_;
    }

private:
    void count_what_is_to_do() {
        const auto timed = static_cast<std::size_t>(
            std::ranges::count_if(device_sessions_, [&](const DeviceSession* device_session) {
                return !is_only_checked(*device_session);
            }));
        progress_.total =
            cases_.size() * device_sessions_.size() + ceiling_cases(types_).size() * timed;
    }

    Case sized_for(const Case& c, const DeviceSession& device_session) {
        const Case sized = size_for(c, device_session);
        return request_.tuned ? request_.tuned(sized, device_session.entry.info) : sized;
    }

    Case size_for(const Case& c, const DeviceSession& device_session) {
        if (const Record* const made = earlier(device_session, c)) {
            return with_shape(c, Shape{made->key.shape});
        }
        if (is_only_checked(device_session) && c.shape.extents.empty()) {
            return with_shape(c, shapes_of(*c.suite, *c.variant).front());
        }
        // Same size as on one device; devices are timed concurrently.
        return shapes_.sized(c, device_session,
                             static_cast<double>(progress_.total) /
                                 static_cast<double>(device_sessions_.size()) *
                                 static_cast<double>(tasks_in_a_row(task_per_session())));
    }

    /// Opens all devices; those that fail are removed from the run.
    void open_all() {
        std::set<const DeviceSession*> lost;
        std::vector<DeviceTask> jobs = task_per_session();
        auto job = jobs.begin();
        for (DeviceSession* device_session : device_sessions_) {
            (job++)->work = [this, device_session, &lost] {
                try {
                    device_session->device();
                } catch (const Error& error) {
                    const std::scoped_lock lock(mutex_);
                    lost.insert(device_session);
                    // A device without support is no failure.
                    if (!dynamic_cast<const Unsupported*>(&error)) ++totals_.lost_devices;
                    if (listener_.trouble) listener_.trouble(error.what());
                }
            };
        }
        run_concurrently(jobs);
        std::erase_if(device_sessions_, [&](const DeviceSession* device_session) {
            return lost.contains(device_session);
        });
    }

    /// @param alone  whether concurrent work would change its times
    static Concurrency kind_of(const DeviceSession& device_session, bool alone,
                               Concurrency if_alone) {
        if (!device_session.entry.info.is_gpu) return Concurrency::nothing;
        return alone ? if_alone : Concurrency::all;
    }

    /// One per session, for work without the host.
    std::vector<DeviceTask> task_per_session() const {
        std::vector<DeviceTask> jobs;
        for (const DeviceSession* device_session : device_sessions_) {
            jobs.push_back(
                {device_session->entry.physical, kind_of(*device_session, false, {}), {}});
        }
        return jobs;
    }

    /// Cases that are prepared together, with the size for each device. An open size may equal that
    /// of another requested case: it runs once.
    /// @returns the number of cases
    std::size_t items_of_block(std::size_t first, std::vector<BlockItem>& items) {
        const std::span<const Case> rest = std::span(cases_).subspan(first);
        std::size_t count = rest.size();
        for (DeviceSession* device_session : device_sessions_) {
            std::vector<Case> own;
            for (const Case& c : rest.first(std::min(most_in_block, rest.size()))) {
                own.push_back(sized_for(c, *device_session));
            }
            count = std::min(count, context_.block_of(own));
        }
        std::set<std::pair<const DeviceSession*, CaseKey>> keys;
        for (std::size_t number = 0; number < count; ++number) {
            for (DeviceSession* device_session : device_sessions_) {
                Case c = sized_for(rest[number], *device_session);
                const std::pair<const DeviceSession*, CaseKey> key{device_session, key_of(c)};
                if (was_timed_.contains(key) || !keys.insert(key).second) continue;
                const Record* const made = earlier(*device_session, c);
                items.push_back({device_session, std::move(c), number, made});
            }
        }
        return count;
    }

    /// Verifies some cases on all devices, then times them. @returns the number of cases
    std::size_t run_block(std::size_t first) {
        std::vector<BlockItem> items;
        std::size_t count = items_of_block(first, items);
        const std::size_t asked = items.size();
        const std::size_t reached = verify_block(context_, items, block_rule());
        if (items.size() < asked) count = reached;
        std::vector<DeviceTask> jobs;
        for (std::size_t i = 0; i < items.size(); ++i) {
            DeviceSession& device_session = *items[i].session;
            const Case& c = items[i].the_case;
            was_timed_.insert({&device_session, key_of(c)});
            const bool alone = host_bound(c, device_session.ceiling_of(c));
            jobs.push_back({device_session.entry.physical,
                            kind_of(device_session, alone, Concurrency::its_like), [&, alone, i] {
                                time_one(device_session, std::move(items[i].verified), i, alone);
                            }});
        }
        // The others are stored already.
        progress_.done += count * device_sessions_.size() - jobs.size();
        timed_ += jobs.size();
        timed_in_a_row_ += tasks_in_a_row(jobs);
        if (!request_.only_check) lock_devices();
        const ThreadPool::Pause pause_of_pool(context_.config.pool);
        do_all(jobs);
        return count;
    }

    BlockRule block_rule() {
        BlockRule rule;
        rule.may_check = [&budget = time_budget_, only_check = request_.only_check] {
            return only_check ? budget.left() > 0 : budget.may_check();
        };
        rule.is_timed = !request_.only_check;
        rule.tell = [this](const BlockItem& item) {
            tell(fmt::format("{} {}", item.session->entry.info.id(), item.the_case.title()));
        };
        rule.keep_ended = [this](const BlockItem& item) {
            if (!listener_.record) return;
            listener_.record(to_record(item.verified.outcome, item.session->entry.info, run_));
        };
        return rule;
    }

    /// Runs all tasks; each makes one record, in the order of the tasks.
    void do_all(const std::vector<DeviceTask>& jobs) {
        records_.begin(jobs.size());
        try {
            run_concurrently(jobs);
        } catch (...) {
            records_.give_rest();
            throw;
        }
    }

    void tell(const std::string& what) {
        const std::scoped_lock lock(mutex_);
        progress_.what = what;
        progress_.estimate(time_budget_.elapsed(), request_.budget_seconds);
        if (listener_.progress) listener_.progress(progress_);
    }

    Record run_ceiling(DeviceSession& device_session, const Case& c, std::size_t place) {
        time_budget_.begin_block();
        DeviceSession::VerifiedCase checked = device_session.verify(c, [] { return true; });
        context_.get_reference_data(device_session.entry.info, checked.outcome);
        const ThreadPool::Pause rest(
            pauses_the_pool(c, device_session.entry.info) ? context_.config.pool : nullptr);
        return time_one(device_session, std::move(checked), place, false, true);
    }

    /// The result of an earlier worker of this run; null: none.
    const Record* earlier(const DeviceSession& device_session, const Case& c) const {
        return context_.config.earlier.record(device_session.entry.info.id(), c);
    }

    bool is_only_checked(const DeviceSession& device_session) const {
        return request_.only_check || device_session.entry.info.only_checks;
    }

    /// @param place  of its record in the block
    /// @param alone  while its batches are timed, no other work that can wait may run
    Record time_one(DeviceSession& device_session, DeviceSession::VerifiedCase checked,
                    std::size_t place, bool alone, bool is_ceiling = false) {
        if (const Record* const made = earlier(device_session, checked.outcome.the_case)) {
            take_over(*made, place, is_ceiling);
            return *made;
        }
        std::optional<ExclusiveSection> quiet;
        if (alone) quiet.emplace(quiet_);
        tell(
            fmt::format("{} {}", device_session.entry.info.id(), checked.outcome.the_case.title()));
        const HostClock::time_point begin = HostClock::now();
        device_session.renew(checked);
        Outcome outcome = std::move(checked.outcome);
        if (is_only_checked(device_session)) {
            end_checked(outcome, request_.only_check ? "--check asks for no more"
                                                     : never_timed(device_session.entry.info));
        }
        if (outcome.status == Status::ok && !is_ceiling && time_budget_.left() <= 0) {
            outcome.status = Status::skipped;
        }
        if (outcome.status == Status::ok) {
            double seconds = std::max(time_for_one(is_ceiling), 0.05);
            // A run of only ceilings uses the full time.
            if (is_ceiling && !cases_.empty()) seconds = std::min(seconds, ceiling_seconds);
            device_session.time(outcome, seconds, [&](bool timing) {
                if (quiet) (*quiet)(timing);
            });
        }
        if (outcome.status == Status::skipped) {
            end_unreached(outcome, device_session.entry.info, request_.budget_seconds);
        }
        note_host_trial(context_.config, outcome);
        Record record = to_record(outcome, device_session.entry.info, run_);
        const std::scoped_lock lock(mutex_);
        note_cost(seconds_since(begin), outcome);
        const std::string trouble = device_session.take_trouble();
        if (!trouble.empty() && listener_.trouble) listener_.trouble(trouble);
        count(record, is_ceiling);
        if (outcome.refused) refusal_ = outcome.reason;
        ++progress_.done;
        records_.add(place, record);
        return record;
    }

    /// Seconds for the batches of a case. Concurrently timed cases count once.
    double time_for_one(bool is_ceiling) {
        const std::scoped_lock lock(mutex_);
        const std::size_t to_do = progress_.total - progress_.done;
        const std::size_t checked = is_ceiling ? 1 : records_.missing();
        const double in_a_row =
            timed_ > 0 ? static_cast<double>(timed_in_a_row_) / static_cast<double>(timed_) : 1;
        return time_budget_.for_one(in_a_row * static_cast<double>(to_do),
                                    to_do - std::min(checked, to_do));
    }

    // Building and verifying take time, too: the time for measuring is learned on the way.
    void note_cost(double seconds, const Outcome& outcome) {
        if (!outcome.timing) return;
        const Timing& timing = *outcome.timing;
        double measuring = 0;
        for (std::size_t i = 0; i < timing.host_samples.size(); ++i) {
            measuring += timing.host_samples[i] * timing.repeats.at(timing.round[i]);
        }
        time_budget_.note_timing(std::max(0.0, seconds - measuring));
    }

    /// Takes over an earlier record. @param place  of it in the block
    void take_over(const Record& made, std::size_t place, bool is_ceiling) {
        const std::scoped_lock lock(mutex_);
        count(made, is_ceiling);
        ++progress_.done;
        records_.add(place, made);
    }

    /// Locks all timed devices, from the first timing on. Builds continue meanwhile.
    void lock_devices() {
        const std::scoped_lock lock(locking_);
        if (!device_locks_.empty()) return;
        std::vector<DeviceInfo> timed;
        for (const DeviceSession* device_session : device_sessions_) {
            if (!is_only_checked(*device_session)) timed.push_back(device_session->entry.info);
        }
        device_locks_ = parallax::lock_devices(std::move(timed), context_.config.locks);
    }

    void count(const Record& record, bool is_ceiling) {
        totals_.add(record, !is_ceiling || cases_.empty());
    }

    void measure_ceilings() {
        const std::vector<Case> cases = ceiling_cases(types_);
        std::map<DeviceSession*, std::vector<Record>> found;
        std::vector<DeviceTask> jobs;
        for (DeviceSession* device_session : device_sessions_) {
            if (is_only_checked(*device_session)) continue;
            for (const Case& c : cases) {
                const std::size_t place = jobs.size();
                jobs.push_back(
                    {device_session->entry.physical,
                     kind_of(*device_session, host_bound(c, {}), Concurrency::nothing),
                     [this, device_session, &c, &records = found[device_session], place] {
                         records.push_back(ceiling_on(*device_session, c, place));
                     }});
            }
        }
        if (jobs.empty()) return;
        do_all(jobs);
        for (const auto& [device_session, records] : found)
            device_session->ceilings = ceilings_from(records, types_);
    }

    Record ceiling_on(DeviceSession& device_session, const Case& open, std::size_t place) {
        return measured_ceiling(
            open, device_session.entry.info, context_.config, run_,
            {.device = [&]() -> Device* {
                 lock_devices();
                 return is_late_for_ceilings() ? nullptr : device_session.device_or_null();
             },
             .run =
                 [&](const Case& c) {
                     return is_late_for_ceilings() ? left_out(device_session, c, place)
                                                   : run_ceiling(device_session, c, place);
                 },
             .take = [&](const Record& kept) { take_over(kept, place, true); }});
    }

    bool is_late_for_ceilings() const {
        return time_budget_.elapsed() > context_.config.most_for_ceilings * request_.budget_seconds;
    }

    /// A ceiling that is not measured, so that time is left for the cases.
    Record left_out(DeviceSession& device_session, const Case& c, std::size_t place) {
        Outcome outcome{.the_case = c};
        end_unreached(outcome, device_session.entry.info, request_.budget_seconds);
        const Record record = to_record(outcome, device_session.entry.info, run_);
        const std::string& device = record.device;
        if (listener_.trouble) {
            listener_.trouble(fmt::format(
                "{} is busy: its peak rate '{}' is not measured, so that the cases are, and no "
                "share of it is shown.",
                device, c.variant->name));
        }
        take_over(record, place, true);
        return record;
    }

    const Request& request_;
    const std::vector<Entry>& entries_;
    const Listener& listener_;
    const RunInfo& run_;
    std::vector<Case> cases_;
    MeasurementContext context_;
    TimeBudget& time_budget_ = context_.time_budget;
    std::mutex locking_;  ///< ceilings of several devices are measured concurrently
    DeviceLocks device_locks_;
    std::vector<DeviceSession*> device_sessions_;  ///< the ones that could be opened
    std::set<ElementType> types_;
    /// Shared by work that waits for the host, exclusive while a case is timed alone.
    std::shared_mutex quiet_;
    OpenShapes shapes_{request_, cases_, device_sessions_};
    /// Guards the time budget, the listener, and the following members during concurrent timing.
    std::mutex mutex_;
    Progress progress_;
    Totals totals_;
    std::string refusal_;
    RecordsInOrder records_{listener_.record};
    std::size_t timed_ = 0, timed_in_a_row_ = 0;  ///< jobs of all blocks so far
    std::set<std::pair<const DeviceSession*, CaseKey>> was_timed_;
};

}  // namespace

Totals run_session(const Request& request, const std::vector<Entry>& entries,
                   const RunConfig& config, const RunInfo& run, const Listener& listener) {
    return Session(request, entries, config, run, listener).run();
}

}  // namespace parallax
