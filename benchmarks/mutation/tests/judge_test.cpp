// Tests mutants on available devices: each possible result.
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <set>
#include <span>

#include <gtest/gtest.h>

#include "backends/cuda/nvrtc.hpp"
#include "benchmarks/mutation/choose.hpp"
#include "benchmarks/mutation/reports.hpp"
#include "benchmarks/mutation/simulated_judge.hpp"
#include "common/device/devices.hpp"
#include "common/error.hpp"
#include "studies/mutation/mutant_judge.hpp"
#include "suites/case_words.hpp"
#include "suites/simulator.hpp"

namespace parallax::judge_test {
namespace {

/// Copies with a small timed size, for speed.
Suite small_copies() {
    Suite suite = suite_named("strided_copy");
    suite.shapes = {{{1U << 17}}};
    return suite;
}

struct Judge : testing::Test {
    void SetUp() override {
        for (const Entry& entry : find_devices(backends()).entries) {
            if (!device && entry.info.backend == "opencl") device = entry.open();
        }
        if (!device) GTEST_SKIP() << "no OpenCL device";
    }

    End judged(std::string_view find, std::string_view replace, bool is_glance = false) {
        Mutant mutant;
        mutant.file = "strided_copy.cl";
        mutant.function = "strided";
        mutant.text = kernel_source(mutant.file);
        const std::size_t at = mutant.text.find(find);
        EXPECT_NE(at, mutant.text.npos);
        mutant.text.replace(at, find.size(), replace);
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

/// `host:0` or `host:1`, if available.
std::unique_ptr<Device> host(std::string_view id) {
    for (const Entry& entry : find_devices(backends()).entries) {
        if (entry.info.id() == id) return entry.open();
    }
    return nullptr;
}

/// The result of a quick check; without a change: of the unmodified kernel.
End judged_on(Device& device, const NativeError& error, bool is_changed) {
    Mutant mutant;
    mutant.file = error.file;
    mutant.function = error.function;
    mutant.text = kernel_source(mutant.file);
    const std::string_view find = error.find;
    const std::size_t at = mutant.text.find(find);
    EXPECT_NE(at, mutant.text.npos) << find;
    if (is_changed) mutant.text.replace(at, find.size(), error.replace);
    ReferenceCache references{std::uint64_t{1} << 26};
    try {
        return judge(
            device, judged_cases(suite_named(error.suite), mutant, device.info()), mutant,
            references, [] {}, device_free_compiler(backends()), true);
    } catch (const DeviceError& failed) {
        EXPECT_NE(std::string_view(failed.what()).find("outside"), std::string_view::npos)
            << failed.what();
        return End::died;
    }
}

void expect_noticed(std::string_view id, std::span<const NativeError> errors) {
    const std::unique_ptr<Device> device = host(id);
    if (!device) GTEST_SKIP() << "no compiler, or no sanitizers";
    std::set<std::string_view> right;
    for (const NativeError& error : errors) {
        if (right.insert(error.file).second) {
            const End as_it_is = judged_on(*device, error, false);
            EXPECT_TRUE(as_it_is == End::lived || as_it_is == End::same_code)
                << error.file << " as it is: " << name_of(as_it_is);
        }
        const End end = judged_on(*device, error, true);
        EXPECT_TRUE(end == End::wrong || (end == End::died && id == "host:1"))
            << error.file << ": " << error.find << ": " << name_of(end);
    }
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
    expect_noticed("host:0", errors);
}

// An array that is one element too short.
TEST(JudgeOnTheHost, NoticesAccessesThatNoAnswerDependsOn) {
    constexpr NativeError errors[] = {
        {"multiply", "multiply.opencl.cl", "pipelined", "sums[i][j] = 0", "sums[i][1 + j] = 0"}};
    expect_noticed("host:1", errors);
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
    Mutant mutant;
    mutant.file = "strided_copy.cl";
    mutant.function = "copy";
    mutant.text = kernel_source(mutant.file);
    const auto judged_by = [&](const Suite& by) {
        return judge(
            *device, judged_cases(by, mutant, device->info()), mutant, references, [] {}, nullptr);
    };
    EXPECT_EQ(judged_by(broken), End::wrong) << "as it is";
    const std::size_t at = mutant.text.find("out[i] = in[i]");
    mutant.text.replace(at, 14, "out[i] = in[0]");
    EXPECT_EQ(judged_by(suite), End::wrong);
    EXPECT_EQ(judged_by(broken), End::not_tried);
}

// The first case with a small size, as for three unmodified kernels before all mutants.
TEST_F(Judge, AGlanceSeesNoErrorOfLargeSizesOrOtherCases) {
    const auto in_large = [&](bool is_glance) {
        return judged(
            "if (i < n) out[i] = in[i];\n}\n\n// Neighbouring items touch neighbouring "
            "elements, but",
            "if (i < n) out[i] = n > 100000 ? 1 : in[i];\n}\n\n//", is_glance);
    };
    EXPECT_EQ(in_large(true), End::lived);
    EXPECT_EQ(in_large(false), End::wrong);
    const auto of_stride_one = [&](bool is_glance) {
        return judged(
            "if (i < n) out[i] = in[i];\n}\n\n// Neighbouring items touch neighbouring "
            "elements, but",
            "if (i < n && stride != 1) out[i] = in[i];\n}\n\n//", is_glance);
    };
    EXPECT_EQ(of_stride_one(true), End::lived);
    EXPECT_EQ(of_stride_one(false), End::wrong);
    EXPECT_EQ(judged("* stride + get_group_id(1)", "* stride", true), End::wrong);
}

Mutant of_reduction(std::string_view find, std::string_view replace) {
    Mutant mutant;
    mutant.file = "reduction.cl";
    mutant.function = "sequential";
    mutant.text = kernel_source(mutant.file);
    const std::size_t at = mutant.text.find(find, mutant.text.find("void sequential"));
    mutant.text.replace(at, find.size(), replace);
    return mutant;
}

/// Cases in a process that Oclgrind has started.
struct BelowOclgrind : testing::Test {
    void SetUp() override {
        if (!std::getenv("BELOW_OCLGRIND")) GTEST_SKIP() << "SimulatedJudge starts it.";
    }
    End judged(const Mutant& mutant) {
        return judge_simulated(
            *device, suite_named("reduction"), mutant, [&] { return reports.grew(); }, [] {});
    }

    Reports reports;
    std::unique_ptr<Device> device = std::getenv("BELOW_OCLGRIND") ? open_simulator() : nullptr;
};

TEST_F(BelowOclgrind, TheKernelAsItIsLives) {
    EXPECT_EQ(judged(of_reduction("lane == 0", "lane == GROUP")), End::wrong);
    // All items store the value to which one of them still adds: the same in any order.
    EXPECT_EQ(judged(of_reduction("if (lane == 0)", "")), End::wrong);
    // Reports about the others are not counted again.
    EXPECT_EQ(judged(of_reduction("lane == 0", "lane == 0")), End::lived);
}

TEST(SimulatedJudge, SeesARaceThatGivesTheRightAnswer) {
    if (std::system("command -v oclgrind > /dev/null 2>&1") != 0)
        GTEST_SKIP() << "Oclgrind is not installed: apt-get install oclgrind";
    std::string command = "BELOW_OCLGRIND=1 oclgrind";
    for (const std::string_view word : simulator_words) command += " " + std::string(word);
    command += " '" + std::filesystem::read_symlink("/proc/self/exe").string() +
               "' '--gtest_filter=BelowOclgrind.*'";
    EXPECT_EQ(std::system(command.c_str()), 0);
}

}  // namespace
}  // namespace parallax::judge_test
