// A diff as JSON.
#include <array>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "common/version.hpp"
#include "records/json.hpp"
#include "report/diff/findings.hpp"
#include "report/json_text.hpp"
#include "report/report.hpp"
#include "report/wording.hpp"
#include "studies/diff/diff.hpp"

namespace parallax {
namespace {

template <class T>
Json or_null(const std::optional<T>& value) {
    return value ? Json(*value) : Json(nullptr);
}

Json ratio_json(const std::optional<Ratio>& ratio) {
    return ratio ? to_json(*ratio) : Json(nullptr);
}

Json json_of(const Difference& difference) {
    return {{"what", difference.what},
            {"a", difference.a},
            {"b", difference.b},
            {"forbids", difference.forbids}};
}

Json json_of(const std::vector<Difference>& differences) {
    Json list = Json::array();
    for (const Difference& difference : differences) list.push_back(json_of(difference));
    return list;
}

Json json_of(const Constants& constants) {
    Json json = Json::object();
    for (const auto& [name, value] : constants) json[name] = value;
    return json;
}

Json json_of(const Side& side) {
    Json json{{"status", report::status_text(side)}, {"reason", side.reason}, {"runs", side.runs}};
    if (!side.log.empty()) json["log"] = side.log;
    if (side.seconds > 0) {
        json["seconds"] = side.seconds;
        json["low"] = side.low;
        json["high"] = side.high;
        json["bytes"] = side.bytes;
        json["operations"] = side.operations;
        json["gigabytes_per_second"] = side.bytes_per_second() / 1e9;
        json["gigaoperations_per_second"] = side.operations_per_second() / 1e9;
    }
    if (side.share > 0) {
        json["share"] = side.share;
        json["share_of"] = side.share_of;
    }
    if (side.copy_bytes_per_second > 0) {
        json["copy_gigabytes_per_second"] = side.copy_bytes_per_second / 1e9;
    }
    if (side.fma_operations_per_second > 0) {
        json["fma_gigaoperations_per_second"] = side.fma_operations_per_second / 1e9;
    }
    if (!side.options.empty()) json["options"] = side.options;
    if (!side.launches.empty()) json["launches"] = to_json(side.launches);
    if (!side.notes.empty()) json["notes"] = side.notes;
    if (!side.doubts.empty()) json["doubts"] = to_json(side.doubts);
    if (!side.unchecked.empty()) json["unchecked"] = side.unchecked;
    if (!side.tuned.empty()) json["constants"] = json_of(side.tuned);
    return json;
}

Json answer_json(const CaseDiff& c) {
    const SameAnswer& answer = c.answer;
    Json json{{"right_a", answer.right_a && !is_doubtful(c.a)},
              {"right_b", answer.right_b && !is_doubtful(c.b)},
              {"only_agree", answer.only_agree},
              {"ulp_a", number(answer.ulp_a)},
              {"ulp_b", number(answer.ulp_b)},
              {"rms_ulp_a", number(answer.rms_ulp_a)},
              {"rms_ulp_b", number(answer.rms_ulp_b)},
              {"repeatable_a", or_null(answer.repeatable_a)},
              {"repeatable_b", or_null(answer.repeatable_b)},
              {"identical", or_null(answer.identical)}};
    if (answer.distance) json["distance"] = to_json(*answer.distance);
    return json;
}

Json json_of(const CaseDiff& c) {
    const std::string said =
        std::string(report::was_not_reached(c) ? report::not_measured : word_of(c.verdict))
            .append(report::doubtful_suffix(c));
    Json json{{"title", c.title},
              {"suite", c.key.suite},
              {"variant", c.key.variant},
              {"type", c.key.type},
              {"shape", c.key.shape},
              {"constants", json_of(c.key.constants)},
              {"file", c.file},
              {"source_hash", c.source_hash},
              {"verdict", word_of(c.verdict)},
              {"doubtful", is_doubtful(c)},
              {"said", said},
              {"reason", c.reason},
              {"decision", report::word_of(c.decision)},
              {"ratio", ratio_json(c.ratio)},
              {"native", c.native},
              {"launching", c.launching},
              {"in_cache", c.in_cache},
              {"kernel",
               {{"same", c.kernel.same},
                {"two_kernels", c.kernel.two_kernels},
                {"differences", json_of(c.kernel.differences)}}},
              {"answer", answer_json(c)},
              {"a", json_of(c.a)},
              {"b", json_of(c.b)}};
    if (!c.other_variant.empty()) json["other_variant"] = c.other_variant;
    if (c.least_visible) json["least_visible"] = *c.least_visible;
    if (c.against_baseline) json["against_baseline"] = ratio_json(*c.against_baseline);
    if (c.explanation) json["explanation"] = to_json(*c.explanation);
    if (!c.known_cause.empty()) json["known_cause"] = c.known_cause;
    return json;
}

Json json_of(const Environment& environment) {
    Json facts = Json::object();
    for (const auto& [name, value] : environment.facts) facts[name] = value;
    return {{"name", environment.name},
            {"records", environment.records},
            {"runs", environment.runs},
            {"facts", facts}};
}

/// Null where there is no case.
Json json_of(const RatioSpread& spread) {
    if (spread.cases == 0) return nullptr;
    return {{"cases", spread.cases},
            {"median", number(spread.median)},
            {"low", number(spread.low)},
            {"high", number(spread.high)}};
}

Json json_of(const Summary& summary) {
    Json counts = Json::object();
    for (std::size_t i = 0; i < summary.count.size(); ++i) {
        counts[std::string(word_of(static_cast<Verdict>(i)))] = summary.count[i];
    }
    return {{"counts", counts},
            {"measured", summary.measured},
            {"decided", summary.decided},
            {"doubtful", summary.doubtful},
            {"kernels", json_of(summary.kernels)},
            {"launching", json_of(summary.launching)},
            {"in_cache", json_of(summary.in_cache)},
            {"geometric_mean", ratio_json(summary.mean)},
            // Readers of the first version ask for these.
            {"portability", nullptr},
            {"portability_supported", nullptr},
            {"portability_cases", 0}};
}

Json json_of(const ProgramVerdict& program) {
    Json kernels = Json::array();
    for (const KernelVerdict& kernel : program.kernels) {
        kernels.push_back({{"kernel", kernel.kernel},
                           {"variants", kernel.variants},
                           {"launches", kernel.launches},
                           {"seconds", kernel.seconds},
                           {"share", kernel.share},
                           {"ratio", ratio_json(kernel.ratio)},
                           {"answers", kernel.answers ? Json(word_of(*kernel.answers)) : Json()},
                           {"same_bits", kernel.same_bits},
                           {"why_not", kernel.why_not}});
    }
    return {{"name", program.name},
            {"sentence", sentence_of(program)},
            {"through", program.through},
            {"seconds", program.seconds},
            {"kernel_seconds", program.kernel_seconds},
            {"judged", program.judged},
            {"judged_share", program.judged_share},
            {"ratio", ratio_json(program.ratio)},
            {"program_ratio", ratio_json(program.program)},
            {"kernels", std::move(kernels)}};
}

}  // namespace

Json to_json(const Diff& diff) {
    Json cases = Json::array(), self = Json::array(), programs = Json::array();
    for (const ProgramVerdict& one : diff.programs) programs.push_back(json_of(one));
    for (const CaseDiff& c : diff.cases) cases.push_back(json_of(c));
    for (const SelfCheck& check : diff.self) {
        self.push_back({{"device", check.device},
                        {"title", check.title},
                        {"seconds", check.seconds},
                        {"verdict", word_of(check.verdict)},
                        {"ratio", ratio_json(check.ratio)}});
    }
    return {{"schema", diff_schema},
            {"version", diff_version},
            {"program_version", program_version},
            {"live", diff.live},
            {"constants", diff.each_at_its_best ? "each side's best" : "the same"},
            {"margin", diff.margin},
            {"max_slowdown", or_null(diff.max_slowdown)},
            {"baseline", diff.baseline},
            {"measuring_seconds", diff.measuring_seconds},
            {"left_out", report::left_out(diff).command},
            {"warnings", diff.warnings},
            {"summary", json_of(diff.summary)},
            {"a", json_of(diff.a)},
            {"b", json_of(diff.b)},
            {"environment", json_of(diff.environment)},
            {"never_equal", diff.never_equal},
            {"self", self},
            {"programs", std::move(programs)},
            {"two_programs", diff.two_programs ? report::json_of(*diff.two_programs) : Json()},
            {"cases", std::move(cases)}};
}

std::string json_report(const Diff& diff) {
    return report::printed(to_json(diff));
}

std::string json_report(const std::vector<Explanation>& all) {
    Json lines = Json::array();
    for (const Explanation& one : all) lines.push_back(to_json(one));
    return report::printed(lines);
}

namespace {

/// Null where the object lacks it.
Json member(const Json& object, const char* name) {
    const auto found = object.is_object() ? object.find(name) : object.end();
    return object.is_object() && found != object.end() ? *found : Json();
}

/// In their order in a row, of each side.
constexpr std::array side_members{"status",
                                  "reason",
                                  "seconds",
                                  "low",
                                  "high",
                                  "gigabytes_per_second",
                                  "gigaoperations_per_second",
                                  "share",
                                  "share_of"};

}  // namespace

std::string csv_report(const Diff& diff) {
    std::string text =
        "title,suite,variant,type,shape,constants,verdict,reason,decision,ratio,ratio_low,"
        "ratio_high,confidence,identical,ulp_a,ulp_b";
    for (const char* side : {"a", "b"}) {
        for (const std::string name : side_members) {
            text += fmt::format(",{}{}_{}", name == "low" || name == "high" ? "seconds_" : "", name,
                                side);
        }
    }
    text += "\r\n";
    const Json all = to_json(diff);
    for (const Json& one : all.at("cases")) {
        std::vector<Json> row;
        for (const char* name : {"title", "suite", "variant", "type"}) row.push_back(one.at(name));
        std::string words;
        for (const Json& extent : one.at("shape")) {
            words += (words.empty() ? "" : "x") + extent.dump();
        }
        row.push_back(words);
        words.clear();
        for (const auto& [name, value] : one.at("constants").items()) {
            words += fmt::format("{}{}={}", words.empty() ? "" : " ", name, value.dump());
        }
        row.push_back(words);
        for (const char* name : {"said", "reason", "decision"}) row.push_back(one.at(name));
        for (const char* name : {"value", "low", "high", "confidence"}) {
            row.push_back(member(one.at("ratio"), name));
        }
        for (const char* name : {"identical", "ulp_a", "ulp_b"}) {
            row.push_back(member(one.at("answer"), name));
        }
        for (const char* side : {"a", "b"}) {
            for (const char* name : side_members) row.push_back(member(one.at(side), name));
        }
        text += report::csv_line(row);
    }
    return text;
}

}  // namespace parallax
