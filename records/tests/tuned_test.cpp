// Tests the file of tuned constants: stored, replaced and skipped lines.
#include "records/tuned.hpp"

#include <filesystem>
#include <fstream>
#include <sstream>
#include <thread>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "common/error.hpp"
#include "common/text/temporary_folder.hpp"

namespace parallax::tuned_test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

Tuned entry_of(const std::string& suite, std::uint64_t size, std::int64_t group) {
    Tuned entry;
    entry.key = {suite, "items", "float", {size}, {{"GROUP", group}}};
    entry.device = "Card";
    entry.backend = "cuda";
    entry.source_hash = std::string(32, 'a');
    entry.seconds = 0.5;
    entry.low = 0.4;
    entry.high = 0.6;
    entry.tried = 3;
    entry.candidates = 4;
    entry.run.id = "run";
    entry.run.started = "2026-11-21T14:00:00Z";
    return entry;
}

class TunedFileTest : public testing::Test {
protected:
    TemporaryFolder folder_{"parallax-tuned-"};
    std::filesystem::path file_ = folder_.path() / "below" / "tuned.jsonl";

    std::string text() const {
        std::ifstream in(file_, std::ios::binary);
        std::ostringstream all;
        all << in.rdbuf();
        return all.str();
    }
    void write(const std::string& text) const {
        std::filesystem::create_directories(file_.parent_path());
        std::ofstream(file_, std::ios::binary) << text;
    }
};

TEST(ShapeClass, IsThePowerOfTwoBelow) {
    EXPECT_THAT(shape_class({1, 2, 3, 4, 1023, 1024}), ElementsAre(0, 1, 1, 2, 9, 10));
}

TEST_F(TunedFileTest, WhatIsKeptIsRead) {
    EXPECT_THAT(read_tuned(file_).entries, IsEmpty()) << "no file is no error";
    keep_tuned(file_, entry_of("reduction", 1000, 512));
    const TunedFile kept = read_tuned(file_);
    EXPECT_THAT(kept.problems, IsEmpty());
    ASSERT_THAT(kept.entries, SizeIs(1));
    const Tuned& entry = kept.entries.at(0);
    EXPECT_EQ(entry.key, entry_of("reduction", 1000, 512).key);
    EXPECT_EQ(entry.device, "Card");
    EXPECT_EQ(entry.seconds, 0.5);
    EXPECT_EQ(entry.candidates, 4u);
}

TEST_F(TunedFileTest, OneStandsForEachClassAndDevice) {
    keep_tuned(file_, entry_of("reduction", 1000, 512));
    keep_tuned(file_, entry_of("reduction", 600, 64));
    keep_tuned(file_, entry_of("reduction", 1024, 128));
    Tuned other = entry_of("reduction", 1000, 32);
    other.device = "Another card";
    keep_tuned(file_, other);
    other.device = "Card";
    other.backend = "opencl";
    keep_tuned(file_, other);
    const TunedFile kept = read_tuned(file_);
    ASSERT_THAT(kept.entries, SizeIs(4));
    EXPECT_EQ(kept.entries.at(0).key.value_of("GROUP"), 64) << "600 took the place of 1000";
    EXPECT_EQ(kept.entries.at(1).key.value_of("GROUP"), 128) << "1024 is of another class";
}

TEST_F(TunedFileTest, DamagedLinesAreNamedAndStay) {
    keep_tuned(file_, entry_of("reduction", 1000, 512));
    const std::string good = text();
    const std::string wrong_number = [&] {
        std::string line = good;
        line.replace(line.find("0.5"), 3, "\"x\"");
        return line;
    }();
    write("rubbish\n" + good + "{\"schema\":\"parallax.record\"}\n" + wrong_number +
          good.substr(0, good.size() / 2));
    const TunedFile kept = read_tuned(file_);
    EXPECT_THAT(kept.entries, SizeIs(1));
    ASSERT_THAT(kept.problems, SizeIs(4));
    EXPECT_THAT(kept.problems.at(0), HasSubstr("tuned.jsonl:1: "));
    EXPECT_THAT(kept.problems.at(1), HasSubstr(":3: it holds no tuned constants"));
    EXPECT_THAT(kept.problems.at(2), HasSubstr(":4: seconds"));
    EXPECT_THAT(kept.problems.at(3), HasSubstr(":5: "));
    keep_tuned(file_, entry_of("scan", 8, 64));
    const TunedFile after = read_tuned(file_);
    EXPECT_THAT(after.entries, SizeIs(2));
    EXPECT_THAT(after.problems, SizeIs(4)) << "what is not understood is not thrown away";
}

TEST_F(TunedFileTest, TwoWritersLoseNothing) {
    constexpr unsigned each = 20;
    const auto write_all = [&](const std::string& suite) {
        for (unsigned i = 0; i < each; ++i) {
            keep_tuned(file_, entry_of(suite, std::uint64_t{1} << i, i));
        }
    };
    std::thread one(write_all, "reduction"), other(write_all, "scan");
    one.join();
    other.join();
    EXPECT_THAT(read_tuned(file_).entries, SizeIs(2 * each));
    EXPECT_THAT(read_tuned(file_).problems, IsEmpty());
}

TEST_F(TunedFileTest, WhatCannotBeReadOrWrittenIsSaid) {
    std::filesystem::create_directories(file_);
    EXPECT_THROW(read_tuned(file_), UsageError) << "a folder";
    EXPECT_THROW(keep_tuned(file_, entry_of("reduction", 8, 1)), UsageError);
}

}  // namespace
}  // namespace parallax::tuned_test
