// Assignment of records to sides: from two files, from one, with devices named and without.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "common/error.hpp"
#include "studies/diff/stored_diff.hpp"
#include "studies/diff/tests/kept.hpp"

namespace parallax::sides_test {
namespace {

using namespace test;
using testing::HasSubstr;

Kept on(const std::string& device, const std::string& name, const std::string& uuid = "unknown") {
    Kept kept;
    kept.device = device;
    kept.name = name;
    kept.uuid = uuid;
    return kept;
}

Kept of_side(char side, Kept kept) {
    kept.side = side;
    return kept;
}

Kept ceiling(Kept kept) {
    kept.suite = "ceiling";
    return kept;
}

/// Two GPUs and a CPU; `opencl:1` and `cuda:0` are one.
ResultSet three() {
    return set_of("run.jsonl", {line(on("opencl:0", "Some CPU", "cc")),
                                line(on("opencl:1", "NVIDIA H100", "aa")),
                                line(on("cuda:0", "NVIDIA H100", "aa"))});
}

template <class Call>
std::string refusal(Call&& call) {
    try {
        call();
    } catch (const UsageError& error) {
        return error.what();
    }
    ADD_FAILURE() << "it was not refused";
    return {};
}

TEST(Sides, OfTwoFilesAreAllOfThem) {
    const ResultSet a = three(), b = three();
    const Sides sides = sides_of(a, b, {});
    EXPECT_EQ(sides.a.records.size(), 3u);
    EXPECT_EQ(sides.b.records.size(), 3u);
    EXPECT_EQ(sides.a.name, "run.jsonl");
    EXPECT_FALSE(sides.live);
}

TEST(Sides, DevicesNarrowThem) {
    const ResultSet a = three(), b = three();
    const Sides both = sides_of(a, b, {"cuda"});
    EXPECT_EQ(both.a.records.at(0)->device, "cuda:0");
    EXPECT_EQ(both.b.records.at(0)->device, "cuda:0");
    const Sides each = sides_of(a, b, {"opencl:1", "cuda:0"});
    ASSERT_EQ(each.a.records.size(), 1u);
    EXPECT_EQ(each.a.records.at(0)->device, "opencl:1");
    EXPECT_EQ(each.b.records.at(0)->device, "cuda:0");
    const Sides by_name = sides_of(a, b, {"opencl:h100"});
    EXPECT_EQ(by_name.a.records.at(0)->device, "opencl:1") << "in any case";
    EXPECT_EQ(sides_of(a, b, {"opencl"}).a.records.size(), 2u);
}

TEST(Sides, ADeviceThatIsNotThereIsSaid) {
    const ResultSet a = three(), b = three();
    for (const char* word : {"hip", "opencl:7", "opencl:radeon", "cuda:1", "open"}) {
        const std::string text = refusal([&] { sides_of(a, b, {word}); });
        EXPECT_THAT(text, HasSubstr("opencl:1 (NVIDIA H100)")) << word;
        EXPECT_THAT(text, HasSubstr(word));
    }
}

TEST(Sides, OfOneRunAreTheTwoEntriesOfOneDevice) {
    const ResultSet set = three();
    const Sides sides = sides_within(set, {});
    EXPECT_EQ(sides.a.name, "opencl:1");
    EXPECT_EQ(sides.b.name, "cuda:0");
    EXPECT_EQ(sides.a.records.size(), 1u);
    EXPECT_FALSE(sides.live);
    const Sides named = sides_within(set, {"opencl:cpu", "cuda"});
    EXPECT_EQ(named.a.name, "opencl:0");
    EXPECT_EQ(named.b.name, "cuda:0");
}

TEST(Sides, WhatIsNotKnownIsNotTheSame) {
    const ResultSet set =
        set_of("run.jsonl", {line(on("opencl:0", "Some CPU")), line(on("cuda:0", "Some GPU"))});
    const std::string text = refusal([&] { sides_within(set, {}); });
    EXPECT_THAT(text, HasSubstr("opencl:0 (Some CPU), cuda:0 (Some GPU)"));
    EXPECT_THAT(text, HasSubstr("-d A -d B"));
    EXPECT_EQ(sides_within(set, {"opencl", "cuda"}).b.name, "cuda:0") << "unless they are named";
}

TEST(Sides, OneDeviceByAddressWhereThereIsNoUuid) {
    Kept a = on("opencl:0", "Some GPU"), b = on("cuda:0", "Some GPU", "aa");
    a.pci = b.pci = "0000:01:00.0";
    const ResultSet set = set_of("run.jsonl", {line(a), line(b)});
    EXPECT_EQ(sides_within(set, {}).b.name, "cuda:0");
    a.uuid = "bb";
    const ResultSet parts = set_of("run.jsonl", {line(a), line(b)});
    EXPECT_THROW(sides_within(parts, {}), UsageError) << "parts of one card share an address";
}

TEST(Sides, OneDeviceAloneHasNoOther) {
    const ResultSet set = set_of("run.jsonl", {line(Kept{})});
    EXPECT_THROW(sides_within(set, {}), UsageError);
    EXPECT_THROW(sides_within(set, {"opencl"}), UsageError) << "one name is not two sides";
}

TEST(Sides, OfALiveFile) {
    const Kept a = of_side('a', on("opencl:0", "GPU", "aa")),
               b = of_side('b', on("cuda:0", "GPU", "aa"));
    const KeptPair self_a{.b = "opencl:0"}, self_b{.a = "cuda:0"};
    const ResultSet set =
        set_of("live.jsonl", {line(ceiling(on("opencl:0", "GPU", "aa"))), line(a), line(b),
                              line(KeptPair{}), line(self_a), line(self_b)});
    const Sides sides = sides_within(set, {});
    EXPECT_TRUE(sides.live);
    EXPECT_EQ(sides.a.name, "opencl:0");
    EXPECT_EQ(sides.b.name, "cuda:0");
    EXPECT_EQ(sides.a.records.size(), 1u);
    EXPECT_EQ(sides.pairs.size(), 1u);
    EXPECT_EQ(sides.self.size(), 2u);
}

TEST(Sides, OfADeviceAgainstItself) {
    const Kept gpu = on("cuda:0", "GPU", "aa");
    Pair pair = pair_of({.a = "cuda:0", .b = "cuda:0"});
    pair.self = false;
    const ResultSet set =
        set_of("live.jsonl", {line(of_side('a', gpu)), line(of_side('b', gpu)), to_json(pair),
                              line(KeptPair{.a = "cuda:0", .b = "cuda:0"})});
    const Sides sides = sides_within(set, {});
    EXPECT_EQ(sides.a.name, "cuda:0");
    EXPECT_EQ(sides.b.name, "cuda:0 again");
    EXPECT_EQ(sides.pairs.size(), 1u);
    EXPECT_EQ(sides.self.size(), 1u);
}

TEST(Sides, NamedInALiveFileKeepTheirPairs) {
    const ResultSet set = set_of("live.jsonl", {line(of_side('a', Kept{})),
                                                line(of_side('b', on_cuda())), line(KeptPair{})});
    EXPECT_EQ(sides_within(set, {"opencl", "cuda"}).pairs.size(), 1u);
    EXPECT_THROW(sides_within(set, {"cuda", "opencl"}), UsageError) << "the other way round";
}

}  // namespace
}  // namespace parallax::sides_test
