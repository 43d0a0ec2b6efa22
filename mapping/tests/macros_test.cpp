// Preprocessor lines: macros that are kept, branches, macros given beside the text, problems'
// places.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "mapping/prelude/prelude.hpp"
#include "mapping/tests/support.hpp"

namespace parallax::macros_test {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;
using testing::refusal;
using testing::translate;

Translation with(const std::vector<Define>& defines, std::string_view source) {
    TranslateOptions options{.type = ElementType::f32};
    options.defines = defines;
    return to_cuda("x.cl", source, options);
}

std::string refusal_with(const std::vector<Define>& defines, std::string_view source) {
    try {
        with(defines, source);
    } catch (const Refused& refused) {
        return refused.what();
    }
    return {};
}

TEST(Macros, StayAsTheyAre) {
    for (const char* text : {"#define N 5\n", "#define EMPTY\n", "#  define  N  5 /* a */\n",
                             "#define N \\\n 5\n", "#undef N\n", "#define ADD(a, b) ((a) + (b))\n",
                             "#define VA(a, ...) ((a)[__VA_ARGS__])\n",
                             "#define LOOP(n) for (int i = 0; i < n; ++i)\n",
                             "#define SWAP(a, b) do { int t = a; a = b; b = t; } while (0)\n",
                             "#error no\n", "#line 7 \"y.cl\"\n", "#\n"}) {
        EXPECT_EQ(translate(text).body, text);
    }
}

TEST(Macros, HaveTheirBodiesTranslated) {
    EXPECT_EQ(translate("#define ID get_global_id(0)\n").body,
              "#define ID (size_t(blockIdx.x) * blockDim.x + threadIdx.x)\n");
    EXPECT_EQ(translate("#define WORD uint\n").body, "#define WORD unsigned int\n");
    EXPECT_EQ(translate("#define RED (float4)(1, 0, 0, 1)\n").body,
              "#define RED make_float4(1, 0, 0, 1)\n");
    EXPECT_EQ(translate("#define V(x) (float4)(x, x, x, 1)\n").body,
              "#define V(x) make_float4(x, x, x, 1)\n");
    EXPECT_EQ(translate("#define SYNC barrier(CLK_LOCAL_MEM_FENCE)\n").body,
              "#define SYNC __syncthreads()\n");
    EXPECT_EQ(translate("#define GLOBAL __global\nvoid f(GLOBAL int* a) {}").body,
              "#define GLOBAL \n__device__ void f(GLOBAL int* a) {}");
}

TEST(Macros, UsedWithVectorsAskForTheirOperators) {
    const char* square = "#define SQ(x) ((x) * (x))\n";
    EXPECT_EQ(translate(std::string(square) + "float f(float a) { return SQ(a); }").prelude, "");
    EXPECT_EQ(translate(std::string(square) + "float4 f(float4 a) { return SQ(a); }").prelude,
              prelude_of({"float4 *"}));
    EXPECT_EQ(translate(std::string(square) +
                        "#define FOURTH(x) SQ(SQ(x))\nfloat4 f(float4 a) { return FOURTH(a); }")
                  .prelude,
              prelude_of({"float4 *"}));
}

TEST(Macros, SayTheTypeOfTheirUse) {
    EXPECT_EQ(translate("#define ADD(a, b) ((a) + (b))\n"
                        "float2 f(float4 a, float4 b) { return ADD(a, b).xy; }")
                  .body,
              "#define ADD(a, b) ((a) + (b))\n"
              "__device__ float2 f(float4 a, float4 b) { return swizzle_xy(ADD(a, b)); }");
    EXPECT_EQ(translate("#define ONE 1.0f\nvoid f(float4 a) { a = ONE; }").body,
              "#define ONE 1.0f\n__device__ void f(float4 a) { a = splat_float4(ONE); }");
}

TEST(Macros, WithStatementsAreTranslatedWithin) {
    EXPECT_EQ(translate("#define PUT(p, v) do { (p)[0] = (v); (p)[1] = (float4)(1); } while (0)\n"
                        "void f(__global float4* p, float4 v) { PUT(p, v); }")
                  .body,
              "#define PUT(p, v) do { (p)[0] = (v); (p)[1] = splat_float4(1); } while (0)\n"
              "__device__ void f(float4* p, float4 v) { PUT(p, v); }");
}

TEST(Macros, ThatCannotBeReadAreRefusedWhereItMatters) {
    EXPECT_THAT(refusal("#define SHL(a) a << 40)\n"), HasSubstr("x.cl:1: '<<'"));
    EXPECT_THAT(refusal("#define SHL(a) a << 40)\n"), HasSubstr("--expand"));
    EXPECT_THAT(refusal("#define CAT(a, b) a##b\n"), HasSubstr("--expand"));
    EXPECT_EQ(refusal("#define OPEN (\n"), "");
    EXPECT_EQ(refusal("#define COMMA ,\n"), "");
    EXPECT_THAT(refusal("#define OPEN {\nvoid f(void) OPEN }"), HasSubstr("--expand"));
    EXPECT_THAT(refusal("#define FN(name) void name(void) {}\nFN(f)\n"), HasSubstr("--expand"));
    EXPECT_THAT(refusal("#define LOCAL __local\n"), HasSubstr("--expand"));
    EXPECT_THAT(refusal("#include \"a.h\"\n"), HasSubstr("x.cl:1: '#include"));
}

TEST(Branches, AreAllTranslated) {
    EXPECT_EQ(translate("#if A > 2 && defined(B)\nuint f(void) { return 1; }\n#elif A\n"
                        "ulong f(void) { return 1; }\n#else\nuchar f(void) { return 1; }\n#endif\n")
                  .body,
              "#if A > 2 && defined(B)\n__device__ unsigned int f(void) { return 1; }\n#elif A\n"
              "__device__ unsigned long long f(void) { return 1; }\n#else\n"
              "__device__ unsigned char f(void) { return 1; }\n#endif\n");
    EXPECT_EQ(translate("void f(float4 a) {\n#ifdef A\n if (a.x > 1) {\n#endif\n a = a.wzyx;\n"
                        "#ifdef A\n }\n#endif\n}")
                  .body,
              "__device__ void f(float4 a) {\n#ifdef A\n if (a.x > 1) {\n#endif\n"
              " a = make_float4(a.w, a.z, a.y, a.x);\n#ifdef A\n }\n#endif\n}");
    EXPECT_EQ(translate("int f(\n#ifdef A\nuint a,\n#endif\nulong b) { return b; }").body,
              "__device__ int f(\n#ifdef A\nunsigned int a,\n#endif\n"
              "unsigned long long b) { return b; }");
}

TEST(Branches, ThatOpenDifferentBracketsAreRefused) {
    EXPECT_THAT(refusal("#ifdef A\nvoid f(int a) {\n#else\nvoid f(void) {\n#endif\n}\n"),
                HasSubstr("x.cl:3: '#else': the branches of an #if open or close different"));
    EXPECT_THAT(refusal("#ifdef A\nvoid f(int a) {\n#else\nvoid f(void) {\n#endif\n}\n"),
                HasSubstr("--expand"));
}

TEST(Branches, OnWhatOpenClDefinesFindItDefined) {
    EXPECT_EQ(translate("#ifdef cl_khr_fp64\n#endif\n").prelude, "#define cl_khr_fp64 1\n");
    EXPECT_EQ(translate("#if __OPENCL_C_VERSION__ >= CL_VERSION_1_2\n#endif\n").prelude,
              "#define __OPENCL_C_VERSION__ 120\n#define CL_VERSION_1_2 120\n");
    EXPECT_EQ(translate("#ifndef A\n#elif defined(cl_khr_fp64)\n#endif\n").prelude,
              "#define cl_khr_fp64 1\n");
    EXPECT_EQ(translate("#define cl_khr_fp64 0\n#if cl_khr_fp64\n#endif\n").prelude, "");
    EXPECT_EQ(translate("#ifdef A\n#endif\n").prelude, "");
}

TEST(Branches, OnFeaturesOfOpenCl30FindThemInThatVersionAlone) {
    const auto prelude_in = [](std::string_view standard, std::string_view source) {
        TranslateOptions options;
        options.standard = standard;
        return to_cuda("x.cl", source, options).prelude;
    };
    const char* feature = "#ifdef __opencl_c_images\n#endif\n";
    EXPECT_EQ(prelude_in("", feature), "");
    EXPECT_EQ(prelude_in("CL2.0", feature), "");
    EXPECT_EQ(prelude_in("CL3.0", feature), "#define __opencl_c_images 1\n");
    EXPECT_EQ(
        prelude_in("", "#ifdef __IMAGE_SUPPORT__\n#endif\n#if cl_khr_3d_image_writes\n#endif\n"),
        "#define __IMAGE_SUPPORT__ 1\n#define cl_khr_3d_image_writes 1\n");
    const char* version = "#if __OPENCL_C_VERSION__ >= 200\n#endif\n";
    EXPECT_EQ(prelude_in("CL2.0", version), "#define __OPENCL_C_VERSION__ 200\n");
    EXPECT_EQ(prelude_in("CL1.2", version), "#define __OPENCL_C_VERSION__ 120\n");
}

TEST(Branches, OnWhatOnlyTheOtherCompilerMayDefineAreSaid) {
    const auto notes = [](std::string_view source) { return translate(source).notes; };
    EXPECT_THAT(
        notes("\n#ifdef cl_intel_subgroups\n#endif\n"),
        ::testing::ElementsAre(HasSubstr("x.cl:2: 'cl_intel_subgroups': OpenCL's compiler may")));
    EXPECT_EQ(notes("#if defined(__opencl_c_pipes) || FP_FAST_FMA\n#endif\n").size(), 2u);
    for (const char* source :
         {"#ifdef A\n#endif\n", "#ifdef cl_khr_fp64\n#endif\n", "#if __opencl_c_images\n#endif\n",
          "#define cl_amd_media_ops 0\n#if cl_amd_media_ops\n#endif\n"}) {
        EXPECT_TRUE(notes(source).empty()) << source;
    }
}

TEST(Branches, OnFastMathTakeTheWayOfTheProgramsFloatRules) {
    Program program{.name = "x.cl", .source = "#ifdef __FAST_RELAXED_MATH__\nint f();\n#endif\n"};
    const auto made = [&] { return to_cuda("x.cl", program.source, translate_options(program)); };
    EXPECT_EQ(made().prelude, "");
    EXPECT_EQ(made().notes.size(), 1u);
    program.floats = FloatRules::fast();
    EXPECT_EQ(made().prelude, "#define __FAST_RELAXED_MATH__ 1\n");
    EXPECT_TRUE(made().notes.empty());
}

TEST(Branches, OnConstantsOfHalfHaveTheType) {
    EXPECT_EQ(translate("#ifndef HALF_MAX\n#define HALF_MAX 1\n#endif\n").prelude,
              prelude_of({"half"}) + "#define HALF_MAX half(65504.0f)\n");
    EXPECT_EQ(translate("half f(half a) { return fmax(a, HALF_EPSILON); }").body,
              "__device__ half f(half a) { return fmax(a, half(0x1.0p-10f)); }");
}

TEST(Pragmas, AreKeptLeftOutOrRefused) {
    EXPECT_EQ(translate("#pragma OPENCL EXTENSION cl_khr_fp16 : enable\nint f(void);").body,
              "\n__device__ int f(void);");
    EXPECT_EQ(translate("void f(void) {\n#pragma nounroll\nfor (;;) ; }").body,
              "__device__ void f(void) {\n#pragma unroll 1\nfor (;;) ; }");
    EXPECT_THAT(refusal("#pragma pack(1)\n"), HasSubstr("x.cl:1: '#pragma pack(1)'"));
    const Translation unknown = translate("int a();\n#pragma omp simd\nint b();");
    EXPECT_EQ(unknown.body, "__device__ int a();\n\n__device__ int b();");
    EXPECT_THAT(unknown.notes, ::testing::ElementsAre(HasSubstr("x.cl:2: '#pragma omp simd'")));
    EXPECT_TRUE(translate("#pragma once\n").notes.empty());
}

TEST(GivenMacros, StandInThePrelude) {
    const Translation made =
        with({{"N", "5"}, {"WORD", "uint"}}, "WORD f(WORD a) { return a << N; }\n");
    EXPECT_EQ(made.prelude, "#define N 5\n#define WORD unsigned int\n");
    EXPECT_EQ(made.body, "__device__ WORD f(WORD a) { return a << N; }\n");
    EXPECT_EQ(made.text(), made.prelude + "#line 1 \"x.cl\"\n" + made.body);
}

TEST(GivenMacros, AreThereForTypesAndShifts) {
    EXPECT_EQ(with({{"VEC", "float4"}}, "VEC f(VEC a) { return (VEC)(1) * a.wzyx; }").body,
              "__device__ VEC f(VEC a) { return splat_float4(1) * "
              "make_float4(a.w, a.z, a.y, a.x); }");
    EXPECT_EQ(
        with({{"N", "40"}}, "#ifndef N\n#define N 5\n#endif\nint f(int a) { return a << N; }").body,
        "#ifndef N\n#define N 5\n#endif\n__device__ int f(int a) { return shift_left(a, N); }");
    EXPECT_EQ(with({{"RED", "(float4)(1, 0, 0, 1)"}}, "float4 f(void) { return RED; }").prelude,
              prelude_of({"float4"}) + "#define RED make_float4(1, 0, 0, 1)\n");
}

TEST(GivenMacros, LeaveTheLinesAsTheyAre) {
    EXPECT_EQ(with({{"A", "1"}, {"B", ""}}, "// one\n\n").body, "// one\n\n");
    EXPECT_EQ(with({{"A", "1"}}, "").body, "");
    EXPECT_THAT(refusal_with({{"A", "1"}, {"B", "2"}}, "\nvoid f(void) { g(); }"),
                HasSubstr("x.cl:2: 'g'"));
}

TEST(GivenMacros, AreRefusedByName) {
    EXPECT_THAT(refusal_with({{"A", "1\n2"}}, "int f(void);"),
                HasSubstr("the macro 'A' goes over"));
    EXPECT_THAT(refusal_with({{"A", "g(1)"}}, "int f(void) { return A; }"), HasSubstr("'g'"));
}

TEST(Problems, AreListedWithTheirFilesAndLines) {
    const std::string what = refusal(
        "int f(void) { return g(); }\n#line 40 \"y.cl\"\nint h(void) {\n  return g(); }\n"
        "#define A \\\n  \"a\"\n");
    EXPECT_THAT(what, HasSubstr("x.cl:1: 'g'"));
    EXPECT_THAT(what, HasSubstr("y.cl:41: 'g'"));
    EXPECT_THAT(what, HasSubstr("y.cl:43: '\"a\"'"));
}

/// A type that the branches of an #if say otherwise is not guessed: a function is asked for with
/// all of them, and the right one is chosen by CUDA's compiler.
TEST(Branches, ThatSayATypeOtherwiseLeaveItOpen) {
    for (const char* head : {"#ifdef A\ntypedef ulong W;\n#else\ntypedef uint W;\n#endif\n",
                             "#if A > 1\n#define W ulong\n#else\n#define W uint\n#endif\n"}) {
        const Translation made = translate(std::string(head) + "W f(W w) { return rotate(w, w); }");
        EXPECT_THAT(made.prelude, HasSubstr("unsigned long long rotate("));
        EXPECT_THAT(made.prelude, HasSubstr("unsigned int rotate("));
        EXPECT_THAT(translate(std::string(head) + "W f(W w, int n) { return w << (n & 63); }").body,
                    HasSubstr("shift_left(w, (n & 63))"));
        EXPECT_THAT(refusal(std::string(head) + "W f(W w) { return (W)(w, w); }"),
                    HasSubstr("a type that macros or #if decide"));
    }
}

TEST(Branches, OfADefaultLeaveTheGivenType) {
    const Translation made = with({{"REAL", "double"}},
                                  "#ifndef REAL\n#define REAL float\n#endif\n"
                                  "REAL f(REAL a) { return mix(a, a, a); }");
    EXPECT_THAT(made.prelude, HasSubstr("double mix("));
    EXPECT_THAT(made.prelude, Not(HasSubstr("float mix(")));
}

TEST(Branches, FindTheConstantsOfOpenClDefined) {
    EXPECT_THAT(translate("#ifndef M_PI_F\n#define M_PI_F 3.0f\n#endif\n").prelude,
                HasSubstr("#define M_PI_F 0x1.921fb6p+1f\n"));
    EXPECT_THAT(translate("#if CHAR_BIT == 8\n#endif\n").prelude,
                HasSubstr("#define CHAR_BIT 8\n"));
}

TEST(Branches, ThatAskForTheCompilerAreRefused) {
    for (const char* name : {"__cplusplus", "__CUDA_ARCH__", "__CUDACC__", "__clang__"}) {
        EXPECT_THAT(refusal("#ifdef " + std::string(name) + "\n#endif\n"),
                    HasSubstr("asks which compiler it is"));
        EXPECT_EQ(refusal("#define " + std::string(name) + " 1\n#ifdef " + name + "\n#endif\n"),
                  "");
    }
}

}  // namespace
}  // namespace parallax::macros_test
