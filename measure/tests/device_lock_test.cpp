// Tests that only one run at a time uses a GPU.
#include "measure/device_lock.hpp"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/file.h>
#include <unistd.h>

#include "common/tests/fake_device.hpp"
#include "common/tests/scripted_clock.hpp"
#include "common/text/temporary_folder.hpp"
#include "measure/time_budget.hpp"

namespace parallax::device_lock_test {
namespace {

using testing::HasSubstr;

DeviceInfo gpu(std::uint8_t which) {
    DeviceInfo info = fake::fake_info("cuda");
    info.is_gpu = true;
    info.uuid = Uuid{which};
    return info;
}

class DeviceLocks : public testing::Test {
protected:
    TemporaryFolder folder_{"parallax-turns-"};
    std::vector<std::string> told_;
    unsigned interim_analyses_ = 0;
    int another_ = -1;  ///< another run's lock
    DeviceLockRule rule_{.folder = folder_.path(),
                         .waits = true,
                         .command = {"parallax", "run"},
                         .tell = [&](const std::string& said) { told_.push_back(said); },
                         .check_interrupt =
                             [&] {
                                 if (++interim_analyses_ == 3) leave();
                             }};

    ~DeviceLocks() override { leave(); }

    /// Uses the lock as another run does.
    bool enter(std::uint8_t which) {
        const auto file = folder_.path() / ("parallax-" + to_string(Uuid{which}) + ".lock");
        another_ = open(file.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666);
        return flock(another_, LOCK_EX | LOCK_NB) == 0;
    }
    void leave() {
        if (another_ >= 0) close(another_);
        another_ = -1;
    }
};

TEST_F(DeviceLocks, WhoComesSecondWaitsAndSaysForWhom) {
    ASSERT_TRUE(enter(1));
    ASSERT_GT(write(another_, "process 7 (parallax diff)\033[31m\n", 31), 0);
    const ScriptedClock clock(0);
    const double before = seconds_waited();
    const TimeBudget time_budget(1e6);
    rule_.check_interrupt = [&] {
        EXPECT_EQ(time_budget.elapsed(), 0) << "nor is it counted while it waits";
        ScriptedClock::advance(10);
        if (++interim_analyses_ == 3) leave();
    };
    const auto turn = lock_device(gpu(1), rule_);
    EXPECT_EQ(interim_analyses_, 3u);
    ASSERT_EQ(told_.size(), 1u);
    EXPECT_EQ(told_[0],
              "cuda:0 (Fake Device 1) is being timed by process 7 (parallax diff)[31m; this run "
              "waits until that has ended.");
    EXPECT_EQ(seconds_waited() - before, 30);
    EXPECT_EQ(time_budget.elapsed(), 0) << "no budget counts it";
}

TEST_F(DeviceLocks, OthersWaitUntilAllOfATurnIsGone) {
    auto turn = lock_device(gpu(1), rule_);
    auto again = lock_device(gpu(1), rule_);
    EXPECT_EQ(interim_analyses_, 0u) << "this process has it";
    EXPECT_FALSE(enter(1));
    leave();
    turn.clear();
    EXPECT_FALSE(enter(1));
    leave();
    again.clear();
    EXPECT_TRUE(enter(1));
    EXPECT_TRUE(told_.empty());
}

TEST_F(DeviceLocks, WhoDoesNotWaitIsToldWhatToDo) {
    ASSERT_TRUE(enter(1));
    rule_.waits = false;
    try {
        lock_devices({gpu(2), gpu(1)}, rule_);
        ADD_FAILURE() << "it is another's turn";
    } catch (const DeviceBusy& busy) {
        EXPECT_THAT(busy.what(), HasSubstr("is being timed by another run of parallax. Run it "
                                           "again when that has ended, or without --no-wait."));
    }
    leave();
    EXPECT_EQ(lock_devices({gpu(2), gpu(1)}, rule_).size(), 2u)
        << "nothing is left of the first try";
}

TEST_F(DeviceLocks, AreOfGpusAlone) {
    DeviceInfo processor = gpu(1), nameless = gpu(1);
    processor.is_gpu = false;
    nameless.uuid.reset();
    EXPECT_TRUE(lock_devices({processor, nameless}, rule_).empty());
    EXPECT_TRUE(lock_device(gpu(1), {}).empty());
}

TEST_F(DeviceLocks, AFolderThatCannotBeUsedStopsNobody) {
    rule_.folder = "/proc/sys/kernel";
    const auto turn = lock_device(gpu(3), rule_);
    rule_.folder = folder_.path();
    EXPECT_TRUE(enter(3));
}

TEST_F(DeviceLocks, WaitingCanBeInterrupted) {
    ASSERT_TRUE(enter(1));
    rule_.check_interrupt = [] { throw Interrupted(); };
    EXPECT_THROW(lock_device(gpu(1), rule_), Interrupted);
}

}  // namespace
}  // namespace parallax::device_lock_test
