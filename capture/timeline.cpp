// Records where the program's time goes: commands timed by the device's timer.
#include <algorithm>
#include <fstream>
#include <iterator>

#include <nlohmann/json.hpp>

#include "capture/state.hpp"

namespace parallax::capture {
namespace {

using Json = nlohmann::ordered_json;

/// Maximum number of commands whose times are pending. Further ones are counted without a time, so
/// that memory does not grow with launches.
constexpr std::size_t most_pending = 8192;
/// Number of commands between checks of the oldest ones.
constexpr std::size_t worth_a_look = 256;

Json json_of(const Sum& sum) {
    return {
        {"count", sum.count}, {"timed", sum.timed}, {"bytes", sum.bytes}, {"seconds", sum.seconds}};
}

/// Indices of the live counters, which are newer than this file unless it is the final one.
Json places_of(const Sum& sum, const std::vector<const Sum*>& others = {}) {
    Json places = Json::array();
    const auto add = [&](const Sum& one) {
        if (const auto place = place_of(one)) places.push_back(*place);
    };
    add(sum);
    for (const Sum* other : others) add(*other);
    return places;
}

Json json_of(const Kind& kind) {
    Sum sum = kind.sum;
    for (const Sum* other : kind.others) {
        sum.count += other->count;
        sum.timed += other->timed;
        sum.seconds += other->seconds;
    }
    Json json{{"case", kind.name},
              {"launches", sum.count},
              {"timed", sum.timed},
              {"seconds", sum.seconds},
              {"global", kind.global},
              {"local", kind.local},
              {"live", places_of(kind.sum, kind.others)}};
    if (!kind.why_not.empty()) json["why_not"] = kind.why_not;
    return json;
}

std::vector<std::string> own_words() {
    std::ifstream in("/proc/self/cmdline", std::ios::binary);
    const std::string text{std::istreambuf_iterator<char>(in), {}};
    std::vector<std::string> words;
    for (std::size_t at = 0; at < text.size(); at += words.back().size() + 1) {
        words.emplace_back(text.c_str() + at);
    }
    return words;
}

}  // namespace

void BusyTime::add(std::uint64_t start, std::uint64_t end) {
    constexpr std::size_t most = 256;
    start = std::max(start, closed_to_);
    if (end <= start) return;
    auto next = spans_.upper_bound(start);
    if (next != spans_.begin() && std::prev(next)->second >= start) {
        --next;
        start = next->first;
    }
    for (; next != spans_.end() && next->first <= end; next = spans_.erase(next))
        end = std::max(end, next->second);
    spans_[start] = end;
    if (spans_.size() <= most) return;
    closed_ += spans_.begin()->second - spans_.begin()->first;
    closed_to_ = spans_.begin()->second;
    spans_.erase(spans_.begin());
}

double BusyTime::seconds() const {
    std::uint64_t all = closed_;
    for (const auto& [start, end] : spans_) all += end - start;
    return 1e-9 * static_cast<double>(all);
}

void add_time(const void* device, std::uint64_t start, std::uint64_t end, Sum& sum, Tally* tally,
              double snapshot_seconds) {
    State& s = state();
    const double seconds = 1e-9 * static_cast<double>(end - start);
    const auto add = [&](Sum& one) {
        ++one.timed;
        one.seconds += seconds;
    };
    add(sum);
    if (tally && &sum != &tally->sum) add(tally->sum);
    DeviceTime& time = s.device_times[device];
    time.commands.add(start, end);
    if (tally) time.kernels.add(start, end);
    // While contents were kept the program was not idle but delayed.
    const double kept = snapshot_seconds - time.snapshot_seconds;
    if (time.last_end != 0 && start > time.last_end)
        s.gap_seconds += std::max(0.0, 1e-9 * static_cast<double>(start - time.last_end) - kept);
    if (end > time.last_end) {
        time.last_end = end;
        time.snapshot_seconds = snapshot_seconds;
    }
}

void remember(cl_command_queue queue, cl_event event, Sum& sum,
              const std::shared_ptr<Tally>& tally) {
    State& s = state();
    publish();
    if (s.pending.size() % worth_a_look == worth_a_look - 1) harvest();
    const auto found = s.queues.find(queue);
    if (s.pending.size() >= most_pending || found == s.queues.end()) {
        s.next.clReleaseEvent(event);
        return;
    }
    s.pending.push_back({event, &sum, tally, found->second.device, s.snapshot_seconds});
}

void harvest() {
    State& s = state();
    publish();
    while (!s.pending.empty()) {
        const Pending& one = s.pending.front();
        cl_int status = CL_COMPLETE;
        s.next.clGetEventInfo(one.event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof(status), &status,
                              nullptr);
        if (status > CL_COMPLETE) return;
        cl_ulong start = 0, end = 0;
        const bool known =
            status == CL_COMPLETE &&
            s.next.clGetEventProfilingInfo(one.event, CL_PROFILING_COMMAND_START, sizeof(start),
                                           &start, nullptr) == CL_SUCCESS &&
            s.next.clGetEventProfilingInfo(one.event, CL_PROFILING_COMMAND_END, sizeof(end), &end,
                                           nullptr) == CL_SUCCESS &&
            end >= start;
        if (known) {
            add_time(one.device, start, end, *one.sum, one.tally.get(), one.snapshot_seconds);
        }
        s.next.clReleaseEvent(one.event);
        s.pending.pop_front();
    }
}

void write_capture(When when) {
    constexpr double free_seconds = 0.1, largest_share = 0.05;
    State& s = state();
    const bool at_end = when == When::at_end;
    Json json;
    const auto begin = std::chrono::steady_clock::now();
    {
        const std::scoped_lock lock(s.mutex);
        if (when == When::rarely && begin - s.written < std::chrono::seconds(1)) return;
        const double most = free_seconds + largest_share * seconds_since(s.start);
        if (when == When::soon && s.writing_seconds > most) return;
        s.written = begin;
        double busy = 0, kernels = 0;
        for (const auto& [device, time] : s.device_times) {
            busy += time.commands.seconds();
            kernels += time.kernels.seconds();
        }
        json = {{"parallax", "capture"},
                {"version", 1},
                {"command", own_words()},
                {"process", s.live->process.data()},
                {"complete", at_end},
                {"started", s.started},
                {"seconds", seconds_since(s.start)},
                {"snapshot_seconds", s.snapshot_seconds},
                {"contents", !s.settings.timeline},
                {"only_hashes", s.settings.no_data},
                {"bytes_kept", s.store->bytes_kept()},
                {"devices", s.devices},
                {"builds", {{"count", s.builds.count}, {"seconds", s.builds.seconds}}},
                {"to_device", json_of(s.to_device)},
                {"from_device", json_of(s.from_device)},
                {"on_device", json_of(s.on_device)},
                {"mapped", json_of(s.mapped)},
                {"busy_seconds", busy},
                {"kernel_seconds", kernels},
                {"gap_seconds", s.gap_seconds},
                {"launches", s.launches},
                {"kernels", Json::array()},
                {"left_out", s.left_out},
                {"problems", s.problems}};
        for (const auto& [key, tally] : s.tallies) {
            if (tally->sum.count == 0) continue;
            Json one{{"kernel", tally->kernel},       {"options", tally->options},
                     {"program", tally->program},     {"first", tally->first},
                     {"launches", tally->sum.count},  {"timed", tally->sum.timed},
                     {"seconds", tally->sum.seconds}, {"kinds", Json::array()},
                     {"left_out", tally->left_out}};
            one["live"] = places_of(tally->sum);
            for (const auto& kind : tally->cases) one["kinds"].push_back(json_of(*kind));
            for (const auto& [work, kind] : tally->kinds) {
                const bool has_launches = kind->sum.count > 0 || !kind->others.empty();
                if (kind->name.empty() && has_launches) one["kinds"].push_back(json_of(*kind));
            }
            json["kernels"].push_back(std::move(one));
        }
    }
    s.store->write(s.file, json.dump(1, ' ', false, Json::error_handler_t::replace) + "\n");
    const std::scoped_lock lock(s.mutex);
    s.writing_seconds += seconds_since(begin);
}

}  // namespace parallax::capture
