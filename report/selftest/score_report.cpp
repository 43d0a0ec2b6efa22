// Writes scores of checks, and keeps them in a file of the user.
#include "report/selftest/score_report.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <span>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include "common/error.hpp"
#include "common/text/read_file.hpp"
#include "common/text/text.hpp"
#include "common/text/text_lines.hpp"
#include "common/text/unique_values.hpp"
#include "records/file_lock.hpp"
#include "records/line.hpp"
#include "records/write_file.hpp"
#include "report/json_text.hpp"
#include "report/left_out.hpp"

namespace parallax {
namespace {

/// Scores that are kept, and the size of a file that this program may have written.
constexpr std::size_t most_kept = 1000;
constexpr std::uint64_t most_file_bytes = std::uint64_t{1} << 20;

/// Changed kernels that a text lists for one edit.
constexpr std::size_t most_listed = 20;

std::string percent_of(double share) {
    // A score that is not full does not look full.
    return fmt::format("{:.0f} %", std::floor(100 * share));
}

std::string place_of(const UnnoticedMutant& one) {
    if (one.is.empty() && one.was.empty()) {
        return fmt::format("{}: the kernel as it is has an error, or is not meant for such data",
                           printable(one.file));
    }
    return fmt::format("{}:{}:{}: '{}' for '{}'", printable(one.file), one.line, one.column,
                       printable(one.is, 60), printable(one.was, 60));
}

/// Survivors that one edit shows, or nothing.
using Group = std::pair<std::pair<std::string, std::string>, std::vector<const UnnoticedMutant*>>;

/// First the edit that shows most; last what nothing shows.
std::vector<Group> by_edit(const ChecksScore& score) {
    std::vector<Group> groups;
    for (const UnnoticedMutant& one : score.unnoticed)
        at_key(groups, std::pair(one.edit, one.path)).push_back(&one);
    std::ranges::stable_sort(groups, std::greater(), [](const Group& group) {
        return group.first.first.empty() ? 0 : group.second.size();
    });
    return groups;
}

std::string heading_of_edit(const std::pair<std::string, std::string>& edit, bool is_captured) {
    const auto& [line, path] = edit;
    if (!line.empty())
        return fmt::format("  Write {} in {}, which shows:\n", printable(line), printable(path));
    return is_captured ? "  These pass. Captured data are fixed, and no others were tried: capture "
                         "the program on other data and sizes.\n"
                       : "  Nothing that was tried shows these. Some may compute the same:\n";
}

bool shows_some(const ChecksScore& score) {
    return std::ranges::any_of(score.unnoticed,
                               [](const UnnoticedMutant& one) { return !one.edit.empty(); });
}

std::string text_of_survivors(const ChecksScore& score) {
    std::string text;
    for (const auto& [edit, mutants] : by_edit(score)) {
        text += heading_of_edit(edit, score.against == expected_data);
        for (const UnnoticedMutant* one :
             std::span(mutants).first(std::min(mutants.size(), most_listed)))
            text += fmt::format("    {}\n", place_of(*one));
        if (mutants.size() > most_listed) {
            text += fmt::format("    and {} more, which --format json lists\n",
                                mutants.size() - most_listed);
        }
    }
    return text;
}

std::vector<Json> kept_in(const std::filesystem::path& file) {
    std::vector<Json> kept;
    try {
        const std::string text = read_file(file, most_file_bytes);
        for (const std::string_view line : lines_of(text)) {
            Json json = parse_line(line).json;
            if (json.is_object() && json.contains("digest")) kept.push_back(std::move(json));
        }
    } catch (const Error&) {  // no score is known
    }
    return kept;
}

}  // namespace

std::string score_text(const std::vector<ChecksScore>& scores, std::string_view word) {
    std::string text;
    for (const ChecksScore& score : scores) {
        text += fmt::format("{}/{} on {} ({}):\n", printable(word), printable(score.kernel),
                            score.device, printable(score.device_name));
        if (!score.problem.empty()) {
            text += fmt::format("  {} Changed kernels are not tried.", printable(score.problem));
            if (score.fails) {
                text += fmt::format(" 'parallax run --check -s {} -d {}' says what is wrong.",
                                    printable(shell_word(word)), score.device);
            }
            text += '\n';
            continue;
        }
        for (const std::string& note : score.notes)
            text += fmt::format("  Note: {}\n", wrapped(note, 100, 4, 8));
        if (score.changed() + score.not_built + score.not_tried == 0) {
            text += "  It has nothing to change: no operator, number, condition, index or call.\n";
            continue;
        }
        if (score.changed() > 0) {
            text += fmt::format(
                "  Of {} changed kernels {} are told apart, {} are proven equal (same machine "
                "code), {} pass: {}.\n",
                score.changed(), score.noticed, score.same_code, score.unnoticed.size(),
                percent_of(score.share()));
        }
        text += text_of_survivors(score);
        if (score.not_built > 0)
            text += fmt::format("  {} more do not compile.\n", score.not_built);
        if (score.not_tried > 0) {
            text += fmt::format("  {} more were not tried: --budget gives more time.\n",
                                score.not_tried);
        }
        if (!score.left_out_sizes.empty()) {
            text += fmt::format(
                "  Not tried at {}, which would take too long: 'parallax run "
                "--check' says whether the kernel as it is passes there{}.\n",
                fmt::join(score.left_out_sizes, ", "),
                shows_some(score) ? " with these lines" : "");
        }
        if (!score.could_compare_code)
            text += "  NVRTC is not here to prove that some are equal.\n";
        if (score.against == "itself") {
            text +=
                "  The manifest has no \"reference\": the kernel as it is says what is right, and "
                "its own errors pass.\n";
        }
    }
    return text;
}

std::string score_json(const std::vector<ChecksScore>& scores, bool enough) {
    Json kernels = Json::array();
    for (const ChecksScore& score : scores) {
        Json unnoticed = Json::array();
        for (const UnnoticedMutant& one : score.unnoticed) {
            Json json{{"file", one.file},         {"line", one.line}, {"column", one.column},
                      {"function", one.function}, {"was", one.was},   {"is", one.is}};
            if (!one.edit.empty()) json["shown_by"] = {{"path", one.path}, {"line", one.edit}};
            unnoticed.push_back(std::move(json));
        }
        Json json{{"suite", score.suite},       {"kernel", score.kernel},
                  {"variants", score.variants}, {"device", score.device},
                  {"name", score.device_name},  {"checked_against", score.against}};
        if (!score.problem.empty()) json["problem"] = score.problem;
        json["notes"] = score.notes;
        json["size"] = score.size;
        json["changed"] = score.changed();
        json["told_apart"] = score.noticed;
        json["same_code"] = score.same_code;
        json["passed"] = score.unnoticed.size();
        json["not_built"] = score.not_built;
        json["not_tried"] = score.not_tried;
        json["left_out_sizes"] = score.left_out_sizes;
        json["score"] = score.share();
        json["unnoticed"] = std::move(unnoticed);
        kernels.push_back(std::move(json));
    }
    return report::printed({{"kernels", std::move(kernels)}, {"enough", enough}});
}

void keep_score(const std::filesystem::path& file, const ChecksScore& score,
                const std::string& digest) {
    if (file.empty() || !score.problem.empty()) return;
    const FileLock lock(file);
    std::vector<Json> kept = kept_in(file);
    const auto same = std::ranges::find_if(kept, [&](const Json& one) {
        return one["digest"] == digest && one.value("size", Json()) == score.size;
    });
    if (same != kept.end()) {
        // A longer look is not replaced by a shorter one.
        const Json before = same->value("not_tried", Json());
        if (before.is_number_unsigned() && before.get<std::size_t>() < score.not_tried) return;
        kept.erase(same);
    }
    if (kept.size() >= most_kept) kept.erase(kept.begin());
    kept.push_back({{"digest", digest},
                    {"size", score.size},
                    {"device", score.device},
                    {"told_apart", score.noticed},
                    {"passed", score.unnoticed.size()},
                    {"not_tried", score.not_tried}});
    std::string text;
    for (const Json& one : kept) text += report::printed_line(one);
    try {
        write_file(file, text);
    } catch (const Error&) {  // later reports do not mention it
    }
}

std::string score_sentence(const std::filesystem::path& file, const std::string& digest,
                           const std::vector<std::string>& sizes, std::string_view word) {
    if (file.empty()) return {};
    for (const Json& one : kept_in(file)) {
        if (one["digest"] != digest) continue;
        try {
            ChecksScore score;
            score.size = one.at("size").get<std::string>();
            if (std::ranges::find(sizes, score.size) == sizes.end()) continue;
            score.noticed = one.at("told_apart").get<std::size_t>();
            score.unnoticed.resize(
                std::min<std::size_t>(one.at("passed").get<std::size_t>(), 100000));
            score.not_tried = one.at("not_tried").get<std::size_t>();
            if (score.noticed + score.unnoticed.size() == 0) return {};
            return fmt::format(
                "These checks tell {} of {} changed kernels apart on {} ({}){}{}.", score.noticed,
                score.noticed + score.unnoticed.size(),
                printable(one.at("device").get<std::string>(), 60), percent_of(score.share()),
                score.not_tried == 0 ? "" : fmt::format(", and {} were not tried", score.not_tried),
                score.unnoticed.empty()
                    ? ""
                    : fmt::format(": 'parallax selftest {}' says which pass", shell_word(word)));
        } catch (const Json::exception&) {
            return {};
        }
    }
    return {};
}

namespace {

Json counts_json(const VerdictCounts& c) {
    return {{"same", c.same},
            {"faster", c.faster},
            {"slower", c.slower},
            {"undecided", c.undecided},
            {"intervals_missed", c.missed}};
}

Json clock_json(const SelfTestReport& report) {
    Json rows = Json::array();
    for (const SelfTestRow& row : report.rows) {
        Json lies = Json::array();
        for (std::size_t i = 0; i < lie_margins.size(); ++i) {
            lies.push_back({{"margin", lie_margins[i]}, {"lies", row.lies_at[i]}});
        }
        rows.push_back({{"kernel", row.title},
                        {"seconds", row.seconds},
                        {"launching", row.launching},
                        {"against_itself", counts_json(row.itself)},
                        {"lies_at", std::move(lies)},
                        {"worst_ratio", row.worst},
                        {"median_width", row.widest},
                        {"five_percent", counts_json(row.planted)}});
    }
    return {{"rows", std::move(rows)},
            {"measuring_seconds", report.measuring_seconds},
            {"out_of_time", report.out_of_time}};
}

}  // namespace

std::string selftest_json(const SelfTestFound& found, bool right) {
    Json devices = Json::array();
    for (const SelfTestFound::OnDevice& one : found.devices) {
        Json json{{"device", one.device}, {"name", one.name}};
        if (one.clock) json["clock"] = clock_json(*one.clock);
        if (one.gate) {
            json["gate"] = {{"planted", one.gate->planted},
                            {"noticed", one.gate->noticed},
                            {"untried", one.gate->untried},
                            {"missed", one.gate->missed},
                            {"ended_by", one.gate->ended_by}};
        }
        devices.push_back(std::move(json));
    }
    Json all{{"margin", found.margin}, {"devices", std::move(devices)}};
    all["right"] = right;
    return report::printed(all);
}

}  // namespace parallax
