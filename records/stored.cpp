// Takes from records what a diff needs.
#include "records/stored.hpp"

#include <algorithm>
#include <limits>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "common/error.hpp"
#include "common/statistics.hpp"
#include "common/version.hpp"
#include "measure/answers.hpp"
#include "records/results.hpp"

namespace parallax {
namespace {

std::string text_at(const Json& json, std::string_view name) {
    const auto found = json.find(name);
    if (found == json.end()) return {};
    return found->is_string() ? found->get<std::string>() : found->dump();
}

double number_at(const Json& json, std::string_view name) {
    const auto found = json.find(name);
    return found != json.end() && found->is_number() ? found->get<double>() : 0;
}

/// A distance that may be infinite: a number, or its bits.
double real_at(const Json& json, std::string_view name) {
    const auto found = json.find(name);
    if (found == json.end()) return 0;
    if (found->is_number()) return found->get<double>();
    return std::numeric_limits<double>::infinity();
}

using Constants = std::vector<std::pair<std::string, std::int64_t>>;

void take_identity(const Json& json, CaseKey& key, Constants& constants) {
    key.suite = json["suite"];
    key.variant = json["variant"];
    key.type = json["type"];
    key.shape = json["shape"].get<std::vector<std::uint64_t>>();
    for (const auto& [name, value] : json["constants"].items()) {
        constants.emplace_back(name, value.get<std::int64_t>());
    }
    key.constants = constants;
    std::ranges::sort(key.constants);
}

std::vector<double> round_medians_of(const Json& timing) {
    std::map<unsigned, std::vector<double>> rounds;
    for (std::size_t i = 0; i < timing["samples"].size(); ++i) {
        rounds[timing["round"][i].get<unsigned>()].push_back(timing["samples"][i].get<double>());
    }
    std::vector<double> medians;
    for (const auto& [round, samples] : rounds) medians.push_back(estimate_median(samples).median);
    return medians;
}

void take_timing(const Json& json, StoredRecord& record) {
    const Json& timing = json["timing"];
    record.scope = text_at(timing, "scope") + ", " + text_at(timing, "unit");
    record.median = timing["median"];
    record.low = timing["low"];
    record.high = timing["high"];
    record.in_cache = timing["in_cache"];
    record.round_medians = round_medians_of(timing);
    record.work = {number_at(json["work"], "bytes"), number_at(json["work"], "operations")};
    if (const auto ceiling = json.find("ceiling"); ceiling != json.end()) {
        record.ceiling = {1e9 * number_at(*ceiling, "copy_gigabytes_per_second"),
                          1e9 * number_at(*ceiling, "fma_gigaoperations_per_second"),
                          number_at(*ceiling, "launch_seconds")};
        record.share = number_at(*ceiling, "share");
        record.share_of = text_at(*ceiling, "of");
    }
}

void take_check(const Json& check, StoredRecord& record) {
    record.worst_ulp = real_at(check, "worst_ulp");
    record.checked_against = text_at(check, "checked_against");
    record.output_hash = text_at(check, "output_hash");
    if (const auto found = check.find("repeatable"); found != check.end()) {
        record.repeatable = found->get<bool>();
    }
}

void take_facts(const Json& json, StoredRecord& record) {
    const Json& where = json["where"];
    record.backend = text_at(where, "backend");
    record.uuid = text_at(where, "uuid");
    const auto add = [&](std::string name, std::string value) {
        record.facts.emplace_back(std::move(name), std::move(value));
    };
    add("device", text_at(where, "name"));
    add("entry", record.device);
    for (const char* name : {"platform", "vendor", "uuid", "pci", "api", "driver", "compiler",
                             "compute_capability", "compute_units"}) {
        add(name, text_at(where, name));
    }
    add("timer tick", fmt::format("{:.4g} us", 1e6 * number_at(where, "timer_tick_seconds")));
    if (const auto state = json.find("state"); state != json.end()) {
        const Json& after = (*state)["after"];
        for (const char* name :
             {"max_sm_clock_mhz", "memory_clock_mhz", "power_limit_watts", "ecc"}) {
            add(name, text_at(after, name));
        }
    }
    add("program", text_at(json["run"], "program_version"));
}

Json rounds_json(const PairTiming& timing) {
    Json rounds = Json::array();
    for (const PairRound& round : timing.rounds) {
        Json json{{"repeats", {round.repeats_a, round.repeats_b}},
                  {"order", round.a_first ? "ABBA" : "BAAB"},
                  {"a", round.a},
                  {"b", round.b},
                  {"log_ratio", round.log_ratio}};
        if (!round.disturbed.empty()) json["disturbed"] = round.disturbed;
        rounds.push_back(std::move(json));
    }
    return rounds;
}

PairRound round_from(const Json& json) {
    PairRound round;
    round.repeats_a = json["repeats"][0];
    round.repeats_b = json["repeats"][1];
    round.a_first = json["order"] == "ABBA";
    round.a = json["a"].get<std::vector<double>>();
    round.b = json["b"].get<std::vector<double>>();
    round.log_ratio = json["log_ratio"];
    round.disturbed = text_at(json, "disturbed");
    return round;
}

}  // namespace

const std::string& StoredRecord::fact(std::string_view name) const {
    static const std::string none;
    const auto found = std::ranges::find(facts, name, [](const auto& pair) { return pair.first; });
    return found == facts.end() ? none : found->second;
}

StoredRecord stored_record(const Json& json) {
    StoredRecord record;
    take_identity(json, record.key, record.constants);
    record.device = json["device"];
    if (const std::string side = text_at(json, "side"); !side.empty()) record.side = side[0];
    const Json& run = json["run"];
    record.run = run["id"];
    record.started = text_at(run, "started");
    record.seed = run["seed"];
    record.status = *status_named(json["status"].get_ref<const std::string&>());
    record.reason = text_at(json, "reason");
    record.log = text_at(json, "log");
    const Json& program = json["program"];
    record.file = text_at(program, "file");
    record.language = text_at(program, "language");
    record.source_hash = text_at(program, "source_hash");
    // Records from before there was such a rule were made without it.
    Json floats = program["floats"];
    if (!floats.contains("relaxed")) floats["relaxed"] = false;
    for (const auto& [name, value] : floats.items()) {
        record.floats +=
            fmt::format("{}{} {}", record.floats.empty() ? "" : ", ", name, value.dump());
    }
    record.edits = text_at(program, "edits");
    if (const auto options = program.find("options"); options != program.end()) {
        record.options = options->get<std::vector<std::string>>();
    }
    record.launches = json["launches"];
    if (const auto notes = json.find("notes"); notes != json.end()) {
        record.notes = notes->get<std::vector<std::string>>();
    }
    if (const auto check = json.find("check"); check != json.end()) take_check(*check, record);
    if (json.contains("timing")) take_timing(json, record);
    take_facts(json, record);
    return record;
}

bool one_physical_device(const StoredRecord& a, const StoredRecord& b) {
    const auto known = [](const std::string& text) { return !text.empty() && text != "unknown"; };
    if (known(a.uuid) && known(b.uuid)) return a.uuid == b.uuid;
    return known(a.fact("pci")) && a.fact("pci") == b.fact("pci");
}

Json to_json(const StoredPair& pair, const RunInfo& run) {
    Json constants = Json::object();
    for (const auto& [name, value] : pair.constants) constants[name] = value;
    Json json{{"schema", pair_schema},
              {"version", pair_version},
              {"suite", pair.key.suite},
              {"variant", pair.key.variant},
              {"type", pair.key.type},
              {"shape", pair.key.shape},
              {"constants", constants},
              {"a", pair.device_a},
              {"b", pair.device_b},
              {"self", pair.self},
              {"run", to_json(run)},
              {"error", pair.timing.error},
              {"looks", pair.timing.looks},
              {"look", pair.timing.look},
              {"rounds", rounds_json(pair.timing)},
              {"stopped_by", pair.timing.stopped_by},
              {"launch_seconds", {pair.launch_seconds_a, pair.launch_seconds_b}},
              {"measuring_seconds", pair.measuring_seconds}};
    if (pair.distance) {
        json["answer"] = {{"identical", pair.identical}};
        json["answer"].update(to_json(*pair.distance));
    }
    return json;
}

StoredPair stored_pair(const Json& json) {
    StoredPair pair;
    take_identity(json, pair.key, pair.constants);
    pair.run = json["run"]["id"];
    pair.device_a = json["a"];
    pair.device_b = json["b"];
    pair.self = json["self"];
    pair.timing.error = json["error"];
    pair.timing.looks = json["looks"].get<std::vector<unsigned>>();
    pair.timing.look = json["look"];
    pair.timing.stopped_by = json["stopped_by"];
    for (const Json& round : json["rounds"]) pair.timing.rounds.push_back(round_from(round));
    pair.launch_seconds_a = json["launch_seconds"][0];
    pair.launch_seconds_b = json["launch_seconds"][1];
    pair.measuring_seconds = json["measuring_seconds"];
    if (const auto answer = json.find("answer"); answer != json.end()) {
        SameAnswer::Distance distance;
        pair.identical = (*answer)["identical"];
        distance.elements = (*answer)["elements"];
        distance.differing = (*answer)["differing"];
        distance.largest_ulp = real_at(*answer, "largest_ulp");
        distance.median_ulp = real_at(*answer, "median_ulp");
        if (answer->contains("first")) distance.first = (*answer)["first"];
        distance.first_a = text_at(*answer, "first_a");
        distance.first_b = text_at(*answer, "first_b");
        pair.distance = distance;
    }
    return pair;
}

CaseKey key_of(const Json& line) {
    CaseKey key;
    Constants constants;
    take_identity(line, key, constants);
    return key;
}

CaseKey key_of(const Case& c) {
    CaseKey key{c.suite->name, c.variant->name, std::string(name_of(c.type)), c.shape.extents, {}};
    for (const Constant& constant : c.constants) {
        key.constants.emplace_back(constant.name, constant.value);
    }
    std::ranges::sort(key.constants);
    return key;
}

StoredPair pair_for(const Case& c) {
    StoredPair pair;
    pair.key = key_of(c);
    for (const Constant& constant : c.constants) {
        pair.constants.emplace_back(constant.name, constant.value);
    }
    return pair;
}

std::string to_string(const CaseKey& key) {
    std::string text =
        fmt::format("{}/{} {} {}", key.suite, key.variant, key.type, fmt::join(key.shape, "x"));
    for (const auto& [name, value] : key.constants) text += fmt::format(" {}={}", name, value);
    return text;
}

void ResultSet::add(const Json& json, unsigned line) {
    if (is_pair(json)) {
        pairs.push_back(stored_pair(json));
        return;
    }
    if (is_explanation(json)) {
        explanations.push_back(json);
        return;
    }
    StoredRecord record = stored_record(json);
    const auto [known, is_new] =
        seen_.emplace(std::tuple{record.run, record.device, record.side, record.key}, line);
    if (!is_new) {
        throw UsageError(fmt::format(
            "{}:{}: {} on {} is there twice in one run, first in line {}. Was the file edited, or "
            "put together twice? Take one of the two lines out.",
            name, line, to_string(record.key), record.device, known->second));
    }
    records.push_back(std::move(record));
}

ResultSet read_result_set(const std::string& path) {
    ResultSet set;
    set.name = path;
    const ReadSummary summary =
        read_results(path, [&](Json&& json, unsigned line) { set.add(json, line); });
    set.cut_short = summary.cut_short;
    if (set.records.empty()) {
        throw UsageError(
            fmt::format("{} holds no record. 'parallax run -o FILE' and 'parallax diff --data "
                        "FILE' write them.",
                        path));
    }
    return set;
}

}  // namespace parallax
