// Removal of kernels that are not launched, and of what only these need.
#include "mapping/analyze/only_kernels.hpp"

#include <gtest/gtest.h>

namespace parallax::only_kernels_test {
namespace {

TEST(OnlyKernels, StayWithTheFunctionsThatTheyNeed) {
    EXPECT_EQ(only_kernels("int h() { return 1; }\nhalf l(half a) { return a; }\n"
                           "__kernel void f() { h(); }\n__kernel void g() { l(1); }\n",
                           {"f"}),
              "int h() { return 1; }\n      \n__kernel void f() { h(); }\n     \n");
}

TEST(OnlyKernels, AreAllThere) {
    const char* text = "void spare() { }\n__kernel void f() { }\n__kernel void g() { }\n";
    EXPECT_EQ(only_kernels(text, {"f", "g"}), std::nullopt);
    EXPECT_EQ(only_kernels("__kernel void g() { }\n__kernel void f() { g(); }\n", {"f"}),
              std::nullopt)
        << "kernels may call kernels";
}

TEST(OnlyKernels, LeaveMacrosAndWhatTheyName) {
    EXPECT_EQ(only_kernels("int h() { return 1; }\n#define CALL h()\n__kernel void f() { CALL; }\n"
                           "__kernel void g() {\n#define N 4\n#pragma unroll\nfor (;;) ; }\n"
                           "int a[N];\n",
                           {"f"}),
              "int h() { return 1; }\n#define CALL h()\n__kernel void f() { CALL; }\n"
              "   \n#define N 4\n\n   \nint a[N];\n");
}

}  // namespace
}  // namespace parallax::only_kernels_test
