// What a record must be: docs/record.md, as code.
#include <cmath>

#include <fmt/format.h>

#include "common/statistics.hpp"
#include "records/schema.hpp"

namespace parallax::schema {
namespace {

constexpr Kind a_or_b{"a or b", [](const Json& j) { return j == "a" || j == "b"; }};

constexpr Member record_members[]{
    {"device", name},         {"status", text},         {"reason", said, false},
    {"log", text, false},     {"launches", objects},    {"program", object},
    {"where", object},        {"check", object, false}, {"timing", object, false},
    {"work", object, false},  {"rate", object, false},  {"ceiling", object, false},
    {"state", object, false}, {"notes", texts, false},  {"side", a_or_b, false},
};
constexpr Member launch_members[]{
    {"name", name},
    {"groups", three_counts},
    {"items", three_counts},
    {"local_bytes", whole, false},
    {"resources", object, false},
};
constexpr Member program_members[]{
    {"file", text},
    {"language", text},
    {"source_hash", text},
    {"edits", texts},
    {"floats", object},
    {"given_hash", text, false},
    {"options", texts, false},
    {"ptx_hash", text, false},
    {"build_seconds", times},
};
constexpr Member where_members[]{
    {"name", text},
    {"backend", text},
    {"platform", text, false},
    {"vendor", text, false},
    {"uuid", text},
    {"pci", text},
    {"api", text, false},
    {"driver", text},
    {"compiler", text, false},
    {"compute_capability", text, false},
    {"compute_units", whole, false},
    {"memory_bytes", whole},
    {"cache_bytes", whole, false},
    {"timer_tick_seconds", not_negative, false},
};
constexpr Member check_members[]{
    {"trials", whole},
    {"checked_against", text, false},
    {"shapes", shapes},
    {"fillings", texts},
    {"worst_share_of_bound", real},
    {"worst_ulp", real},
    {"output_hash", hash, false},
    {"repeatable", truth, false},
    {"failure", object, false},
};
constexpr Member failure_members[]{
    {"what", text},
    {"shape", shape, false},
    {"filling", text, false},
    {"seed", whole, false},
};
constexpr Member timing_members[]{
    {"scope", text},
    {"unit", text},
    {"median", positive},
    {"low", positive},
    {"high", positive},
    {"confidence", share},
    {"spread", not_negative},
    {"stopped_by", text},
    {"least_batch_seconds", not_negative},
    {"repeats", counts},
    {"in_cache", truth},
    {"round", wholes},
    {"samples", samples},
    {"host_samples", samples},
};
constexpr Member work_members[]{
    {"bytes", not_negative},
    {"operations", not_negative},
};
constexpr Member rate_members[]{
    {"gigabytes_per_second", not_negative},
    {"gigaoperations_per_second", not_negative},
};
constexpr Member ceiling_members[]{
    {"copy_gigabytes_per_second", not_negative, false},
    {"fma_gigaoperations_per_second", not_negative, false},
    {"share", not_negative, false},
    {"of", text, false},
};
constexpr Member state_members[]{
    {"before", object},
    {"after", object},
};

void look_at_launches(const Json& launches, Problems& problems) {
    for (std::size_t i = 0; i < launches.size() && problems.empty(); ++i) {
        const std::string where = fmt::format("launches[{}].", i);
        look(launches[i], where, launch_members, problems);
        const auto resources = launches[i].find("resources");
        if (problems.empty() && resources != launches[i].end()) {
            look_at_all(*resources, where + "resources.", fact, problems);
        }
    }
}

void look_at_check(const Json& check, Problems& problems) {
    look(check, "check.", check_members, problems);
    const auto failure = check.find("failure");
    if (failure != check.end() && failure->is_object()) {
        look(*failure, "check.failure.", failure_members, problems);
    }
}

/// What the members of a timing, each of its kind, say of each other.
void compare_within(const Json& timing, Problems& problems) {
    const Json &samples_of = timing["samples"], &rounds = timing["round"];
    const std::size_t count = samples_of.size();
    for (const char* other : {"round", "host_samples"}) {
        if (timing[other].size() == count) continue;
        problems.push_back(fmt::format("timing.samples has {} values, and timing.{} has {}", count,
                                       other, timing[other].size()));
    }
    const std::size_t repeats = timing["repeats"].size();
    for (std::size_t i = 0; i < rounds.size(); ++i) {
        if (rounds[i].get<std::uint64_t>() < repeats) continue;
        problems.push_back(
            fmt::format("timing.round[{}] is {}, but timing.repeats knows {} rounds, from 0 on", i,
                        shown(rounds[i]), repeats));
        break;
    }
    const double low = timing["low"].get<double>(), high = timing["high"].get<double>();
    const double median = timing["median"].get<double>();
    if (!(low <= median && median <= high)) {
        problems.push_back(
            fmt::format("timing.median, {}, does not lie from timing.low, {}, to "
                        "timing.high, {}",
                        median, low, high));
    }
    const double own = median_of(samples_of.get<std::vector<double>>());
    if (!(std::fabs(median - own) <= 1e-9 * own)) {
        problems.push_back(fmt::format(
            "timing.median is not that of timing.samples, {} against {}: was the file edited?",
            median, own));
    }
}

/// What comes with a timing: what it was measured for, and when.
void look_beside(const Json& record, Problems& problems) {
    for (const char* needed : {"rate", "work", "state"}) {
        if (!record.contains(needed)) {
            problems.push_back(fmt::format("{} is missing beside the timing", needed));
        }
    }
    const auto state = record.find("state");
    if (state == record.end()) return;
    for (const char* when : {"before", "after"}) {
        look_at_all((*state)[when], fmt::format("state.{}.", when), fact, problems);
    }
}

}  // namespace

Problems of_record(const Json& record) {
    Problems problems;
    look(record, "", of_case, problems);
    look(record, "", record_members, problems);
    if (!problems.empty()) return problems;

    const auto status = status_named(record["status"].get_ref<const std::string&>());
    if (!status) problems.push_back(fmt::format("status {} is unknown", shown(record["status"])));
    look_at_all(record["constants"], "constants.", int64, problems);
    look_at_launches(record["launches"], problems);
    look(record["program"], "program.", program_members, problems);
    look(record["where"], "where.", where_members, problems);
    look(record["run"], "run.", of_run, problems);
    const auto look_if_there = [&](const char* member, std::span<const Member> members) {
        const auto found = record.find(member);
        if (found != record.end()) look(*found, fmt::format("{}.", member), members, problems);
    };
    look_if_there("timing", timing_members);
    look_if_there("work", work_members);
    look_if_there("rate", rate_members);
    look_if_there("ceiling", ceiling_members);
    look_if_there("state", state_members);
    const bool checked = record.contains("check"), timed = record.contains("timing");
    if (checked) look_at_check(record["check"], problems);
    if (!problems.empty()) return problems;
    look_at_all(record["program"]["floats"], "program.floats.", truth, problems);

    // A figure without a passed check is what the program exists to prevent.
    if (status == Status::ok && !(checked && timed)) {
        problems.emplace_back("status is ok, but check or timing is missing");
    }
    if (status != Status::ok) {
        if (!record.contains("reason")) problems.emplace_back("reason is missing");
        if (timed) problems.emplace_back("it has a timing although its status is not ok");
    }
    if (status == Status::ok && checked && record["check"].contains("failure")) {
        problems.emplace_back("status is ok, but check has a failure");
    }
    if (timed) {
        compare_within(record["timing"], problems);
        look_beside(record, problems);
    }
    return problems;
}

}  // namespace parallax::schema
