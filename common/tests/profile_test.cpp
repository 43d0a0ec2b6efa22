// Tests profiles with a timer that advances only on demand.
#include "common/profile.hpp"

#include <thread>

#include <gtest/gtest.h>

#include "common/tests/scripted_clock.hpp"

namespace parallax::profile_test {
namespace {

class Profiles : public testing::Test {
protected:
    ScriptedClock clock_{0};
    Profile profile_;

    static void spend(double seconds) { ScriptedClock::advance(seconds); }
    double seconds_of(std::string_view phase, std::string_view detail = {}, bool beside = false) {
        double sum = 0;
        for (const PhaseTime& one : profile_.times(100)) {
            if (one.phase == phase && one.detail == detail && one.beside == beside) {
                sum += one.seconds;
            }
        }
        return sum;
    }
};

TEST_F(Profiles, AMomentBelongsToTheInnermostPhase) {
    const Profiled profiled(&profile_);
    {
        const InPhase verification(Phase::verification);
        spend(1);
        {
            const InPhase transfers(Phase::transfers, "cuda");
            spend(2);
        }
        spend(4);
    }
    EXPECT_DOUBLE_EQ(seconds_of("verification"), 5);
    EXPECT_DOUBLE_EQ(seconds_of("transfers", "cuda"), 2);
    EXPECT_DOUBLE_EQ(seconds_of("other"), 93) << "of 100";
}

TEST_F(Profiles, SelfChecksTakeAllButTheirBatches) {
    const Profiled profiled(&profile_);
    {
        const InPhase self(Phase::self_checks);
        spend(1);
        {
            const InPhase transfers(Phase::transfers, "cuda");
            spend(2);
            {
                const InPhase timing(Phase::timing);
                spend(4);
            }
        }
    }
    EXPECT_DOUBLE_EQ(seconds_of("self checks"), 3);
    EXPECT_DOUBLE_EQ(seconds_of("transfers", "cuda"), 0);
    EXPECT_DOUBLE_EQ(seconds_of("timing"), 4);
}

TEST_F(Profiles, OtherThreadsWorkBeside) {
    const Profiled profiled(&profile_);
    const InPhase waiting(Phase::waiting);
    std::jthread([this, given = current_profile()] {
        const Profiled own(given, true);
        const InPhase building(Phase::building, "opencl");
        spend(3);
    }).join();
    EXPECT_DOUBLE_EQ(seconds_of("building", "opencl", true), 3);
    EXPECT_DOUBLE_EQ(seconds_of("building", "opencl"), 0);
    EXPECT_DOUBLE_EQ(seconds_of("other"), 100) << "other threads are no part of the wall time";
}

TEST_F(Profiles, WithoutAProfileTheClockIsNotRead) {
    const ScriptedClock counting(1);
    const HostClock::time_point before = HostClock::now();
    {
        const Profiled nobody(nullptr);
        const InPhase verification(Phase::verification);
    }
    EXPECT_DOUBLE_EQ(std::chrono::duration<double>(HostClock::now() - before).count(), 1);
}

}  // namespace
}  // namespace parallax::profile_test
