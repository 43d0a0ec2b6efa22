// Walks: which devices they are of, and how they are put together from records.
#include "studies/lessons/walk.hpp"

#include <filesystem>
#include <fstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "common/error.hpp"
#include "common/text/temporary_folder.hpp"
#include "records/result_lines.hpp"
#include "studies/lessons/tests/sample_walk.hpp"

namespace parallax::walk_test {
namespace {

using testing::HasSubstr;
using testing::SizeIs;

/// A walk through the sample lesson, as `--from` makes one of these records.
Walk walk_of(const std::vector<Record>& records) {
    const TemporaryFolder folder("parallax-walk-");
    const std::filesystem::path path = folder.file("walk.jsonl");
    std::ofstream out(path);
    for (const Record& record : records) out << text_of(record) << "\n";
    out.close();
    const Lesson lesson = sample_lesson();
    return walk_from_records(path, {&lesson}, [](const auto&) {
        return CommandOutput{"__syncthreads()\n", true};
    });
}

/// The records of the sample walk, and one of the kernel that it breaks.
std::vector<Record> sample_records() {
    std::vector<Record> records;
    Walk walk = sample_walk();
    for (const WalkedStep* step : walk.lessons[0].all()) {
        for (const WalkedPoint& point : step->points) {
            records.insert(records.end(), point.records.begin(), point.records.end());
        }
    }
    Record broken = records.front();
    broken.status = Status::wrong;
    broken.reason = "3 elements wrong.";
    broken.timing.reset();
    broken.program.edits = {name_of_edit("sample", "late")};
    records.push_back(broken);
    return records;
}

TEST(WalkFromRecords, HasEveryStep) {
    const Walk walk = walk_of(sample_records());
    ASSERT_THAT(walk.lessons, SizeIs(1));
    EXPECT_THAT(walk.devices, SizeIs(2));
    const WalkedLesson& lesson = walk.lessons[0];
    EXPECT_THAT(lesson.steps.at(0).points.at(0).records, SizeIs(2));
    ASSERT_THAT(lesson.steps.at(2).broken, SizeIs(1));
    EXPECT_EQ(lesson.steps.at(2).broken[0].status, "wrong");
    EXPECT_EQ(lesson.steps.at(2).broken[0].said, "3 elements wrong.");
    EXPECT_EQ(lesson.steps.at(3).output, "__syncthreads()\n");
    EXPECT_THAT(lesson.exercises.at(0).points.at(0).records, SizeIs(2));
}

TEST(WalkFromRecords, TakesTheNewestAndNoExperiment) {
    std::vector<Record> records = sample_records();
    Record newer = records[0], edited = records[0], failed = records[0];
    newer.run.started = "2099-01-01T00:00:00Z";
    newer.notes = {"the newest"};
    edited.run.started = failed.run.started = "2100-01-01T00:00:00Z";
    edited.program.edits = {"an experiment"};
    failed.timing.reset();
    failed.status = Status::failed;
    failed.reason = "It does not build.";
    records.insert(records.end(), {newer, edited, failed});
    const Walk walk = walk_of(records);
    EXPECT_EQ(walk.started, "2099-01-01T00:00:00Z");
    const auto& found = walk.lessons.at(0).steps.at(0).points.at(0).records;
    ASSERT_THAT(found, SizeIs(2));
    EXPECT_THAT(found[0].notes, testing::ElementsAre("the newest"));
}

TEST(WalkFromRecords, NothingOfThemSteersATerminal) {
    std::vector<Record> records = sample_records();
    for (Record& record : records) {
        record.where.name = "\x1b]0;x\x07";
        record.run.started = "2099\x1b[2J";
        record.device = "\x1b[5m";
    }
    const Walk walk = walk_of(records);
    EXPECT_EQ(walk.started, "2099\\x1b[2J");
    for (const WalkDevice& device : walk.devices) {
        EXPECT_EQ((device.id + device.name).find('\x1b'), std::string::npos);
    }
    EXPECT_EQ(walk.lessons.at(0).steps.at(0).points.at(0).records.at(0).device, walk.devices[0].id);
}

TEST(WalkFromRecords, WithoutARecordThereIsNoLesson) {
    EXPECT_THAT(walk_of({}).lessons, SizeIs(0));
    EXPECT_THROW(walk_from_records("absent.jsonl", {}, {}), UsageError);
}

}  // namespace
}  // namespace parallax::walk_test
