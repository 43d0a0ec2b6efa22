// Tests CUDA programs under the layer, without a GPU: the driver and CUPTI are stand-ins.
#include <algorithm>
#include <cstring>
#include <fstream>

#include <fmt/format.h>
#include <gmock/gmock.h>

#include "capture/cuda/module_image.hpp"
#include "capture/tests/cuda/made_cubin.hpp"
#include "cli/tests/command_line.hpp"
#include "common/error.hpp"
#include "records/capture.hpp"
#include "suites/manifest/captured.hpp"

namespace parallax::cli::recorded_test {
namespace {

using capture::cuda::ModuleImage;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::UnorderedElementsAre;

class Recorded : public CommandLine {
protected:
    static int capture(const std::string& words, const std::string& options = "") {
        return shell(fmt::format("LD_LIBRARY_PATH={} $P capture -o app {} -- {} {} > out 2> err",
                                 std::getenv("STAND_INS"), options, std::getenv("RECORDED_PROGRAM"),
                                 words));
    }
    /// The kernels of the recorded program, of which a macro and a header are not in the file.
    void write_sources() const {
        std::ofstream(folder_ / "step.cuh") << "__constant__ int step;\n";
        std::ofstream(folder_ / "k.cu") << R"(#include <cuda_runtime.h>
#include "step.cuh"
struct Fields { float* to; int count, pad; const float* from; };
__device__ int counter;
extern "C" __global__ void saxpy(int n, float a, const float* x, float* y) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] += a * x[i];
}
namespace gpu {
__global__ void axp(const double* x, double* y, int n, double a) { y[0] = x[0] * a * n; }
__global__ void axp(const float* x, float* y, int n, float a) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] += a * x[i] * 1.000001F;
}
template <class T, int N>
__global__ void scale(T* x, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) x[i] *= N;
}
}  // namespace gpu
__global__ void blend(Fields f) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < f.count) f.to[i] = TWICE * f.from[i];
}
extern "C" __global__ void tally(int* out) {
    if (blockIdx.x == 0 && threadIdx.x == 0) out[0] = counter += step * 64;
}
int main() { gpu::scale<float, 3><<<1, 32>>>(nullptr, 0); }
)";
    }
    Capture read() const { return read_capture(folder_ / "app"); }
    Json manifest(const std::string& name) const {
        return Json::parse(text_of(folder_ / "app" / (name + ".json")));
    }
    static CapturedSuite suite() { return captured_suite("app", {}); }
    std::map<std::string, std::uint64_t> reasons() const {
        std::map<std::string, std::uint64_t> all;
        for (const CapturedKernel& kernel : read().kernels) {
            for (const auto& [reason, count] : kernel.left_out) all[reason] += count;
        }
        return all;
    }
};

/// The plan of the only launch, and its suite.
struct Only {
    CapturedSuite captured;
    Case the_case;
    Plan plan;
    explicit Only(CapturedSuite&& all) : captured(std::move(all)) {
        const Variant& variant = captured.suite.variants.at(0);
        the_case =
            make_case(captured.suite, variant, variant.shapes.at(0), captured.suite.types.front());
        plan = variant.plan(the_case);
    }
    const Launch& launch() const { return *plan.steps.at(0).launch(); }
    /// Floats that a buffer holds before or after the launch.
    template <class T = float>
    std::vector<T> content(std::size_t buffer, bool is_after) const {
        const auto inputs = captured.suite.inputs(the_case, {}, 0);
        const auto answers = captured.suite.reference(the_case, inputs);
        std::size_t place = 0;
        for (std::size_t i = 0; i < buffer; ++i)
            place += !is_after || is_compared(plan.buffers.at(i).role);
        const auto bytes = is_after ? std::get<HostArray>(answers.at(place).values).bytes()
                                    : inputs.at(place).bytes();
        std::vector<T> values(bytes.size() / sizeof(T));
        std::memcpy(values.data(), bytes.data(), bytes.size());
        return values;
    }
};

TEST_F(Recorded, LaunchesBecomeCasesWithTheirMachineCode) {
    ASSERT_EQ(capture("launches"), 0) << text_of("err");
    EXPECT_EQ(text_of("out"), "56\nlaunches done\n");
    const Json json = manifest("saxpy");
    EXPECT_EQ(json.at("cuda").at("arguments"),
              Json({"value_0", "value_1", "memory_0", "memory_1"}));
    EXPECT_EQ(json.at("groups"), Json({2, 1, 1}));
    EXPECT_EQ(json.at("items"), Json({32, 1, 1}));
    const Only only(suite());
    ASSERT_EQ(only.captured.suite.variants.size(), 1U) << "the second launch is of the same kind";
    EXPECT_THAT(only.captured.refused, testing::IsEmpty());
    const Variant& variant = only.captured.suite.variants.front();
    EXPECT_EQ(variant.natives.at(0).language, Language::cubin);
    EXPECT_THAT(only.captured.suite.text(variant.natives.at(0).source), HasSubstr("code of saxpy"));
    ASSERT_EQ(only.plan.buffers.size(), 2U);
    EXPECT_EQ(only.plan.buffers[0].role, Role::input);
    EXPECT_EQ(only.plan.buffers[1].role, Role::in_out);
    EXPECT_THAT(only.content(1, false), ElementsAre(10, 20, 30, 40));
    EXPECT_THAT(only.content(1, true), ElementsAre(12, 24, 36, 48));
    EXPECT_EQ(bytes_of(std::get<Scalar>(only.launch().arguments.at(1)))[3], std::byte{0x40});
    const Capture capture = read();
    EXPECT_TRUE(capture.complete);
    EXPECT_THAT(capture.problems, testing::IsEmpty());
    EXPECT_EQ(capture.launches, 2U);
    EXPECT_EQ(capture.kernels.at(0).sum.timed, 2U);
    EXPECT_NEAR(capture.kernels.at(0).sum.seconds, 2e-6, 1e-9);
    EXPECT_EQ(capture.from_device.count, 1U) << "what the layer reads is not the program's";
    EXPECT_EQ(capture.devices.at("stand-in"), "CUDA 13.0");
    EXPECT_EQ(capture.builds.count, 1U);
}

TEST_F(Recorded, AMangledNameSaysTheTypesOfItsBuffers) {
    ASSERT_EQ(capture("other"), 0) << text_of("err");
    const Json json = manifest("_ZN3gpu3axpEPKfPfif");
    EXPECT_EQ(json.at("arguments").at(0).at("type"), "float");
    EXPECT_EQ(json.at("arguments").at(1).at("type"), "float");
    EXPECT_THAT(Only(suite()).content(1, true),
                ElementsAre(testing::FloatNear(12, 1e-3F), testing::FloatNear(24, 1e-3F),
                            testing::FloatNear(36, 1e-3F), testing::FloatNear(48, 1e-3F)));
}

TEST_F(Recorded, TwoVersionsArePairedWithoutADevice) {
    ASSERT_EQ(capture("launches"), 0) << text_of("err");
    std::filesystem::rename("app", "first");
    ASSERT_EQ(capture("other"), 0) << text_of("err");
    ASSERT_EQ(shell("$P diff first app > out 2> err"), 0) << text_of("err");
    const std::string out = text_of("out");
    EXPECT_THAT(out, HasSubstr("saxpy / axp  same numbers  2.00 us  1.00 us  within tolerance"));
    EXPECT_THAT(out, HasSubstr("nothing of app has no counterpart: 1 launch"));
    EXPECT_THAT(out,
                testing::AnyOf(HasSubstr("no ratio: first is unsupported: host:0 runs CUDA C++"),
                               HasSubstr("Nothing was replayed: No device runs")));
}

TEST_F(Recorded, LaunchesOfTwoRecordingsAreNoSidesOfADiff) {
    ASSERT_EQ(capture("launches"), 0) << text_of("err");
    std::filesystem::rename("app", "first");
    ASSERT_EQ(capture("other"), 0) << text_of("err");
    EXPECT_EQ(shell("$P diff first/saxpy app/axp > out 2> err"), exit_usage);
    EXPECT_THAT(text_of("err"),
                HasSubstr("'parallax diff first app --pair saxpy=_ZN3gpu3axpEPKfPfif'"));
    EXPECT_THAT(text_of("err"),
                HasSubstr("'parallax explain first/saxpy app/_ZN3gpu3axpEPKfPfif'"));
}

TEST_F(Recorded, AKernelIsNamedAsInItsSource) {
    ASSERT_EQ(capture("other"), 0) << text_of("err");
    const CapturedSuite captured = suite();
    for (const char* name : {"axp", "gpu::axp", "_ZN3gpu3axpEPKfPfif"})
        EXPECT_EQ(variant_named(captured.suite, name).name, "_ZN3gpu3axpEPKfPfif") << name;
    EXPECT_THROW(variant_named(captured.suite, "saxp"), UsageError);
}

TEST_F(Recorded, PointersInStructsLeadToOneBufferWithTheirPlaces) {
    ASSERT_EQ(capture("structs"), 0) << text_of("err");
    const Only only(suite());
    ASSERT_EQ(only.plan.buffers.size(), 1U);
    EXPECT_THAT(only.launch().pointers,
                ElementsAre(PointerBuffer{0, 0, {0}, 16}, PointerBuffer{0, 16, {0}, 4}));
    EXPECT_THAT(only.content(0, true), ElementsAre(1, 2, 3, 4, 4, 6, 8, 0));
    EXPECT_EQ(only.captured.suite.variants.front().name, "_Z5blend6Fields");
}

TEST_F(Recorded, PointersThatLeadNowhereAreRefused) {
    ASSERT_EQ(capture("structs"), 0) << text_of("err");
    const std::string name = "_Z5blend6Fields";
    const Json whole = manifest(name);
    ASSERT_TRUE(whole.at("arguments").at(1).contains("pointers"));
    const auto complaint = [&](const char* key, const Json& value) {
        Json json = whole;
        json["arguments"][1]["pointers"][0][key] = value;
        std::ofstream("app/" + name + ".json") << json;
        try {
            suite();
        } catch (const UsageError& error) {
            return std::string(error.what());
        }
        return std::string("none");
    };
    EXPECT_THAT(complaint("offset", 4), "none");
    EXPECT_THAT(complaint("to", "nowhere"), HasSubstr("there is no buffer 'nowhere'"));
    EXPECT_THAT(complaint("at", 17), HasSubstr("where the eight bytes of the address begin"));
    EXPECT_THAT(complaint("offset", 33), HasSubstr("behind its end"));
    Json json = whole;
    json["cuda"].erase("cubin");
    json["cuda"]["source"] = "f.cu";
    std::ofstream("app/" + name + ".json") << json;
    EXPECT_THROW(suite(), UsageError) << "a source has names for its members";
}

TEST_F(Recorded, VariablesOfTheModuleAreInputsAndOutputs) {
    ASSERT_EQ(capture("variables"), 0) << text_of("err");
    EXPECT_EQ(text_of("out"), "192\nvariables done\n");
    const Only only(suite());
    std::vector<std::string> names;
    for (const SymbolBuffer& one : only.launch().symbols) names.push_back(one.symbol);
    EXPECT_THAT(names, UnorderedElementsAre("step", "counter"))
        << "the loader itself fills in the addresses of 'table'";
    ASSERT_EQ(only.plan.buffers.size(), 3U);
    for (std::size_t i = 0; i < 3; ++i) {
        const std::string& name = only.plan.buffers[i].name;
        const bool is_step = manifest("tally").at("cuda").at("symbols").value(name, "") == "step";
        EXPECT_EQ(only.plan.buffers[i].role, is_step ? Role::input : Role::in_out) << name;
        EXPECT_THAT(only.content<int>(i, !is_step), ElementsAre(is_step ? 3 : 192)) << name;
    }
}

TEST_F(Recorded, WhatCannotBeKeptIsCountedByItsReason) {
    ASSERT_EQ(capture("reasons"), 0) << text_of("err");
    EXPECT_EQ(text_of("out"), "reasons done\n");
    auto found = reasons();
    EXPECT_EQ(found["a texture or surface object as an argument"], 1U);
    EXPECT_EQ(found["launches that are recorded into a graph"], 1U);
    EXPECT_EQ(found["addresses within the contents of a buffer"], 1U);
    EXPECT_EQ(found["launches that failed"], 1U);
    EXPECT_EQ(read().launches, 4U) << "the one that failed was none";
    EXPECT_EQ(read().cases(), 1U) << "the launch of nothing";
}

TEST_F(Recorded, TheProgramsExitCodeIsItsOwn) {
    EXPECT_EQ(capture("launches code"), 7) << text_of("err");
    EXPECT_EQ(text_of("out"), "56\nlaunches done\ncode done\n");
    EXPECT_TRUE(read().complete);
}

TEST_F(Recorded, ATimelineHasTimesAndNoContents) {
    ASSERT_EQ(capture("launches", "--timeline"), 0) << text_of("err");
    EXPECT_FALSE(std::filesystem::exists("app/data"));
    EXPECT_EQ(read().kernels.at(0).sum.timed, 2U);
}

TEST_F(Recorded, SourcesGiveTheTextToCudaAndItsTranslationToOpenCl) {
    ASSERT_EQ(capture("launches other offsets templates variables"), 0) << text_of("err");
    write_sources();
    ASSERT_EQ(shell("$P run -s app/ --check --source k.cu -I . -D TWICE=2 -d host:0 -d opencl:0 "
                    "> out 2> err"),
              0)
        << text_of("out") << text_of("err");
    EXPECT_THAT(text_of("err"), HasSubstr("app: 5 of 5 recorded launches have their CUDA source."));
    EXPECT_THAT(text_of("err"), HasSubstr("10 ok, 0 wrong, 0 failed"));
    EXPECT_THAT(text_of("out"), testing::Not(HasSubstr("unsupported")));
    ASSERT_EQ(shell("cp k.cu also.cu && $P run -s app/ --check --source k.cu --source also.cu "
                    "-D TWICE=2 -d host:0 > out 2> err"),
              0);
    EXPECT_THAT(text_of("err"), HasSubstr("Two files define saxpy (2 launches): k.cu is taken, and "
                                          "not also.cu."));
    EXPECT_THAT(text_of("err"), HasSubstr("launches that change no buffer: nothing."));
    ASSERT_EQ(shell("$P show app/saxpy --source k.cu -D TWICE=2 > out 2> err"), 0);
    EXPECT_THAT(text_of("out"), HasSubstr("get_global_id(0)"));
}

TEST_F(Recorded, AWrongSourceIsCalledWrongOnBothSides) {
    ASSERT_EQ(capture("launches"), 0) << text_of("err");
    write_sources();
    EXPECT_EQ(
        shell("sed -i 's/y\\[i\\] += a/y[i] -= a/' k.cu && $P run -s app/ --check --source k.cu "
              "-D TWICE=2 -d host:0 -d opencl:0 > out 2> err"),
        exit_wrong);
    EXPECT_THAT(text_of("err"), HasSubstr("0 ok, 2 wrong"));
}

TEST_F(Recorded, TheProgramsDecisionIsAboutTheOtherApi) {
    ASSERT_EQ(capture("launches"), 0) << text_of("err");
    write_sources();
    for (const char* sides : {"host:0 opencl:0", "opencl:0 host:0"}) {
        ASSERT_EQ(shell(fmt::format("$P diff {} -s app/ --source k.cu -D TWICE=2 --format json > "
                                    "out 2> err",
                                    sides)),
                  0)
            << text_of("err");
        const Json program = Json::parse(text_of("out")).at("programs").at(0);
        EXPECT_EQ(program.at("through"), "opencl:0") << sides;
        EXPECT_EQ(program.at("kernels").at(0).at("answers"), "EQUAL");
    }
}

TEST_F(Recorded, WhatOpenClCannotHaveIsNamedWithItsReason) {
    ASSERT_EQ(capture("structs other"), 0) << text_of("err");
    write_sources();
    ASSERT_EQ(shell("sed -i 's/axp(const float/apx(const float/' k.cu && $P run -s app/ --check "
                    "--source k.cu -D TWICE=2 -d host:0 -d opencl:0 > out "
                    "2> err"),
              0)
        << text_of("err");
    EXPECT_THAT(text_of("out"), HasSubstr("No OpenCL C of it: parameter 1 holds addresses"));
    EXPECT_THAT(text_of("err"), HasSubstr("1 ok, 0 wrong, 0 failed, 3 unsupported"));
    EXPECT_THAT(text_of("err"), HasSubstr("Machine code stays for gpu::axp(float const*, float*, "
                                          "int, float) (1 launch): no file of --source defines"));
}

TEST_F(Recorded, HashesAlonePairKernelsAndRunNothing) {
    ASSERT_EQ(capture("launches", "--no-data"), 0) << text_of("err");
    EXPECT_FALSE(std::filesystem::exists("app/data"));
    EXPECT_EQ(shell("$P run -s app/ -d host:0 > out 2> err"), exit_usage);
    EXPECT_THAT(text_of("err"), HasSubstr("captured with --no-data, which keeps hashes"));
    std::filesystem::rename("app", "first");
    ASSERT_EQ(capture("launches"), 0) << text_of("err");
    ASSERT_EQ(shell("$P diff first app > out 2> err"), 0) << text_of("err");
    EXPECT_THAT(text_of("out"), HasSubstr("saxpy   same bytes"));
    EXPECT_THAT(text_of("out"), HasSubstr("Nothing was replayed: first has no launch to replay"));
}

TEST_F(Recorded, ATimelineIsComparedByItsTimes) {
    ASSERT_EQ(capture("launches", "--timeline"), 0) << text_of("err");
    std::filesystem::rename("app", "first");
    ASSERT_EQ(capture("launches"), 0) << text_of("err");
    ASSERT_EQ(shell("$P diff first app > out 2> err"), 0) << text_of("err");
    EXPECT_THAT(text_of("out"), HasSubstr("saxpy   alike in name"));
    EXPECT_THAT(text_of("out"), HasSubstr("it was captured with --timeline"));
}

TEST_F(Recorded, AnotherToolThatHoldsCuptiIsNamedAndTheProgramRuns) {
    setenv("STAND_IN_IS_TAKEN", "1", 1);
    const int code = capture("launches");
    unsetenv("STAND_IN_IS_TAKEN");
    EXPECT_EQ(code, exit_nothing);
    EXPECT_EQ(text_of("out"), "56\nlaunches done\n");
    EXPECT_THAT(text_of("err"), HasSubstr("another tool uses CUPTI in the program"));
    std::filesystem::remove_all("app");
    setenv("CUDA_INJECTION64_PATH", "/nowhere/tool.so", 1);
    capture("launches");
    unsetenv("CUDA_INJECTION64_PATH");
    EXPECT_THAT(text_of("err"), HasSubstr("names another tool's library, /nowhere/tool.so"));
}

TEST(ModuleImage, SaysKernelsAndVariables) {
    const ModuleImage image(parallax_captured::made_cubin({{"f", "instructions"},
                                                           {"g", "others"},
                                                           {"zeros", "", 12},
                                                           {"table", "12345678", 8, true}}));
    EXPECT_EQ(image.kernel("f"), "instructions");
    EXPECT_EQ(image.kernel("h"), std::nullopt);
    const auto variables = image.variables();
    ASSERT_EQ(variables.size(), 2U);
    EXPECT_EQ(variables[0].name, "zeros");
    EXPECT_EQ(variables[0].bytes, 12U);
    EXPECT_TRUE(variables[0].initial.empty());
    EXPECT_TRUE(variables[1].is_address);
    EXPECT_EQ(variables[1].initial.size(), 8U);
}

TEST(ModuleImage, ReadsNothingOutsideOfADamagedFile) {
    const std::string whole = parallax_captured::made_cubin({{"f", "code"}, {"v", "1234", 4}});
    for (std::size_t size = 0; size < whole.size(); ++size) {
        const ModuleImage image(whole.substr(0, size));
        image.kernel("f");
        image.variables();
    }
    for (std::size_t at = 0; at < whole.size(); ++at) {
        std::string changed = whole;
        changed[at] = '\xff';
        const ModuleImage image(changed);
        image.kernel("f");
        for (const auto& one : image.variables()) EXPECT_LE(one.initial.size(), whole.size());
    }
}

}  // namespace
}  // namespace parallax::cli::recorded_test
