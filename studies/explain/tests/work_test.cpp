// Whether the work that suites count is in their kernels' code: a compiler that finds a way round a
// loop would leave a measurement of nothing.
#include <algorithm>
#include <set>
#include <sstream>
#include <string>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "backends/cuda/compile.hpp"
#include "backends/cuda/nvrtc.hpp"
#include "measure/run_case.hpp"
#include "measure/verification.hpp"
#include "studies/explain/instructions.hpp"
#include "suites/planted.hpp"

namespace parallax::work_test {
namespace {

/// Instructions of the kernel that is launched first, one a line.
std::string ptx_of(const Case& c) {
    const cuda::CompileResult result = cuda::compile_for(program_of(c), 90);
    const Plan plan = plan_of(c);
    return normalised_ptx(result.ptx, launches_of(plan).front()->kernel);
}

/// Whether the PTX branches to an earlier label.
bool has_loop(const std::string& ptx) {
    std::set<std::string> labels;
    std::istringstream lines(ptx);
    for (std::string line; std::getline(lines, line);) {
        if (line.ends_with(':')) labels.insert(line.substr(0, line.size() - 1));
        const std::size_t branch = line.find("bra ");
        if (branch != std::string::npos && labels.contains(line.substr(branch + 4))) return true;
    }
    return false;
}

double operations(const Case& c) {
    return c.suite->work(c).operations;
}

TEST(Work, IsInTheCodeOfEveryKernelThatIsToldHowLong) {
    if (!cuda::nvrtc().available()) GTEST_SKIP() << cuda::nvrtc().problem();
    int looked_at = 0;
    for (const Suite& suite : suites()) {
        for (const Variant& variant : suite.variants) {
            if (!variant.natives.empty()) continue;
            const Shape shape = shapes_of(suite, variant).front();
            for (const ConstantSpec& spec : suite.constants) {
                if (spec.is_argument || 2 * spec.value > spec.most) continue;
                const auto type = suite.types.front();
                const Case once = make_case(suite, variant, shape, type, {});
                Case twice = once;
                for (Constant& constant : twice.constants) {
                    if (constant.name == spec.name) constant.value *= 2;
                }
                if (suite.refuse && !suite.refuse(twice).empty()) continue;
                const bool tells_how_long =
                    operations(once) > 0 && operations(twice) > 1.9 * operations(once);
                const Plan plan = plan_of(once);
                if (!tells_how_long || launches_of(plan).empty()) continue;
                SCOPED_TRACE(fmt::format("{}/{} {}", suite.name, variant.name, spec.name));
                ++looked_at;
                const std::string code = ptx_of(once);
                if (has_loop(code)) continue;
                // Unrolling turns more steps into more lines, unless the compiler finds a way round
                // it.
                const std::string more = ptx_of(twice);
                EXPECT_GT(10 * std::ranges::count(more, '\n'), 11 * std::ranges::count(code, '\n'))
                    << code;
            }
        }
    }
    EXPECT_GE(looked_at, 10);
}

TEST(Work, OfAConstantIsInTheCodeAsThatOfAnArgument) {
    if (!cuda::nvrtc().available()) GTEST_SKIP() << cuda::nvrtc().problem();
    const Suite& suite = suite_named("integers");
    const auto lines = [&](const char* variant) {
        const Case c = make_case(suite, variant_named(suite, variant), suite.shapes.front(),
                                 suite.types.front(), {{"REPEAT", 16}});
        return std::ranges::count(ptx_of(c), '\n');
    };
    // A shift and a mask with an unknown count are as many instructions per step.
    EXPECT_GE(10 * lines("divide_constant"), 9 * lines("shift"));
    EXPECT_GE(10 * lines("modulo_constant"), 9 * lines("mask"));
}

}  // namespace
}  // namespace parallax::work_test
