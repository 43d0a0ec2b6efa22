// What threads write at the desk, and what a watched process does not try again.
#include "common/in_hand.hpp"

#include <csignal>
#include <string>
#include <thread>

#include <gtest/gtest.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "common/error.hpp"

namespace parallax::in_hand_test {
namespace {

class InHands : public testing::Test {
protected:
    InHands() {
        desk_ = new (mmap(nullptr, sizeof(Desk), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS,
                          -1, 0)) Desk{};
        watched().desk = desk_;
    }
    ~InHands() override {
        watched() = {};
        munmap(desk_, sizeof(Desk));
    }
    /// Threads keep their places: each test has one of its own.
    template <class Work>
    static void in_a_thread(const Work& work) {
        std::jthread{work};
    }
    const Hand& hand() const { return desk_->hands[0]; }
    std::string name() const { return hand().name.data(); }

    Desk* desk_;
};

TEST_F(InHands, TheInnermostIsShownAndThenTheOneAroundIt) {
    in_a_thread([&] {
        const InHand outer("outer", "it was checked");
        {
            const InHand inner("inner", "it was compiled", Hand::At::build);
            EXPECT_EQ(name(), "inner");
            EXPECT_EQ(hand().at, Hand::At::build);
        }
        EXPECT_EQ(name(), "outer");
        EXPECT_EQ(std::string(hand().doing.data()), "it was checked");
        EXPECT_EQ(hand().at, Hand::At::step);
        const unsigned turn = hand().turn;
        {
            const InLaunch launch;
            EXPECT_EQ(hand().at, Hand::At::launch);
            EXPECT_EQ(name(), "outer");
            EXPECT_NE(hand().turn, turn);
        }
        EXPECT_EQ(hand().at, Hand::At::step);
        in_a_thread([&] {
            const InHand other("other", "it was timed");
            EXPECT_EQ(std::string(desk_->hands[1].name.data()), "other");
        });
        EXPECT_EQ(name(), "outer");
        EXPECT_FALSE(desk_->hands[1].taken) << "the thread has ended";
    });
    EXPECT_EQ(hand().at, Hand::At::nothing);
    EXPECT_FALSE(hand().taken);
}

TEST_F(InHands, ANameThatIsTooLongIsCut) {
    in_a_thread([&] {
        const std::string name_of_many(5000, 'x');
        const InHand one(name_of_many, name_of_many);
        EXPECT_EQ(name().size(), std::tuple_size_v<decltype(Hand::name)> - 1);
        // And known again.
        watched().deadly = {{name(), "It died."}};
        EXPECT_THROW(InHand(name_of_many, ""), DeviceError);
    });
}

TEST_F(InHands, WhatHasEndedAProcessIsNotTriedAgain) {
    watched().deadly = {{"bad", "SIGSEGV ended it."}};
    in_a_thread([&] {
        const InHand good("good", "it was timed");
        try {
            const InHand bad("bad", "it was timed");
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
    EXPECT_EQ(std::string(hand().because.data()), "The context is lost.");
}

TEST(NotWatched, NothingIsWrittenAndNothingEnds) {
    ASSERT_EQ(watched().desk, nullptr);
    const InHand one("one", "it was timed");
    const InLaunch launch;
    go_on_in_another_process("one", "The context is lost.");
}

}  // namespace
}  // namespace parallax::in_hand_test
