// An explanation as a line of JSON, and back.
#include "records/explanation_json.hpp"

#include <bit>
#include <charconv>

#include <nlohmann/json.hpp>

#include "common/version.hpp"
#include "records/evidence_json.hpp"

namespace parallax {
namespace {

/// A number, or the bits of one that JSON cannot hold.
double real(const Json& json) {
    if (json.is_number()) return json.get<double>();
    const auto& text = json.get_ref<const std::string&>();
    std::uint64_t bits = 0;
    std::from_chars(text.data() + 2, text.data() + text.size(), bits, 16);
    return std::bit_cast<double>(bits);
}

Json json_of(const std::optional<double>& value) {
    return value ? number(*value) : Json(nullptr);
}

std::optional<double> optional_real(const Json& json) {
    if (json.is_null()) return {};
    return real(json);
}

Ratio ratio_of(const Json& json) {
    return {.value = real(json["value"]),
            .low = real(json["low"]),
            .high = real(json["high"]),
            .confidence = json["confidence"],
            .log_error = real(json["log_error"]),
            .degrees = real(json["degrees_of_freedom"]),
            .units_a = json["units_a"],
            .units_b = json["units_b"],
            .basis = json["basis"]};
}

std::optional<Ratio> optional_ratio(const Json& json) {
    if (json.is_null()) return {};
    return ratio_of(json);
}

Json json_of(const Stage& stage) {
    return {{"name", stage.name},
            {"scope", stage.scope},
            {"a", json_of(stage.seconds.a)},
            {"b", json_of(stage.seconds.b)},
            {"in_whole", stage.in_whole},
            {"note", stage.note}};
}

Stage stage_of(const Json& json) {
    return {.name = json["name"],
            .scope = json["scope"],
            .seconds = {optional_real(json["a"]), optional_real(json["b"])},
            .in_whole = json["in_whole"],
            .note = json["note"]};
}

Json json_of(const OriginStep& step) {
    return {{"name", step.name},
            {"what", step.what},
            {"ratio", ratio_json(step.ratio)},
            {"reason", step.reason},
            {"share", json_of(step.share)}};
}

OriginStep step_of(const Json& json) {
    return {.name = json["name"],
            .what = json["what"],
            .ratio = optional_ratio(json["ratio"]),
            .reason = json["reason"],
            .share = optional_real(json["share"])};
}

Json json_of(const Trial& trial) {
    return {{"knobs", trial.knobs},
            {"setting", trial.setting},
            {"side", name_of(trial.side)},
            {"status", name_of(trial.status)},
            {"reason", trial.reason},
            {"ratio", ratio_json(trial.ratio)},
            {"closes", number(trial.closes)},
            {"closes_low", number(trial.closes_low)},
            {"closes_high", number(trial.closes_high)},
            {"own_change", json_of(trial.own_change)},
            {"closed", trial.closed},
            {"consequences", trial.consequences}};
}

KnobSide knob_side_named(std::string_view name) {
    for (const KnobSide side : {KnobSide::a, KnobSide::b}) {
        if (name_of(side) == name) return side;
    }
    return KnobSide::both;
}

Trial trial_of(const Json& json) {
    return {.knobs = json["knobs"].get<std::vector<std::string>>(),
            .setting = json["setting"],
            .side = knob_side_named(json["side"].get_ref<const std::string&>()),
            .status = *trial_status_named(json["status"].get_ref<const std::string&>()),
            .reason = json["reason"],
            .ratio = optional_ratio(json["ratio"]),
            .closes = real(json["closes"]),
            .closes_low = real(json["closes_low"]),
            .closes_high = real(json["closes_high"]),
            .own_change = optional_real(json["own_change"]),
            .closed = json["closed"],
            .consequences = json["consequences"].get<std::vector<std::string>>()};
}

Json json_of(const Conclusion& conclusion) {
    return {{"has_gap", conclusion.has_gap},
            {"explained", conclusion.explained},
            {"by", conclusion.by},
            {"cause", conclusion.cause},
            {"remedy", conclusion.remedy},
            {"ruled_out", conclusion.ruled_out},
            {"not_tried", conclusion.not_tried}};
}

Conclusion conclusion_of(const Json& json) {
    return {.has_gap = json["has_gap"],
            .explained = json["explained"],
            .by = json["by"].get<std::vector<std::size_t>>(),
            .cause = json["cause"],
            .remedy = json["remedy"],
            .ruled_out = json["ruled_out"].get<std::vector<std::string>>(),
            .not_tried = json["not_tried"].get<std::vector<std::string>>()};
}

template <class T>
Json list_of(const std::vector<T>& values) {
    Json list = Json::array();
    for (const T& value : values) list.push_back(json_of(value));
    return list;
}

template <class T>
std::vector<T> vector_of(const Json& list, T (*one)(const Json&)) {
    std::vector<T> values;
    for (const Json& json : list) values.push_back(one(json));
    return values;
}

Json side_json(const Explanation& e, bool is_b) {
    return {{"device", e.device.of(is_b)},
            {"name", e.device_name.of(is_b)},
            {"planted", e.planted.of(is_b)},
            {"seconds", e.seconds.of(is_b)},
            {"kernels", list_of(e.evidence.of(is_b))}};
}

void take_side(const Json& json, bool is_b, Explanation& e) {
    e.device.of(is_b) = json["device"];
    e.device_name.of(is_b) = json["name"];
    e.planted.of(is_b) = json["planted"];
    e.seconds.of(is_b) = json["seconds"];
    e.evidence.of(is_b) = vector_of(json["kernels"], kernel_of);
}

Verdict verdict_named(std::string_view word) {
    using enum Verdict;
    for (const Verdict verdict : {same, faster, slower, undecided, wrong}) {
        if (word_of(verdict) == word) return verdict;
    }
    return not_comparable;
}

}  // namespace

Json to_json(const Explanation& e, const RunInfo& run) {
    Json constants = Json::object();
    for (const auto& [name, value] : e.constants) constants[name] = value;
    return {{"schema", explanation_schema},
            {"version", explanation_version},
            {"suite", e.key.suite},
            {"variant", e.key.variant},
            {"type", e.key.type},
            {"shape", e.key.shape},
            {"constants", constants},
            {"title", e.title},
            {"run", to_json(run)},
            {"answer", answer_in_words(e)},
            {"a", side_json(e, false)},
            {"b", side_json(e, true)},
            {"gap", ratio_json(e.gap)},
            {"verdict", word_of(e.verdict)},
            {"launching", e.launching},
            {"stages", list_of(e.stages)},
            {"origin", list_of(e.origin)},
            {"why_no_origin", e.why_no_origin},
            {"trials", list_of(e.trials)},
            {"conclusion", json_of(e.conclusion)},
            {"took_seconds", e.took_seconds}};
}

Explanation explanation_of(const Json& line) {
    Explanation e;
    e.key = key_of(line);
    for (const auto& [name, value] : line["constants"].items()) {
        e.constants.emplace_back(name, value.get<std::int64_t>());
    }
    e.run = line["run"]["id"];
    e.title = line["title"];
    take_side(line["a"], false, e);
    take_side(line["b"], true, e);
    e.gap = ratio_of(line["gap"]);
    e.verdict = verdict_named(line["verdict"].get_ref<const std::string&>());
    e.launching = line["launching"];
    e.stages = vector_of(line["stages"], stage_of);
    e.origin = vector_of(line["origin"], step_of);
    e.why_no_origin = line["why_no_origin"];
    e.trials = vector_of(line["trials"], trial_of);
    e.conclusion = conclusion_of(line["conclusion"]);
    e.took_seconds = line["took_seconds"];
    return e;
}

}  // namespace parallax
