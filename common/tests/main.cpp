// Runs a program's tests with a host timer that counts its readings.
#include <gtest/gtest.h>

#include "common/tests/scripted_clock.hpp"

int main(int count, char** words) {
    testing::InitGoogleTest(&count, words);
    const parallax::ScriptedClock clock(2e-3);
    return RUN_ALL_TESTS();
}
