// A diff's cases as a table for spreadsheets and data frames, which the page's button saves, too.
#include <array>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "records/json.hpp"
#include "report/json_text.hpp"
#include "report/report.hpp"

namespace parallax {
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
        for (const char* name : {"verdict", "reason", "decision"}) row.push_back(one.at(name));
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
