// Tests mutants on available devices: each possible result.
#include <memory>
#include <set>
#include <span>

#include <gtest/gtest.h>

#include "backends/cuda/nvrtc.hpp"
#include "common/device/devices.hpp"
#include "common/error.hpp"
#include "suites/case_words.hpp"
#include "tests/mutation/choose.hpp"

namespace parallax::judge_test {
namespace {

/// Copies with a small timed size, for speed.
Suite small_copies() {
    Suite suite = suite_named("strided_copy");
    suite.shapes = {{{1U << 17}}};
    return suite;
}

Mutant mutant_of(const char* file, const char* function, std::string_view find,
                 std::string_view replace) {
    Mutant mutant{
        .file = file, .function = function, .was = {}, .is = {}, .text = kernel_source(file)};
    const std::size_t at = mutant.text.find(find);
    EXPECT_NE(at, mutant.text.npos) << find;
    mutant.text.replace(at, find.size(), replace);
    return mutant;
}

struct Judge : testing::Test {
    void SetUp() override {
        for (const Entry& entry : find_devices(backends()).entries) {
            if (!device && entry.info.backend == "opencl") device = entry.open();
        }
        if (!device) GTEST_SKIP() << "no OpenCL device";
    }

    End judged(std::string_view find, std::string_view replace, bool is_glance = false) {
        const Mutant mutant = mutant_of("strided_copy.cl", "strided", find, replace);
        return judge(
            *device, judged_cases(suite, mutant, device->info()), mutant, references, [] {},
            device_free_compiler(backends()), is_glance);
    }

    const Suite suite = small_copies();
    std::unique_ptr<Device> device;
    ReferenceCache references{std::uint64_t{1} << 26};
};

TEST_F(Judge, AWrongAnswerIsWrong) {
    EXPECT_EQ(judged("* stride + get_group_id(1)", "* stride"), End::wrong);
}

TEST_F(Judge, OfDamagedMemoryToo) {
    EXPECT_EQ(judged("+ get_group_id(1);\n    if (i < n)", "+ get_group_id(1);\n    if (i <= n)"),
              End::wrong);
}

TEST_F(Judge, WhatNoCompilerTakesIsNotBuilt) {
    EXPECT_EQ(judged("* stride + get", "* strides + get"), End::not_built);
}

struct NativeError {
    const char *suite, *file, *function, *find, *replace;
};

/// `host:0`, if available.
std::unique_ptr<Device> host() {
    for (const Entry& entry : find_devices(backends()).entries) {
        if (entry.info.id() == "host:0") return entry.open();
    }
    return nullptr;
}

/// The result of a quick check; without a change: of the unmodified kernel.
End judged_on(Device& device, const NativeError& error, bool is_changed) {
    const Mutant mutant =
        mutant_of(error.file, error.function, error.find, is_changed ? error.replace : error.find);
    ReferenceCache references{std::uint64_t{1} << 26};
    return judge(
        device, judged_cases(suite_named(error.suite), mutant, device.info()), mutant, references,
        [] {}, device_free_compiler(backends()), true);
}

// Errors of native sources that a GPU's warp order or timing hides.
TEST(JudgeOnTheHost, NoticesWhatACardHides) {
    constexpr NativeError errors[] = {
        {"matvec", "matvec.opencl.cl", "warp", "if (lane < reach) part", "part"},
        {"reduction", "reduction_warp.opencl.cl", "warp", "if (lane == 0)", "if (lane == 1)"},
        {"multiply", "multiply.opencl.cl", "pipelined",
         R"(asm volatile("cp.async.wait_group 0;" ::: "memory");
        barrier)",
         "barrier"}};
    const std::unique_ptr<Device> device = host();
    if (!device) GTEST_SKIP() << "no compiler";
    std::set<std::string_view> right;
    for (const NativeError& error : errors) {
        if (right.insert(error.file).second) {
            const End as_it_is = judged_on(*device, error, false);
            EXPECT_TRUE(as_it_is == End::lived || as_it_is == End::same_code)
                << error.file << " as it is: " << name_of(as_it_is);
        }
        const End end = judged_on(*device, error, true);
        EXPECT_EQ(end, End::wrong) << error.file << ": " << error.find << ": " << name_of(end);
    }
}

TEST_F(Judge, AChangeThatIsNoneLives) {
    const End end = judged("* stride + get_group_id(1)", "* (stride) + get_group_id(1)");
    EXPECT_EQ(end, cuda::nvrtc().available() ? End::same_code : End::lived);
}

TEST_F(Judge, AnotherCodeWithTheSameAnswersLives) {
    EXPECT_EQ(judged("out[i] = in[i];\n}\n\n// Neighbouring items touch neighbouring elements, but",
                     "out[i] = in[i];\n    if (i > n && n == 0) out[i] = 1;\n}\n\n//"),
              End::lived);
}

// An error of a compiler, or here of a reference, is not the mutant's.
TEST_F(Judge, WhereTheKernelAsItIsIsWrongAWrongAnswerSaysNothing) {
    Suite broken = suite;
    broken.name = "broken";
    broken.reference = [](const Case&, const std::vector<HostArray>& in) {
        std::vector<Expected> expected(1);
        expected[0].values = HostArray(in[0].type(), in[0].size());
        return expected;
    };
    const auto judged_by = [&](const Suite& by, std::string_view is) {
        const Mutant mutant = mutant_of("strided_copy.cl", "copy", "out[i] = in[i]", is);
        return judge(
            *device, judged_cases(by, mutant, device->info()), mutant, references, [] {}, nullptr);
    };
    EXPECT_EQ(judged_by(broken, "out[i] = in[i]"), End::wrong) << "as it is";
    EXPECT_EQ(judged_by(suite, "out[i] = in[0]"), End::wrong);
    EXPECT_EQ(judged_by(broken, "out[i] = in[0]"), End::not_tried);
}

TEST_F(Judge, AGlanceSeesNoErrorOfLargeSizesOrOtherCases) {
    constexpr std::string_view copy =
        "if (i < n) out[i] = in[i];\n}\n\n// Neighbouring items touch neighbouring elements, but";
    for (const std::string_view is : {"if (i < n) out[i] = n > 100000 ? 1 : in[i];\n}\n\n//",
                                      "if (i < n && stride != 1) out[i] = in[i];\n}\n\n//"}) {
        EXPECT_EQ(judged(copy, is, true), End::lived);
        EXPECT_EQ(judged(copy, is, false), End::wrong);
    }
    EXPECT_EQ(judged("* stride + get_group_id(1)", "* stride", true), End::wrong);
}

}  // namespace
}  // namespace parallax::judge_test
