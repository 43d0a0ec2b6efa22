// Knobs and planted gaps without a device: NVRTC makes machine code of both sides, and the knob
// that is to be named makes the slow side's code what the other side's is.
#include "studies/explain/knobs.hpp"

#include <algorithm>
#include <map>
#include <set>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "backends/cuda/compile.hpp"
#include "backends/cuda/nvrtc.hpp"
#include "common/error.hpp"
#include "common/tests/thorough.hpp"
#include "mapping/analyze/only_kernels.hpp"
#include "mapping/translate/translate.hpp"
#include "measure/measurement_context.hpp"
#include "measure/run_case.hpp"
#include "measure/verification.hpp"
#include "studies/explain/instructions.hpp"
#include "studies/explain/planted_gaps.hpp"
#include "studies/explain/ptx_rewrites.hpp"
#include "suites/planted.hpp"

namespace parallax::knobs_test {
namespace {

/// Code for an H100, and its launches.
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

constexpr int h100 = 90;
/// There is none: NVRTC stops at PTX, for the driver of such a device to assemble.
constexpr int newer_than_h100 = 91;

/// @param is_lean  of a file the kernels that are launched alone: sooner compiled
Compiled compiled(const Case& c, const Configuration& configuration, bool is_lean,
                  int arch = h100) {
    const Case own = with_constants(c, configuration.constants);
    Program program = configuration.program;
    program.constants = program_of(own).constants;
    if (is_lean) program = only_launched(program, plan_of(own));
    const cuda::CompileResult result = cuda::compile_for(program, arch);
    Compiled made{result.cubin, {}, result.options, {}};
    // The code shows the effect of constants; constants of other kernels of the file do not count.
    std::erase_if(made.options, [](const std::string& one) { return one.starts_with("-D"); });
    for (const auto& step : plan_of(own).steps) {
        if (const Launch* launch = step.launch()) {
            made.geometry.push_back(launch->geometry);
            made.ptx += normalised_ptx(result.ptx, launch->kernel);
        }
    }
    return made;
}

bool is_for_opencl_alone(const Configuration& configuration) {
    return std::ranges::any_of(configuration.program.options,
                               [](const std::string& o) { return o.starts_with("-cl-"); });
}

/// Bytes that are said and bytes that are left open are one copy.
bool have_same_work(Plan x, Plan y) {
    for (Plan* plan : {&x, &y}) {
        for (Step& step : plan->steps) {
            auto* copy = std::get_if<CopyBuffer>(&step.what);
            if (copy && copy->bytes == 0) copy->bytes = plan->buffers[copy->source.index].bytes();
        }
    }
    return x == y;
}

Plan changed_plan(Plan plan, const std::vector<PlanChange>& changes) {
    for (const PlanChange& change : changes) change(plan);
    return plan;
}

/// A knob of the host gives the plan back that was changed.
void expect_undone(const PlantedGap& gap, const Case& c, const Configuration& changed) {
    const Plan plan = plan_of(c), planted = changed_plan(plan, changed.plan_changes);
    EXPECT_NE(plan, planted) << "nothing was planted";
    DeviceInfo device;
    device.backend = gap.backend;
    const Codes none;
    bool undone = false;
    for (const std::string& name : gap.knobs) {
        for (const KnobChange& change : knob_named(name).changes(
                 {device, c, planted, changed.program, none, none, 0, &plan})) {
            undone = undone ||
                     (change.plan && have_same_work(changed_plan(planted, {change.plan}), plan));
        }
    }
    EXPECT_TRUE(undone);
}

TEST(WholeTexels, FetchesByConvertedCoordinatesAreRewritten) {
    const std::string head = ".visible .entry k(\n\t.param .u64 p\n)\n{\n\t.reg .f32 \t%f<9>;\n",
                      first = "\tcvt.rn.f32.s32 \t%f1, %r1;\n",
                      second = "\tcvt.rn.f32.s32 \t%f2, %r2;\n", again = "\tmov.f32 \t%f2, %f8;\n";
    const auto tex = [](const char* type, const char* at) {
        return fmt::format("\ttex.2d.v4.f32.{} \t{{%f3, %f4, %f5, %f6}}, [%rd1, {{{}}}];\n", type,
                           at);
    };
    const std::string rest = "\tadd.f32 \t%f7, %f3, %f1;\n\tret;\n}\n";
    EXPECT_EQ(with_whole_texels(head + first + second + tex("f32", "%f1, %f2") + rest),
              ".visible .entry k(\n\t.param .u64 p\n)\n{\n\t.reg .b32 \t%texel<2>;\n\t.reg .f32 "
              "\t%f<9>;\n" +
                  first + "\tmov.b32 \t%texel0, %r1;\n" + second + "\tmov.b32 \t%texel1, %r2;\n" +
                  tex("s32", "%texel0, %texel1") + rest);
    // A coordinate that is written twice, or not converted from an integer, may have a fraction.
    for (const std::string& text : {head + first + second + again + tex("f32", "%f1, %f2") + rest,
                                    head + first + tex("f32", "%f1, %f8") + rest, head + rest}) {
        EXPECT_EQ(with_whole_texels(text), text);
    }
}

TEST(ConstantsInGlobal, OfACompiledKernelNoneIsLeft) {
    if (!cuda::nvrtc().available()) GTEST_SKIP() << cuda::nvrtc().problem();
    const Suite& suite = suite_named("constant_memory");
    const Case c = make_case(suite, variant_named(suite, "constant_data"), suite.shapes.front(),
                             suite.types.front());
    const std::string before = cuda::compile_for(program_of(c), newer_than_h100).ptx,
                      after = with_constants_in_global(before);
    EXPECT_NE(before.find(".const .align"), before.npos);
    EXPECT_NE(before.find("ld.const.u32"), before.npos);
    EXPECT_EQ(after.find(".const"), after.npos);
    EXPECT_NE(after.find(".global .align"), after.npos);
    EXPECT_NE(after.find("ld.global.nc.u32"), after.npos);
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
    if (!changed.plan_changes.empty()) return expect_undone(gap, c, changed);
    if (is_for_opencl_alone(changed)) GTEST_SKIP() << "an option of OpenCL";

    const bool is_lean = std::ranges::find(gap.knobs, "other kernels") == gap.knobs.end();
    const Compiled without = compiled(c, base, is_lean), planted = compiled(c, changed, is_lean);
    EXPECT_FALSE(same(without, planted)) << "nothing was planted";

    const Configuration& slow = gap.on_other ? base : changed;
    const Compiled& fast = gap.on_other ? planted : without;
    DeviceInfo device;
    device.backend = "cuda";
    const Case own = with_constants(c, slow.constants);
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
            const Compiled now = compiled(c, turned, is_lean);
            // restrict for inputs alone makes other code of as much use.
            undone = undone || same(now, fast) ||
                     (gap.on_other && !same(now, compiled(c, slow, is_lean)));
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

TEST(PlantedGapList, HasAtLeastTwentyFiveOfItsOwnTenOfThemInStrangersKernels) {
    std::set<std::string> seen;
    for (const PlantedGap& gap : planted_gaps()) {
        EXPECT_TRUE(seen.insert(gap.name).second) << gap.name;
        for (const std::string& knob : gap.knobs) EXPECT_NO_THROW(knob_named(knob)) << gap.name;
    }
    EXPECT_GE(seen.size(), 25u);
    EXPECT_GE(gaps_of_strangers().size(), 10u);
    EXPECT_THROW(planted_gap_named("no such gap"), UsageError);
}

/// A case of every suite, and of every external kernel.
std::vector<Case> all_cases() {
    std::vector<Case> cases;
    for (const Suite& suite : suites()) {
        if (suite.is_ceiling) continue;
        const Variant& variant =
            suite.variants.back().natives.empty() ? suite.variants.back() : suite.variants.front();
        cases.push_back(
            make_case(suite, variant, shapes_of(suite, variant).front(), suite.types.front()));
    }
    for (const PlantedGap& gap : gaps_of_strangers()) cases.push_back(case_of(gap));
    return cases;
}

/// Every change of every variant by a knob compiles.
class EveryKnob : public testing::TestWithParam<std::string> {};

TEST_P(EveryKnob, MakesTextsThatCompile) {
    if (!cuda::nvrtc().available()) GTEST_SKIP() << cuda::nvrtc().problem();
    DeviceInfo device;
    device.backend = "cuda";
    const Codes none;
    // Only ptxas reads inline assembly.
    const int arch = GetParam() == "assembler" ? h100 : newer_than_h100;
    unsigned made = 0, compiled_texts = 0;
    std::map<std::string, unsigned> tried;
    for (const Case& c : all_cases()) {
        const Program program = program_of(c);
        const Plan plan = plan_of(c);
        for (const KnobChange& change :
             knob_named(GetParam()).changes({device, c, plan, program, none, none})) {
            Configuration configuration;
            configuration.program = program;
            configuration.constants = change.constants;
            if (change.program) change.program(configuration.program);
            EXPECT_FALSE(change.cause.empty());
            EXPECT_FALSE(change.remedy.empty());
            ++made;
            // A text that stays is no trial.
            if (change.program && configuration.program == program) continue;
            // Unless thorough, of each setting the first, the fifth, ...
            if (tried[change.setting]++ % 4 != 0 && !test::is_thorough()) continue;
            ++compiled_texts;
            const bool is_lean = GetParam() != "other kernels";
            EXPECT_NO_THROW(compiled(c, configuration, is_lean, arch))
                << c.suite->name << " " << change.setting;
        }
    }
    EXPECT_EQ(compiled_texts == 0, made == 0);
    if (made > 0) return;
    // A knob of the code that was built has tests of its own.
    const std::set<std::string> apart{"texel coordinates", "constant memory", "other source",
                                      "atomic sums"};
    if (apart.contains(GetParam())) return;
    // A knob for OpenCL alone, or for large transfers.
    bool is_used = false;
    for (const Case& smallest : all_cases()) {
        const Case c = with_shape(smallest, shapes_of(*smallest.suite, *smallest.variant).back());
        const Program program = program_of(c);
        const Plan plan = plan_of(c);
        for (const char* backend : {"opencl", "cuda"}) {
            device.backend = backend;
            is_used |=
                !knob_named(GetParam()).changes({device, c, plan, program, none, none}).empty();
        }
    }
    EXPECT_TRUE(is_used);
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

/// Every change of a CUDA source compiles: the sources are the translations of all suites.
TEST(KnobsOfCudaSources, MakeSourcesThatCompile) {
    if (!cuda::nvrtc().available()) GTEST_SKIP() << cuda::nvrtc().problem();
    DeviceInfo device;
    device.backend = "cuda";
    const Codes none;
    std::map<std::string, unsigned> tried;
    for (const Case& c : all_cases()) {
        const Plan plan = plan_of(c);
        Program program = only_launched(program_of(c), plan);
        program.source = to_cuda(program.name, program.source, translate_options(program)).text();
        program.language = Language::native;
        program.defines.clear();
        try {
            cuda::compile_for(program, newer_than_h100);
        } catch (const BuildFailed&) {
            continue;  // it needs types that a translation alone does not have
        }
        for (const Knob& knob : knobs()) {
            for (const KnobChange& change : knob.changes({device, c, plan, program, none, none})) {
                Program changed = program;
                if (change.program) change.program(changed);
                if (changed.source == program.source) continue;
                if (tried[change.setting]++ % 5 != 0 && !test::is_thorough()) continue;
                EXPECT_NO_THROW(cuda::compile_for(changed, newer_than_h100))
                    << c.suite->name << " " << change.setting;
            }
        }
    }
    EXPECT_GE(tried.size(), 12u);
}

/// OpenCL's compiler gets an expanded source as its author wrote it, until something changes it.
TEST(KnobsOfExpandedSources, ChangeWhatOpenClCompiles) {
    const Case c = case_of(gaps_of_strangers().front());
    Program program = program_of(c);
    program.written = WrittenSource{.source = "#define N 1\n" + program.source};
    const Plan plan = plan_of(c);
    DeviceInfo device;
    device.backend = "opencl";
    const Codes none;
    unsigned changed = 0;
    for (const KnobChange& change :
         knob_named("unrolling").changes({device, c, plan, program, none, none})) {
        Program turned = program;
        change.program(turned);
        EXPECT_EQ(turned.as_written() == nullptr, turned.source != program.source);
        changed += turned.source != program.source;
    }
    EXPECT_GT(changed, 0u);
}

/// Where one side's source is CUDA C++, what it has differently is taken over, in either direction.
TEST(OtherSource, IsTakenOverInTheLanguageOfTheSide) {
    const Case c = case_of(gaps_of_strangers().front());
    const Plan plan = plan_of(c);
    const Program portable = program_of(c);
    Program cuda = portable;
    cuda.source = to_cuda(cuda.name, cuda.source, translate_options(cuda)).text();
    cuda.language = Language::native;
    cuda.defines.clear();
    const std::size_t factor = cuda.source.find("unroll 8");
    ASSERT_NE(factor, std::string::npos);
    cuda.source.replace(factor, 8, "unroll 2");
    const Codes none;
    DeviceInfo device;
    const auto settings = [&](const char* backend, const Program& own, const Program& other) {
        device.backend = backend;
        KnobSite site{device, c, plan, own, none, none, 0, &plan};
        site.other_program = &other;
        site.other_backend = std::string_view(backend) == "cuda" ? "opencl" : "cuda";
        std::vector<std::string> found;
        for (const KnobChange& change : knob_named("other source").changes(site)) {
            EXPECT_TRUE(change.is_seen);
            found.push_back(change.setting);
        }
        return found;
    };
    EXPECT_THAT(settings("cuda", cuda, portable),
                testing::Contains(testing::HasSubstr("unroll 8' for '#pragma unroll 2'")));
    EXPECT_THAT(settings("opencl", portable, portable), testing::IsEmpty());
    const auto unrolled = testing::Contains(testing::HasSubstr("unroll 2' for '#pragma unroll 8'"));
    EXPECT_THAT(settings("opencl", portable, cuda), unrolled);
    // What the host defines is needed to read it.
    cuda.source.replace(cuda.source.find("float ax"), 5, "REAL");
    EXPECT_THAT(settings("opencl", portable, cuda), testing::IsEmpty());
    cuda.options = {"-DREAL=float"};
    EXPECT_THAT(settings("opencl", portable, cuda), unrolled);
}

/// The original external kernels, with planted gaps, and with knobs on both, are right on the
/// available OpenCL devices.
TEST(StrangersKernels, PassTheGateInEveryForm) {
    unsigned tried = 0;
    for (const Entry& entry : find_devices(backends()).entries) {
        if (entry.info.backend != "opencl") continue;
        parallax::MeasurementContext context({}, {entry});
        CaseBench probes(context, entry, entry);
        // Unless thorough, a third of them: what takes long is building them all.
        for (const PlantedGap& gap : test::every_nth(gaps_of_strangers(), 3)) {
            Case c = case_of(gap);
            c.shape = c.suite->check_shapes.back();
            probes.set_cases({c, c});
            Configuration base;
            base.program = program_of(c);
            base.lean = true;  // sooner built
            if (gap.base) gap.base(base);
            Configuration planted = base;
            gap.plant(planted);
            std::vector<std::pair<std::string, Configuration>> all{{"as it is", base},
                                                                   {"planted", planted}};
            const Plan plan = plan_of(c);
            const Codes none;
            for (const char* knob : {"restrict", "division", "mathematics", "vector loads",
                                     "branches", "volatile", "unrolling"}) {
                for (const KnobChange& change :
                     knob_named(knob).changes({entry.info, c, plan, planted.program, none, none})) {
                    Configuration turned = planted;
                    change.program(turned.program);
                    if (turned.program.source == edited_source(planted.program)) continue;
                    all.emplace_back(change.setting, turned);
                }
            }
            for (const auto& [what, configuration] : all) {
                Built built = probes.build(false, configuration);
                if (built.outcome.status == Status::skipped) probes.check(false, built);
                // Half of the differences are negative, and verification sees it.
                const bool is_wrong = what == "native_powr for pow";
                EXPECT_EQ(built.outcome.status, is_wrong ? Status::wrong : Status::ok)
                    << gap.name << " " << what << ": " << built.outcome.reason << built.outcome.log;
                ++tried;
            }
        }
    }
    if (tried == 0) GTEST_SKIP() << "no OpenCL device";
    EXPECT_GE(tried, test::is_thorough() ? 60u : 18u);
}

TEST(RestrictKnob, IsNotTurnedWhereABufferIsPassedTwice) {
    const Case c = case_of(planted_gap_named("rows, CUDA"));
    const Program program = program_of(c);
    Plan plan = plan_of(c);
    const Codes none;
    const DeviceInfo device;
    Program without = program;
    without.source = *without_restrict(program.source);
    const auto settings = [&] {
        std::set<std::string> all;
        for (const char* knob : {"restrict", "read-only loads"}) {
            for (const KnobChange& change :
                 knob_named(knob).changes({device, c, plan, without, none, none})) {
                all.insert(change.setting);
            }
        }
        return all;
    };
    EXPECT_TRUE(settings().contains("restrict on y"));
    EXPECT_TRUE(settings().contains("restrict on all pointers"));
    auto& launch = std::get<Launch>(plan.steps.front().what);
    launch.arguments[2] = launch.arguments[0];
    EXPECT_EQ(settings(), std::set<std::string>{"no restrict"});
}

}  // namespace
}  // namespace parallax::knobs_test
