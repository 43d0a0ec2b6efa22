// Tests stored lines: they are read back unchanged, and each case occurs once per run.
#include "records/result_set.hpp"

#include <filesystem>
#include <fstream>
#include <limits>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "common/error.hpp"
#include "common/tests/toy_suite.hpp"
#include "common/text/temporary_folder.hpp"
#include "studies/diff/tests/kept.hpp"

namespace parallax::result_set_test {
namespace {

using namespace test;
using testing::AllOf;
using testing::HasSubstr;

const RunInfo run{"one", "2026-01-01T00:00:00Z", 7, {"diff", "a", "b"}, "0.1.0"};
const double infinite = std::numeric_limits<double>::infinity();

void expect_round_trip(const Pair& pair) {
    const Json json = to_json(pair);
    EXPECT_EQ(to_json(fake::as<Pair>(Json::parse(json.dump()))), json);
}

TEST(StoredPairs, ComeBackAsTheyWere) {
    Pair pair = pair_of({});
    expect_round_trip(pair);
    pair.launch_seconds_a = 3e-6;
    pair.launch_seconds_b = 4.5e-6;
    pair.measuring_seconds = 0.1 + 0.2;
    // A round that did not count, and another one that did.
    pair.timing.rounds.push_back(pair.timing.rounds[0]);
    pair.timing.rounds[1].disturbed = "the clock of cuda:0 moved from 1000 to 1200 MHz";
    pair.timing.rounds[2].repeats_b = 17;
    pair.timing.error = 0.01;
    pair.answer.reset();
    expect_round_trip(pair);
    expect_round_trip(pair_of({.b = "opencl:0"}));
    expect_round_trip(pair_of({.look = 0, .disturbed = "heat"}));
}

TEST(StoredPairs, KeepDistances) {
    Pair pair = pair_of({});
    pair.answer = AnswerDistances{.identical = false,
                                  .elements = 10,
                                  .differing = 2,
                                  .largest_ulp = infinite,
                                  .median_ulp = 3,
                                  .first = 9,
                                  .first_a = "1 (0x3f800000)",
                                  .first_b = "nan (0x7fc00000)"};
    expect_round_trip(pair);
    pair.answer->median_ulp = infinite;
    expect_round_trip(pair);
    pair.answer->first = 0;
    expect_round_trip(pair);
}

TEST(StoredRecords, AllThatADiffNeeds) {
    Kept kept = on_cuda();
    kept.constants = {{"ZETA", -1}, {"ALPHA", 2}};
    kept.share = 0.5;
    kept.launch_seconds = 2e-6;
    kept.output_hash = "b";
    kept.rounds = {3e-3, 1e-3, 2e-3};
    kept.side = 'b';
    kept.notes = {"A note."};
    kept.operations = 10;
    kept.seed = 9;
    const Record r = fake::as<Record>(line(kept));
    EXPECT_EQ(r.key.suite, "copy");
    EXPECT_EQ(r.key.shape, (std::vector<std::uint64_t>{1000}));
    EXPECT_EQ(r.key.constants.front().name, "ZETA") << "in the suite's order";
    EXPECT_EQ(r.key.sorted().constants.front().name, "ALPHA");
    EXPECT_EQ(r.device, "cuda:0");
    EXPECT_EQ(r.where.backend, "cuda");
    EXPECT_EQ(r.side, 'b');
    EXPECT_EQ(r.run.seed, 9u);
    EXPECT_EQ(r.status, Status::ok);
    EXPECT_DOUBLE_EQ(r.seconds(), 2e-3);
    EXPECT_EQ(r.timing->round_medians(), kept.rounds);
    EXPECT_EQ(r.work.bytes, 8000);
    EXPECT_EQ(r.work.operations, 10);
    EXPECT_DOUBLE_EQ(r.ceiling.bytes_per_second, 8000 / 2e-3 / 0.5);
    EXPECT_DOUBLE_EQ(r.ceiling.operations_per_second, 2e11);
    EXPECT_EQ(r.ceiling.launch_seconds, 2e-6);
    EXPECT_EQ(r.share.share, 0.5);
    EXPECT_EQ(r.share.of, "copy");
    EXPECT_EQ(r.check->output_hash, std::string(32, 'b'));
    EXPECT_EQ(r.check->repeatable, true);
    EXPECT_EQ(r.notes, kept.notes);
    EXPECT_EQ(r.where.name, "Some GPU");
    EXPECT_EQ(r.where.driver, "1.0");
    EXPECT_EQ(r.after.ecc, true);
    EXPECT_THAT(facts_of(r), testing::Contains(std::pair<std::string, std::string>{"ecc", "true"}));
}

TEST(StoredRecords, DoubtsAreKeptAndFoundAmongTheNotesOfOlderPrograms) {
    Kept kept = on_cuda();
    kept.notes = {"Suspicious: zeros would be right, too.", "A note."};
    Json json = line(kept);
    Record r = fake::as<Record>(json);
    EXPECT_THAT(r.notes, testing::ElementsAre("A note."));
    EXPECT_THAT(r.doubts,
                testing::ElementsAre(Doubt{DoubtKind::unnamed, "zeros would be right, too."}));
    EXPECT_TRUE(is_doubtful(r.status, r.doubts));
    EXPECT_FALSE(is_doubtful(Status::wrong, r.doubts));
    EXPECT_THAT(remarks_of(r.notes, r.doubts),
                testing::ElementsAre("A note.", "Doubtful: zeros would be right, too."));
    r.doubts = {{DoubtKind::race, "equal inputs gave others."}};
    json = to_json(r);
    EXPECT_EQ(json["doubts"][0]["kind"], "race");
    EXPECT_EQ(json["doubts"][0]["sentence"], "equal inputs gave others.");
    EXPECT_THAT(json["doubts"][0]["hint"], testing::HasSubstr("host:1"));
    EXPECT_EQ(fake::as<Record>(json).doubts, r.doubts);
    json["doubts"][0]["kind"] = "of a newer program";
    EXPECT_EQ(fake::as<Record>(json).doubts[0].kind, DoubtKind::unnamed);
    json["doubts"][0]["sentence"] = "";
    EXPECT_FALSE(problems_of(json).empty());
}

TEST(Ceilings, WhatCannotBeIsDoubtfulAlsoWhereTheCeilingIsRough) {
    const auto is_doubted = [](const char* type, double share, double others_use) {
        Record r;
        r.key.type = type;
        r.status = Status::ok;
        r.timing.emplace();
        r.share = {share, "fma"};
        r.ceiling.others_use = others_use;
        add_ceiling_doubt(r);
        add_ceiling_doubt(r);
        EXPECT_LE(r.doubts.size(), 1u);
        return is_doubtful(r.status, r.doubts);
    };
    EXPECT_FALSE(is_doubted("float", 1.19, 0));
    EXPECT_TRUE(is_doubted("float", 1.21, 0));
    EXPECT_FALSE(is_doubted("float", 1.21, 0.5)) << "the ceiling was disturbed";
    EXPECT_TRUE(is_doubted("float", 17, 0.5));
    EXPECT_FALSE(is_doubted("int", 15, 0)) << "several in one instruction";
    EXPECT_TRUE(is_doubted("int", 17, 0));
    EXPECT_TRUE(is_doubted("half", 17, 0));
}

TEST(StoredRecords, AFailureWithoutAShapeIsWrittenWithoutOne) {
    Json json = line(ended(Status::wrong, "3 elements wrong."));
    json["check"]["failure"] = {{"what", "3 elements wrong."}};
    const Json again = to_json(fake::as<Record>(json));
    EXPECT_EQ(problems_of(again), std::vector<std::string>{});
    EXPECT_FALSE(again["check"]["failure"].contains("shape"));
}

TEST(StoredRecords, ThatDidNotEndWell) {
    Kept kept = ended(Status::failed, "It does not build.");
    kept.log = "x.cl:1: error";
    const Record r = fake::as<Record>(line(kept));
    EXPECT_EQ(r.status, Status::failed);
    EXPECT_EQ(r.reason, "It does not build.");
    EXPECT_EQ(r.log, "x.cl:1: error");
    EXPECT_EQ(r.seconds(), 0);
    EXPECT_FALSE(r.timing);
}

TEST(StoredRecords, AnInfiniteErrorStaysOne) {
    Kept kept = ended(Status::wrong, "Element 0 is a NaN.");
    kept.worst_ulp = infinite;
    EXPECT_EQ(fake::as<Record>(line(kept)).check->worst_ulp, infinite);
}

TEST(StoredRecords, RoundsAreMediansOfTheirSamples) {
    Json json = line(Kept{});
    json["timing"]["round"] = {0, 0, 0, 1};
    json["timing"]["repeats"] = {1, 1};
    json["timing"]["samples"] = json["timing"]["host_samples"] = {1e-3, 3e-3, 2e-3, 5e-3};
    json["timing"]["median"] = 2.5e-3;
    json["timing"]["high"] = 5e-3;
    json["timing"]["confidence"] = 0.875;
    json["timing"]["spread"] = 0.4;
    json["rate"]["gigabytes_per_second"] = 8000 / 2.5e-3 / 1e9;
    ASSERT_TRUE(problems_of(json).empty()) << problems_of(json).front();
    EXPECT_EQ(fake::as<Record>(json).timing->round_medians(), (std::vector{2e-3, 5e-3}));
}

TEST(Keys, NameACase) {
    const Suite& toy = fake::toy_suite();
    const CaseKey key = key_of(make_case(toy, toy.variants[0], {{1000}}, ElementType::i32));
    EXPECT_EQ(to_string(key), "toy/plain int 1000 GROUP=4 WAY=0");
    CaseKey other = key;
    EXPECT_EQ(other, key);
    other.constants[0].value = 8;
    EXPECT_NE(other, key);
    EXPECT_LT(key, other);
}

TEST(Sets, RefuseACaseThatIsThereTwice) {
    try {
        set_of("x.jsonl", {line(Kept{}), line(on_cuda()), line(Kept{})});
        FAIL();
    } catch (const UsageError& error) {
        EXPECT_THAT(error.what(), HasSubstr("x.jsonl:3"));
        EXPECT_THAT(error.what(), HasSubstr("first in line 1"));
        EXPECT_THAT(error.what(), HasSubstr("copy/plain float 1000 GROUP=256 on opencl:0"));
    }
    Kept again, half;
    again.run = "two";
    half.side = 'b';
    EXPECT_EQ(set_of("x", {line(Kept{}), line(again), line(half)}).records.size(), 3u)
        << "another run, another side";
}

/// The error of a file with these lines; may be empty.
std::string said_of(const std::vector<Json>& lines) {
    try {
        set_of("x.jsonl", lines).check_pairs();
    } catch (const UsageError& error) {
        return error.what();
    }
    return "";
}

TEST(Sets, HoldPairsAgainstTheirRecords) {
    Kept a, b = on_cuda();
    a.side = 'a';
    b.side = 'b';
    a.rounds = b.rounds = std::vector<double>(10, 1e-3);
    KeptPair even{.log_ratios = {0, 0, 0, 0, 0}}, other_run = even, slower = even, self = even;
    EXPECT_EQ(said_of({line(a), line(b), line(even)}), "");
    EXPECT_EQ(said_of({line(even), line(b), line(a)}), "") << "in any order";
    EXPECT_THAT(said_of({line(a), line(b), line(even), line(even)}),
                AllOf(HasSubstr("x.jsonl:4: the pair copy/plain"), HasSubstr("first in line 3")));
    other_run.run = "two";
    EXPECT_THAT(said_of({line(a), line(b), line(other_run)}),
                AllOf(HasSubstr("x.jsonl:3: run.id: a of copy/plain"), HasSubstr("of run two")));
    EXPECT_THAT(said_of({line(a), line(even)}), HasSubstr("x.jsonl:2: run.id: b of"));
    slower.log_ratios[4] = 0.7;
    EXPECT_THAT(said_of({line(a), line(b), line(slower)}),
                AllOf(HasSubstr("x.jsonl:3: rounds: b of"), HasSubstr("not those of the record")));
    Kept failed = ended(Status::failed, "It is so.", a);
    EXPECT_THAT(said_of({line(failed), line(b), line(even)}), HasSubstr("was not timed"));
    Kept other_answer = b;
    a.output_hash = "a", b.output_hash = "a", other_answer.output_hash = "b";
    even.with_answer = true;
    EXPECT_EQ(said_of({line(a), line(b), line(even)}), "");
    EXPECT_THAT(said_of({line(a), line(other_answer), line(even)}),
                AllOf(HasSubstr("x.jsonl:3: answer.identical: b of"), HasSubstr("differ")));
    // Comparisons of a side with itself have no records, and may occur twice.
    self.b = self.a;
    EXPECT_EQ(said_of({line(a), line(b), line(self), line(self)}), "");
    // A record holds the rounds that count, or all.
    Json disturbed = line(even);
    disturbed["rounds"].push_back(disturbed["rounds"][0]);
    disturbed["rounds"].back()["disturbed"] = "heat";
    EXPECT_EQ(said_of({line(a), line(b), disturbed}), "");
    a.rounds = b.rounds = std::vector<double>(12, 1e-3);
    EXPECT_EQ(said_of({line(a), line(b), disturbed}), "");
    a.rounds.pop_back();
    EXPECT_THAT(said_of({line(a), line(b), disturbed}), HasSubstr("not those of the record"));
}

TEST(Sets, OneMeasurementUnderTwoNamesIsRefused) {
    Kept one, copy;
    one.rounds = copy.rounds = {1e-3, 1.1e-3, 1.2e-3, 1.1e-3, 1.3e-3, 1.15e-3};
    copy.run = "another";
    EXPECT_THAT(said_of({line(one), line(copy)}),
                AllOf(HasSubstr("x.jsonl:2: the samples of copy/plain"), HasSubstr("line 1")));
    copy.rounds.back() = 1.16e-3;
    EXPECT_EQ(said_of({line(one), line(copy)}), "");
}

TEST(Sets, AreReadFromFiles) {
    const TemporaryFolder folder("parallax-diff-");
    const std::filesystem::path path = folder.file("diff.jsonl");
    Kept a, b = on_cuda();
    a.side = 'a';
    b.side = 'b';
    a.rounds = b.rounds = std::vector<double>(10, 1e-3);
    const KeptPair even{.log_ratios = {0, 0, 0, 0, 0}};
    std::ofstream(path) << line(a).dump() << "\n"
                        << line(b).dump() << "\n"
                        << line(even).dump() << "\n"
                        << explanation_line({}, "Because.").dump() << "\n"
                        << R"({"schema": "parallax.rec)";
    const ResultSet set = read_result_set(path);
    EXPECT_EQ(set.records.size(), 2u);
    EXPECT_EQ(set.pairs.size(), 1u);
    ASSERT_EQ(set.explanations.size(), 1u);
    EXPECT_EQ(set.explanations[0].answer, "Because.");
    EXPECT_TRUE(set.cut_short);
    std::ofstream(path) << line(KeptPair{}).dump() << "\n";
    EXPECT_THROW(read_result_set(path), UsageError) << "pairs alone are nothing to compare";
    std::ofstream(path) << line(Kept{}).dump() << "\n" << line(Kept{}).dump() << "\n";
    EXPECT_THROW(read_result_set(path), UsageError);
    std::filesystem::remove(path);
    EXPECT_THROW(read_result_set(path), UsageError);
}

}  // namespace
}  // namespace parallax::result_set_test
