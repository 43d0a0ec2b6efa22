// Walks as JSON: what is written is read back, what is broken is refused.
#include "studies/lessons/walk.hpp"

#include <limits>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "common/error.hpp"
#include "studies/lessons/tests/sample_walk.hpp"

namespace parallax::walk_test {
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
    json["devices"].at(0)["id"] = "\x1b]0;x\x07";
    json["lessons"].at(0)["steps"].at(2)["broken"].at(0)["status"] = "\x1b[31m";
    json["lessons"].at(0)["steps"].at(0)["points"].at(0)["label"] = "\x1b[1m";
    json["lessons"].at(0)["steps"].at(0)["points"].at(0)["records"].at(0)["device"] = "\x1b[5m";
    const Walk walk = parse_walk("w.json", json.dump());
    EXPECT_EQ(walk.started, "\\x1b[2J");
    for (const std::string& text :
         {walk.started, walk.devices.at(0).id, walk.lessons.at(0).steps.at(2).broken.at(0).status,
          walk.lessons.at(0).steps.at(0).points.at(0).label,
          walk.lessons.at(0).steps.at(0).points.at(0).records.at(0)["device"].get<std::string>()}) {
        EXPECT_EQ(text.find('\x1b'), std::string::npos) << text;
    }
}

TEST(Walk, SaysWhetherItWasInterrupted) {
    Walk walk = sample_walk();
    EXPECT_FALSE(parse_walk("w.json", to_json(walk).dump()).interrupted);
    walk.interrupted = true;
    EXPECT_TRUE(parse_walk("w.json", to_json(walk).dump()).interrupted);
    Json old = to_json(walk);
    old.erase("interrupted");
    EXPECT_FALSE(parse_walk("w.json", old.dump()).interrupted);
}

TEST(Walk, WhatIsNestedTooDeeplyIsRefused) {
    Json json = to_json(sample_walk());
    json["lessons"].at(0)["steps"].at(0)["points"].at(0)["records"].at(0)["notes_of_mine"] = "HERE";
    std::string text = json.dump();
    EXPECT_EQ(refusal(text), "it was taken") << "a member that is not known does no harm";
    constexpr std::size_t levels = 1'000'000;  // no stack holds a copy of it
    text.replace(text.find("\"HERE\""), 6, std::string(levels, '[') + std::string(levels, ']'));
    EXPECT_THAT(refusal(text), HasSubstr("nested deeper than"));
    EXPECT_FALSE(is_walk(text));
}

TEST(Walk, AMemberStandsOnceAndAmongFew) {
    std::string text = to_json(sample_walk()).dump();
    EXPECT_THAT(refusal("{\"program\":\"\"," + text.substr(1)),
                HasSubstr("'program' stands twice"));
    std::string many = "{";
    for (int i = 0; i < 100'000; ++i) many += fmt::format("\"k{}\":0,", i);
    EXPECT_THAT(refusal(many + text.substr(1)), HasSubstr("more than 1000 members"));
}

TEST(Walk, ConstantsFitIntoTheirType) {
    Json json = to_json(sample_walk());
    Json& constants = json["lessons"].at(0)["steps"].at(0)["constants"];
    constants["TILE"] = std::numeric_limits<std::int64_t>::min();
    EXPECT_EQ(refusal(json.dump()), "it was taken");
    constants["TILE"] = std::uint64_t{1} << 63;
    EXPECT_THAT(refusal(json.dump()), HasSubstr("'constants' are whole numbers"));
    constants["TILE"] = 1.5;
    EXPECT_THAT(refusal(json.dump()), HasSubstr("'constants' are whole numbers"));
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
    walk.devices.at(0).is_gpu = false;
    EXPECT_TRUE(walk.any_cpu());
    EXPECT_FALSE(walk.only_cpus());
    walk.devices.at(1).is_gpu = false;
    EXPECT_TRUE(walk.only_cpus());
}

}  // namespace
}  // namespace parallax::walk_test
