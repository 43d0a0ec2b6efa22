// Tests the validation of lines: every member by a value of another type, and the rules of values.
#include <map>

#include <gtest/gtest.h>

#include "records/record.hpp"
#include "records/result_lines.hpp"
#include "records/tests/plain_lines.hpp"
#include "records/tests/spoiled.hpp"

namespace parallax::schema_test {
namespace {

using namespace fake;

/// The members of a part; null: it is a type of values.
const Json& members_of_part(const std::string& name) {
    static const std::map<std::string, Json> parts = [] {
        std::map<std::string, Json> made;
        for (const Json& part : Json::parse(members_json())) {
            made[part.at("name").get<std::string>()] = part.at("members");
        }
        return made;
    }();
    static const Json none;
    const auto found = parts.find(name);
    return found == parts.end() ? none : found->second;
}

/// Gives each member of a part that the line has a value of another type, and takes away those that
/// every line has. @param where  the part's place in messages
/// @returns how many members it has with those of its parts
std::size_t spoil_members(const Json& line, const std::string& part,
                          const Json::json_pointer& at = Json::json_pointer(),
                          const std::string& where = {}) {
    std::size_t count = 0;
    for (const Json& member : members_of_part(part)) {
        const auto name = member.at("name").get<std::string>();
        std::string type = member.at("type").get<std::string>();
        const Json::json_pointer here = at / name;
        const std::string place = where + name;
        if (!line.contains(here)) continue;
        ++count;
        Json spoiled = line;
        const bool is_plain = type == "whole" || type == "number" || type == "truth";
        spoiled[here] = is_plain ? Json("much") : Json(7);
        expect_said(spoiled, place + " is ", place);
        spoiled = line;
        spoiled[at].erase(name);
        if (member.at("always").get<bool>()) expect_said(spoiled, place + " is missing", place);
        const bool is_list = type.ends_with("[]");
        if (is_list) type.resize(type.size() - 2);
        const Json& value = line.at(here);
        if (is_list && value.is_array() && !value.empty()) {
            count += spoil_members(line, type, here / std::size_t{0}, place + "[0].");
        } else if (value.is_object()) {
            count += spoil_members(line, type, here, place + ".");
        }
    }
    return count;
}

TEST(Schema, EveryMemberHasItsType) {
    EXPECT_GT(spoil_members(plain_record(), "record"), 60u);
    EXPECT_GT(spoil_members(plain_pair(), "pair"), 30u);
    EXPECT_GT(spoil_members(plain_explanation(), "explanation"), 70u);
}

TEST(Schema, AnyValueMayBeAsked) {
    for (const char* text : {"null", "1", "\"text\"", "[]", "[{}]", "{}", "{\"schema\":null}",
                             "{\"schema\":\"parallax.record\"}", "{\"schema\":\"parallax.pair\"}",
                             "{\"schema\":\"parallax.pair\",\"version\":1}",
                             "{\"schema\":\"parallax.explanation\",\"version\":1}"}) {
        EXPECT_FALSE(problems_of(Json::parse(text)).empty()) << text;
    }
    EXPECT_TRUE(std::holds_alternative<Pair>(read_line(plain_pair()).line));
    EXPECT_TRUE(std::holds_alternative<Record>(read_line(plain_record()).line));
    EXPECT_TRUE(std::holds_alternative<Explanation>(read_line(plain_explanation()).line));
}

TEST(Schema, WhoseLineItIs) {
    expect_said(plain_record(),
                {{"/schema", "", "schema is missing"},
                 {"/schema", "\"other.schema\"", "its schema is 'other.schema'"},
                 {"/schema", "[1,2,3]", "its schema is a list of 3"},
                 {"/version", "", "version is missing"},
                 {"/version", "2", "its version is 2, and this program reads version 1"},
                 {"/version", "1.0", "its version is 1.0"},
                 {"/version", "\"1\"", "its version is '1'"}});
    expect_said(plain_pair(), {{"/version", "7", "its version is 7"}});
    expect_said(plain_explanation(), {{"/version", "7", "its version is 7"}});
}

TEST(Schema, CasesAndLaunches) {
    const std::string long_name = "\"" + std::string(201, 'x') + "\"";
    const std::string wide_name = "\"" + std::string(200, 'x') + "\"";
    Json record = plain_record();
    record["suite"] = Json::parse(wide_name);
    EXPECT_TRUE(problems_of(record).empty());
    expect_said(
        plain_record(),
        {{"/suite", "\"\"", "suite is '', and not a name"},
         {"/variant", long_name.c_str(), "variant is 'xxx"},
         {"/type", "\"quad\"", "type is 'quad', and not a type"},
         {"/shape", "[]", "shape is an empty list"},
         {"/shape", "[1,0]", "shape[1] is 0, and not a size from 1 on"},
         {"/shape", "[-1]", "shape[0] is -1"},
         {"/shape", "[1.5]", "shape[0] is 1.5"},
         {"/constants/GROUP", "1.0", "constants.GROUP is 1.0, and not a whole number"},
         {"/constants/GROUP", "9223372036854775808", "constants.GROUP is 9223372036854775808"},
         {"/launches/0/groups", "[1,1]", "launches[0].groups is a list of 2"},
         {"/launches/0/items", "[1,1,0]", "launches[0].items[2] is 0"},
         {"/program/options", "[1]", "program.options[0] is 1, and not a text"},
         {"/program/build_seconds", "[-1]", "program.build_seconds[0] is -1"},
         {"/where/platform", "null", "where.platform is null"},
         {"/run/seed", "-1", "run.seed is -1"},
         {"/run/id", "\"\"", "run.id is ''"},
         {"/notes", "[\"a\", {}]", "notes[1] is an object"}});
}

TEST(Schema, Timings) {
    expect_said(
        plain_record(),
        {{"/timing/samples", "[1e-3, 0, 3e-3, 4e-3]", "timing.samples[1] is 0, and not a number"},
         {"/timing/samples", "[\"0x7ff8000000000000\"]", "timing.samples[0] is '0x7ff8"},
         {"/timing/samples", "[]", "timing.samples is an empty list"},
         {"/timing/samples", "[1e-3]", "timing.samples has 1 values, and timing.round has 4"},
         {"/timing/samples/1", "3e-3", "was the file edited?"},
         {"/timing/host_samples", "[1e-3]", "timing.host_samples has 1"},
         {"/timing/host_samples/2", "-1", "timing.host_samples[2] is -1"},
         {"/timing/round/3", "2", "timing.round[3] is 2, but timing.repeats knows 2 rounds"},
         {"/timing/round/3", "-1", "timing.round[3] is -1"},
         {"/timing/repeats/0", "0", "timing.repeats[0] is 0, and not a count"},
         {"/timing/repeats/0", "4294967296", "timing.repeats[0] is 4294967296"},
         {"/timing/median", "2.5001e-3", "timing.median is not that of timing.samples"},
         {"/timing/low", "0", "timing.low is 0"},
         {"/timing/low", "2.4e-3", "timing.low is not that of timing.samples"},
         {"/timing/high", "2.6e-3", "timing.high is not that of timing.samples"},
         {"/timing/confidence", "0.99", "timing.confidence is not that of timing.samples"},
         {"/timing/spread", "0.01", "timing.spread is not that of timing.samples"},
         {"/timing/high", "\"0x7ff0000000000000\"", "timing.high is '0x7ff"},
         {"/timing/confidence", "1.5", "timing.confidence is 1.5"},
         {"/work/bytes", "-1", "work.bytes is -1"},
         {"/rate", "", "rate is missing although there is a timing"},
         {"/rate/gigabytes_per_second", "1e6", "what it is made of gives"},
         {"/rate/gigaoperations_per_second", "1e6", "what it is made of gives"},
         {"/state", "", "state is missing although there is a timing"}});
}

TEST(Schema, ChecksAndReasons) {
    Json record = plain_record();
    record["check"]["output_hash"] = std::string(32, 'a');
    record["check"]["repeatable"] = false;
    EXPECT_TRUE(problems_of(record).empty());
    expect_said(record, {{"/check/output_hash", "\"abc\"", "check.output_hash is 'abc'"},
                         {"/check/worst_ulp", "\"0x\"", "check.worst_ulp is '0x'"},
                         {"/check/failure", "{\"what\":\"x\"}", "check has a failure"},
                         {"/check/failure", "{}", "check.failure.what is missing"},
                         {"/status", "\"fine\"", "status 'fine' is unknown"},
                         {"/reason", "\"\"", "reason is '', and not a text that is not empty"},
                         {"/check/trials", "0", "status is ok, but check.trials is 0"},
                         {"/check/worst_share_of_bound", "50",
                          "status is ok, but check.worst_share_of_bound is 50"},
                         {"/check/worst_share_of_bound", "\"0x7ff8000000000000\"",
                          "check.worst_share_of_bound is nan"},
                         {"/check", "", "check or timing is missing"}});
    record = plain_record();
    record["status"] = "skipped";
    for (const char* member : {"check", "timing", "work", "rate", "state"}) record.erase(member);
    EXPECT_EQ(problems_of(record).front(), "reason is missing");
    record["reason"] = "There was no time.";
    EXPECT_TRUE(problems_of(record).empty());
}

TEST(Schema, Pairs) {
    expect_said(
        plain_pair(),
        {{"/error", "0", "error is 0, and not a number between 0 and 1"},
         {"/error", "1e-300", "error is 1e-300, and no clock is that sure: it is 5e-11 at least"},
         {"/error", "0.9999", "error is 0.9999, and an interval that decides misses at most 0.05"},
         {"/looks", "[5,5]", "looks[1] is 5, which is no more than the one before"},
         {"/looks", "[0,5]", "looks[0] is 0"},
         {"/look", "5", "look is 5, but there are 4 looks"},
         {"/stopped_by", "\"boredom\"", "stopped_by is 'boredom', and not decided, looks"},
         {"/launch_seconds", "[1]", "launch_seconds is a list of 1"},
         {"/launch_seconds", "[1,-1]", "launch_seconds[1] is -1"},
         {"/measuring_seconds", "-0.5", "measuring_seconds is -0.5"},
         {"/rounds/1/repeats", "[1,0]", "rounds[1].repeats[1] is 0"},
         {"/rounds/1/order", "\"ABAB\"", "rounds[1].order is 'ABAB', and not ABBA or BAAB"},
         {"/rounds/1/a", "[1e-3]", "rounds[1].a is a list of 1"},
         {"/rounds/1/a", "[1,1,1,1]", "rounds[1].a has 4 values, and rounds[1].b has 2"},
         {"/rounds/1/a/0", "0", "rounds[1].a[0] is 0"},
         {"/rounds/1/b/0", "2e-3", "rounds[1].log_ratio is not that of its samples"},
         {"/rounds/0/log_ratio", "0.6931", "rounds[0].log_ratio is not that of its samples"},
         {"/rounds/1/disturbed", "\"\"", "rounds[1].disturbed is ''"},
         {"/planted", "1.05", "planted is 1.05, but the pair is none of a side against itself"},
         {"/answer/identical", "true", "answer.identical is true, but 1 elements differ"},
         {"/answer/differing", "1001", "answer.differing is 1001, but there are 1000"},
         {"/answer/first", "1000", "answer.first is 1000"}});
    Json pair = plain_pair();
    pair.erase("answer");
    pair["rounds"] = Json::array();
    EXPECT_TRUE(problems_of(pair).empty()) << "nothing was measured, and nothing compared";
    // Three quads: the median, whatever the order.
    pair["rounds"] = Json::array({{{"repeats", {1, 1}},
                                   {"order", "BAAB"},
                                   {"a", {1, 1, 1, 1, 1, 1}},
                                   {"b", {8, 8, 1, 1, 2, 2}},
                                   {"log_ratio", std::log(2.0)}}});
    EXPECT_TRUE(problems_of(pair).empty()) << problems_of(pair).front();
}

TEST(Schema, Explanations) {
    expect_said(
        plain_explanation(),
        {{"/title", "\"\"", "title is ''"},
         {"/b/seconds", "-1", "b.seconds is -1"},
         {"/verdict", "\"LATE\"", "verdict is 'LATE', and not a verdict"},
         {"/gap", "null", "gap is null, and not an object"},
         {"/gap/value", "0", "gap.value is 0, and not a number above 0"},
         {"/gap/high", "\"0x7ff0000000000000\"", "gap.high is '0x7ff"},
         {"/gap/confidence", "1.5", "gap.confidence is 1.5"},
         {"/a/kernels/0/resources/registers", "\"many\"", "from 0 to 2^32 - 1 or unknown"},
         {"/a/kernels/0/occupancy", "1", "a.kernels[0].occupancy is 1, and not an object or null"},
         {"/a/kernels/0/occupancy/most_warps", "0", "a.kernels[0].occupancy.most_warps is 0"},
         {"/a/kernels/0/ptx/barriers", "0", "a.kernels[0].ptx.barriers is 0, and not a count"},
         {"/a/kernels/0/machine", "{\"moves\": 1.5}", "a.kernels[0].machine.moves is 1.5"},
         {"/stages/0/a", "-1", "stages[0].a is -1, and not a number from 0 on or null"},
         {"/origin/0/ratio", "{}", "origin[0].ratio.value is missing"},
         {"/trials/0/knobs", "[]", "trials[0].knobs is an empty list"},
         {"/trials/0/side", "\"a\"", "trials[0].side is 'a', and not A, B or both"},
         {"/trials/0/status", "\"fine\"", "trials[0].status is 'fine', and not measured, no"},
         {"/trials/0/closes", "\"0x7ff8000000000000\"", "trials[0].closes is '0x7ff"},
         {"/trials/0/own_change", "0", "trials[0].own_change is 0"},
         {"/conclusion/by", "[2]", "conclusion.by names trial 2, which is not there"},
         {"/conclusion/by", "[-1]", "conclusion.by[0] is -1"},
         {"/conclusion/by", "[1]", "conclusion.by names trial 1, which is not there or"},
         {"/conclusion/by", "[]", "conclusion.explained is true, but conclusion.by is empty"}});
    Json line = plain_explanation();
    for (const char* list : {"stages", "origin", "trials"}) line[list] = Json::array();
    line["conclusion"]["explained"] = false;
    line["conclusion"]["by"] = Json::array();
    line["later"] = "a member of a later program";
    EXPECT_TRUE(problems_of(line).empty()) << problems_of(line).front();
}

}  // namespace
}  // namespace parallax::schema_test
