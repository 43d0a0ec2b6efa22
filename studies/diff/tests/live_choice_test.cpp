// The defaults of a live diff: which entries, which shape.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "common/tests/toy_suite.hpp"
#include "measure/sizing.hpp"
#include "studies/diff/diff_verdicts.hpp"
#include "studies/diff/live_diff.hpp"

namespace parallax::live_choice_test {
namespace {

using namespace fake;
using testing::HasSubstr;
using testing::Not;

/// A backend for each name, with a device of this UUID each; 0: it has none.
Devices devices_of(const std::vector<std::pair<std::string, std::uint8_t>>& list) {
    Devices devices;
    unsigned number = 0;
    for (const auto& [backend, uuid] : list) {
        Entry entry{nullptr, fake_info(backend), number++};
        if (uuid != 0) entry.info.uuid = Uuid{uuid};
        for (const Entry& other : devices.entries) {
            if (!same_physical_device(entry.info, other.info)) continue;
            entry.physical = other.physical;
            break;
        }
        devices.entries.push_back(entry);
    }
    return devices;
}

std::string refusal_of(const Devices& devices) {
    try {
        entries_to_compare(devices);
    } catch (const NothingToCompare& error) {
        return error.what();
    }
    ADD_FAILURE() << "there are entries to compare";
    return {};
}

TEST(Entries, AreTheFirstTwoOfOneDevice) {
    const auto [a, b] =
        entries_to_compare(devices_of({{"opencl", 1}, {"opencl", 2}, {"cuda", 2}, {"cuda", 1}}));
    EXPECT_EQ(a.info.uuid, Uuid{1});
    EXPECT_EQ(b.info.uuid, Uuid{1});
    EXPECT_EQ(a.info.backend, "opencl");
    EXPECT_EQ(b.info.backend, "cuda");
}

TEST(Entries, OfOneBackendAreNoTwoSides) {
    EXPECT_THAT(refusal_of(devices_of({{"opencl", 1}, {"opencl", 1}})), HasSubstr("two APIs"));
}

TEST(Entries, ForChecksAloneAreNotOffered) {
    Devices devices = devices_of({{"host", 1}, {"opencl", 2}});
    devices.entries[0].info.only_checks = true;
    const std::string text = refusal_of(devices);
    EXPECT_THAT(text, HasSubstr("parallax diff opencl:0 opencl:0"));
    EXPECT_THAT(text, Not(HasSubstr("host:0 (")));
    EXPECT_THAT(text, HasSubstr("'parallax diff opencl:0 host:0' compares answers alone"));
    devices.entries.pop_back();
    EXPECT_THAT(refusal_of(devices), Not(HasSubstr("There are")));
}

TEST(Entries, ThatAreNotThereAreSaidWithWhatToDo) {
    Devices devices = devices_of({{"opencl", 1}, {"cuda", 2}});
    devices.problems = {{"cuda", "There is no driver."}};
    const std::string text = refusal_of(devices);
    EXPECT_THAT(text, HasSubstr("opencl:0 (Fake Device 1), cuda:0 (Fake Device 1)"));
    EXPECT_THAT(text, HasSubstr("'parallax diff opencl:0 opencl:0'"));
    EXPECT_THAT(text, HasSubstr("cuda: There is no driver."));
    EXPECT_THAT(refusal_of({}), Not(HasSubstr("There are:")));
    EXPECT_THAT(refusal_of(devices_of({{"opencl", 0}, {"cuda", 0}})), HasSubstr("There are:"))
        << "nothing is known of either";
}

class Shapes : public testing::Test {
protected:
    Suite suite_ = toy_suite();
    DeviceInfo a_ = fake_info(), b_ = fake_info("other");
    Ceiling ceiling_a_, ceiling_b_;

    std::uint64_t choose(double most_seconds = 1) {
        const Case c = make_case(suite_, suite_.variants[0], suite_.shapes[0], ElementType::f32);
        const Sized both[]{{&a_, ceiling_a_}, {&b_, ceiling_b_}};
        return choose_shape(c, both, most_seconds)[0];
    }
};

TEST_F(Shapes, WithoutACeilingTheLargest) {
    EXPECT_EQ(choose(), 100000u);
    EXPECT_EQ(choose(1e-12), 100000u) << "nothing says that it takes too long";
}

TEST_F(Shapes, TheSmallestThatKeepsBothBusy) {
    suite_.shapes = {{{1000}}, {{100000}}, {{1000000}}, {{10000000}}};
    ceiling_a_.bytes_per_second = ceiling_b_.bytes_per_second = 8e9;
    EXPECT_EQ(choose(), 100000u) << "100 us, and not in the cache";
    ceiling_b_.bytes_per_second = 80e9;
    EXPECT_EQ(choose(), 1000000u) << "10 us on the other side are too few";
}

TEST_F(Shapes, NotInTheCacheOfEither) {
    suite_.shapes = {{{1000}}, {{100000}}, {{1000000}}};
    ceiling_a_.bytes_per_second = ceiling_b_.bytes_per_second = 1e9;
    b_.cache_bytes = 1 << 20;
    EXPECT_EQ(choose(), 1000000u);
}

TEST_F(Shapes, NoneThatTakesTooLong) {
    suite_.shapes = {{{1000}}, {{10000}}, {{1000000}}};
    ceiling_a_.bytes_per_second = ceiling_b_.bytes_per_second = 1e9;
    EXPECT_EQ(choose(1e-4), 10000u) << "8 ms are too many";
    ceiling_b_.bytes_per_second = 1e3;
    EXPECT_EQ(choose(1e-4), 1000u) << "the smallest at least, whatever it takes";
}

TEST_F(Shapes, NoneThatASideHasNoRoomFor) {
    suite_.shapes = {{{1000}}, {{10000}}, {{1000000}}};
    b_.max_allocation_bytes = 100000;
    EXPECT_EQ(choose(), 10000u);
}

TEST_F(Shapes, AnEvenSizeBesideAnOddOne) {
    suite_.shapes = {{{99999}}, {{100000}}, {{1000000}}};
    ceiling_a_.bytes_per_second = ceiling_b_.bytes_per_second = 1e9;
    EXPECT_EQ(choose(), 100000u);
    suite_.shapes = {{{99999}}, {{200000}}};
    EXPECT_EQ(choose(), 99999u);
    suite_.shapes = {{{99999}}};
    EXPECT_EQ(choose(), 99999u) << "there is no next";
}

}  // namespace
}  // namespace parallax::live_choice_test
