// What an explanation must be, why one side of a case is slower: docs/record.md, as code.
#include <array>
#include <set>

#include <fmt/format.h>

#include "records/schema.hpp"

namespace parallax::schema {
namespace {

constexpr Kind verdict{"a verdict", [](const Json& j) {
                           return is_one_of<6>(j, {"SAME", "FASTER", "SLOWER", "UNDECIDED", "WRONG",
                                                   "NOT COMPARABLE"});
                       }};
constexpr Kind knob_side{"A, B or both", [](const Json& j) {
                             return is_one_of<3>(j, {"A", "B", "both"});
                         }};
constexpr Kind trial_status{
    "measured, no effect, wrong, unsupported, failed or skipped", [](const Json& j) {
        return is_one_of<6>(j,
                            {"measured", "no effect", "wrong", "unsupported", "failed", "skipped"});
    }};
constexpr Kind object_or_null{"an object or null",
                              [](const Json& j) { return j.is_null() || is_object(j); }};
constexpr Kind finite_or_null{"a number or null",
                              [](const Json& j) { return j.is_null() || is_finite(j); }};
constexpr Kind positive_or_null{"a number above 0 or null",
                                [](const Json& j) { return j.is_null() || is_positive(j); }};
constexpr Kind time_or_null{"a time or null",
                            [](const Json& j) { return j.is_null() || is_not_negative(j); }};
constexpr Kind whole_or_unknown{"a whole number or unknown",
                                [](const Json& j) { return j == "unknown" || is_whole(j); }};
constexpr Kind names{"a list of names, at least one", is_some, &name};

constexpr Member explanation_members[]{
    {"title", said},     {"a", object},          {"b", object},
    {"gap", object},     {"verdict", verdict},   {"launching", truth},
    {"stages", objects}, {"origin", objects},    {"why_no_origin", text},
    {"trials", objects}, {"conclusion", object}, {"took_seconds", not_negative},
    {"answer", said},
};
constexpr Member side_members[]{
    {"device", name},          {"name", text},       {"planted", text},
    {"seconds", not_negative}, {"kernels", objects},
};
constexpr Member kernel_members[]{
    {"kernel", name},
    {"options", texts},
    {"resources", object},
    {"occupancy", object_or_null},
    {"why_no_occupancy", text},
    {"ptx", object_or_null},
    {"machine", object_or_null},
    {"ptx_text", text},
    {"machine_text", text},
    {"machine_source", text},
};
constexpr Member occupancy_members[]{
    {"groups", whole},
    {"warps", whole},
    {"most_warps", count},
    {"limited_by", text},
};
constexpr Member ratio_members[]{
    {"value", positive},   {"low", positive},   {"high", positive},
    {"confidence", share}, {"log_error", real}, {"degrees_of_freedom", real},
    {"units_a", whole},    {"units_b", whole},  {"basis", text},
};
constexpr Member stage_members[]{
    {"name", said},      {"scope", text},     {"a", time_or_null},
    {"b", time_or_null}, {"in_whole", truth}, {"note", text},
};
constexpr Member step_members[]{
    {"name", said},
    {"what", text},
    {"ratio", object_or_null},
    {"reason", text},
    {"share", finite_or_null},
};
constexpr Member trial_members[]{
    {"knobs", names},        {"setting", text},
    {"side", knob_side},     {"status", trial_status},
    {"reason", text},        {"ratio", object_or_null},
    {"closes", finite},      {"closes_low", finite},
    {"closes_high", finite}, {"own_change", positive_or_null},
    {"closed", truth},       {"consequences", texts},
};
constexpr Member conclusion_members[]{
    {"has_gap", truth}, {"explained", truth}, {"by", wholes},       {"cause", text},
    {"remedy", text},   {"ruled_out", texts}, {"not_tried", texts},
};

/// Checks the members of an object that may be null. @return whether it is there and right
bool look_inside(const Json& object, const std::string& where, std::span<const Member> members,
                 Problems& problems) {
    if (object.is_null()) return false;
    look(object, where + ".", members, problems);
    return problems.empty();
}

void look_at_order(const Json& in, const std::string& where,
                   const std::array<std::string_view, 3>& ascending, Problems& problems) {
    for (std::size_t i = 1; i < ascending.size() && problems.empty(); ++i) {
        const Json &less = in[std::string(ascending[i - 1])], &more = in[std::string(ascending[i])];
        if (less.get<double>() <= more.get<double>()) continue;
        problems.push_back(fmt::format("{}.{} is {}, and {}.{} is {}: was the file edited?", where,
                                       ascending[i - 1], shown(less), where, ascending[i],
                                       shown(more)));
    }
}

void look_at_ratio(const Json& ratio, const std::string& where, Problems& problems) {
    if (!look_inside(ratio, where, ratio_members, problems)) return;
    look_at_order(ratio, where, {"low", "value", "high"}, problems);
}

void look_at_kernel(const Json& kernel, const std::string& where, Problems& problems) {
    look(kernel, where + ".", kernel_members, problems);
    if (!problems.empty()) return;
    look_at_all(kernel["resources"], where + ".resources.", whole_or_unknown, problems);
    for (const char* mix : {"ptx", "machine"}) {
        if (!kernel[mix].is_null()) {
            look_at_all(kernel[mix], fmt::format("{}.{}.", where, mix), count, problems);
        }
    }
    const Json& occupancy = kernel["occupancy"];
    if (!look_inside(occupancy, where + ".occupancy", occupancy_members, problems)) return;
    if (occupancy["warps"].get<std::uint64_t>() > occupancy["most_warps"].get<std::uint64_t>()) {
        problems.push_back(fmt::format("{}.occupancy.warps is {}, but there can be {}", where,
                                       shown(occupancy["warps"]), shown(occupancy["most_warps"])));
    }
}

void look_at_side(const Json& side, const std::string& where, Problems& problems) {
    look(side, where + ".", side_members, problems);
    if (!problems.empty()) return;
    const Json& kernels = side["kernels"];
    for (std::size_t i = 0; i < kernels.size() && problems.empty(); ++i) {
        look_at_kernel(kernels[i], fmt::format("{}.kernels[{}]", where, i), problems);
    }
}

void look_at_step(const Json& step, const std::string& where, Problems& problems) {
    look(step, where + ".", step_members, problems);
    if (!problems.empty()) return;
    look_at_ratio(step["ratio"], where + ".ratio", problems);
    if (step["ratio"].is_null() && !step["share"].is_null()) {
        problems.push_back(fmt::format("{}.share is {}, but {}.ratio is null", where,
                                       shown(step["share"]), where));
    }
}

void look_at_trial(const Json& trial, const std::string& where, Problems& problems) {
    look(trial, where + ".", trial_members, problems);
    if (!problems.empty()) return;
    look_at_ratio(trial["ratio"], where + ".ratio", problems);
    look_at_order(trial, where, {"closes_low", "closes", "closes_high"}, problems);
    const bool measured = trial["status"] == "measured";
    if (measured && trial["ratio"].is_null()) {
        problems.push_back(fmt::format("{0}.ratio is null, but {0}.status is measured", where));
    }
    if (!measured && trial["reason"] == "") {
        problems.push_back(fmt::format("{0}.reason is empty, but {0}.status is {1}", where,
                                       shown(trial["status"])));
    }
    if (!measured && trial["closed"] == true) {
        problems.push_back(fmt::format("{0}.closed is true, but {0}.status is {1}", where,
                                       shown(trial["status"])));
    }
}

void look_at_conclusion(const Json& conclusion, const Json& trials, Problems& problems) {
    look(conclusion, "conclusion.", conclusion_members, problems);
    if (!problems.empty()) return;
    std::set<std::uint64_t> seen;
    for (const Json& place : conclusion["by"]) {
        const auto index = place.get<std::uint64_t>();
        if (index >= trials.size()) {
            problems.push_back(fmt::format("conclusion.by names trial {}, but there are {}", index,
                                           trials.size()));
        } else if (!seen.insert(index).second) {
            problems.push_back(fmt::format("conclusion.by names trial {} twice", index));
        } else if (trials[index]["status"] != "measured") {
            problems.push_back(
                fmt::format("conclusion.by names trial {}, which was not measured", index));
        }
    }
    if (conclusion["explained"] == true && seen.empty()) {
        problems.emplace_back("conclusion.explained is true, but conclusion.by is empty");
    }
}

using LookAt = void (*)(const Json&, const std::string&, Problems&);

void look_at_each(const Json& line, const std::string& list, LookAt look_at, Problems& problems) {
    for (std::size_t i = 0; i < line[list].size() && problems.empty(); ++i) {
        look_at(line[list][i], fmt::format("{}[{}]", list, i), problems);
    }
}

}  // namespace

Problems of_explanation(const Json& line) {
    Problems problems;
    look(line, "", of_case, problems);
    look(line, "", explanation_members, problems);
    if (!problems.empty()) return problems;
    look_at_all(line["constants"], "constants.", int64, problems);
    look(line["run"], "run.", of_run, problems);
    if (problems.empty()) look_at_ratio(line["gap"], "gap", problems);
    if (problems.empty()) look_at_side(line["a"], "a", problems);
    if (problems.empty()) look_at_side(line["b"], "b", problems);
    look_at_each(
        line, "stages",
        [](const Json& stage, const std::string& where, Problems& found) {
            look(stage, where + ".", stage_members, found);
        },
        problems);
    look_at_each(line, "origin", look_at_step, problems);
    look_at_each(line, "trials", look_at_trial, problems);
    if (problems.empty()) look_at_conclusion(line["conclusion"], line["trials"], problems);
    return problems;
}

}  // namespace parallax::schema
