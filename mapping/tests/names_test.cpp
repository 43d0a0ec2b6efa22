// Names that CUDA C++ takes, local memory whose size the launch decides, attributes, printf.
#include <algorithm>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "common/text/characters.hpp"
#include "mapping/preprocess/predefined.hpp"
#include "mapping/table/table.hpp"
#include "mapping/tests/support.hpp"

namespace parallax::names_test {
namespace {

using ::testing::HasSubstr;
using testing::refusal;
using testing::statements;
using testing::translate;

TEST(Names, OfCppKeywordsGetAnUnderscore) {
    EXPECT_EQ(translate("int new(int class) { int this = class + 1; return this; }\n"
                        "int f(int and) { return new(and); }")
                  .body,
              "__device__ int new_(int class_) { int this_ = class_ + 1; return this_; }\n"
              "__device__ int f(int and_) { return new_(and_); }");
    EXPECT_EQ(translate("struct template { int try; };\n"
                        "int f(struct template* p) { return p->try + (*p).try; }")
                  .body,
              "struct template_ { int try_; };\n"
              "__device__ int f(struct template_* p) { return p->try_ + (*p).try_; }");
    EXPECT_EQ(statements("goto catch; catch: ;"), "goto catch_; catch_: ;");
}

TEST(Names, OfEveryKeywordAndFunctionAreKnown) {
    for (const std::string name :
         {"alignas",    "and_eq",        "bitor",    "catch",     "class",        "concept",
          "const_cast", "constexpr",     "decltype", "delete",    "dynamic_cast", "explicit",
          "export",     "friend",        "mutable",  "namespace", "new",          "noexcept",
          "not",        "nullptr",       "operator", "or",        "or_eq",        "protected",
          "public",     "static_assert", "template", "this",      "thread_local", "throw",
          "typeid",     "typename",      "using",    "virtual",   "wchar_t",      "xor_eq"}) {
        EXPECT_EQ(statements("int " + name + " = 1;"), "int " + name + "_ = 1;");
    }
    for (const std::string name :
         {"acosf", "abort", "atomicCAS", "clock64", "jn", "norm4df", "rhypot", "scalbn", "sincosf",
          "tex2Dread", "umin", "ynf", "cudaFoo", "dim3", "longlong2", "ushort1", "std"}) {
        EXPECT_EQ(translate("int " + name + "(int a);").body,
                  "__device__ int " + name + "_(int a);");
    }
}

TEST(Names, StayUnique) {
    EXPECT_EQ(statements("int new = 1, new_ = 2, new__ = 3; new += new_;"),
              "int new___ = 1, new_ = 2, new__ = 3; new___ += new_;");
    EXPECT_EQ(statements("int this = 1, this_ = 2; int or = 3; this += this_ + or;"),
              "int this__ = 1, this_ = 2; int or_ = 3; this__ += this_ + or_;");
    EXPECT_EQ(translate("#define make_uint2 5\n#define make_uint2_ 6\n"
                        "uint2 f(void) { return (uint2)(make_uint2, make_uint2_); }")
                  .body,
              "#define make_uint2__ 5\n#define make_uint2_ 6\n"
              "__device__ uint2 f(void) { return make_uint2(make_uint2__, make_uint2_); }");
}

TEST(Names, OfCudasVariablesAreKeptFree) {
    EXPECT_EQ(statements("int threadIdx = get_local_id(0), dynamic_local = 1;"),
              "int threadIdx_ = size_t(threadIdx.x), dynamic_local = 1;");
    EXPECT_EQ(
        translate("__kernel void k(__local int* a) { int dynamic_local = 1; a[0] = 1; }").body,
        "extern \"C\" __global__ void k() { extern __shared__ __align__(128) unsigned char "
        "dynamic_local[]; int* a = reinterpret_cast<int*>(dynamic_local); "
        "int dynamic_local_ = 1; a[0] = 1; }");
}

TEST(Names, ThatTheTranslationWritesAreKeptFree) {
    EXPECT_EQ(statements("int choose = 1, shift_left = 2; float4 a = 1; a = a > 1 ? a : -a;"),
              "int choose_ = 1, shift_left = 2; float4 a = splat_float4(1); "
              "a = choose(a > 1, a, -a);");
    EXPECT_EQ(
        statements("int make = 1, splat_int2 = 2, a = 3; float2 b = (float2)(a, splat_int2);"),
        "int make = 1, splat_int2 = 2, a = 3; float2 b = make_float2(a, splat_int2);");
    EXPECT_EQ(statements("int a = 0, atomicAdd = 3; atomic_add(&a, atomicAdd);"),
              "int a = 0, atomicAdd_ = 3; atomicAdd(&a, atomicAdd_);");
    EXPECT_EQ(translate("float4 f(float4 v) { return v.wzyx; }").body,
              "__device__ float4 f(float4 v) { return make_float4(v.w, v.z, v.y, v.x); }");
}

TEST(Names, OfMacrosThatTheTranslationWritesFollowInConditions) {
    EXPECT_EQ(translate("#define class 3\n#if class == 3 && defined(class)\n#endif\n"
                        "#ifdef class // class\n#undef class\n#endif\n")
                  .body,
              "#define class_ 3\n#if class_ == 3 && defined(class_)\n#endif\n"
              "#ifdef class_ // class\n#undef class_\n#endif\n");
    TranslateOptions options;
    options.defines = {{"atomicAdd", "9"}};
    const Translation made = to_cuda(
        "x.cl", "#ifdef atomicAdd\nvoid f(__global int* p) { atomic_add(p, atomicAdd); }\n#endif\n",
        options);
    EXPECT_THAT(made.prelude, HasSubstr("#define atomicAdd_ 9\n"));
    EXPECT_EQ(
        made.body,
        "#ifdef atomicAdd_\n__device__ void f(int* p) { atomicAdd(p, atomicAdd_); }\n#endif\n");
}

TEST(Names, OfParametersOfMacrosAreThoseOfTheirBodies) {
    EXPECT_EQ(translate("#define V(make_int2) (int2)(make_int2, 1)\n#define SQ(x) ((x) * (x))\n"
                        "int f(int x) { return SQ(x) + get_local_id(0); }")
                  .body,
              "#define V(make_int2_) make_int2(make_int2_, 1)\n#define SQ(x) ((x) * (x))\n"
              "__device__ int f(int x) { return SQ(x) + size_t(threadIdx.x); }");
}

TEST(Names, OfMacrosThatAreComponentsAreRefused) {
    for (const std::string name : {"hi", "s0", "x", "xy"}) {
        EXPECT_THAT(refusal("#define " + name + " y\nint f(int2 a) { return a." + name + "; }"),
                    HasSubstr("'" + name + "': a macro with the name of a type or of a vector's"));
    }
    for (const std::string macro : {"x 3", "AT(x) (get_local_id(0) + (x))"}) {
        EXPECT_THAT(refusal("#define " + macro + "\nint f(void) { return get_local_id(0); }"),
                    HasSubstr("'x': a name of the file's own for a word of OpenCL C"));
    }
    EXPECT_EQ(refusal("#define x 3\nint f(void) { return x; }"), "");
}

TEST(Names, OfMacrosThatTheTranslationNeedsAreRefusedAsWordsOfOpenCl) {
    EXPECT_THAT(
        refusal("#define extern\nextern int g(int a) { return a; }\nvoid __kernel f(void) {}"),
        HasSubstr("'extern': a name of the file's own for a word of OpenCL C that the "
                  "translation needs; run the preprocessor first (--expand)"));
    EXPECT_EQ(
        refusal("#define max(a, b) ((a) > (b) ? (a) : (b))\nint f(int a) { return max(a, 1); }"),
        "");
}

TEST(Names, OfFilesDoNotMeetThoseOfThePrelude) {
    EXPECT_EQ(translate("typedef int group_add; group_add f(group_add a) {\n"
                        "return work_group_reduce_add(a); }")
                  .body,
              "typedef int group_add_; __device__ group_add_ f(group_add_ a) {\n"
              "return work_group_reduce_add(a); }");
}

TEST(Names, OfCudasFunctionsAreTakenAtFileScopeOnly) {
    EXPECT_EQ(translate("float norm3d(float a) { return a; }\n"
                        "float f(float saturate) { float j0 = norm3d(saturate); return j0; }")
                  .body,
              "__device__ float norm3d_(float a) { return a; }\n"
              "__device__ float f(float saturate) { float j0 = norm3d_(saturate); return j0; }");
    EXPECT_EQ(translate("void atomicAdd(__global float* p) { *p += 1; }").body,
              "__device__ void atomicAdd_(float* p) { *p += 1; }");
    EXPECT_EQ(translate("enum { j0, y0 = 3, free };\nint f(void) { return free; }").body,
              "enum : int { j0_, y0_ = 3, free_ };\n__device__ int f(void) { return free_; }");
    EXPECT_EQ(translate("typedef float float1;\nfloat1 f(float1 a) { return a; }").body,
              "typedef float float1_;\n__device__ float1_ f(float1_ a) { return a; }");
    EXPECT_EQ(translate("__constant float norm[2] = {1, 2};").body,
              "__constant__ float norm_[2] = {1, 2};");
}

// A word that is renamed in one meaning is renamed in all.
TEST(Names, OfMembersFollow) {
    EXPECT_EQ(
        translate("struct S { float norm; };\nfloat norm(struct S s) { return s.norm; }").body,
        "struct S { float norm_; };\n__device__ float norm_(struct S s) { return s.norm_; }");
    EXPECT_EQ(translate("struct S { float norm; };\nfloat f(struct S s) { return s.norm; }").body,
              "struct S { float norm; };\n__device__ float f(struct S s) { return s.norm; }");
}

TEST(Names, OfMacrosAndTheirParametersFollow) {
    EXPECT_EQ(translate("#define F(new, b) ((new) + b)\nint f(int new) { return F(3, new); }").body,
              "#define F(new_, b) ((new_) + b)\n__device__ int f(int new_) { return F(3, new_); }");
    EXPECT_EQ(translate("# define class /*a*/ 4\nint f(void) { return class; }").body,
              "# define class_ /*a*/ 4\n__device__ int f(void) { return class_; }");
    EXPECT_EQ(translate("#define export\nexport void f(void) {}").body,
              "#define export_\n__device__ export_ void f(void) {}");
}

TEST(Names, OfIntrinsicsAreChanged) {
    EXPECT_EQ(
        translate("uint __popc(uint a) { return a; } __constant int __clz = 1;\n"
                  "struct S { int a; } __attribute__((__packed__, __aligned__(4)));\n"
                  "uint f(uint __expf) { return __popc(__clz) + __expf; }")
            .body,
        "__device__ unsigned int __popc_(unsigned int a) { return a; } "
        "__constant__ int __clz_ = 1;\n"
        "struct __attribute__((packed)) __align__(4) S { int a; };\n"
        "__device__ unsigned int f(unsigned int __expf) { return __popc_(__clz_) + __expf; }");
}

TEST(Names, OfKernelsCannotChange) {
    EXPECT_THAT(refusal("__kernel void delete(void) {}"),
                HasSubstr("x.cl:1: 'delete': a word of CUDA C++"));
    EXPECT_THAT(refusal("__kernel void memcpy(void) {}"), HasSubstr("'memcpy'"));
}

TEST(Kernels, AreFoundByTheirNamesWhateverMakesThem) {
    EXPECT_EQ(translate("#define KERNEL __kernel\nKERNEL void f(void) {}").body,
              "#define KERNEL extern \"C\" __global__\nKERNEL void f(void) {}");
    EXPECT_EQ(translate("#define EMPTY\nEMPTY kernel void f(void) {}").body,
              "#define EMPTY\nextern \"C\" EMPTY __global__ void f(void) {}");
    EXPECT_EQ(translate("void __kernel f(void) {}").body,
              "extern \"C\" void __global__ f(void) {}");
}

TEST(LocalParameters, MayStandAnywhere) {
    EXPECT_EQ(translate("__kernel void f(__local int* a, int b) { a[0] = b; }").body,
              "extern \"C\" __global__ void f(int b) { extern __shared__ __align__(128) unsigned "
              "char dynamic_local[]; int* a = reinterpret_cast<int*>(dynamic_local); a[0] = b; }");
    EXPECT_EQ(translate("__kernel void f(int b, /*x*/ __local int* a /*y*/, // z\nint c) { }").body,
              "extern \"C\" __global__ void f(int b /*x*/  /*y*/, // z\nint c) { extern __shared__ "
              "__align__(128) unsigned char dynamic_local[]; int* a = "
              "reinterpret_cast<int*>(dynamic_local); }");
}

TEST(LocalParameters, BehindTheFirstSayWhereTheyBegin) {
    EXPECT_EQ(translate("__kernel void f(__local int* a, __local float4* restrict b, int n,\n"
                        "local uchar *new) { }")
                  .body,
              "extern \"C\" __global__ void f(unsigned int b_at, int n,\nunsigned int new__at) { "
              "extern __shared__ __align__(128) unsigned char dynamic_local[]; "
              "int* a = reinterpret_cast<int*>(dynamic_local); "
              "float4* __restrict__ b = reinterpret_cast<float4*>(dynamic_local + b_at); "
              "unsigned char * new_ = reinterpret_cast<unsigned char *>(dynamic_local + new__at); "
              "}");
}

TEST(FileScope, DataLiesInGlobalMemory) {
    EXPECT_EQ(translate("__global int a;").body, "__device__ int a;");
    EXPECT_EQ(translate("int a = 1;").body, "__device__ int a = 1;");
    EXPECT_EQ(translate("const float a[] = {1, 2};").body, "__device__ const float a[] = {1, 2};");
    EXPECT_EQ(translate("struct S { int a; } s;").body, "__device__ struct S { int a; } s;");
    EXPECT_EQ(translate("static __constant int a = 1;").body, "static __constant__ int a = 1;");
}

TEST(Strings, StandInArraysOfCharacters) {
    EXPECT_EQ(translate("__constant char a[] = \"ab\";").body,
              "__constant__ signed char a[] = \"ab\";");
    EXPECT_THAT(refusal("void f(int a) { a = \"ab\"; }"), HasSubstr("Only printf and arrays"));
}

TEST(Assembly, StaysButForTheExpressionsInIt) {
    EXPECT_EQ(statements("int c; int4 v; __asm__ __volatile__(\"dp4a.s32.s32\\t%0,%1,%2,%3;\" : "
                         "\"=r\"(c) : \"r\"(v.s0), \"r\"(v.w), \"r\"(c) : \"memory\");"),
              "int c; int4 v; asm volatile(\"dp4a.s32.s32\\t%0,%1,%2,%3;\" : "
              "\"=r\"(c) : \"r\"(v.x), \"r\"(v.w), \"r\"(c) : \"memory\");");
    EXPECT_EQ(statements("asm(\"bar.sync 0;\");"), "asm(\"bar.sync 0;\");");
}

TEST(Sizes, OfComparisonsAndCharactersAreThoseOfC) {
    EXPECT_EQ(statements("int a = sizeof('a') + sizeof(a == 1) + sizeof !a + sizeof(a);"),
              "int a = sizeof(int) + sizeof(int) + sizeof (int) + sizeof(a);");
}

TEST(Names, OfTypesThatOpenClOnlyReserves) {
    EXPECT_EQ(translate("typedef float2 complex; complex f(complex a) { return a; }").body,
              "typedef float2 complex; __device__ complex f(complex a) { return a; }");
}

TEST(Attributes, AreTranslatedOrLeftOut) {
    EXPECT_EQ(statements("__attribute__((aligned(16))) int a[4];"), "__align__(16) int a[4];");
    EXPECT_EQ(
        translate("typedef struct { char a; int b; } __attribute__((packed, aligned(8))) P;").body,
        "typedef struct __attribute__((packed)) __align__(8) { signed char a; int b; } P;");
    EXPECT_EQ(statements("__attribute__((opencl_unroll_hint(4))) for (;;) ;"),
              "_Pragma(\"unroll 4\") for (;;) ;");
    EXPECT_EQ(statements("__attribute__((opencl_unroll_hint)) for (;;) ;"),
              "_Pragma(\"unroll\") for (;;) ;");
    EXPECT_EQ(translate("__attribute__((always_inline, __pure__)) int f(void) { return 1; }").body,
              "__device__ int f(void) { return 1; }");
    EXPECT_EQ(translate("__kernel __attribute__((vec_type_hint(float4))) void f(void) {}").body,
              "extern \"C\" __global__ void f(void) {}");
    EXPECT_EQ(
        translate("__kernel __attribute__((intel_reqd_sub_group_size(32))) void f(void) {}").body,
        "extern \"C\" __global__ void f(void) {}");
    EXPECT_THAT(refusal("__kernel __attribute__((intel_reqd_sub_group_size(16))) void f(void) {}"),
                HasSubstr("warps have 32 threads"));
    EXPECT_THAT(refusal("__attribute__((endian(host))) int f(int a) { return a; }"),
                HasSubstr("'endian': This attribute is not translated"));
}

TEST(Printf, HasFormatsOfCuda) {
    EXPECT_EQ(statements("printf(\"%d %5.2f %x %c %s %%\", 1, 2.0, 3, 4, p);"),
              "printf(\"%d %5.2f %x %c %s %%\", 1, 2.0, 3, 4, p);");
    EXPECT_EQ(statements("printf(\"%ld %-8lu %%ld %hhd %lx\", a, b, c, d);"),
              "printf(\"%lld %-8llu %%ld %hhd %llx\", a, b, c, d);");
    EXPECT_EQ(statements("printf(\"%d%d%d%d\" \"%d%d%d%d%ld\", 1, 2, 3, 4, 5, 6, 7, 8, 9L);"),
              "printf(\"%d%d%d%d\" \"%d%d%d%d%lld\", 1, 2, 3, 4, 5, 6, 7, 8, 9LL);");
    EXPECT_EQ(statements("printf(\"%s %d\", \"%ld\", 3);"), "printf(\"%s %d\", \"%ld\", 3);");
    for (const char* format : {"%v4f", "%2.2v4hlf", "%v2d", "%hld"}) {
        EXPECT_THAT(refusal("void f(float4 a) { printf(\"" + std::string(format) + "\", a); }"),
                    HasSubstr("Print the components"))
            << format;
    }
}

TEST(Names, OfTheTablesMacrosAreAmongThoseThatMayBePredefined) {
    for (const MappingRule& row : mapping_table()) {
        if (row.topic != "constants" && row.topic != "macros") continue;
        for (const Spelling& one : spellings_of(row)) {
            const bool is_name = std::ranges::all_of(one.opencl, is_word_character);
            EXPECT_TRUE(!is_name || may_be_predefined(one.opencl)) << one.opencl;
        }
    }
}

/// Behind the members CUDA's compiler ignores them, with a warning at most.
TEST(Attributes, OfStructsStandBeforeTheirMembers) {
    EXPECT_EQ(translate("struct S { int a; } __attribute__((aligned(32)));").body,
              "struct __align__(32) S { int a; };");
    EXPECT_EQ(translate("typedef struct { int a; } S __attribute__((aligned(32)));").body,
              "typedef struct __align__(32) { int a; } S;");
    EXPECT_EQ(translate("union __attribute__((packed)) U { int a; };").body,
              "union __attribute__((packed)) U { int a; };");
}

TEST(Calls, OfFloatsTakeWholeNumbersAsFloats) {
    EXPECT_THAT(translate("float f(float a, int n) { return pow(a, n) + fmax(a, 2); }").body,
                HasSubstr("return pow(a, (float)(n)) + fmax(a, (float)(2));"));
}

TEST(Calls, OfNativeFunctionsAreOfFloat) {
    EXPECT_THAT(translate("float f(double a) { return native_rsqrt(a); }").prelude,
                HasSubstr("float native_rsqrt(float a)"));
}

TEST(Names, OfTagsThatAreTypesOfCudaAreChanged) {
    EXPECT_EQ(
        translate("struct dim3 { int a; }; union int1 { int b; }; enum __attribute__((packed)) "
                  "long1 { A };\nint f(struct dim3* p, enum long1 e) { struct dim3* q = "
                  "(void*)p; return q->a + sizeof(union int1) + e; }")
            .body,
        "struct dim3_ { int a; }; union int1_ { int b; }; enum "
        ": int { A };\n__device__ int f(struct dim3_* p, unsigned char e) { struct "
        "dim3_* q = (dim3_*)((void*)p); return q->a + sizeof(union int1_) + e; }");
    EXPECT_EQ(translate("void f() { struct S { int dim3; } s; }").body,
              "__device__ void f() { struct S { int dim3; } s; }");
}

}  // namespace
}  // namespace parallax::names_test
