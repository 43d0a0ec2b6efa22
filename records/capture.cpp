// Parses capture.json, member by member, from any source.
#include "records/capture.hpp"

#include <algorithm>
#include <fstream>
#include <set>

#include <fmt/format.h>

#include "common/error.hpp"
#include "common/text/read_file.hpp"
#include "common/text/text.hpp"
#include "records/line.hpp"

namespace parallax {
namespace {

constexpr std::uint64_t most_capture = std::uint64_t{64} << 20;
constexpr std::uint64_t most_count = std::uint64_t{1} << 53;
constexpr double most_seconds = 1e11;  // since the epoch, for 3000 years
constexpr double most_sum = 1e100;     // for times from drivers, which may be arbitrary

/// A value of the file; a missing member is null.
class Value {
public:
    explicit Value(const Json& json) : json_(&json) {}

    Value operator[](const char* name) const {
        static const Json nothing;
        const auto found = json_->is_object() ? json_->find(name) : json_->end();
        return Value(json_->is_object() && found != json_->end() ? *found : nothing);
    }
    /// @throws UsageError for an invalid time
    double seconds(double most = most_sum) const {
        const double value = json_->is_number() ? json_->get<double>() : 0;
        if (value >= 0 && value <= most) return value;
        throw UsageError(fmt::format("{} is no number of seconds", value));
    }
    /// @throws UsageError for an invalid count
    std::uint64_t count() const {
        if (!json_->is_number()) return 0;
        if (json_->is_number_unsigned()) {
            const auto value = json_->get<std::uint64_t>();
            if (value <= most_count) return value;
        }
        throw UsageError(fmt::format("{} is no count", json_->dump()));
    }
    bool yes() const { return json_->is_boolean() && json_->get<bool>(); }
    std::string text() const {
        return json_->is_string() ? printable(json_->get<std::string>(), 1000) : "";
    }
    std::vector<Value> list() const {
        std::vector<Value> parts;
        if (!json_->is_array()) return parts;
        for (const Json& one : *json_) parts.emplace_back(one);
        return parts;
    }
    std::vector<std::pair<std::string, Value>> members() const {
        std::vector<std::pair<std::string, Value>> parts;
        if (!json_->is_object()) return parts;
        for (const auto& [name, one] : json_->items())
            parts.emplace_back(printable(name, 200), one);
        return parts;
    }

private:
    const Json* json_;
};

/// @param count  name of the member
CaptureSum sum_of(const Value& part, const char* count) {
    return {part[count].count(), part["timed"].count(), part["bytes"].count(),
            part["seconds"].seconds()};
}

void add(CaptureSum& to, const CaptureSum& other) {
    to.count += other.count;
    to.timed += other.timed;
    to.bytes += other.bytes;
    to.seconds += other.seconds;
}

std::map<std::string, std::uint64_t> counts_of(const Value& part) {
    std::map<std::string, std::uint64_t> counts;
    for (const auto& [name, one] : part.members()) counts[name] = one.count();
    return counts;
}

CapturedKernel kernel_of(const Value& part) {
    CapturedKernel kernel{part["kernel"].text(),
                          part["options"].text(),
                          part["program"].text(),
                          sum_of(part, "launches"),
                          {},
                          counts_of(part["left_out"]),
                          part["first"].count()};
    for (const Value& kind : part["kinds"].list()) {
        kernel.kinds.push_back(
            {kind["case"].text(), kind["why_not"].text(), sum_of(kind, "launches")});
    }
    return kernel;
}

Capture capture_of(const Value& top) {
    Capture capture;
    for (const Value& word : top["command"].list()) capture.command.push_back(word.text());
    capture.process = top["process"].text();
    capture.complete = top["complete"].yes();
    capture.started = top["started"].seconds(most_seconds);
    capture.seconds = top["seconds"].seconds(most_seconds);
    capture.snapshot_seconds = std::min(top["snapshot_seconds"].seconds(), capture.seconds);
    capture.has_contents = top["contents"].yes();
    capture.only_hashes = top["only_hashes"].yes();
    for (const auto& [name, driver] : top["devices"].members()) {
        capture.devices[name] = driver.text();
    }
    capture.builds = sum_of(top["builds"], "count");
    capture.to_device = sum_of(top["to_device"], "count");
    capture.from_device = sum_of(top["from_device"], "count");
    capture.on_device = sum_of(top["on_device"], "count");
    capture.mapped = sum_of(top["mapped"], "count");
    capture.busy_seconds = top["busy_seconds"].seconds();
    capture.some_kernel_seconds = top["kernel_seconds"].seconds();
    capture.gap_seconds = top["gap_seconds"].seconds();
    capture.launches = top["launches"].count();
    for (const Value& kernel : top["kernels"].list()) capture.kernels.push_back(kernel_of(kernel));
    capture.left_out = counts_of(top["left_out"]);
    for (const Value& problem : top["problems"].list()) capture.problems.push_back(problem.text());
    return capture;
}

/// The counters of a process that could not write its final results.
std::optional<LiveCounts> read_live(const std::filesystem::path& file) {
    std::error_code error;
    LiveCounts counts;
    if (std::filesystem::file_size(file, error) != sizeof(counts) || error) return {};
    std::ifstream in(file, std::ios::binary);
    in.read(reinterpret_cast<char*>(&counts), sizeof(counts));
    if (!in || counts.mark != LiveCounts::right_mark) return {};
    return counts;
}

/// Replaces the counts in capture.json by newer ones.
void bring_up_to_date(Json& json, const LiveCounts& live) {
    if (!json.is_object()) return;
    const auto put = [](Json& to, const char* count, const LiveSum& sum) {
        if (!to.is_object()) return;
        to[count] = sum.count, to["timed"] = sum.timed, to["seconds"] = sum.seconds;
        if (to.contains("bytes")) to["bytes"] = sum.bytes;
    };
    const auto put_placed = [&](Json& part) {
        LiveSum sum;
        const std::vector<Value> places = Value(part)["live"].list();
        for (const Value& place : places) {
            if (place.count() >= LiveCounts::most) return;
            const LiveSum& one = live.sums.at(place.count());
            sum.count += one.count, sum.timed += one.timed, sum.seconds += one.seconds;
        }
        if (!places.empty()) put(part, "launches", sum);
    };
    json["complete"] = Value(json)["complete"].yes() || live.ended != 0;
    json["launches"] = live.launches;
    json["seconds"] = live.seconds;
    json["snapshot_seconds"] = live.snapshot_seconds;
    for (const auto& [name, sum] :
         {std::pair{"builds", &live.builds}, std::pair{"to_device", &live.to_device},
          std::pair{"from_device", &live.from_device}, std::pair{"on_device", &live.on_device},
          std::pair{"mapped", &live.mapped}}) {
        put(json[name], "count", *sum);
    }
    if (!json["kernels"].is_array()) return;
    for (Json& kernel : json["kernels"]) {
        put_placed(kernel);
        if (!kernel.is_object() || !kernel["kinds"].is_array()) continue;
        for (Json& kind : kernel["kinds"]) put_placed(kind);
    }
}

}  // namespace

std::map<std::string, std::uint64_t> CapturedKernel::not_kept() const {
    std::map<std::string, std::uint64_t> reasons;
    std::uint64_t known = 0;
    for (const CapturedKind& kind : kinds) {
        known += kind.sum.count;
        if (kind.name.empty()) reasons[kind.why_not] += kind.sum.count;
    }
    if (sum.count <= known) return reasons;
    // Launches without a kind: left out for the reasons that no kind has.
    std::uint64_t others = sum.count - known;
    for (const auto& [reason, count] : left_out) {
        const bool is_kinds = std::ranges::any_of(
            kinds, [&](const CapturedKind& kind) { return kind.why_not == reason; });
        if (is_kinds || others == 0) continue;
        reasons[reason] += std::min(count, others);
        others -= std::min(count, others);
    }
    if (others > 0) reasons["the reason is not known"] += others;
    return reasons;
}

double Capture::launch_seconds() const {
    double all = 0;
    for (const CapturedKernel& kernel : kernels) all += kernel.sum.all_seconds();
    return all;
}

double Capture::kernel_seconds() const {
    const double all = launch_seconds();
    double timed = 0;
    for (const CapturedKernel& kernel : kernels) timed += kernel.sum.seconds;
    // Launches without a time are assumed to be like the others, and concurrent with them.
    const double some = some_kernel_seconds > 0 && timed > 0
                            ? all * std::min(1.0, some_kernel_seconds / timed)
                            : all;
    return seconds > 0 ? std::min(some, seconds) : some;
}

double Capture::program_seconds() const {
    return std::max(seconds - snapshot_seconds, kernel_seconds());
}

double Capture::idle_seconds() const {
    const auto count = static_cast<double>(std::max<std::size_t>(devices.size(), 1));
    return std::clamp(count * program_seconds() - busy_seconds, 0.0, gap_seconds);
}

std::uint64_t Capture::launches_not_kept() const {
    std::uint64_t all = 0;
    for (const CapturedKernel& kernel : kernels) {
        for (const auto& [reason, count] : kernel.not_kept()) all += count;
    }
    return all;
}

std::size_t Capture::cases() const {
    std::size_t all = 0;
    for (const CapturedKernel& kernel : kernels) {
        for (const CapturedKind& kind : kernel.kinds) all += !kind.name.empty();
    }
    return all;
}

Capture capture_from(const std::string& file, std::string_view text,
                     const std::optional<LiveCounts>& live) {
    ParsedLine parsed = parse_line(without_mark(std::string(text)));
    if (!parsed.problem.empty()) {
        throw UsageError(fmt::format(
            "{}: no JSON that can be read: {}.",
            parsed.line > 0 ? fmt::format("{}:{}", file, parsed.line) : file, parsed.problem));
    }
    if (live) bring_up_to_date(parsed.json, *live);
    const Value top(parsed.json);
    try {
        if (top["parallax"].text() == "capture" && top["version"].count() == 1) {
            return capture_of(top);
        }
    } catch (const UsageError& error) {
        throw UsageError(fmt::format("{}: {}: was the file edited?", file, error.what()));
    }
    throw UsageError(
        fmt::format("{} is no capture of a version that this program knows. "
                    "'parallax capture -o DIR -- PROGRAM' writes one.",
                    file));
}

Capture together(Capture all, const Capture& other) {
    all.complete = all.complete && other.complete;
    all.processes += other.processes;
    all.only_hashes = all.only_hashes || other.only_hashes;
    all.has_contents = all.has_contents || other.has_contents;
    // The wall-clock times tell whether they ran concurrently.
    const double end = std::max(all.started + all.seconds, other.started + other.seconds);
    all.started = std::min(all.started, other.started);
    all.seconds = std::min(end - all.started, all.seconds + other.seconds);
    all.snapshot_seconds = std::min(all.snapshot_seconds + other.snapshot_seconds, all.seconds);
    all.devices.insert(other.devices.begin(), other.devices.end());
    for (const auto sum : {&Capture::builds, &Capture::to_device, &Capture::from_device,
                           &Capture::on_device, &Capture::mapped}) {
        add(all.*sum, other.*sum);
    }
    all.busy_seconds += other.busy_seconds;
    all.some_kernel_seconds += other.some_kernel_seconds;
    all.gap_seconds += other.gap_seconds;
    all.launches += other.launches;
    for (const CapturedKernel& kernel : other.kernels) {
        const auto same = std::ranges::find_if(all.kernels, [&](const CapturedKernel& one) {
            return one.kernel == kernel.kernel && one.options == kernel.options &&
                   one.program == kernel.program;
        });
        if (same == all.kernels.end()) {
            all.kernels.push_back(kernel);
            continue;
        }
        add(same->sum, kernel.sum);
        same->kinds.insert(same->kinds.end(), kernel.kinds.begin(), kernel.kinds.end());
        for (const auto& [reason, count] : kernel.left_out) same->left_out[reason] += count;
    }
    for (const auto& [what, count] : other.left_out) all.left_out[what] += count;
    all.problems.insert(all.problems.end(), other.problems.begin(), other.problems.end());
    return all;
}

Capture read_capture(const std::filesystem::path& folder) {
    constexpr unsigned most_processes = 1000;
    std::set<std::string> processes;
    const auto part = [&](const std::string& name) {
        const std::filesystem::path file = folder / name;
        Capture capture =
            capture_from(file.string(), read_file(file, most_capture),
                         read_live(std::filesystem::path(file).replace_extension(".live")));
        processes.insert(capture.process.empty() ? name : capture.process);
        return capture;
    };
    Capture all = part("capture.json");
    for (unsigned number = 2; number < most_processes; ++number) {
        const std::string name = fmt::format("capture.{}.json", number);
        if (!std::filesystem::exists(folder / name)) break;
        std::error_code error;
        if (std::filesystem::is_empty(folder / name, error)) {
            processes.insert(name);
            all.complete = false;
            all.problems.push_back(
                fmt::format("{} is empty: the process that it is of could not write", name));
            continue;
        }
        all = together(std::move(all), part(name));
    }
    all.processes = processes.size();
    return all;
}

}  // namespace parallax
