// Takes records into what a report over many devices needs of them.
#include "studies/fleet/fleet.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>
#include <tuple>

#include <fmt/format.h>

#include "common/text/text.hpp"
#include "measure/telemetry.hpp"
#include "records/record.hpp"

namespace parallax {
namespace {

/// Only throttling that the hardware forces counts: every GPU reaches its power cap under load.
constexpr std::uint64_t forced_slowdowns = 0x08 | 0x40 | 0x80;

/// Words of notes and reasons for a disturbance by other processes; older records have no number of
/// it.
constexpr std::array<std::string_view, 2> words_of_disturbance{"other process(es) computed",
                                                               "thers used "};
/// Words about an answer that only its times make wrong.
constexpr std::string_view overwritten_takes_longer =
    " times as long when its outputs are overwritten before each run";

void add_fact(FleetDevice& device, const std::string& name, const std::string& value) {
    if (!value.empty()) device.facts[name].insert(value);
}

template <class T>
std::string fact_text(const std::optional<T>& value, std::string_view unit) {
    return value ? fmt::format("{}{}", *value, unit) : std::string();
}

std::string on_off(const std::optional<bool>& value) {
    return !value ? "" : *value ? "on" : "off";
}

std::string power_limit_of(const Record& record) {
    std::optional<double> watts = record.where.settings.power_limit_watts;
    if (!watts) watts = record.after.power_limit_watts;
    return watts ? fmt::format("{:g} W", *watts) : std::string();
}

void add_facts(FleetDevice& device, const Record& record) {
    const DeviceRecord& where = record.where;
    const DeviceSettings& settings = where.settings;
    add_fact(device, "driver", where.driver);
    add_fact(device, where.backend + " API", where.api);
    add_fact(device, where.backend + " compiler", where.compiler);
    add_fact(device, where.backend + " compute units", fmt::format("{}", where.compute_units));
    add_fact(device, where.backend + " memory", binary_size(where.memory_bytes));
    add_fact(device, "power limit", power_limit_of(record));
    add_fact(device, "MIG", settings.mig);
    add_fact(device, "MPS", on_off(settings.mps));
    add_fact(device, "persistence", on_off(settings.persistence));
    add_fact(device, "program", record.run.program_version);
    const DeviceState& state = record.after;
    add_fact(device, "ECC", on_off(settings.ecc ? settings.ecc : state.ecc));
    add_fact(device, "highest clock", fact_text(state.max_sm_clock_mhz, " MHz"));
    if (!state.throttle_reasons) return;
    std::set<std::string>& slowed = device.facts["slowed down by"];
    const std::uint64_t forced = *state.throttle_reasons & forced_slowdowns;
    if (forced != 0) slowed.erase("nothing");
    if (forced != 0 || slowed.empty()) {
        slowed.insert(forced == 0 ? "nothing" : throttle_words(forced));
    }
}

FleetClass class_of(const Record& record) {
    if (record.counts_operations()) return FleetClass::compute;
    // The ceilings are the device's own; transfers over its link to the host have none.
    return record.share.of == "copy" || record.key.suite == "ceiling" ? FleetClass::memory
                                                                      : FleetClass::transfer;
}

/// The record's entry on other users of its device: a number, or the words of an older record.
/// Nothing: no other user is known.
std::optional<FleetOthers> others_in(const Record& record) {
    const std::optional<double> use = record.after.others_use;
    if (record.where.pci.empty()) return {};  // a processor is never one process's alone
    if (use) {
        if (*use <= others_noticed) return {};
        return FleetOthers{.records = 1, .most_use = use};
    }
    std::vector<std::string> texts = record.notes;
    texts.push_back(record.reason);
    for (const std::string& text : texts) {
        const auto is_in = [&](std::string_view word) { return text.find(word) != text.npos; };
        if (std::ranges::any_of(words_of_disturbance, is_in))
            return FleetOthers{.records = 1, .said = text};
    }
    return {};
}

void add_others(FleetOthers& all, const FleetOthers& more) {
    all.records += more.records;
    if (more.most_use) all.most_use = std::max(all.most_use.value_or(0), *more.most_use);
    if (all.said.empty()) all.said = more.said;
}

bool is_empty_launch(const Record& record) {
    return record.key.suite == "ceiling" && record.key.variant == "launch";
}

}  // namespace

std::string_view name_of(FleetClass kind) {
    switch (kind) {
        case FleetClass::memory: return "memory";
        case FleetClass::compute: return "compute";
        case FleetClass::transfer: break;
    }
    return "transfer";
}

std::string node_name(const std::string& host) {
    return host.empty() ? "unknown host" : host;
}

std::string FleetDevice::place() const {
    const std::string node = node_name(host);
    if (slot) return fmt::format("{} gpu {}", node, *slot);
    return fmt::format("{} {}", node, pci.empty() ? entry : pci);
}

bool natural_before(const std::string& a, const std::string& b) {
    return ::strverscmp(a.c_str(), b.c_str()) < 0;
}

FleetAnswers FleetRecords::answers_of(std::uint32_t device, std::uint32_t the_case) const {
    FleetAnswers left = answers.at({device, the_case});
    if (devices[device].is_busy()) left.wrong -= left.by_time;
    return left;
}

void FleetRecords::sort(std::vector<std::uint32_t>& indices) const {
    std::ranges::sort(indices, before_in_place,
                      [&](std::uint32_t i) -> const FleetDevice& { return devices[i]; });
}

std::vector<std::uint32_t> FleetRecords::in_place() const {
    std::vector<std::uint32_t> all(devices.size());
    std::iota(all.begin(), all.end(), 0U);
    sort(all);
    return all;
}

bool before_in_place(const FleetDevice& a, const FleetDevice& b) {
    if (a.host != b.host) return natural_before(a.host, b.host);
    if (a.slot != b.slot) return a.slot < b.slot;
    return std::tie(a.pci, a.uuid, a.entry) < std::tie(b.pci, b.uuid, b.entry);
}

std::string FleetPeers::title() const {
    std::string text = model;
    if (power_limit != "unknown") text += ", " + power_limit;
    if (mig != "unknown" && mig != "off") text += ", MIG " + mig;
    return text;
}

std::uint32_t FleetReader::device_of(const Record& record) {
    const DeviceRecord& where = record.where;
    const std::optional<std::uint32_t> slot = where.settings.slot;
    // CPUs may share a UUID, or have none: then the slot distinguishes them.
    std::string key = fmt::format("{}\n{}\n{}", record.run.host, where.uuid, where.pci);
    if (where.pci.empty()) key += slot ? fmt::format("\n{}", *slot) : "\n" + record.device;
    const auto [found, is_new] =
        device_index_.try_emplace(std::move(key), static_cast<std::uint32_t>(made_.devices.size()));
    if (is_new) {
        made_.devices.push_back({.host = record.run.host,
                                 .slot = slot,
                                 .uuid = where.uuid,
                                 .pci = where.pci,
                                 .entry = record.device,
                                 .model = where.name});
    }
    FleetDevice& device = made_.devices[found->second];
    if (!device.slot) device.slot = slot;
    return found->second;
}

std::uint32_t FleetReader::case_of(const Record& record) {
    CaseKey sorted = record.key.sorted();
    const FloatRules& floats = record.program.floats;
    // A kernel compiled from another source or by other rules is another case.
    std::string identity =
        fmt::format("{}\n{}\n{}{}{}{}", to_string(sorted), record.program.source_hash,
                    floats.contract, floats.exact_division, floats.flush_denormals, floats.relaxed);
    const auto [found, is_new] = case_index_.try_emplace(
        identity + "\n" + record.where.backend, static_cast<std::uint32_t>(made_.cases.size()));
    if (is_new) {
        made_.cases.push_back({.title = {},
                               .key = std::move(sorted),
                               .backend = record.where.backend,
                               .identity = std::move(identity)});
    }
    FleetCase& one = made_.cases[found->second];
    if (record.timing && one.work.bytes == 0 && one.work.operations == 0) {
        one.work = record.work;
        one.kind = class_of(record);
        one.by_operations = record.counts_operations();
    }
    return found->second;
}

std::uint32_t FleetReader::peers_of(const Record& record) {
    const auto known = [](const std::string& text) { return text.empty() ? "unknown" : text; };
    FleetPeers peers{record.where.name, known(power_limit_of(record)),
                     known(record.where.settings.mig)};
    const auto [found, is_new] = peers_index_.try_emplace(
        fmt::format("{}\n{}\n{}", peers.model, peers.power_limit, peers.mig),
        static_cast<std::uint32_t>(made_.peers.size()));
    if (is_new) made_.peers.push_back(std::move(peers));
    return found->second;
}

bool FleetReader::is_new(const Record& record, std::uint32_t device, std::uint32_t the_case) {
    const std::string name =
        fmt::format("{}\n{}\n{}\n{}\n{}\n{}", record.run.id, record.run.started, device, the_case,
                    record.device, int{record.side});
    const float figure = record.timing ? static_cast<float>(record.seconds())
                                       : -1 - static_cast<float>(record.status);
    const auto [found, added] = seen_.try_emplace(std::hash<std::string>{}(name), figure);
    if (added) return true;
    ++made_.reading.again;
    made_.reading.contradicted += found->second != figure;
    return false;
}

void FleetReader::add(const Record& record) {
    FleetReading& reading = made_.reading;
    if (!record.program.edits.empty()) {
        ++reading.edited;
        return;
    }
    const std::uint32_t device = device_of(record), the_case = case_of(record);
    if (!is_new(record, device, the_case)) return;
    ++reading.records;
    reading.doubtful += is_doubtful(record.status, record.doubts);
    FleetDevice& its = made_.devices[device];
    ++its.records;
    its.runs.insert(std::hash<std::string>{}(record.run.id));
    add_facts(its, record);
    const auto others = others_in(record);
    if (others) add_others(its.others, *others);
    const bool may_be_others = others || !record.after.others_use;
    const bool is_answer = is_right(record.status) || record.status == Status::wrong ||
                           record.status == Status::failed;
    if (is_answer && record.measured.empty()) {
        FleetAnswers& answers = made_.answers[{device, the_case}];
        ++answers.runs;
        answers.wrong += record.status == Status::wrong;
        answers.failed += record.status == Status::failed;
        if (record.status == Status::wrong || record.status == Status::failed) {
            const bool by_time = may_be_others && record.status == Status::wrong &&
                                 record.reason.find(overwritten_takes_longer) != std::string::npos;
            const bool all_by_time = answers.wrong + answers.failed == answers.by_time + 1;
            if (answers.reason.empty() || (all_by_time && !by_time)) answers.reason = record.reason;
            answers.by_time += by_time;
        }
    }
    if (!record.timing) return;
    double& launch = launch_seconds_[fmt::format("{} {}", device, record.where.backend)];
    if (is_empty_launch(record)) launch = record.seconds();
    if (record.ceiling.launch_seconds > 0) {
        launch = record.ceiling.launch_seconds;
    }
    if (is_empty_launch(record) || record.seconds() < 2 * launch) {
        ++reading.launching;
    } else if (!record.measured.empty()) {
        ++reading.kept;
    } else {
        made_.figures[{device, peers_of(record), the_case}].push_back(std::log(record.seconds()));
    }
}

FleetRecords FleetReader::take() {
    std::map<std::string, unsigned> cases_of;
    for (FleetCase& one : made_.cases) {
        one.title = fmt::format("{} ({})", one.key.without_constants(), one.backend);
        ++cases_of[one.title];
    }
    std::map<std::string, unsigned> again;
    for (FleetCase& one : made_.cases) {
        if (cases_of[one.title] > 1)
            one.title = fmt::format("{} ({})", to_string(one.key), one.backend);
        // Cases of one title whose sources or float rules differ are numbered.
        if (const unsigned before = again[one.title]++; before > 0) {
            one.title += fmt::format(" #{}", before + 1);
        }
    }
    return std::move(made_);
}

void FleetReader::add_problem(const BriefLine& line, const std::string& where) {
    using enum BriefLine::Kind;
    FleetReading& reading = made_.reading;
    reading.cut += line.kind == cut;
    reading.newer += line.kind == newer;
    reading.refused += line.kind == refused;
    if (line.kind == record || line.kind == other) return;
    if (reading.problems.size() == most_problems) return;
    const std::string what = line.kind == cut ? "it ends in the middle" : line.problem;
    reading.problems.push_back(fmt::format("{}: {}", printable(where, 300), what));
}

}  // namespace parallax
