// Tests the validation of explanations' members, each with invalid values.
#include <gtest/gtest.h>

#include "records/record.hpp"
#include "records/tests/plain_lines.hpp"
#include "records/tests/spoiled.hpp"

namespace parallax::schema_explanation_test {
namespace {

using namespace fake;

TEST(ExplanationSchema, CasesAndSides) {
    expect_said(plain_explanation(),
                {{"/suite", "\"\"", "suite is '', and not a name"},
                 {"/shape", "[0]", "shape[0] is 0"},
                 {"/constants/GROUP", "true", "constants.GROUP is true"},
                 {"/run/id", "\"\"", "run.id is ''"},
                 {"/title", "", "title is missing"},
                 {"/title", "\"\"", "title is ''"},
                 {"/a", "\"opencl:1\"", "a is 'opencl:1', and not an object"},
                 {"/b/device", "\"\"", "b.device is ''"},
                 {"/a/name", "null", "a.name is null"},
                 {"/a/planted", "false", "a.planted is false"},
                 {"/b/seconds", "-1", "b.seconds is -1"},
                 {"/a/kernels", "{}", "a.kernels is an object"},
                 {"/a/kernels/0", "1", "a.kernels[0] is 1"},
                 {"/verdict", "\"LATE\"", "verdict is 'LATE', and not a verdict"},
                 {"/verdict", "3", "verdict is 3"},
                 {"/launching", "0", "launching is 0"},
                 {"/took_seconds", "-1", "took_seconds is -1"},
                 {"/why_no_origin", "null", "why_no_origin is null"},
                 {"/answer", "\"\"", "answer is ''"}});
}

TEST(ExplanationSchema, Ratios) {
    expect_said(plain_explanation(),
                {{"/gap", "null", "gap is null, and not an object"},
                 {"/gap/value", "0", "gap.value is 0, and not a number above 0"},
                 {"/gap/high", "\"0x7ff0000000000000\"", "gap.high is '0x7ff"},
                 {"/gap/confidence", "1.5", "gap.confidence is 1.5"},
                 {"/gap/log_error", "\"small\"", "gap.log_error is 'small'"},
                 {"/gap/degrees_of_freedom", "null", "gap.degrees_of_freedom is null"},
                 {"/gap/units_a", "-1", "gap.units_a is -1"},
                 {"/gap/basis", "1", "gap.basis is 1"}});
}

TEST(ExplanationSchema, Evidence) {
    const std::string at = "/a/kernels/0/";
    const auto said = [&](const std::string& place, const char* value, const char* words) {
        expect_said(plain_explanation(), {{(at + place).c_str(), value, words}});
    };
    said("kernel", "\"\"", "a.kernels[0].kernel is ''");
    said("options", "[1]", "a.kernels[0].options[0] is 1");
    said("resources", "null", "a.kernels[0].resources is null");
    said("resources/registers", "-1", "a.kernels[0].resources.registers is -1");
    said("resources/registers", "\"many\"", "not a whole number from 0 to 2^32 - 1 or unknown");
    said("occupancy", "1", "a.kernels[0].occupancy is 1, and not an object or null");
    said("occupancy/groups", "", "a.kernels[0].occupancy.groups is missing");
    said("occupancy/most_warps", "0", "a.kernels[0].occupancy.most_warps is 0");
    said("ptx", "[]", "a.kernels[0].ptx is an empty list");
    said("ptx/barriers", "0", "a.kernels[0].ptx.barriers is 0, and not a count");
    said("machine", "{\"moves\": 1.5}", "a.kernels[0].machine.moves is 1.5");
    said("ptx_text", "null", "a.kernels[0].ptx_text is null");
    said("machine_source", "", "a.kernels[0].machine_source is missing");
}

TEST(ExplanationSchema, StagesOriginAndTrials) {
    expect_said(
        plain_explanation(),
        {{"/stages", "{}", "stages is an object"},
         {"/stages/0/name", "\"\"", "stages[0].name is ''"},
         {"/stages/0/a", "-1", "stages[0].a is -1, and not a number from 0 on or null"},
         {"/stages/0/b", "\"long\"", "stages[0].b is 'long'"},
         {"/stages/0/in_whole", "null", "stages[0].in_whole is null"},
         {"/origin/0/ratio", "2", "origin[0].ratio is 2, and not an object or null"},
         {"/origin/0/ratio", "{}", "origin[0].ratio.value is missing"},
         {"/origin/0/share", "\"0x7ff8000000000000\"", "origin[0].share is '0x7ff"},
         {"/trials/0/knobs", "[]", "trials[0].knobs is an empty list"},
         {"/trials/0/knobs", "[\"\"]", "trials[0].knobs[0] is ''"},
         {"/trials/0/side", "\"a\"", "trials[0].side is 'a', and not A, B or both"},
         {"/trials/0/status", "\"fine\"", "trials[0].status is 'fine', and not measured, no"},
         {"/trials/0/closes", "\"0x7ff8000000000000\"", "trials[0].closes is '0x7ff"},
         {"/trials/0/own_change", "0", "trials[0].own_change is 0"},
         {"/trials/0/closed", "1", "trials[0].closed is 1"},
         {"/trials/0/consequences", "[{}]", "trials[0].consequences[0] is an object"}});
}

TEST(ExplanationSchema, Conclusions) {
    expect_said(
        plain_explanation(),
        {{"/conclusion", "[]", "conclusion is an empty list"},
         {"/conclusion/has_gap", "1", "conclusion.has_gap is 1"},
         {"/conclusion/by", "[2]", "conclusion.by names trial 2, which is not there"},
         {"/conclusion/by", "[-1]", "conclusion.by[0] is -1"},
         {"/conclusion/by", "[1]", "conclusion.by names trial 1, which is not there or"},
         {"/conclusion/by", "[]", "conclusion.explained is true, but conclusion.by is empty"},
         {"/conclusion/cause", "null", "conclusion.cause is null"},
         {"/conclusion/ruled_out", "\"x\"", "conclusion.ruled_out is 'x'"},
         {"/conclusion/not_tried", "[1]", "conclusion.not_tried[0] is 1"}});
}

TEST(ExplanationSchema, WhatWasNotFoundMayBeLeftEmpty) {
    Json line = plain_explanation();
    for (const char* list : {"stages", "origin", "trials"}) line[list] = Json::array();
    line["conclusion"]["explained"] = false;
    line["conclusion"]["by"] = Json::array();
    line["later"] = "a member of a later program";
    EXPECT_TRUE(problems_of(line).empty()) << problems_of(line).front();
}

}  // namespace
}  // namespace parallax::schema_explanation_test
