// Tests what threads write into the shared state, and that fatal steps are not repeated.
#include "common/process/watchdog.hpp"

#include <csignal>
#include <string>
#include <thread>

#include <gtest/gtest.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "common/error.hpp"

namespace parallax::watchdog_test {
namespace {

class InHands : public testing::Test {
protected:
    InHands() {
        state_ = new (mmap(nullptr, sizeof(WatchdogState), PROT_READ | PROT_WRITE,
                           MAP_SHARED | MAP_ANONYMOUS, -1, 0)) WatchdogState{};
        supervision().state = state_;
    }
    ~InHands() override {
        supervision() = {};
        munmap(state_, sizeof(WatchdogState));
    }
    /// Threads keep their slots: each test uses a thread of its own.
    template <class Work>
    static void in_a_thread(const Work& work) {
        std::jthread{work};
    }
    const WatchSlot& slot() const { return state_->slots[0]; }
    std::string name() const { return slot().name.data(); }

    WatchdogState* state_;
};

TEST_F(InHands, TheInnermostIsShownAndThenTheOneAroundIt) {
    in_a_thread([&] {
        const WatchdogScope outer("outer", "it was checked");
        {
            const WatchdogScope inner("inner", "it was compiled", WatchSlot::At::build);
            EXPECT_EQ(name(), "inner");
            EXPECT_EQ(slot().at, WatchSlot::At::build);
        }
        EXPECT_EQ(name(), "outer");
        EXPECT_EQ(std::string(slot().doing.data()), "it was checked");
        EXPECT_EQ(slot().at, WatchSlot::At::step);
        const unsigned turn = slot().steps;
        {
            const LaunchScope launch;
            EXPECT_EQ(slot().at, WatchSlot::At::launch);
            EXPECT_EQ(name(), "outer");
            EXPECT_NE(slot().steps, turn);
        }
        EXPECT_EQ(slot().at, WatchSlot::At::step);
        in_a_thread([&] {
            const WatchdogScope other("other", "it was timed");
            EXPECT_EQ(std::string(state_->slots[1].name.data()), "other");
        });
        EXPECT_EQ(name(), "outer");
        EXPECT_FALSE(state_->slots[1].taken) << "the thread has ended";
    });
    EXPECT_EQ(slot().at, WatchSlot::At::nothing);
    EXPECT_FALSE(slot().taken);
}

TEST_F(InHands, ANameThatIsTooLongIsCut) {
    in_a_thread([&] {
        const std::string name_of_many(5000, 'x');
        const WatchdogScope one(name_of_many, name_of_many);
        EXPECT_EQ(name().size(), std::tuple_size_v<decltype(WatchSlot::name)> - 1);
        // A fatal step is recognised again.
        supervision().deadly = {{name(), "It died."}};
        EXPECT_THROW(WatchdogScope(name_of_many, ""), DeviceError);
    });
}

TEST_F(InHands, WhatHasEndedAProcessIsNotTriedAgain) {
    supervision().deadly = {{"bad", "SIGSEGV ended it."}};
    in_a_thread([&] {
        const WatchdogScope good("good", "it was timed");
        try {
            const WatchdogScope bad("bad", "it was timed");
            ADD_FAILURE() << "it is tried";
        } catch (const DeviceError& error) {
            EXPECT_EQ(std::string(error.what()), "SIGSEGV ended it.");
        }
        EXPECT_EQ(name(), "good");
    });
}

TEST_F(InHands, AProcessThatIsOfNoUseEndsAndSaysWhy) {
    const pid_t child = fork();
    if (child == 0) {
        go_on_in_another_process("opencl:0 case", "The context is lost.");
        _exit(0);
    }
    int status = 0;
    waitpid(child, &status, 0);
    EXPECT_TRUE(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL);
    EXPECT_EQ(name(), "opencl:0 case");
    EXPECT_EQ(std::string(slot().because.data()), "The context is lost.");
}

TEST(NotWatched, NothingIsWrittenAndNothingEnds) {
    ASSERT_EQ(supervision().state, nullptr);
    const WatchdogScope one("one", "it was timed");
    const LaunchScope launch;
    go_on_in_another_process("one", "The context is lost.");
}

}  // namespace
}  // namespace parallax::watchdog_test
