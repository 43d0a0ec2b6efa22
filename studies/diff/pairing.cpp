// Finds the records of one case on both sides, and takes from them what a diff shows.
#include "studies/diff/pairing.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <map>
#include <set>

#include <fmt/format.h>

#include "common/error.hpp"
#include "common/text/text.hpp"
#include "common/text/unique_values.hpp"
#include "studies/case_of.hpp"
#include "studies/diff/same_kernel.hpp"

namespace parallax {
namespace {

/// Where records are placed among those of other devices in their file.
class Lanes {
public:
    explicit Lanes(const Sides& sides) {
        std::set<std::string> of_a;
        for (const Record* record : sides.a.records) of_a.insert(lane_of(*record));
        // Sides of other kinds of devices have no lane in common but that of the API.
        by_name_ = std::ranges::any_of(
            sides.b.records, [&](const Record* record) { return of_a.contains(lane_of(*record)); });
        for (const SideSet* side : {&sides.a, &sides.b}) {
            std::set<std::string_view> devices;
            std::map<std::pair<std::string, std::string>, std::set<std::string_view>> entries;
            for (const Record* record : side->records) {
                devices.insert(record->device);
                entries[{lane_of(*record), record->run.id}].insert(record->device);
            }
            one_to_one_ = one_to_one_ && devices.size() == 1;
            for (const auto& [lane_and_run, own] : entries) {
                if (own.size() > 1) shared_.insert(lane_and_run.first);
            }
        }
    }

    /// Empty when every side has one device only.
    std::string of(const Record& record) const {
        if (one_to_one_) return {};
        std::string lane = lane_of(record);
        // The number distinguishes several devices of one name in one machine.
        if (shared_.contains(lane)) lane += fmt::format(" ({})", record.device);
        return lane;
    }

private:
    std::string lane_of(const Record& record) const {
        return by_name_ ? record.where.backend + " on " + record.where.name : record.where.backend;
    }

    bool by_name_ = true;
    bool one_to_one_ = true;
    std::set<std::string> shared_;
};

/// The record that speaks for all runs of a side.
const Record& speaker(const Records& records) {
    return *chosen(records, SelectionPolicy::worst);
}

Records measured(const Records& records) {
    Records those;
    std::ranges::copy_if(records, std::back_inserter(those),
                         [](const Record* one) { return one->status == Status::ok; });
    return those;
}

Side side_of(const Records& records) {
    Side side;
    if (records.empty()) return side;
    const Record& record = speaker(records);
    side.status = record.status;
    side.reason = record.reason;
    side.file = record.program.file;
    side.log = record.log;
    if (is_right(record.status)) side.floats = record.program.floats;
    side.runs = records.size();
    side.options = record.program.options;
    if (!record.default_constants.empty()) side.tuned = record.key.constants;
    side.launches = record.launches;
    side.notes = record.notes;
    side.doubts = record.doubts;
    side.strict_failure = strict_failure(record);
    if (record.check) side.unchecked = record.check->unchecked;
    side.bytes = record.work.bytes;
    side.operations = record.work.operations;
    side.copy_bytes_per_second = record.ceiling.bytes_per_second;
    side.fma_operations_per_second = record.ceiling.operations_per_second;
    side.share = record.share.share;
    side.share_of = record.share.of;
    double logs = 0, count = 0;
    for (const Record* one : measured(records)) {
        // Runs of another thing have no mean with these.
        if (!differences_within({&record, one}, "").empty()) continue;
        logs += std::log(one->seconds());
        side.low = count > 0 ? std::min(side.low, one->low()) : one->low();
        side.high = std::max(side.high, one->high());
        ++count;
    }
    if (count > 0) side.seconds = std::exp(logs / count);
    return side;
}

/// Hashes of the outputs of all runs that began with this one's seed and ended as it did.
std::set<std::string> output_hashes(const Pairing& pairing, const Record& speaker) {
    std::set<std::string> hashes;
    for (const Records* side : {&pairing.a, &pairing.b}) {
        for (const Record* record : *side) {
            const bool is_like = record->run.seed == speaker.run.seed &&
                                 record->status == speaker.status && record->check;
            if (is_like) hashes.insert(record->check->output_hash);
        }
    }
    hashes.erase("");
    return hashes;
}

SameAnswer answers_of(const Pairing& pairing) {
    SameAnswer answer;
    const Record& a = speaker(pairing.a);
    const Record& b = speaker(pairing.b);
    answer.right_a = is_right(a.status);
    answer.right_b = is_right(b.status);
    const Check none, &check_a = a.check ? *a.check : none, &check_b = b.check ? *b.check : none;
    answer.only_agree =
        is_agreement(check_a.checked_against) || is_agreement(check_b.checked_against);
    answer.ulp_a = check_a.worst_ulp;
    answer.ulp_b = check_b.worst_ulp;
    answer.rms_ulp_a = check_a.rms_ulp;
    answer.rms_ulp_b = check_b.rms_ulp;
    answer.repeatable_a = check_a.repeatable;
    answer.repeatable_b = check_b.repeatable;
    if (!pairing.pairs.empty() && pairing.pairs.back()->answer) {
        answer.distance = pairing.pairs.back()->answer;
        answer.identical = answer.distance->identical;
    } else if (!check_a.output_hash.empty() && !check_b.output_hash.empty() &&
               a.run.seed == b.run.seed && a.status == b.status) {
        // One side's runs may differ among themselves.
        answer.identical = output_hashes(pairing, a).size() == 1;
    }
    return answer;
}

/// Whether a launch takes half of the time or more.
bool is_launching(const Pairing& pairing) {
    const auto short_of = [](const Records& records, double launch) {
        const Record& record = speaker(records);
        if (launch <= 0) launch = record.ceiling.launch_seconds;
        const auto steps = static_cast<double>(std::max<std::size_t>(1, record.launches.size()));
        return launch > 0 && record.timing && record.seconds() / steps < 2 * launch;
    };
    const Pair* pair = pairing.pairs.empty() ? nullptr : pairing.pairs.back();
    return short_of(pairing.a, pair ? pair->launch_seconds_a : 0) ||
           short_of(pairing.b, pair ? pair->launch_seconds_b : 0);
}

/// Whether nothing of it crosses the link to the host, as far as this program knows the case: older
/// programs called that cached, too.
bool stays_on_device(const CaseKey& key) {
    try {
        return plan_of(parallax::case_of(key)).is_plain();
    } catch (const UsageError&) {
        return true;
    }
}

}  // namespace

std::vector<Pairing> pair_up(const Sides& sides) {
    const Lanes lanes(sides);
    std::vector<Pairing> all;
    std::map<CaseInLane, std::size_t> places;
    const auto place = [&](const Record& record) -> Pairing& {
        const std::string lane = lanes.of(record);
        const auto [found, is_new] = places.emplace(case_in_lane(lane, record.asked()), all.size());
        if (is_new) all.push_back({lane, record.asked(), {}, {}, {}});
        return all[found->second];
    };
    const auto counts = [](const Record& record) {
        return record.key.suite != ceiling_suite && !is_broken_on_purpose(record);
    };
    for (const Record* record : sides.a.records) {
        if (counts(*record)) place(*record).a.push_back(record);
    }
    for (const Record* record : sides.b.records) {
        if (counts(*record)) place(*record).b.push_back(record);
    }
    for (const Pair* pair : sides.pairs) {
        const auto found = places.find(case_in_lane("", pair->key));
        if (found != places.end()) all[found->second].pairs.push_back(pair);
    }
    // The most informative cases were measured first.
    std::ranges::stable_sort(all, is_listed_before, &Pairing::key);
    return all;
}

CaseDiff case_of(const Pairing& pairing, const Both<std::string>& names) {
    const Record& any = speaker(pairing.a.empty() ? pairing.b : pairing.a);
    CaseDiff c;
    c.key = any.asked();
    c.file = any.program.file;
    c.source_hash = any.program.source_hash;
    c.a = side_of(pairing.a);
    c.b = side_of(pairing.b);
    c.in_cache =
        any.timing && any.timing->in_cache && any.work.moves_much() && stays_on_device(any.key);
    c.native = any.program.language == "native" &&
               (pairing.a.empty() || pairing.b.empty() ||
                !same_kernel(speaker(pairing.a), speaker(pairing.b)).two_kernels);
    c.lane = pairing.lane;
    if (!pairing.b.empty() && !pairing.b.front()->compared_with.empty()) {
        c.other_variant = pairing.b.front()->key.variant;
    }
    if (pairing.a.empty() || pairing.b.empty()) return c;
    if (c.a.status == Status::skipped || c.b.status == Status::skipped) return c;
    c.kernel = same_kernel(speaker(pairing.a), speaker(pairing.b));
    for (const auto& [side, records] :
         {std::pair{&names.a, &pairing.a}, std::pair{&names.b, &pairing.b}}) {
        for (Difference& one : differences_within(measured(*records), *side)) {
            c.kernel.differences.push_back(std::move(one));
            c.kernel.same = false;
        }
    }
    c.answer = answers_of(pairing);
    if (c.answer.right_a && c.answer.right_b) c.launching = is_launching(pairing);
    return c;
}

namespace {

/// Share of the device's copy bandwidth: above that of links to the host, below that of kernels
/// that only move data.
constexpr double least_own_share = 1.0 / 3;

bool has_mapped_buffers(const CaseKey& key) {
    try {
        const Plan plan = plan_of(parallax::case_of(key));
        return std::ranges::find(plan.buffers, Placement::mapped, &BufferSpec::placement) !=
               plan.buffers.end();
    } catch (const UsageError&) {
        return false;  // of a suite that this program does not have
    }
}

/// Bytes a second that the device copies in its own memory, as far as the side's records say.
double copy_bandwidth(const SideSet& side) {
    double most = 0;
    for (const auto* records : {&side.records, &side.ceilings}) {
        for (const Record* record : *records) {
            most = std::max(most, record->ceiling.bytes_per_second);
            if (record->key.suite != ceiling_suite || !record->timing) continue;
            most = std::max(most, record->work.bytes / record->seconds());
        }
    }
    return most;
}

}  // namespace

void compare_mapped_memory(const Sides& sides, std::vector<CaseDiff>& cases) {
    const double least_a = least_own_share * copy_bandwidth(sides.a),
                 least_b = least_own_share * copy_bandwidth(sides.b);
    if (!(least_a > 0) || !(least_b > 0) ||
        !one_physical_device(sides.a.records.front()->where, sides.b.records.front()->where)) {
        return;
    }
    std::vector<CaseDiff*> mapped;
    for (CaseDiff& c : cases) {
        if (c.a.seconds > 0 && c.b.seconds > 0 && has_mapped_buffers(c.key)) mapped.push_back(&c);
    }
    const auto is_own_a = [&](const CaseDiff* c) { return c->a.bytes_per_second() > least_a; };
    const auto is_own_b = [&](const CaseDiff* c) { return c->b.bytes_per_second() > least_b; };
    const auto shows =
        std::ranges::find_if(mapped, [&](const CaseDiff* c) { return is_own_a(c) != is_own_b(c); });
    if (shows == mapped.end()) return;
    const bool is_own = is_own_a(*shows);
    for (CaseDiff* c : mapped) {
        const auto words = [](bool own, const Side& side) {
            return fmt::format("{}, at {}", own ? "the device's" : "the host's",
                               rate(side.bytes_per_second(), "B"));
        };
        c->kernel.differences.push_back({.what = "memory of mapped buffers",
                                         .a = words(is_own, c->a),
                                         .b = words(!is_own, c->b),
                                         .forbids = true});
        c->kernel.same = false;
    }
}

}  // namespace parallax
