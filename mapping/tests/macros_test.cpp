// Preprocessor lines: kept macros, branches, macros from options, positions of problems.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "mapping/prelude/prelude.hpp"
#include "mapping/preprocess/expand.hpp"
#include "mapping/tests/support.hpp"
#include "mapping/translate/prepared.hpp"

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

TEST(Branches, OnWhatSomeCompilersHaveAsMacrosAreNoted) {
    for (const std::string name : {"min", "isnan", "assert", "_GNU_SOURCE", "true",
                                   "POCL_DEVICE_ADDRESS_BITS", "__CUDACC__"}) {
        EXPECT_EQ(translate("#ifdef " + name + "\nint a;\n#endif\n").device_names.size(), 1u)
            << name;
    }
    EXPECT_TRUE(translate("#ifdef N\nint a;\n#endif\n#define min 1\n#ifdef min\nint b;\n#endif\n")
                    .notes.empty());
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

TEST(Branches, OnWhatDevicesDefineDifferentlyAreSaid) {
    const auto names_in = [](const std::string& source) {
        const Translation made = translate(source);
        EXPECT_GE(made.notes.size(), made.device_names.size());
        return made.device_names.size();
    };
    const auto about = [&](const std::string& condition) {
        return names_in("\n#" + condition + "\nint f(void);\n#endif\n");
    };
    for (const std::string name :
         {"cl_intel_subgroups", "cl_khr_fp64", "cl_khr_fp16", "__opencl_c_pipes", "FP_FAST_FMA",
          "__OPENCL_VERSION__", "__IMAGE_SUPPORT__", "__GPU__", "__NV_CL_C_VERSION", "HALF_MAX",
          "__cplusplus", "__CUDA_ARCH__", "__CUDACC__", "__clang__", "CL_VERSION_2_0"}) {
        EXPECT_EQ(about("ifdef " + name), 1u) << name;
        EXPECT_EQ(about("if defined(" + name + ") && A"), 1u) << name;
        EXPECT_EQ(about("ifdef A\n#elif " + name), 1u) << name;
        // The text says itself what it means, or nothing but pragmas depends on it.
        EXPECT_EQ(about("define " + name + " 1\n#ifdef " + name), 0u) << name;
        EXPECT_EQ(about("ifndef " + name + "\n#define " + name), 0u) << name;
        EXPECT_EQ(names_in("#ifdef " + name +
                           "\n#pragma OPENCL EXTENSION cl_khr_fp64 : enable\n#elif A\n"
                           "#ifdef B\n#pragma unroll\n#endif\n#endif\n"),
                  0u)
            << name;
    }
    for (const std::string name :
         {"A", "__OPENCL_C_VERSION__", "CL_VERSION_1_2", "__ENDIAN_LITTLE__",
          "__FAST_RELAXED_MATH__", "M_PI", "INT_MAX", "TILE"}) {
        EXPECT_EQ(about("ifdef " + name), 0u) << name;
    }
    EXPECT_EQ(names_in("int f(void) { return __OPENCL_VERSION__; }"), 1u);
    EXPECT_EQ(names_in("int f(void) { return __OPENCL_C_VERSION__ + CL_VERSION_1_2; }"), 0u);
}

TEST(Branches, OnWordsThatCompilersHaveAsMacrosAreSaid) {
    for (const std::string name : {"NULL", "CLK_LOCAL_MEM_FENCE", "CLK_FILTER_LINEAR", "as_int4"}) {
        const std::string source = "#ifdef " + name + "\nint f(void);\n#else\nint g;\n#endif\n";
        EXPECT_EQ(translate(source).device_names.size(), 1u) << name;
        if (!can_expand()) continue;
        const auto text = [&](const std::string& before) {
            return expanded("x.cl", before + source, {}, {}, PathSandbox({}));
        };
        EXPECT_THAT(text(""), HasSubstr("f(void)")) << name;
        EXPECT_THAT(text("#undef " + name + "\n"), HasSubstr("int g;")) << name;
        EXPECT_THAT(text("#define " + name + " 1\n"), HasSubstr("f(void)")) << name;
    }
}

TEST(Macros, WithTheNamesOfTypesAreExpandedFirst) {
    const std::string use = "\nint f(void);";
    for (const std::string macro :
         {"uchar uint", "half float", "float4 float2", "size_t uint", "bool int", "int long",
          "unsigned", "ptrdiff_t long", "float3(a, b, c) (float3)(a, b, c)"}) {
        EXPECT_THAT(refusal("#define " + macro + use), HasSubstr("a macro with the name of a type"))
            << macro;
    }
    for (const std::string same : {"uint unsigned int", "ulong unsigned long", "size_t size_t",
                                   "half half", "int signed", "FLOAT4 float4"}) {
        EXPECT_EQ(refusal("#define " + same + use), "") << same;
    }
}

/// Clang gives the numbers of a condition 128 bits.
TEST(Branches, OnLargeNumbersAreExpandedFirst) {
    const auto said = [](const std::string& condition) {
        return refusal("#define BIG 0xffffffffffffffff\n#define F(x) BIG\n#define G F\n#if " +
                       condition + "\n#endif\n");
    };
    for (const char* open : {"18446744073709551616", "0x8000000000000000 > 0", "1 << 63", "BIG > 1",
                             "G(1)", "~0u > 3", "1u - A", "0 - 1u == A"}) {
        EXPECT_THAT(said(open), HasSubstr("in 64 bits and others in 128")) << open;
    }
    for (const char* plain : {"defined(BIG)", "defined BIG && A", "4294967296 > 3u", "1 << 31",
                              "A > 1u", "0x7fffffff + 1"}) {
        EXPECT_EQ(said(plain), "") << plain;
    }
    EXPECT_EQ(refusal("#define BIG 0xffffffffffffffff\n#ifdef BIG\n#endif\n"), "");
}

/// A source is preprocessed automatically if it cannot be translated otherwise.
TEST(Preparation, ExpandsWhereThatHelps) {
    if (!can_expand()) GTEST_SKIP() << "built without Boost.Wave";
    const auto prepared = [](std::string_view source) {
        return prepare(
            "x.cl", [&] { return std::string(source); }, {},
            [&] { return expanded("x.cl", source, {}, {}, PathSandbox({})); });
    };
    const std::string kernel = "__kernel void k(__global float4* o, float a) { o[0] = M(a); }\n";
    const std::string kernel_of_ints = "__kernel void k(__global int* o) { o[0] = 1; }\n";
    EXPECT_EQ(prepared("#define M(a) (float4)(a)\n" + kernel).reason, "");
    EXPECT_THAT(prepared("#if A\n#define M(a) (float4)(a)\n#else\n#define M(a) (float4)(1)\n"
                         "#endif\n" +
                         kernel)
                    .reason,
                HasSubstr("x.cl:6: 'M': its type is not known here"));
    EXPECT_THAT(prepared("#ifdef cl_khr_fp64\n#define M(a) (float4)(a)\n#else\n"
                         "#define M(a) (float4)(a)\n#endif\n" +
                         kernel)
                    .reason,
                HasSubstr("x.cl:1: 'cl_khr_fp64': some compilers"));
    EXPECT_THAT(prepared("#define K(x) __kernel void x(void) {}\nK(a)\n").reason,
                HasSubstr("x.cl:2: 'K': a declaration that does not end"));
    // A case that it cannot decide stays a doubt, and a source that it does not fix stays
    // unchanged.
    const Preparation doubt = prepared("#ifdef cl_khr_fp64\nint f(void);\n#endif\n" + kernel);
    EXPECT_EQ(doubt.reason, "");
    const Preparation refused = prepared("#define M(a) g(a)\n" + kernel);
    EXPECT_EQ(refused.reason + refused.doubt, "");
    // What cannot be read in its original form, the preprocessor may read.
    for (const std::string text :
         {"#if 0\nit's\n#endif\n", "#define C(a, b) a##b\n__constant int a = C(0x, ff);\n",
          "__cons\\\ntant int a = 1;\n"}) {
        EXPECT_NE(prepared(text + kernel_of_ints).reason, "") << text;
    }
    const std::string pasted = "#define C(a, b) a##b\n__constant int a = C(0x, ff);\n";
    EXPECT_THAT(prepared(pasted + "__constant int b = __COUNTER__;\n" + kernel_of_ints).failure,
                HasSubstr("cannot be preprocessed: x.cl:3: '__COUNTER__'"));
    EXPECT_THAT(prepared(pasted + "__constant long long b = 1;\n" + kernel_of_ints).failure,
                HasSubstr("preprocessed, it is refused, too: x.cl:3: 'long'"));
}

/// Constants of OpenCL C are there for conditions, and stay words in the text.
TEST(Preparation, KnowsTheConstants) {
    if (!can_expand()) GTEST_SKIP() << "built without Boost.Wave";
    const auto text = [](std::string_view source) {
        return expanded("x.cl", source, {}, {}, PathSandbox({}));
    };
    EXPECT_THAT(text("#ifndef M_PI\n#define M_PI 3\n#endif\ndouble a = M_PI;\n"),
                HasSubstr("double a = M_PI;"));
    EXPECT_THAT(text("#if INT_MAX > 5 && CHAR_MIN < 0\nint a;\n#endif\n"), HasSubstr("int a;"));
    EXPECT_THAT(text("#define M_PI 3\ndouble a = M_PI;\n"), HasSubstr("double a = 3;"));
}

TEST(Branches, OnFastMathTakeTheWayOfTheProgramsFloatRules) {
    Program program{.name = "x.cl", .source = "#ifdef __FAST_RELAXED_MATH__\nint f();\n#endif\n"};
    const auto made = [&] { return to_cuda("x.cl", program.source, translate_options(program)); };
    EXPECT_EQ(made().prelude, "");
    program.floats = FloatRules::fast();
    EXPECT_EQ(made().prelude, "#define __FAST_RELAXED_MATH__ 1\n");
}

TEST(Branches, OnConstantsOfHalfHaveTheType) {
    EXPECT_EQ(translate("#ifndef HALF_MAX\n#define HALF_MAX 1\n#endif\n").prelude,
              prelude_of({"half"}) +
                  "#define HALF_MAX __builtin_bit_cast(half, (unsigned short)0x7bff)\n");
    EXPECT_EQ(translate("half f(half a) { return fmax(a, HALF_EPSILON); }").body,
              "__device__ half f(half a) { return fmax(a, __builtin_bit_cast(half, (unsigned "
              "short)0x1400)); }");
}

TEST(Pragmas, AreKeptLeftOutOrRefused) {
    EXPECT_EQ(translate("#pragma OPENCL EXTENSION cl_khr_fp16 : enable\nint f(void);").body,
              "\n__device__ int f(void);");
    EXPECT_EQ(translate("void f(void) {\n#pragma nounroll\nfor (;;) ; }").body,
              "__device__ void f(void) {\n#pragma unroll 1\nfor (;;) ; }");
    EXPECT_EQ(translate("_Pragma(\"OPENCL FP_CONTRACT OFF\")\nint f(void);").body,
              "\n__device__ int f(void);");
    EXPECT_THAT(refusal("#pragma pack(1)\n"), HasSubstr("x.cl:1: '#pragma pack(1)'"));
    for (const std::string said : {"pack(1)", " pop_macro(A)"}) {
        const std::string within = "_Pragma(\"" + said + "\")";
        EXPECT_THAT(refusal(within + "\nint f(void);"), HasSubstr("x.cl:1: '_Pragma'"));
        EXPECT_THAT(refusal("void f(void) {\n" + within + ";}"), HasSubstr("x.cl:2: '_Pragma'"));
    }
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

/// Where OpenCL's meaning depends on a type that is not known, nothing is written.
TEST(OpenTypes, OfBranchesAreRefusedWhereTheyMatter) {
    for (const char* head : {"#ifdef A\ntypedef double W;\n#else\ntypedef float W;\n#endif\n",
                             "#if A > 1\n#define W double\n#else\n#define W float\n#endif\n",
                             "struct S {\n#if A\nint w;\n#else\nfloat w;\n#endif\n};\n"
                             "#define W float\n"}) {
        const bool is_member = std::string_view(head).starts_with("struct");
        const std::string w = is_member ? "s.w" : "w";
        const auto with_open = [&](const std::string& statement) {
            return std::string(head) + "void f(int i, " + (is_member ? "struct S s" : "W w") +
                   ") { " + statement + "; }";
        };
        for (const std::string& statement :
             {"float4 v = (float4)(" + w + ")", "float4 v = (float4)" + w, "float4 v = " + w,
              "float4 v = (float4)(" + w + ", 1, 2, 3)", "float4 v; v = " + w, "i = abs(" + w + ")",
              "i = clamp(" + w + ", " + w + ", " + w + ")", "i = (" + w + ") << i"}) {
            EXPECT_THAT(refusal(with_open(statement)), HasSubstr("its type is not known here"))
                << with_open(statement);
        }
        for (const std::string& statement :
             {"i = " + w + " + 1", "i = (int)" + w, "i = " + w + " > 1",
              "float4 v = (float4)((float)" + w + ")", "i = sizeof(" + w + ")"}) {
            EXPECT_EQ(refusal(with_open(statement)), "") << with_open(statement);
        }
    }
    EXPECT_THAT(refusal("#if A > 1\n#define W ulong\n#else\n#define W uint\n#endif\n"
                        "W f(W w) { return (W)(w, w); }"),
                HasSubstr("a type that macros or #if decide"));
}

TEST(OpenTypes, OfOverloadableFunctionsAreThoseOfTheirArguments) {
    const std::string heads =
        "int __attribute__((overloadable)) g(int a) { return a; }\n"
        "__attribute__((overloadable)) float4 g(float4 a) { return a; }\n";
    EXPECT_THAT(translate(heads + "float4 f(int i) { return (float4)(g(i)); }").body,
                HasSubstr("splat_float4(g(i))"));
    EXPECT_THAT(translate(heads + "float4 f(float4 v) { return (float4)(g(v)); }").body,
                HasSubstr("float4(g(v))"));
    EXPECT_THAT(translate(heads + "uint f(int i) { return abs(g(i)); }").body,
                HasSubstr("unsigned_abs(g(i))"));
    EXPECT_THAT(refusal(heads + "float4 f(short i) { return (float4)(g(i)); }"),
                HasSubstr("its type is not known here"));
}

/// A macro's body is written once. What one of its uses would need otherwise is not written.
TEST(OpenTypes, OfMacrosAreThoseOfAllTheirUses) {
    const auto with_use = [](const std::string& macro, const std::string& use) {
        return macro + "\nvoid f(int i, char c, uint u, bool b, float x, int4 v, float4 w) { " +
               use + "; }";
    };
    const struct {
        const char *macro, *right, *wrong;
    } cases[] = {
        {"#define M(a) ((float4)(a))", "w = M(x)", "w = M(w)"},
        {"#define M(a) ((int4)a)", nullptr, "v = M(i)"},
        {"#define M(a, b) ((float4)(a, b, 1))", "w = M(x, w.xy)", nullptr},
        {"#define M(a) max(a, (a))", "x = M(x)", nullptr},
        {"#define M(a, b) ((a) << (b))", "i = M(i, i)", "v = M(v, v)"},
        {"#define M(a) sizeof(a)", "i = M(c)", "i = M('a')"},
        {"#define M(a) any(a)", "i = M(i)", "i = M(i < 2)"},
        {"#define M(a, b) a = b", "w = M(w, w)", "w.xy = M(w.zw, w.xy)"},
        {"#define M(a) ((a)++)", "v = M(v)", "M(v.xy)"},
        {"#define N(a) (a = a)\n#define M(a) N(a)", "v = M(v)", "M(v.xy)"},
        {"#define M(a) { (a) <<= 1; }", nullptr, "M(v.xy)"},
        {"#define M(a) ((a) == (a))", "v.xy = M(v.xy)", nullptr},
        {"#define M(a) (a + 19 * a)", "i = M(i)", "i = M(i << u)"},
        {"#define N(a) (a * 2)\n#define M(a) N(a)", "i = M(i)", "i = M(i << u)"},
        {"#define M(a) ((a) + 19 * (a))", "i = M(i << u)", nullptr},
        {"#define M(a) (a).xy", "w.xy = M(w)", nullptr},
        {"#define M(a, b, c) ((a) ? (b) : (c))", "i = M(i, 1, 2)", "v = M(v, v, v)"},
        {"#define M(a) ((a) << 40)", "i = M(i)", "x = M((ulong)i)"},
        {"#define M(a) { w = (float4)(a); }", nullptr, "M(x)"},
        {"#define N(a) ((float4)(a))\n#define M(a) (N(a) + N(1))", "w = M(x)", "w = M(w)"},
        {"#define N(a) ((float4)(a))\n#define M(a) { w = N(a); }", nullptr, "M(x)"},
        {"#define M(a) abs((a) - 1)", nullptr, "i = M(i)"},
    };
    for (const auto& one : cases) {
        // A macro without uses has no effect.
        if (std::string_view(one.macro).find('{') == std::string_view::npos) {
            EXPECT_EQ(refusal(std::string(one.macro) + "\n"), "") << one.macro;
        }
        if (one.right) {
            EXPECT_EQ(refusal(with_use(one.macro, one.right)), "") << one.macro;
        }
        if (one.wrong) {
            EXPECT_THAT(refusal(with_use(one.macro, one.wrong)), HasSubstr("--expand"))
                << one.macro;
        }
    }
    // A macro of several bodies, or one that no expression is made of.
    EXPECT_THAT(refusal(with_use("#if A\n#define M(a) ((float4)(a))\n#else\n"
                                 "#define M(a) ((float4)(0))\n#endif",
                                 "w = M(x)")),
                HasSubstr("--expand"));
}

/// A function call binds differently from the operator that it replaces.
TEST(OpenTypes, OfMacrosWithoutParenthesesAreRefusedAtOperatorsThatBecomeCalls) {
    const auto with_use = [](const std::string& macro, const std::string& use) {
        return macro + "\nint f(int i, int n) { return " + use + "; }";
    };
    for (const auto& [macro, use] : {
             std::pair{"#define M(a, b) a << b", "M(i, n)"},
             {"#define M(a, b) (a) << (b)", "M(i, n) * 2"},
             {"#define M(a, b) ((a) << b)", "M(i, n ? 33 : 1)"},
             {"#define M(a, b) (1 << (a) * b)", "M(i, n)"},
             {"#define M n & 31", "i << M"},
             {"#define M i | 1", "M << n"},
             {"#define M(a) i + (a)", "(M(n)) + (M(n) << n)"},
         }) {
        EXPECT_THAT(refusal(with_use(macro, use)), HasSubstr("--expand")) << macro;
    }
    for (const auto& [macro, use] : {
             std::pair{"#define M(a, b) ((a) << (b))", "M(i, n) * 2"},
             {"#define M(a, b) ((a) << f(b, a))", "M(i, n)"},
             {"#define M (n & 31)", "i << M"},
             {"#define M n", "i << M"},
             {"#define M(a) (a)[0]", "i << n"},
             {"#define M(a) a << 3", "M(i)"},
         }) {
        EXPECT_EQ(refusal(with_use(macro, use)), "") << macro;
    }
}

/// The operators of a macro of several bodies are there for every type.
TEST(OpenTypes, OfMacrosOfSeveralBodiesHaveAllOperators) {
    EXPECT_THAT(translate("#if A\n#define M(a) ((a) + (a))\n#else\n#define M(a) (a)\n#endif\n"
                          "float4 f(float4 a) { return M(a) * a; }")
                    .prelude,
                HasSubstr("operator+(float4"));
    EXPECT_THAT(refusal("#if A\n#define M(a) (1 ? 2.0f : (a))\n#else\n#define M(a) (a)\n#endif\n"
                        "float4 f(float4 a) { return a * M(a); }"),
                HasSubstr("what '?' gives depends on it"));
    EXPECT_THAT(refusal("#if A\ntypedef int W;\n#else\ntypedef float W;\n#endif\n"
                        "void f(__global W* w) { vload2(0, w); }"),
                HasSubstr("its pointer leads to is not known"));
}

TEST(Calls, GetConditionsAndCharactersAsInts) {
    EXPECT_THAT(
        translate("int f(int a) { return any(a < 2) + max('a', a) + abs(!a) + all((a)); }").body,
        HasSubstr("any((int)(a < 2)) + max((int)('a'), a) + unsigned_abs((int)(!a)) + "
                  "all((a))"));
    EXPECT_THAT(translate("int __attribute__((overloadable)) g(int a) { return a; }\n"
                          "char __attribute__((overloadable)) g(char a) { return a; }\n"
                          "int f(int a) { return g('a') + g(a == 1); }")
                    .body,
                HasSubstr("return g((int)('a')) + g((int)(a == 1));"));
}

TEST(Sizes, OfMacrosAreThoseOfC) {
    EXPECT_THAT(translate("#define A 'a'\n#define L(a, b) ((a) < (b))\n"
                          "uint f(int i) { return sizeof(A) + sizeof(L(i, 3)) + sizeof(i); }")
                    .body,
                HasSubstr("return sizeof(int) + sizeof(int) + sizeof(i);"));
    EXPECT_THAT(refusal("#define A 'a' + 1\nuint f(void) { return sizeof A; }"),
                HasSubstr("of a macro without parentheses"));
    EXPECT_EQ(refusal("#define A 'a'\nuint f(void) { return sizeof A + 1; }"), "");
}

TEST(Vectors, OfABoolHaveAllBits) {
    EXPECT_THAT(translate("void f(bool b, __global int4* o) { o[0] = b; o[1] = (int4)b; "
                          "o[2] = (int4)(b); o[3] = (int4)(b, b, 1, 2); o[4] = (1 < 2); }")
                    .body,
                HasSubstr("o[0] = splat_int4(-int(b)); o[1] = splat_int4(-int(b)); "
                          "o[2] = splat_int4(b); o[3] = make_int4(b, b, 1, 2); "
                          "o[4] = splat_int4((1 < 2));"));
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

TEST(Macros, ThatNameABuiltInFunctionAreExpandedFirst) {
    for (const std::string name : {"atomic_cmpxchg", "min", "fabs", "vload4"}) {
        EXPECT_EQ(refusal("#define F " + name + "\n"),
                  "x.cl:1: '" + name +
                      "': a macro that names a built-in function; run the preprocessor first "
                      "(--expand)");
    }
    EXPECT_EQ(refusal("#define F(min) 2 + min\n#define G(a) min(a, 2)\n"
                      "int f(int step) {\n#define H step\nreturn H; }"),
              "");
}

TEST(OpenTypes, OfNamesThatNothingDeclaresAreNoBusinessOfMacros) {
    const std::string advice =
        " depends on its type; give what the program that builds the file gives, with -D "
        "NAME=VALUE";
    EXPECT_EQ(refusal("float4 f() { return (float4)(SCALE); }"),
              "x.cl:1: 'SCALE': nothing declares it, and whether it fills all components of a "
              "vector" +
                  advice);
    EXPECT_EQ(refusal("int f(int n) { return abs(BIAS - 1) << n; }"),
              "x.cl:1: 'BIAS': nothing declares it, and a shift" + advice +
                  "\nx.cl:1: 'BIAS': nothing declares it, and which function is called" + advice);
    // A macro may declare it.
    EXPECT_THAT(refusal("#define D(a) float a\nfloat4 f() { D(b); return (float4)(b); }"),
                HasSubstr("run the preprocessor first (--expand)"));
}

}  // namespace
}  // namespace parallax::macros_test
