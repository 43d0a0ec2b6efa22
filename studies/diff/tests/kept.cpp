// Makes records and pairs by hand.
#include "studies/diff/tests/kept.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "common/statistics/statistics.hpp"
#include "records/record.hpp"
#include "records/tests/plain_lines.hpp"

namespace parallax::test {
namespace {

const Json& checked(const Json& json) {
    for (const std::string& problem : problems_of(json)) ADD_FAILURE() << problem;
    return json;
}

Json run_of(const std::string& id, std::uint64_t seed) {
    return {{"id", id},
            {"started", "2026-01-01T00:00:00Z"},
            {"seed", seed},
            {"command", {"run"}},
            {"program_version", "0.1.0"}};
}

void add_timing(const Kept& kept, Json& json) {
    const Estimate estimate = estimate_median(kept.rounds);
    std::vector<unsigned> round(kept.rounds.size()), repeats(kept.rounds.size(), 1);
    for (unsigned i = 0; i < round.size(); ++i) round[i] = i;
    json["timing"] = {{"scope", kept.scope},         {"unit", "seconds of one run"},
                      {"median", estimate.median},   {"low", estimate.low},
                      {"high", estimate.high},       {"confidence", estimate.confidence},
                      {"spread", estimate.spread},   {"stopped_by", "narrow"},
                      {"least_batch_seconds", 1e-3}, {"repeats", repeats},
                      {"in_cache", kept.in_cache},   {"round", round},
                      {"samples", kept.rounds},      {"host_samples", kept.rounds}};
    json["work"] = {{"bytes", kept.bytes}, {"operations", kept.operations}};
    json["rate"] = {{"gigabytes_per_second", kept.bytes / estimate.median / 1e9},
                    {"gigaoperations_per_second", kept.operations / estimate.median / 1e9}};
    json["state"] = {{"before", {{"ecc", true}}}, {"after", {{"ecc", true}}}};
    if (kept.share > 0 || kept.launch_seconds > 0) {
        const double rate = kept.bytes / estimate.median / 1e9, share = std::max(kept.share, 1e-3);
        json["ceiling"] = {{"copy_gigabytes_per_second", rate / share},
                           {"fma_gigaoperations_per_second", 200},
                           {"launch_seconds", kept.launch_seconds},
                           {"share", share},
                           {"of", "copy"}};
    }
}

}  // namespace

Json line(const Kept& kept) {
    Json constants = Json::object();
    for (const auto& [name, value] : kept.constants) constants[name] = value;
    const Json launch{{"name", "k"},
                      {"groups", {kept.groups, 1, 1}},
                      {"items", {256, 1, 1}},
                      {"local_bytes", 0},
                      {"values_hash", kept.values_hash}};
    Json json{{"schema", "parallax.record"},
              {"version", 1},
              {"suite", kept.suite},
              {"variant", kept.variant},
              {"device", kept.device},
              {"status", name_of(kept.status)},
              {"type", kept.type},
              {"shape", kept.shape},
              {"constants", constants},
              {"launches", Json(kept.launches, launch)},
              {"run", run_of(kept.run, kept.seed)}};
    Json edits = Json::array();
    if (!kept.edit.empty()) edits.push_back(kept.edit);
    json["program"] = {{"file", kept.file},
                       {"language", kept.language},
                       {"source_hash", kept.source_hash},
                       {"given_hash", kept.given_hash},
                       {"edits", edits},
                       {"floats", {{"contract", kept.contract}}},
                       {"options", kept.options},
                       {"build_seconds", {0.1}}};
    json["where"] = {
        {"name", kept.name},         {"backend", kept.device.substr(0, kept.device.find(':'))},
        {"uuid", kept.uuid},         {"pci", kept.pci},
        {"driver", kept.driver},     {"memory_bytes", 1000},
        {"timer_tick_seconds", 1e-6}};
    if (kept.side != 0) json["side"] = std::string(1, kept.side);
    if (!kept.log.empty()) json["log"] = kept.log;
    if (!kept.notes.empty()) json["notes"] = kept.notes;
    if (kept.status != Status::ok) json["reason"] = kept.reason;
    if (kept.status == Status::ok || kept.status == Status::checked ||
        kept.status == Status::wrong) {
        json["check"] = {{"trials", 2},
                         {"shapes", {kept.shape}},
                         {"fillings", {"integers", "random"}},
                         {"worst_share_of_bound", 0.5},
                         {"worst_ulp", number(kept.worst_ulp)},
                         {"repeatable", true}};
        if (!kept.output_hash.empty()) {
            json["check"]["output_hash"] = std::string(32, kept.output_hash[0]);
        }
    }
    if (kept.status == Status::wrong) json["check"]["failure"] = {{"what", kept.reason}};
    if (kept.status == Status::ok) add_timing(kept, json);
    return checked(json);
}

Pair pair_of(const KeptPair& kept) {
    Pair pair;
    const Kept plain;
    pair.key = {plain.suite, kept.variant, plain.type, plain.shape, plain.constants};
    pair.run = {kept.run, "2026-01-01T00:00:00Z", 0, {"diff"}, "0.1.0"};
    pair.a = kept.a;
    pair.b = kept.b;
    pair.self = kept.a == kept.b;
    pair.timing.interim_analyses = kept.interim_analyses;
    pair.timing.look = kept.look;
    pair.timing.stopped_by = kept.disturbed.empty() ? "decided" : "disturbed";
    for (const double log_ratio : kept.log_ratios) {
        PairRound round;
        round.repeats_a = round.repeats_b = 3;
        round.a_first = pair.timing.rounds.size() % 2 == 0;
        round.a = {1e-3, 1e-3};
        round.b = {1e-3 * std::exp(log_ratio), 1e-3 * std::exp(log_ratio)};
        round.log_ratio = log_ratio_of(round);
        round.disturbed = kept.disturbed;
        pair.timing.rounds.push_back(std::move(round));
    }
    pair.launch_seconds_a = pair.launch_seconds_b = kept.launch_seconds;
    pair.measuring_seconds = kept.measuring_seconds;
    if (kept.with_answer && !pair.self) {
        pair.answer =
            AnswerDistances{.identical = true, .elements = 1000, .first_a = {}, .first_b = {}};
    }
    return pair;
}

Json line(const KeptPair& kept) {
    return checked(to_json(pair_of(kept)));
}

Json explanation_line(const KeptPair& kept, const std::string& answer) {
    const Json pair = line(kept);
    Json json = fake::plain_explanation();
    for (const char* shared : {"suite", "variant", "type", "shape", "constants", "run"}) {
        json[shared] = pair[shared];
    }
    json["a"]["device"] = kept.a;
    json["b"]["device"] = kept.b;
    json["answer"] = answer;
    return checked(json);
}

ResultSet set_of(const std::string& name, const std::vector<Json>& lines) {
    ResultSet set;
    set.name = name;
    for (unsigned i = 0; i < lines.size(); ++i) set.take(read_line(lines[i]).line, i + 1);
    return set;
}

Diff diff_of(const std::vector<Kept>& a, const std::vector<Kept>& b, const Judgement& judgement) {
    std::vector<Json> lines_a, lines_b;
    for (const Kept& kept : a) lines_a.push_back(line(kept));
    for (const Kept& kept : b) lines_b.push_back(line(kept));
    const ResultSet set_a = set_of("old", lines_a), set_b = set_of("new", lines_b);
    return build_diff(sides_of(set_a, set_b, {}), judgement);
}

CaseDiff case_of(const std::vector<Kept>& a, const std::vector<Kept>& b,
                 const Judgement& judgement) {
    const Diff diff = diff_of(a, b, judgement);
    EXPECT_EQ(diff.cases.size(), 1u);
    return diff.cases.at(0);
}

Kept on_cuda() {
    Kept kept;
    kept.device = "cuda:0";
    return kept;
}

Kept ended(Status status, std::string reason, Kept kept) {
    kept.status = status;
    kept.reason = std::move(reason);
    return kept;
}

std::vector<Kept> runs_of(const std::vector<double>& medians, Kept kept) {
    std::vector<Kept> runs;
    for (const double median : medians) {
        kept.run = fmt::format("run {}", runs.size());
        kept.rounds = {0.9 * median, median, 1.1 * median};
        runs.push_back(kept);
    }
    return runs;
}

}  // namespace parallax::test
