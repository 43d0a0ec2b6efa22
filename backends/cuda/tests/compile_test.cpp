// Tests the compilation of every kernel source, for every type, architecture and option.
#include "backends/cuda/compile.hpp"

#include <algorithm>
#include <cctype>
#include <map>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "backends/cuda/cuda_device.hpp"
#include "backends/cuda/find_library.hpp"
#include "backends/cuda/nvrtc.hpp"
#include "common/device/ptxas.hpp"
#include "common/error.hpp"
#include "common/tests/thorough.hpp"
#include "kernels/kernel_texts.hpp"
#include "mapping/table/table.hpp"
#include "mapping/translate/translate.hpp"

namespace parallax::cuda::compile_test {
namespace {

using testing::AllOf;
using testing::Contains;
using testing::HasSubstr;
using testing::Not;

/// The upper-case words of a source, which its suite passes as -DNAME=value.
std::set<std::string> capitals(std::string_view text) {
    std::set<std::string> found;
    bool comment = false;
    for (std::size_t i = 0; i < text.size();) {
        if (text.substr(i).starts_with("//")) comment = true;
        if (text[i] == '\n') comment = false;
        const auto part = [&](std::size_t at) {
            return at < text.size() &&
                   (std::isalnum(static_cast<unsigned char>(text[at])) || text[at] == '_');
        };
        std::size_t end = i;
        while (part(end)) ++end;
        const std::string word(text.substr(i, end - i));
        i = std::max(end, i + 1);
        const bool plain = std::ranges::none_of(word, [](char c) { return c >= 'a' && c <= 'z'; });
        if (comment || word.size() < 2 || !plain || !std::isalpha(word[0])) continue;
        if (word == "T2" || word == "T4" || word.starts_with("CLK_")) continue;
        if (std::ranges::find(mapping_table(), word, &MappingRule::opencl) != mapping_table().end())
            continue;
        found.insert(word);
    }
    return found;
}

std::vector<Constant> constants_for(std::string_view text) {
    const std::map<std::string, std::int64_t> usual{{"OP", 0},    {"GROUP", 256}, {"ALIGN", 16},
                                                    {"TILE", 32}, {"ROWS", 8},    {"PAD", 1}};
    std::vector<Constant> constants;
    for (const std::string& name : capitals(text)) {
        const auto found = usual.find(name);
        constants.push_back({name, found == usual.end() ? 4 : found->second});
    }
    return constants;
}

Program portable(std::string source) {
    return {.name = "test.cl", .source = std::move(source)};
}

class Compile : public testing::Test {
protected:
    void SetUp() override {
        if (!nvrtc().available()) GTEST_SKIP() << nvrtc().problem();
    }
    static int newest() { return nvrtc().architectures().back(); }
    static int some() {
        const auto all = nvrtc().architectures();
        return std::ranges::find(all, 90) != all.end() ? 90 : all.front();
    }
};

/// Every source is compiled for the oldest architecture, which has the fewest instructions. Where
/// thorough, in `float` also for the first of each later generation and the newest of all: no
/// source needs more than its generation. Other types take the same path through the compiler.
/// Unless thorough, the newest replaces these.
std::vector<int> architectures_for(ElementType type) {
    const std::vector<int> all = nvrtc().architectures();
    std::vector<int> some{all.front()};
    if (type != ElementType::f32) return some;
    if (!test::is_thorough()) return {all.back()};
    for (const int arch : all) {
        if (some.back() / 10 != arch / 10 || arch == all.back()) some.push_back(arch);
    }
    return some;
}

TEST_F(Compile, EveryKernelInEveryTypeForItsArchitectures) {
    fmt::print("architectures: {}\n", fmt::join(nvrtc().architectures(), " "));
    int built = 0, natives = 0;
    for (const EmbeddedFile& file : embedded_kernels()) {
        if (file.name.find(".opencl.") != std::string_view::npos) continue;
        if (file.name.ends_with(".inc")) continue;  // calls of a library, in host C++
        // NvrtcBestVariant covers instructions of only some architectures.
        if (file.text.find("cp.async") != std::string_view::npos) continue;
        const bool native = file.name.find(".cuda.") != std::string_view::npos;
        for (const ElementType type : all_element_types) {
            // OpenCL's fma is only for floating point.
            if (!is_floating(type) && file.text.find("fma(") != std::string_view::npos) continue;
            const Program program{.name = std::string(file.name),
                                  .source = std::string(file.text),
                                  .language = native ? Language::native : Language::portable,
                                  .type = type,
                                  .constants = constants_for(file.text)};
            for (const int arch : architectures_for(type)) {
                SCOPED_TRACE(fmt::format("{} {} sm_{}", file.name, name_of(type), arch));
                try {
                    const CompileResult result = compile_for(program, arch);
                    EXPECT_EQ(result.cubin.substr(1, 3), "ELF");
                    EXPECT_EQ(without_report(result.log), "");
                    EXPECT_FALSE(result.kernels.empty());
                    for (const PtxKernel& kernel : result.kernels) {
                        const Resources resources = ptxas_resources(result.log, kernel.name);
                        EXPECT_GT(resources.registers.value_or(0), 0u) << result.log;
                        EXPECT_TRUE(resources.spill_bytes && resources.private_bytes);
                    }
                    ++built;
                    natives += native;
                } catch (const BuildFailed& failed) {
                    ADD_FAILURE() << failed.what() << '\n' << failed.log << '\n' << failed.text;
                }
            }
        }
    }
    fmt::print("{} texts built, {} of them native\n", built, natives);
    EXPECT_GT(built, natives);
    EXPECT_GT(natives, 0);
}

TEST(Nvrtc, IsToldToUseNoCacheWhereItHasOne) {
    EXPECT_FALSE(must_refuse_cache(12, 8, "")) << "it would not know the word";
    EXPECT_TRUE(must_refuse_cache(12, 9, ""));
    EXPECT_TRUE(must_refuse_cache(13, 0, "1"));
    EXPECT_FALSE(must_refuse_cache(13, 0, "0")) << "the cache is used on request";
}

TEST_F(Compile, ImageReadsAreTextureFetches) {
    for (const int arch : nvrtc().architectures()) {
        const CompileResult result = compile_for(
            portable("__kernel void k(__read_only image2d_t a, read_only image1d_buffer_t b,\n"
                     "                __global float4* x, __global int4* y, __global uint4* z) {\n"
                     "    const int i = get_global_id(0);\n"
                     "    x[i] = read_imagef(a, (int2)(i, 1)) + read_imagef(b, i);\n"
                     "    y[i] = read_imagei(a, (int2)(i, 2)) + read_imagei(b, i + 1);\n"
                     "    z[i] = read_imageui(a, (int2)(i, 3)) + read_imageui(b, i + 2);\n}\n"),
            arch);
        EXPECT_EQ(without_report(result.log), "") << arch;
        for (const char* type : {"f32", "s32", "u32"}) {
            EXPECT_THAT(result.ptx, HasSubstr(fmt::format("tex.2d.v4.{}.f32", type)));
            EXPECT_THAT(result.ptx, HasSubstr(fmt::format("tex.1d.v4.{}.s32", type)));
        }
    }
}

TEST_F(Compile, ImagesWithSamplersAreTexturesAndSurfaces) {
    const CompileResult result = compile_for(
        portable("__constant sampler_t near = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP |\n"
                 "                              CLK_FILTER_NEAREST;\n"
                 "float4 helped(__read_only image2d_t a, const sampler_t how, float2 at) {\n"
                 "    return read_imagef(a, how, at);\n"
                 "}\n"
                 "__kernel void k(__read_only image2d_t a, __read_only image3d_t b,\n"
                 "                __read_only image2d_array_t c, __write_only image2d_t d,\n"
                 "                write_only image3d_t e, __write_only image2d_array_t f,\n"
                 "                sampler_t how, __read_only image1d_buffer_t line) {\n"
                 "    const sampler_t far = CLK_NORMALIZED_COORDS_TRUE | CLK_ADDRESS_REPEAT |\n"
                 "                          CLK_FILTER_LINEAR;\n"
                 "    const int2 at = (int2)(get_global_id(0), get_global_id(1));\n"
                 "    if (at.x >= get_image_width(a) || at.y >= get_image_height(d)) return;\n"
                 "    const int4 deep = (int4)(at, get_image_depth(b) - 1, 0);\n"
                 "    const float4 x = helped(a, far, convert_float2(at) * 0.1f) +\n"
                 "                     read_imagef(a, near, at) + read_imagef(line, at.x);\n"
                 "    const int4 y = read_imagei(b, near, deep);\n"
                 "    const uint4 z = read_imageui(c, how, (float4)(0.5f, 0.5f, 1.0f, 0.0f));\n"
                 "    write_imagef(d, at, x);\n"
                 "    write_imagei(e, deep, y + (int)get_image_array_size(c));\n"
                 "    write_imageui(f, deep, z);\n}\n"),
        some());
    EXPECT_EQ(without_report(result.log), "");
    for (const char* word :
         {"tex.2d.v4.f32.f32", "tex.3d.v4.s32.f32", "tex.a2d.v4.u32.f32", "tex.1d.v4.f32.s32",
          "sust.b.2d.v4.b32.zero", "sust.b.3d.v4.b32.zero", "sust.b.a2d.v4.b32.zero"}) {
        EXPECT_THAT(result.ptx, HasSubstr(word));
    }
    const std::vector<PtxKernel> kernels = ptx_kernels(result.ptx);
    ASSERT_EQ(kernels.size(), 1U);
    EXPECT_EQ(kernels.front().parameters.front().bytes, sizeof(ImageArgument));
}

// The purpose of the native variants for warps.
TEST_F(Compile, WarpsWaitInTheMachinesOwnWords) {
    for (const std::string_view name : {"matvec.cuda.cu", "reduction.cuda.cu"}) {
        const auto files = embedded_kernels();
        const auto file = std::ranges::find(files, name, &EmbeddedFile::name);
        ASSERT_NE(file, files.end()) << name;
        const Program program{.name = std::string(name),
                              .source = std::string(file->text),
                              .language = Language::native,
                              .constants = constants_for(file->text)};
        const std::string ptx = compile_for(program, some()).ptx;
        EXPECT_THAT(ptx, HasSubstr("bar.warp.sync")) << name;
        EXPECT_THAT(ptx, HasSubstr("bar.sync")) << name;
        EXPECT_THAT(ptx, Not(HasSubstr("volatile.shared"))) << name;
    }
}

// Each scope has its fence before the warp's barrier, which orders memory within the warp.
TEST_F(Compile, BarriersOfSubGroupsOrderMemoryForTheirScope) {
    for (const auto& [scope, fence] : {std::pair("", ""),
                                       {", memory_scope_sub_group", ""},
                                       {", memory_scope_work_group", ".cta"},
                                       {", memory_scope_device", ".gl"},
                                       {", memory_scope_all_svm_devices", ".sys"}}) {
        const Program program{.name = "x.cl",
                              .source = fmt::format("__kernel void k(__global int* a) {{ a[0] = 1; "
                                                    "sub_group_barrier(CLK_GLOBAL_MEM_FENCE{}); "
                                                    "a[1] = 2; }}",
                                                    scope)};
        const std::string ptx = compile_for(program, some()).ptx;
        const std::size_t barrier = ptx.find("bar.warp.sync");
        ASSERT_NE(barrier, ptx.npos) << ptx;
        EXPECT_LT(ptx.find("[%rd", ptx.find("st.global")), barrier) << ptx;
        const std::size_t found = ptx.find("membar");
        if (*fence == 0) {
            EXPECT_EQ(found, ptx.npos) << ptx;
        } else {
            EXPECT_LT(found, barrier) << ptx;
            EXPECT_EQ(found, ptx.find("membar" + std::string(fence))) << ptx;
        }
    }
}

// A vector that others write is read again, one component at a time.
TEST_F(Compile, VolatileVectorsStayVolatile) {
    const auto ptx_of = [](std::string_view body) {
        return compile_for({.name = "x.cl",
                            .source = "__kernel void k(volatile __global uint2* a, "
                                      "__local volatile float4* b, __global uint* out) {" +
                                      std::string(body) + "}"},
                           some())
            .ptx;
    };
    const std::string waits = ptx_of("while (a[0].x == 0); out[0] = a[0].y;");
    const std::size_t loop = waits.find(":", waits.find("$L"));
    EXPECT_LT(loop, waits.find("ld.volatile.global.u32")) << waits;
    EXPECT_LT(waits.find("ld.volatile.global.u32"), waits.find("bra", loop)) << waits;
    const auto count = [](const std::string& text, std::string_view what) {
        std::size_t found = 0;
        for (std::size_t at = text.find(what); at != text.npos; at = text.find(what, at + 1)) {
            ++found;
        }
        return found;
    };
    const std::string whole = ptx_of(
        "uint2 c = a[1]; c = a[1]; a[2] = c; a[2].xy += c;"
        "b[1] = b[2]; out[0] = c.x;");
    EXPECT_EQ(count(whole, "ld.volatile.global"), 6U) << whole;
    EXPECT_EQ(count(whole, "st.volatile.global"), 4U) << whole;
    EXPECT_EQ(count(whole, "ld.volatile.shared"), 4U) << whole;
    EXPECT_EQ(count(whole, "st.volatile.shared"), 4U) << whole;
}

// A unit of only one architecture: its source names it, and NVRTC takes no second name.
TEST_F(Compile, ATextMayNameItsArchitecture) {
    const auto files = embedded_kernels();
    const auto file = std::ranges::find(files, "tensor_warpgroup.cuda.cu", &EmbeddedFile::name);
    ASSERT_NE(file, files.end());
    for (const std::int64_t bytes : {2, 4}) {
        const Program program{.name = "tensor_warpgroup.cuda.cu",
                              .source = std::string(file->text),
                              .language = Language::native,
                              .constants = {{"BLOCK", 128},
                                            {"ACROSS", 256},
                                            {"STAGES", 4},
                                            {"BAND", 16},
                                            {"BYTES", bytes}},
                              .options = {"--gpu-architecture=sm_90a"}};
        const CompileResult result = compile_for(program, 90);
        EXPECT_THAT(result.ptx, HasSubstr(".target sm_90a"));
        EXPECT_THAT(result.ptx, HasSubstr("wgmma.mma_async"));
        EXPECT_EQ(std::ranges::count_if(result.options,
                                        [](const std::string& option) {
                                            return option.starts_with("--gpu-architecture=");
                                        }),
                  1);
    }
}

TEST_F(Compile, ParametersInPtxAreThoseOfTheText) {
    for (const EmbeddedFile& file : embedded_kernels()) {
        if (file.name.find(".opencl.") != std::string_view::npos ||
            file.name.find(".cuda.") != std::string_view::npos || file.name.ends_with(".inc")) {
            continue;
        }
        const Program program{.name = std::string(file.name),
                              .source = std::string(file.text),
                              .constants = constants_for(file.text)};
        const CompileResult result = compile_for(program, some());
        const auto declared = signatures(program.name, program.source, program.type);
        ASSERT_EQ(declared.size(), result.kernels.size()) << file.name;
        for (const Signature& one : declared) {
            const PtxKernel& kernel = kernel_of(result, program, one.kernel);
            const auto local =
                std::ranges::count(one.parameters, Parameter::Kind::local, &Parameter::kind);
            EXPECT_EQ(kernel.parameters.size(),
                      one.parameters.size() - static_cast<std::size_t>(local))
                << one.kernel;
        }
    }
}

TEST_F(Compile, TextIsWhatTheCompilerIsGiven) {
    Program program =
        portable("__kernel void k(__global float* out) { out[get_global_id(0)] = 1; }\n");
    EXPECT_EQ(compile_for(program, some()).text, cuda_source(program));
    EXPECT_THAT(cuda_source(program), HasSubstr("#line 1 \"test.cl\""));
    program.edits = {{"= 1;", "= 2;", "two"}};
    EXPECT_THAT(cuda_source(program), HasSubstr("= 2;"));
    program.edits = {{"not there", "", "two"}};
    EXPECT_THROW(cuda_source(program), UsageError);
}

TEST_F(Compile, FailureNamesTheLineOfTheKernelFile) {
    const Program program = portable(
        "// first line\n"
        "__kernel void k(__global float* out) {\n"
        "    out[get_global_id(0)] = 1;\n"
        "    const uint wrong = out;\n"
        "}\n");
    try {
        compile_for(program, some());
        FAIL() << "built";
    } catch (const BuildFailed& failed) {
        EXPECT_THAT(failed.log, HasSubstr("test.cl(4): error"));
        EXPECT_THAT(failed.what(), HasSubstr("test.cl(4): error"));
        EXPECT_EQ(failed.text, cuda_source(program));
    }
}

TEST_F(Compile, AssemblersErrorsAreSaidAsWell) {
    const Program program{.name = "large.cu",
                          .source =
                              "extern \"C\" __global__ void large(int* a) {\n"
                              "    __shared__ int words[200000];\n"
                              "    words[threadIdx.x] = a[threadIdx.x];\n"
                              "    __syncthreads();\n"
                              "    a[threadIdx.x] = words[99 - threadIdx.x];\n"
                              "}\n",
                          .language = Language::native};
    EXPECT_THAT(
        [&] { compile_for(program, some()); },
        testing::ThrowsMessage<BuildFailed>(AllOf(HasSubstr("'large' uses too much shared data"),
                                                  Not(HasSubstr(std::string(1, '\0'))))));
}

TEST_F(Compile, AConstantMayHaveANameOfNvrtcsOwnHeaders) {
    for (const char* name : {"N", "T", "_T"}) {
        Program program = portable(fmt::format(
            "float2 f(float2 x) {{ return x * 2.0f; }}\n"
            "__kernel void k(__global float2* x) {{ if (get_global_id(0) < {0}) x[{0}] = f(x[0]); "
            "}}\n",
            name));
        program.type = std::nullopt;  // which would have a T of its own
        program.constants = {{name, 2}};
        EXPECT_NO_THROW(compile_for(program, some())) << name;
    }
}

TEST_F(Compile, ATextIsCompiledOnceForAProgramAndAnArchitecture) {
    Program program =
        portable("__kernel void k(__global float* out) { out[get_global_id(0)] = N; }\n");
    program.constants = {{"N", 1}};
    const auto first = compiled_for(program, some());
    EXPECT_EQ(first->ptx, compile_for(program, some()).ptx);
    EXPECT_EQ(compiled_for(program, some()), first);
    program.constants = {{"N", 2}};
    const auto other = compiled_for(program, some());
    EXPECT_NE(other, first);
    EXPECT_NE(other->ptx, first->ptx);
    EXPECT_NE(compiled_for(program, nvrtc().architectures().front()),
              compiled_for(program, nvrtc().architectures().back()));
    program.options = {"--no-such-option"};
    for (int i = 0; i < 2; ++i) EXPECT_THROW(compiled_for(program, some()), BuildFailed);
}

TEST_F(Compile, OwnOptionsComeLastAndAreChecked) {
    Program program =
        portable("__kernel void k(__global float* out) { out[get_global_id(0)] = N; }\n");
    program.constants = {{"N", -3}};
    program.options = {"--maxrregcount=32"};
    const CompileResult result = compile_for(program, some());
    EXPECT_THAT(result.options, Contains("-DN=-3"));
    EXPECT_THAT(result.options, Contains("--fmad=false"));
    EXPECT_EQ(result.options.back(), "--maxrregcount=32");
    program.options = {"--no-such-option"};
    EXPECT_THROW(compile_for(program, some()), BuildFailed);
    program.options = {};
    program.constants = {{"N -DM", 1}};
    EXPECT_THROW(compile_for(program, some()), UsageError);
}

std::string ptx_with(const FloatRules& floats, int arch, const std::string& sine = {}) {
    Program program = portable(
        "__kernel void k(__global const float* in, __global float* out, const float b) {\n"
        "    const size_t i = get_global_id(0);\n"
        "    out[i] = in[i] * b + 1.0f;\n"
        "    out[2 * i] = in[i] / b;\n"
        "    out[3 * i] = sqrt(in[i]);\n" +
        sine + "}\n");
    program.floats = floats;
    return compile_for(program, arch).ptx;
}

TEST_F(Compile, FloatRulesReachTheCode) {
    const std::string usual = ptx_with({}, some());
    EXPECT_THAT(usual, HasSubstr("mul.rn.f32"));
    EXPECT_THAT(usual, HasSubstr("div.rn.f32"));
    EXPECT_THAT(usual, HasSubstr("sqrt.rn.f32"));
    EXPECT_THAT(usual, Not(HasSubstr("fma.rn")));
    EXPECT_THAT(usual, Not(HasSubstr(".ftz")));

    const std::string contracted = ptx_with({.contract = true}, some());
    EXPECT_THAT(contracted, HasSubstr("fma.rn.f32"));
    EXPECT_THAT(contracted, Not(HasSubstr("mul.rn.f32")));

    const std::string inexact = ptx_with({.exact_division = false}, some());
    EXPECT_THAT(inexact, testing::AnyOf(HasSubstr("div.full.f32"), HasSubstr("div.approx.f32")));
    EXPECT_THAT(inexact, HasSubstr("sqrt.approx.f32"));
    EXPECT_THAT(inexact, Not(HasSubstr("div.rn")));

    const std::string flushed = ptx_with({.flush_denormals = true}, some());
    EXPECT_THAT(flushed, HasSubstr("mul.rn.ftz.f32"));
    EXPECT_THAT(flushed, HasSubstr("div.rn.ftz.f32"));
}

TEST_F(Compile, RelaxedRulesAreForFunctions) {
    const auto with_sine = [&](const FloatRules& floats) {
        return ptx_with(floats, some(), "    out[4 * i] = sin(in[i]);\n");
    };
    EXPECT_THAT(with_sine({}), Not(HasSubstr("sin.approx")));
    const std::string relaxed = with_sine(FloatRules::fast());
    EXPECT_THAT(relaxed, HasSubstr("sin.approx.ftz.f32"));
    EXPECT_THAT(relaxed, HasSubstr("fma.rn.ftz.f32"));
    EXPECT_THAT(relaxed, Not(HasSubstr("div.rn")));
    // The other rules, which are explicit, stay unchanged.
    const std::string functions_only = with_sine({.relaxed = true});
    EXPECT_THAT(functions_only, HasSubstr("sin.approx"));
    EXPECT_THAT(functions_only, HasSubstr("div.rn.f32"));
    EXPECT_THAT(functions_only, Not(HasSubstr("fma.rn")));
}

TEST_F(Compile, ResourcesAreTheKernelsOwn) {
    const Program program = portable(
        "__kernel void plain(__global float* out) { out[get_global_id(0)] = 1; }\n"
        "__kernel void staged(__global float* out) {\n"
        "    __local float tile[256];\n"
        "    tile[get_local_id(0)] = out[get_global_id(0)];\n"
        "    barrier(CLK_LOCAL_MEM_FENCE);\n"
        "    out[get_global_id(0)] = tile[255 - get_local_id(0)];\n"
        "}\n");
    const CompileResult result = compile_for(program, some());
    const Resources plain = ptxas_resources(result.log, "plain");
    const Resources staged = ptxas_resources(result.log, "staged");
    EXPECT_GT(plain.registers.value_or(0), 0u);
    EXPECT_EQ(plain.local_bytes, 0u);
    EXPECT_EQ(plain.barriers, 0u);
    EXPECT_EQ(staged.local_bytes, 1024u);
    EXPECT_EQ(staged.barriers, 1u);
    EXPECT_EQ(staged.spill_bytes, 0u);
    EXPECT_FALSE(ptxas_resources(result.log, "other").registers);
}

TEST_F(Compile, UnknownKernelIsNamedWithThoseThatAre) {
    const Program program =
        portable("__kernel void here(__global float* out) { out[get_global_id(0)] = 1; }\n");
    const CompileResult result = compile_for(program, some());
    EXPECT_EQ(kernel_of(result, program, "here").parameters.size(), 1u);
    EXPECT_THAT([&] { kernel_of(result, program, "there"); },
                testing::ThrowsMessage<BuildFailed>(
                    AllOf(HasSubstr("'there'"), HasSubstr("it has: here."))));
}

TEST_F(Compile, NameExpressionsNameTheirKernels) {
    Program program{.name = "own.cu",
                    .source =
                        "namespace my { template <class T, int N> __global__ void k(T* out, "
                        "int64_t n) { out[n] = N; } }\n",
                    .language = Language::native,
                    .type = {}};
    program.name_expressions = {"my::k<float, 4>", "my::k<double, 2>"};
    const CompileResult result = compile_for(program, some());
    const PtxKernel single = kernel_of(result, program, "my::k<float, 4>"),
                    other = kernel_of(result, program, "my::k<double, 2>");
    EXPECT_NE(single.name, other.name);
    EXPECT_EQ(single.parameters.size(), 2u);
    EXPECT_TRUE(ptxas_resources(result.log, single.name).registers);
    program.name_expressions = {"k<float>"};
    EXPECT_THAT([&] { compile_for(program, some()); },
                testing::ThrowsMessage<BuildFailed>(HasSubstr("there is no kernel 'k<float>'")));
}

TEST_F(Compile, HeadersOfTheHostAreSaidToBeSo) {
    Program program{.name = "own.cu",
                    .source = "#include <iostream>\n__global__ void k() {}\n",
                    .language = Language::native,
                    .type = {},
                    .name_expressions = {"k"}};
    EXPECT_THAT(
        [&] { compile_for(program, some()); },
        testing::ThrowsMessage<BuildFailed>(AllOf(
            HasSubstr("'iostream' is a header of the host's program"), HasSubstr("own.cu(1)"))));
}

TEST_F(Compile, NativeTextHasItsTypesAndLines) {
    Program program{.name = "native.cu",
                    .source =
                        "extern \"C\" __global__ void k(T4* out, T2 a) {\n"
                        "    out[threadIdx.x].w = a.y + N;\n"
                        "}\n",
                    .language = Language::native,
                    .constants = {{"N", 7}}};
    for (const ElementType type : all_element_types) {
        program.type = type;
        const CompileResult result = compile_for(program, some());
        EXPECT_TRUE(result.text.ends_with("#line 1 \"native.cu\"\n" + program.source));
        EXPECT_EQ(without_report(result.log), "");
        EXPECT_EQ(kernel_of(result, program, "k").parameters.at(1).bytes, 2 * size_of(type));
    }
    program.source = "\n\nextern \"C\" __global__ void k(T* out) { out = 1; }\n";
    EXPECT_THAT([&] { compile_for(program, some()); },
                testing::ThrowsMessage<BuildFailed>(HasSubstr("native.cu(3): error")));
    program.source = "__global__ void k(T* out) { out[threadIdx.x] = N; }\n";
    EXPECT_THAT([&] { kernel_of(compile_for(program, some()), program, "k"); },
                testing::ThrowsMessage<BuildFailed>(HasSubstr("extern \"C\"")));
}

TEST_F(Compile, PtxIsPassedThrough) {
    const Program program{
        .name = "k.ptx",
        .source = ".version 8.0\n.target sm_90\n.visible .entry k(.param .u64 a){}",
        .language = Language::ptx};
    const CompileResult result = compile_for(program, 90);
    EXPECT_EQ(result.ptx, program.source);
    EXPECT_EQ(result.text, program.source);
    EXPECT_TRUE(result.cubin.empty());
    EXPECT_TRUE(result.options.empty());
    EXPECT_EQ(kernel_of(result, program, "k").parameters.size(), 1u);
}

TEST_F(Compile, FilesThatAreNoPtxAndNoMachineCodeSaySo) {
    const auto complaint = [](Language language, std::string content) {
        try {
            compile_for({.name = "k", .source = std::move(content), .language = language}, 90);
        } catch (const BuildFailed& error) {
            return std::string(error.what());
        }
        return std::string("it is taken");
    };
    EXPECT_THAT(complaint(Language::ptx, "garbage"), HasSubstr("k: there is no kernel"));
    EXPECT_THAT(complaint(Language::ptx, ""), HasSubstr("nvcc -ptx"));
    EXPECT_THAT(complaint(Language::cubin,
                          "\x7f"
                          "ELF garbage that is long enough"),
                HasSubstr("k: it is no machine code"));
    std::string elf(
        "\x7f"
        "ELF",
        4);
    elf.resize(64, '\0');
    elf[18] = static_cast<char>(190);
    EXPECT_EQ(complaint(Language::cubin, elf), "it is taken");
}

TEST_F(Compile, ErrorOfTheSourceComesBeforeTheNameOfItsKernel) {
    const auto complaint = [](std::string source) {
        try {
            compile_for({.name = "k.cu",
                         .source = std::move(source),
                         .language = Language::native,
                         .name_expressions = {"k"}},
                        newest());
        } catch (const BuildFailed& error) {
            return std::string(error.what());
        }
        return std::string("it compiles");
    };
    EXPECT_THAT(complaint("__global__ void k(lost* out) {}\n"),
                AllOf(HasSubstr("k.cu(1): error: "), Not(HasSubstr("there is no kernel"))));
    EXPECT_THAT(complaint("struct Host { Host() {} };\n__global__ void k(int* out) {}\n"),
                HasSubstr("between '#ifndef __CUDACC_RTC__'"));
    EXPECT_THAT(complaint("__global__ void other(int* out) {}\n"),
                HasSubstr("there is no kernel 'k'"));
}

TEST_F(Compile, HeadersOfTheStandardLibraryAreCudas) {
    if (header_folders(nvrtc().path()).empty()) GTEST_SKIP() << "CUDA's headers are not here";
    const Program program{
        .name = "k.cu",
        .source =
            "#include <cstdint>\n#include <float.h>\n#include <limits>\n"
            "#include <type_traits>\n"
            "static_assert(std::is_same<uint32_t, unsigned>::value);\n"
            "extern \"C\" __global__ void k(float* out) {\n"
            "    *out = FLT_MAX + DBL_EPSILON - std::numeric_limits<float>::max();\n}\n",
        .language = Language::native};
    EXPECT_THAT(compile_for(program, newest()).ptx, HasSubstr(".entry k("));
}

TEST_F(Compile, GridsWaitWithoutAnyLinking) {
    if (header_folders(nvrtc().path()).empty()) GTEST_SKIP() << "CUDA's headers are not here";
    const Program program{.name = "k.cu",
                          .source =
                              "#include <cooperative_groups.h>\n"
                              "__device__ unsigned done = 3; __device__ unsigned seen[4];\n"
                              "extern \"C\" __global__ void k(unsigned* out) {\n"
                              "    atomicAdd(&done, 1);\n"
                              "    cooperative_groups::this_grid().sync();\n"
                              "    *out = done;\n}\n",
                          .language = Language::native};
    const CompileResult result = compile_for(program, newest());
    EXPECT_THAT(result.ptx, HasSubstr(".entry k("));
    EXPECT_THAT(result.ptx, Not(HasSubstr(".extern .func")));
    EXPECT_FALSE(result.cubin.empty());
}

TEST_F(Compile, DeviceNewerThanTheCompilerGetsPtx) {
    const Program program =
        portable("__kernel void k(__global float* out) { out[get_global_id(0)] = 1; }\n");
    const CompileResult result = compile_for(program, newest() + 10);
    EXPECT_EQ(result.target, (Target{newest(), false}));
    EXPECT_TRUE(result.cubin.empty());
    EXPECT_THAT(result.options, Contains(fmt::format("--gpu-architecture=compute_{}", newest())));
    EXPECT_THAT(result.ptx, HasSubstr(".entry k("));
    EXPECT_EQ(without_report(result.log), "");
}

TEST(Target, IsTheBestThatThereIs) {
    const std::vector<int> supported{75, 80, 90, 120};
    EXPECT_EQ(choose_target(90, supported).name(), "sm_90");
    EXPECT_EQ(choose_target(75, supported).name(), "sm_75");
    EXPECT_EQ(choose_target(100, supported).name(), "compute_90");
    EXPECT_EQ(choose_target(130, supported).name(), "compute_120");
    EXPECT_THAT(
        [&] { choose_target(70, supported); },
        testing::ThrowsMessage<Unsupported>(AllOf(HasSubstr("7.0"), HasSubstr("7.5 and newer"))));
    EXPECT_THROW(choose_target(90, {}), Unsupported);
}

}  // namespace
}  // namespace parallax::cuda::compile_test
