// Tests that an explanation's line is valid, and is read back unchanged.
#include <limits>

#include <gtest/gtest.h>

#include "records/json.hpp"
#include "records/line.hpp"
#include "records/tests/plain_lines.hpp"
#include "studies/explain/tests/explanations.hpp"

namespace parallax::explanation_json_test {
namespace {

Json line_of(const Explanation& e) {
    return to_json(e);
}

/// The line as it is read back from a file.
Json kept(const Explanation& e) {
    const ParsedLine parsed = parse_line(line_of(e).dump());
    EXPECT_EQ(parsed.problem, "");
    return parsed.json;
}

TEST(ExplanationJson, EveryKindIsAValidLineThatReadsBack) {
    for (const Explanation& e : test::all_explanations()) {
        const Json line = kept(e);
        for (const std::string& problem : problems_of(line)) ADD_FAILURE() << e.title << problem;
        EXPECT_TRUE(std::holds_alternative<Explanation>(read_line(line).line));
        EXPECT_EQ(to_json(fake::as<Explanation>(line)), line_of(e)) << e.title;
    }
}

TEST(ExplanationJson, ReadsBackToTheLastBit) {
    Explanation e = test::answered(test::fully_explained());
    e.gap.value = 0.1 + 0.2 + 0.4;
    e.gap.low = 0.1 + 0.2;
    e.gap.high = 1;
    e.gap.degrees = std::numeric_limits<double>::infinity();
    e.gap.units_a = 40;
    e.trials[0].closes = 0.1 + 0.2 + 0.7;
    e.planted = {"one thing", "another"};
    e.needed_seconds = 80;
    const Explanation back = fake::as<Explanation>(kept(e));
    EXPECT_EQ(back.key, e.key);
    EXPECT_EQ(back.key.constants, e.key.constants) << "in the suite's order";
    EXPECT_EQ(back.run.id, e.run.id);
    EXPECT_EQ(back.title, e.title);
    EXPECT_EQ(back.device.a, "opencl:1");
    EXPECT_EQ(back.device_name.b, "Some GPU");
    EXPECT_EQ(back.planted.a, "one thing");
    EXPECT_EQ(back.planted.b, "another");
    EXPECT_EQ(back.seconds.b, e.seconds.b);
    EXPECT_EQ(back.gap.value, e.gap.value);
    EXPECT_EQ(back.gap.low, e.gap.low);
    EXPECT_EQ(back.gap.degrees, e.gap.degrees);
    EXPECT_EQ(back.gap.units_a, 40u);
    EXPECT_EQ(back.gap.basis, "paired rounds");
    EXPECT_EQ(back.verdict, Verdict::faster);
    EXPECT_EQ(back.stages[3].seconds.a, 1e-4);
    EXPECT_EQ(back.stages[3].seconds.b, std::nullopt);
    EXPECT_EQ(back.stages[3].note, "CUDA has no such call.");
    EXPECT_TRUE(back.stages[0].in_whole);
    EXPECT_FALSE(back.stages[1].in_whole);
    EXPECT_EQ(back.took_seconds, 61.5);
    EXPECT_EQ(back.needed_seconds, 80);
}

TEST(ExplanationJson, KeepsEvidenceOriginAndTrials) {
    const Explanation e = test::answered(test::fully_explained()),
                      back = fake::as<Explanation>(kept(e));
    const KernelEvidence &k = back.evidence.a.at(0), &was = e.evidence.a.at(0);
    EXPECT_EQ(k.options, was.options);
    EXPECT_EQ(k.resources.registers, 96u);
    EXPECT_EQ(k.resources.spill_bytes, 0u);
    EXPECT_EQ(k.resources.barriers, std::nullopt) << "unknown is not 0";
    EXPECT_EQ(k.occupancy, was.occupancy);
    EXPECT_EQ(k.ptx, was.ptx);
    EXPECT_EQ(k.machine, was.machine);
    EXPECT_EQ(k.ptx_text, was.ptx_text);
    EXPECT_EQ(k.machine_text, was.machine_text);
    EXPECT_EQ(k.machine_source, was.machine_source);
    EXPECT_EQ(back.origin.at(1).share, 0.97);
    EXPECT_EQ(back.origin.at(1).ratio->value, e.origin[1].ratio->value);
    EXPECT_EQ(back.trials.size(), e.trials.size());
    EXPECT_EQ(back.trials[0].closes, 1.0);
    EXPECT_TRUE(back.trials[0].closed);
    EXPECT_EQ(back.trials[0].own_change, 0.61);
    EXPECT_EQ(back.trials[0].consequences, e.trials[0].consequences);
    EXPECT_EQ(back.trials[1].side, KnobSide::b);
    EXPECT_EQ(back.trials[2].own_change, std::nullopt);
    EXPECT_EQ(back.trials[3].status, TrialStatus::wrong);
    EXPECT_EQ(back.trials[3].reason, "Element 3 is 2, not 1.");
    EXPECT_EQ(back.conclusion.by, std::vector<std::size_t>{0});
    EXPECT_EQ(back.conclusion.remedy, e.conclusion.remedy);
    EXPECT_EQ(back.conclusion.not_tried, e.conclusion.not_tried);
}

TEST(ExplanationJson, InstructionsAreNamedAndZerosLeftOut) {
    const Json line = line_of(test::answered(test::fully_explained()));
    const Json& mix = line["b"]["kernels"][0]["ptx"];
    EXPECT_EQ(mix.size(), 3u);
    EXPECT_EQ(mix[std::string(name_of(InstructionClass::shared_load_128))], 16);
    Explanation none = test::answered(test::fully_explained());
    none.evidence.a[0].ptx.emplace();
    none.evidence.b[0].ptx.reset();
    const Explanation back = fake::as<Explanation>(kept(none));
    EXPECT_TRUE(back.evidence.a[0].ptx.has_value()) << "an empty text is a text";
    EXPECT_FALSE(back.evidence.b[0].ptx.has_value());
}

TEST(ExplanationJson, ClassesOfALaterProgramAreOthers) {
    Json line = kept(test::answered(test::fully_explained()));
    line["a"]["kernels"][0]["ptx"]["tensor operations"] = 8;
    EXPECT_TRUE(problems_of(line).empty());
    EXPECT_EQ((*fake::as<Explanation>(line).evidence.a[0].ptx)[InstructionClass::other], 8u);
}

TEST(ExplanationNames, OfStatusesReadBack) {
    using enum TrialStatus;
    for (const TrialStatus status : {measured, no_effect, wrong, unsupported, failed, skipped}) {
        EXPECT_EQ(trial_status_named(name_of(status)), status);
    }
    EXPECT_EQ(trial_status_named("no_effect"), std::nullopt);
    EXPECT_EQ(name_of(KnobSide::both), "both");
}

}  // namespace
}  // namespace parallax::explanation_json_test
