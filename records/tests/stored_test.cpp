// Lines that were kept: what a diff takes from them, and that pairs come back as they were.
#include "records/stored.hpp"

#include <filesystem>
#include <fstream>
#include <limits>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include "common/error.hpp"
#include "common/tests/toy_suite.hpp"
#include "studies/diff/tests/kept.hpp"

namespace parallax::stored_test {
namespace {

using namespace test;
using testing::HasSubstr;

const RunInfo run{"one", "2026-01-01T00:00:00Z", 7, {"diff", "a", "b"}};
const double infinite = std::numeric_limits<double>::infinity();

void expect_equal(const StoredPair& a, const StoredPair& b) {
    EXPECT_EQ(a.key, b.key);
    EXPECT_EQ(a.constants, b.constants);
    EXPECT_EQ(a.run, b.run);
    EXPECT_EQ(a.device_a, b.device_a);
    EXPECT_EQ(a.device_b, b.device_b);
    EXPECT_EQ(a.self, b.self);
    EXPECT_EQ(a.timing.looks, b.timing.looks);
    EXPECT_EQ(a.timing.look, b.timing.look);
    EXPECT_EQ(a.timing.error, b.timing.error);
    EXPECT_EQ(a.timing.stopped_by, b.timing.stopped_by);
    ASSERT_EQ(a.timing.rounds.size(), b.timing.rounds.size());
    for (std::size_t i = 0; i < a.timing.rounds.size(); ++i) {
        const PairRound &x = a.timing.rounds[i], &y = b.timing.rounds[i];
        EXPECT_EQ(x.repeats_a, y.repeats_a);
        EXPECT_EQ(x.repeats_b, y.repeats_b);
        EXPECT_EQ(x.a_first, y.a_first);
        EXPECT_EQ(x.a, y.a);
        EXPECT_EQ(x.b, y.b);
        EXPECT_EQ(x.log_ratio, y.log_ratio);
        EXPECT_EQ(x.disturbed, y.disturbed);
    }
    EXPECT_EQ(a.launch_seconds_a, b.launch_seconds_a);
    EXPECT_EQ(a.launch_seconds_b, b.launch_seconds_b);
    EXPECT_EQ(a.measuring_seconds, b.measuring_seconds);
    EXPECT_EQ(a.identical, b.identical);
    ASSERT_EQ(a.distance.has_value(), b.distance.has_value());
    if (!a.distance) return;
    EXPECT_EQ(a.distance->elements, b.distance->elements);
    EXPECT_EQ(a.distance->differing, b.distance->differing);
    EXPECT_EQ(a.distance->largest_ulp, b.distance->largest_ulp);
    EXPECT_EQ(a.distance->median_ulp, b.distance->median_ulp);
    EXPECT_EQ(a.distance->first, b.distance->first);
    EXPECT_EQ(a.distance->first_a, b.distance->first_a);
    EXPECT_EQ(a.distance->first_b, b.distance->first_b);
}

void expect_round_trip(const StoredPair& pair) {
    const Json json = to_json(pair, run);
    for (const std::string& problem : problems_of(json)) ADD_FAILURE() << problem;
    expect_equal(stored_pair(Json::parse(json.dump())), pair);
}

TEST(StoredPairs, ComeBackAsTheyWere) {
    StoredPair pair = pair_of({});
    expect_round_trip(pair);
    pair.launch_seconds_a = 3e-6;
    pair.launch_seconds_b = 4.5e-6;
    pair.measuring_seconds = 0.1 + 0.2;
    // One that did not count, and one more that did.
    pair.timing.rounds.push_back(pair.timing.rounds[0]);
    pair.timing.rounds[1].disturbed = "the clock of cuda:0 moved from 1000 to 1200 MHz";
    pair.timing.rounds[2].repeats_b = 17;
    pair.timing.error = 0.01;
    pair.distance.reset();
    pair.identical = false;
    expect_round_trip(pair);
    expect_round_trip(pair_of({.b = "opencl:0"}));
    expect_round_trip(pair_of({.look = 0, .disturbed = "heat"}));
}

TEST(StoredPairs, KeepDistances) {
    StoredPair pair = pair_of({});
    pair.identical = false;
    pair.distance = SameAnswer::Distance{.elements = 10,
                                         .differing = 2,
                                         .largest_ulp = infinite,
                                         .median_ulp = 3,
                                         .first = 9,
                                         .first_a = "1 (0x3f800000)",
                                         .first_b = "nan (0x7fc00000)"};
    expect_round_trip(pair);
    pair.distance->median_ulp = infinite;
    expect_round_trip(pair);
    pair.distance->first = 0;
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
    const StoredRecord r = stored_record(line(kept));
    EXPECT_EQ(r.key.suite, "copy");
    EXPECT_EQ(r.key.shape, (std::vector<std::uint64_t>{1000}));
    EXPECT_EQ(r.key.constants.front().first, "ALPHA") << "by name";
    EXPECT_EQ(r.device, "cuda:0");
    EXPECT_EQ(r.backend, "cuda");
    EXPECT_EQ(r.side, 'b');
    EXPECT_EQ(r.seed, 9u);
    EXPECT_EQ(r.status, Status::ok);
    EXPECT_DOUBLE_EQ(r.median, 2e-3);
    EXPECT_EQ(r.round_medians, kept.rounds);
    EXPECT_EQ(r.work.bytes, 8000);
    EXPECT_EQ(r.work.operations, 10);
    EXPECT_DOUBLE_EQ(r.ceiling.bytes_per_second, 1e11);
    EXPECT_DOUBLE_EQ(r.ceiling.operations_per_second, 2e11);
    EXPECT_EQ(r.ceiling.launch_seconds, 2e-6);
    EXPECT_EQ(r.share, 0.5);
    EXPECT_EQ(r.share_of, "copy");
    EXPECT_EQ(r.output_hash, std::string(32, 'b'));
    EXPECT_EQ(r.repeatable, true);
    EXPECT_EQ(r.notes, kept.notes);
    EXPECT_EQ(r.fact("device"), "Some GPU");
    EXPECT_EQ(r.fact("driver"), "1.0");
    EXPECT_EQ(r.fact("ecc"), "true");
    EXPECT_EQ(r.fact("what nobody knows"), "");
}

TEST(StoredRecords, ThatDidNotEndWell) {
    Kept kept = ended(Status::failed, "It does not build.");
    kept.log = "x.cl:1: error";
    const StoredRecord r = stored_record(line(kept));
    EXPECT_EQ(r.status, Status::failed);
    EXPECT_EQ(r.reason, "It does not build.");
    EXPECT_EQ(r.log, "x.cl:1: error");
    EXPECT_EQ(r.median, 0);
    EXPECT_TRUE(r.round_medians.empty());
}

TEST(StoredRecords, AnInfiniteErrorStaysOne) {
    Kept kept = ended(Status::wrong, "Element 0 is a NaN.");
    kept.worst_ulp = infinite;
    EXPECT_EQ(stored_record(line(kept)).worst_ulp, infinite);
}

TEST(StoredRecords, RoundsAreMediansOfTheirSamples) {
    Json json = line(Kept{});
    json["timing"]["round"] = {0, 0, 0, 1};
    json["timing"]["repeats"] = {1, 1};
    json["timing"]["samples"] = json["timing"]["host_samples"] = {1e-3, 3e-3, 2e-3, 5e-3};
    json["timing"]["median"] = 2.5e-3;
    json["timing"]["high"] = 5e-3;
    ASSERT_TRUE(problems_of(json).empty()) << problems_of(json).front();
    EXPECT_EQ(stored_record(json).round_medians, (std::vector{2e-3, 5e-3}));
}

TEST(Keys, NameACase) {
    const Suite& toy = fake::toy_suite();
    const CaseKey key = key_of(make_case(toy, toy.variants[0], {{1000}}, ElementType::i32));
    EXPECT_EQ(to_string(key), "toy/plain int 1000 GROUP=4 WAY=0");
    CaseKey other = key;
    EXPECT_EQ(other, key);
    other.constants[0].second = 8;
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

TEST(Sets, AreReadFromFiles) {
    const auto path = std::filesystem::temp_directory_path() /
                      ("parallax-diff-" + std::to_string(getpid()) + ".jsonl");
    std::ofstream(path) << line(Kept{}).dump() << "\n"
                        << line(KeptPair{}).dump() << "\n"
                        << explanation_line({}, "Because.").dump() << "\n"
                        << R"({"schema": "parallax.rec)";
    const ResultSet set = read_result_set(path);
    EXPECT_EQ(set.records.size(), 1u);
    EXPECT_EQ(set.pairs.size(), 1u);
    EXPECT_EQ(set.explanations, std::vector{explanation_line({}, "Because.")});
    EXPECT_TRUE(set.cut_short);
    std::ofstream(path) << line(KeptPair{}).dump() << "\n";
    EXPECT_THROW(read_result_set(path), UsageError) << "pairs alone are nothing to compare";
    std::ofstream(path) << line(Kept{}).dump() << "\n" << line(Kept{}).dump() << "\n";
    EXPECT_THROW(read_result_set(path), UsageError);
    std::filesystem::remove(path);
    EXPECT_THROW(read_result_set(path), UsageError);
}

}  // namespace
}  // namespace parallax::stored_test
