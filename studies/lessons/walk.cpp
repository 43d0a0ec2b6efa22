// Walks as JSON, and back.
#include "studies/lessons/walk.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "common/error.hpp"
#include "common/text.hpp"
#include "records/record.hpp"

namespace parallax {
namespace {

constexpr std::string_view schema = "parallax.walk";
constexpr int version = 1;

Json to_json(const WalkedStep& step) {
    Json json{{"name", step.name}};
    if (!step.type.empty()) json["type"] = step.type;
    if (!step.constants.empty()) {
        json["constants"] = Json::object();
        for (const auto& [name, value] : step.constants) json["constants"][name] = value;
    }
    for (const WalkedPoint& point : step.points) {
        json["points"].push_back({{"label", point.label}, {"records", point.records}});
    }
    for (const BrokenRun& run : step.broken) {
        json["broken"].push_back(
            {{"device", run.device}, {"status", run.status}, {"said", run.said}});
    }
    if (!step.output.empty()) json["output"] = step.output;
    return json;
}

/// What is read, and where: nothing of it is trusted.
class Reader {
public:
    explicit Reader(const std::string& file) : file_(file) {}

    [[noreturn]] void fail(std::string_view what) const {
        throw UsageError(fmt::format(
            "{} is no walk that 'parallax lesson --format json' wrote: {}.", file_, what));
    }
    const Json& list(const Json& json, const char* key) const {
        static const Json none = Json::array();
        if (!json.is_object() || !json.contains(key)) return none;
        if (!json[key].is_array()) fail(fmt::format("'{}' is no list", key));
        return json[key];
    }
    std::string text(const Json& json, const char* key) const {
        if (!json.is_object() || !json.contains(key) || !json[key].is_string()) {
            fail(fmt::format("'{}' is missing, or no text", key));
        }
        return json[key].get<std::string>();
    }
    /// One that is shown as it is: nothing of it may steer a terminal.
    std::string word(const Json& json, const char* key) const {
        return printable(text(json, key), 200);
    }
    std::string text_or_none(const Json& json, const char* key) const {
        return json.is_object() && json.contains(key) ? text(json, key) : "";
    }
    WalkDevice device(const Json& json) const {
        WalkDevice device{
            .id = word(json, "id"), .name = word(json, "name"), .backend = word(json, "backend")};
        if (!json.contains("is_gpu") || !json["is_gpu"].is_boolean()) fail("'is_gpu' is missing");
        device.is_gpu = json["is_gpu"];
        if (!json.contains("physical") || !json["physical"].is_number_unsigned()) {
            fail("'physical' is missing");
        }
        device.physical = json["physical"];
        return device;
    }
    WalkedStep step(const Json& json) const {
        WalkedStep step{.name = text(json, "name"),
                        .type = text_or_none(json, "type"),
                        .constants = {},
                        .points = {},
                        .broken = {},
                        .output = text_or_none(json, "output")};
        if (json.contains("constants")) {
            if (!json["constants"].is_object()) fail("'constants' are names and values");
            for (const auto& [name, value] : json["constants"].items()) {
                const bool is_small = value.is_number_integer() &&
                                      (!value.is_number_unsigned() ||
                                       std::in_range<std::int64_t>(value.get<std::uint64_t>()));
                if (!is_small) fail("'constants' are whole numbers of 64 bits with a sign");
                step.constants.emplace_back(name, value.get<std::int64_t>());
            }
        }
        for (const Json& point : list(json, "points")) {
            WalkedPoint read{.label = word(point, "label"), .records = {}};
            for (const Json& record : list(point, "records")) {
                const std::vector<std::string> problems = problems_of(record);
                if (!problems.empty()) fail(fmt::format("in a record, {}", problems.front()));
                if (is_pair(record) || is_explanation(record)) fail("a line that is no record");
                read.records.push_back(record);
                read.records.back()["device"] = word(record, "device");
            }
            step.points.push_back(std::move(read));
        }
        for (const Json& run : list(json, "broken")) {
            step.broken.push_back({word(run, "device"), word(run, "status"), text(run, "said")});
        }
        return step;
    }

private:
    const std::string& file_;
};

const WalkedStep* named(const std::vector<WalkedStep>& steps, std::string_view name) {
    const auto found = std::ranges::find(steps, name, &WalkedStep::name);
    return found == steps.end() ? nullptr : &*found;
}

}  // namespace

const WalkedStep* WalkedLesson::step(std::string_view word) const {
    return named(steps, word);
}

const WalkedStep* WalkedLesson::exercise(std::string_view title) const {
    return named(exercises, title);
}

bool Walk::any_cpu() const {
    return std::ranges::any_of(devices, [](const WalkDevice& d) { return !d.is_gpu; });
}

bool Walk::only_cpus() const {
    return std::ranges::none_of(devices, &WalkDevice::is_gpu);
}

Json to_json(const Walk& walk) {
    Json json{{"schema", schema},
              {"version", version},
              {"program", walk.program},
              {"started", walk.started},
              {"from_records", walk.from_records},
              {"interrupted", walk.interrupted},
              {"devices", Json::array()},
              {"lessons", Json::array()}};
    for (const WalkDevice& device : walk.devices) {
        json["devices"].push_back({{"id", device.id},
                                   {"name", device.name},
                                   {"backend", device.backend},
                                   {"is_gpu", device.is_gpu},
                                   {"physical", device.physical}});
    }
    for (const WalkedLesson& lesson : walk.lessons) {
        Json one{{"name", lesson.name}, {"steps", Json::array()}, {"exercises", Json::array()}};
        for (const WalkedStep& step : lesson.steps) one["steps"].push_back(to_json(step));
        for (const WalkedStep& step : lesson.exercises) one["exercises"].push_back(to_json(step));
        json["lessons"].push_back(std::move(one));
    }
    return json;
}

bool is_walk(const std::string& text) {
    const Json json = parse_line(text).json;
    return json.is_object() && json.contains("schema") && json["schema"] == schema;
}

Walk parse_walk(const std::string& file, const std::string& text) {
    const Reader reader(file);
    const auto [json, problem, is_cut] = parse_line(text);
    if (!problem.empty()) reader.fail(problem);
    if (!json.is_object()) reader.fail("it is no JSON object");
    if (reader.text(json, "schema") != schema) reader.fail("its 'schema' is another");
    if (!json.contains("version") || json["version"] != version) {
        reader.fail(fmt::format("its version is not {}", version));
    }
    Walk walk{.program = reader.word(json, "program"),
              .started = reader.word(json, "started"),
              .from_records = json.contains("from_records") && json["from_records"] == true,
              .interrupted = json.contains("interrupted") && json["interrupted"] == true,
              .devices = {},
              .lessons = {}};
    for (const Json& device : reader.list(json, "devices")) {
        walk.devices.push_back(reader.device(device));
    }
    for (const Json& one : reader.list(json, "lessons")) {
        WalkedLesson lesson{.name = reader.text(one, "name"), .steps = {}, .exercises = {}};
        for (const Json& step : reader.list(one, "steps")) {
            lesson.steps.push_back(reader.step(step));
        }
        for (const Json& step : reader.list(one, "exercises")) {
            lesson.exercises.push_back(reader.step(step));
        }
        walk.lessons.push_back(std::move(lesson));
    }
    return walk;
}

}  // namespace parallax
