// Knobs and planted gaps without a device: NVRTC makes machine code of both sides, and the knob
// that is to be named makes the slow side's code what the other side's is.
#include "studies/explain/knobs.hpp"

#include <algorithm>
#include <set>

#include <gtest/gtest.h>

#include "backends/cuda/compile.hpp"
#include "backends/cuda/nvrtc.hpp"
#include "common/error.hpp"
#include "measure/gate.hpp"
#include "measure/run_case.hpp"
#include "studies/explain/instructions.hpp"
#include "studies/explain/planted_gaps.hpp"
#include "suites/planted.hpp"

namespace parallax::knobs_test {
namespace {

Case with(Case c, const std::vector<Constant>& constants) {
    std::vector<Constant> all = c.constants;
    for (const Constant& changed : constants) {
        for (Constant& one : all) {
            if (one.name == changed.name) one.value = changed.value;
        }
    }
    return make_case(*c.suite, *c.variant, c.shape, c.type, all);
}

/// What the H100 would be given, and how it would be launched.
struct Compiled {
    std::string cubin;  ///< of all kernels of the file
    std::string ptx;    ///< of the one that is launched
    std::vector<std::string> options;
    std::vector<Geometry> geometry;
};

bool same(const Compiled& x, const Compiled& y) {
    return (x.cubin == y.cubin || (x.ptx == y.ptx && x.options == y.options)) &&
           x.geometry == y.geometry;
}

Compiled compiled(const Case& c, const Configuration& setup) {
    const Case own = with(c, setup.constants);
    Program program = setup.program;
    program.constants = program_of(own).constants;
    const cuda::CompileResult result = cuda::compile_for(program, 90);
    Compiled made{result.cubin, {}, result.options, {}};
    for (const auto& step : plan_of(own).steps) {
        if (const Launch* launch = step.launch()) {
            made.geometry.push_back(launch->geometry);
            made.ptx += normalised_ptx(result.ptx, launch->kernel);
        }
    }
    return made;
}

bool is_for_opencl_alone(const Configuration& setup) {
    return std::ranges::any_of(setup.program.options,
                               [](const std::string& o) { return o.starts_with("-cl-"); });
}

class PlantedGaps : public testing::TestWithParam<PlantedGap> {};

TEST_P(PlantedGaps, TheKnobUndoesIt) {
    if (!cuda::nvrtc().available()) GTEST_SKIP() << cuda::nvrtc().problem();
    const PlantedGap& gap = GetParam();
    const Case c = case_of(gap);
    Configuration base;
    base.program = program_of(c);
    if (gap.base) gap.base(base);
    Configuration changed = base;
    gap.plant(changed);
    if (is_for_opencl_alone(changed)) GTEST_SKIP() << "an option of OpenCL";

    const Compiled without = compiled(c, base), planted = compiled(c, changed);
    EXPECT_FALSE(same(without, planted)) << "nothing was planted";

    const Configuration& slow = gap.on_other ? base : changed;
    const Compiled& fast = gap.on_other ? planted : without;
    DeviceInfo device;
    device.backend = "cuda";
    const Case own = with(c, slow.constants);
    Program program = slow.program;
    program.constants = program_of(own).constants;
    const Plan plan = plan_of(own);
    const Codes none;
    bool undone = false;
    for (const std::string& name : gap.knobs) {
        for (const KnobChange& change :
             knob_named(name).changes({device, own, plan, program, none, none})) {
            Configuration turned = slow;
            if (change.program) change.program(turned.program);
            for (const Constant& constant : change.constants) turned.constants.push_back(constant);
            const Compiled now = compiled(c, turned);
            // restrict for inputs alone makes other code of as much use.
            undone = undone || same(now, fast) || (gap.on_other && !same(now, compiled(c, slow)));
        }
    }
    EXPECT_TRUE(undone);
}

INSTANTIATE_TEST_SUITE_P(All, PlantedGaps, testing::ValuesIn(planted_gaps()),
                         [](const testing::TestParamInfo<PlantedGap>& gap) {
                             std::string name = gap.param.name;
                             std::erase_if(name, [](char x) { return x == ' ' || x == ','; });
                             return name;
                         });

TEST(PlantedGapList, HasAtLeastTwelveOfItsOwn) {
    std::set<std::string> seen;
    for (const PlantedGap& gap : planted_gaps()) {
        EXPECT_TRUE(seen.insert(gap.name).second) << gap.name;
        for (const std::string& knob : gap.knobs) EXPECT_NO_THROW(knob_named(knob)) << gap.name;
    }
    EXPECT_GE(seen.size(), 12u);
    EXPECT_THROW(planted_gap_named("no such gap"), UsageError);
}

/// What every knob makes of every variant compiles.
class EveryKnob : public testing::TestWithParam<std::string> {};

TEST_P(EveryKnob, MakesTextsThatCompile) {
    if (!cuda::nvrtc().available()) GTEST_SKIP() << cuda::nvrtc().problem();
    DeviceInfo device;
    device.backend = "cuda";
    const Codes none;
    unsigned made = 0;
    for (const Suite& suite : suites()) {
        if (suite.is_ceiling) continue;
        const Variant& variant =
            suite.variants.back().natives.empty() ? suite.variants.back() : suite.variants.front();
        const Case c =
            make_case(suite, variant, shapes_of(suite, variant).front(), suite.types.front());
        const Program program = program_of(c);
        const Plan plan = plan_of(c);
        for (const KnobChange& change :
             knob_named(GetParam()).changes({device, c, plan, program, none, none})) {
            Configuration setup;
            setup.program = program;
            setup.constants = change.constants;
            if (change.program) change.program(setup.program);
            EXPECT_NO_THROW(compiled(c, setup)) << suite.name << " " << change.setting;
            EXPECT_FALSE(change.cause.empty());
            EXPECT_FALSE(change.remedy.empty());
            ++made;
        }
    }
    // What is for OpenCL alone, or needs something that is there already.
    const bool elsewhere = GetParam() == "profiling" || GetParam() == "language version";
    EXPECT_EQ(made == 0, elsewhere);
}

std::vector<std::string> knob_names() {
    std::vector<std::string> all;
    for (const Knob& knob : knobs()) all.push_back(knob.name);
    return all;
}

INSTANTIATE_TEST_SUITE_P(All, EveryKnob, testing::ValuesIn(knob_names()),
                         [](const testing::TestParamInfo<std::string>& knob) {
                             std::string name = knob.param;
                             std::erase_if(name, [](char x) { return x == ' ' || x == '-'; });
                             return name;
                         });

}  // namespace
}  // namespace parallax::knobs_test
