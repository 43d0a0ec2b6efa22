// Walks as JSON: what is written is read back, what is broken is refused.
#include "lessons/walk.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "common/error.hpp"
#include "lessons/tests/sample_walk.hpp"

namespace parallax {
namespace {

using testing::HasSubstr;

std::string refusal(const std::string& text) {
    try {
        parse_walk("w.json", text);
    } catch (const UsageError& error) {
        return error.what();
    }
    return "it was taken";
}

TEST(Walk, IsReadBackAsItWasWritten) {
    const Walk walk = sample_walk();
    const std::string text = to_json(walk).dump();
    EXPECT_EQ(to_json(parse_walk("w.json", text)).dump(), text);
}

TEST(Walk, EveryCutIsRefused) {
    const std::string text = to_json(sample_walk()).dump();
    for (std::size_t length = 0; length < text.size(); length += 97) {
        EXPECT_THAT(refusal(text.substr(0, length)), HasSubstr("w.json")) << length;
    }
}

TEST(Walk, EveryMemberThatChangesItsKindIsRefusedOrHarmless) {
    const Json good = to_json(sample_walk());
    std::size_t refused = 0;
    const Json flat = good.flatten();
    for (const auto& [pointer, value] : flat.items()) {
        Json bad = good;
        bad[Json::json_pointer(pointer)] = Json::array({1});
        try {
            parse_walk("w.json", bad.dump());
        } catch (const UsageError&) {
            ++refused;  // any other exception fails the test
        }
    }
    EXPECT_GT(refused, 20u);
}

TEST(Walk, NothingOfItSteersATerminal) {
    Json json = to_json(sample_walk());
    json["started"] = "\x1b[2J";
    json["devices"][0]["id"] = "\x1b]0;x\x07";
    json["lessons"][0]["steps"][2]["broken"][0]["status"] = "\x1b[31m";
    json["lessons"][0]["steps"][0]["points"][0]["label"] = "\x1b[1m";
    json["lessons"][0]["steps"][0]["points"][0]["records"][0]["device"] = "\x1b[5m";
    const Walk walk = parse_walk("w.json", json.dump());
    EXPECT_EQ(walk.started, "\\x1b[2J");
    for (const std::string& text :
         {walk.started, walk.devices[0].id, walk.lessons[0].steps[2].broken[0].status,
          walk.lessons[0].steps[0].points[0].label,
          walk.lessons[0].steps[0].points[0].records[0]["device"].get<std::string>()}) {
        EXPECT_EQ(text.find('\x1b'), std::string::npos) << text;
    }
}

TEST(Walk, AnotherKindOfFileIsSaid) {
    EXPECT_THAT(refusal("{}"), HasSubstr("'schema' is missing"));
    EXPECT_THAT(refusal("[]"), HasSubstr("no JSON"));
    EXPECT_THAT(refusal(R"({"schema": "parallax.record"})"), HasSubstr("'schema' is another"));
    Json old = to_json(sample_walk());
    old["version"] = 99;
    EXPECT_THAT(refusal(old.dump()), HasSubstr("version"));
}

TEST(Walk, KnowsWhetherAllDevicesAreCpus) {
    Walk walk = sample_walk();
    EXPECT_FALSE(walk.any_cpu());
    walk.devices[0].is_gpu = false;
    EXPECT_TRUE(walk.any_cpu());
    EXPECT_FALSE(walk.only_cpus());
    walk.devices[1].is_gpu = false;
    EXPECT_TRUE(walk.only_cpus());
}

}  // namespace
}  // namespace parallax
