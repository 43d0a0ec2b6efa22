// Are parameter lists read as they are written?
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "mapping/tests/support.hpp"

namespace parallax::signature_test {
namespace {

using Kind = Parameter::Kind;

std::vector<Signature> read(std::string_view source, ElementType type = ElementType::f32) {
    return signatures("x.cl", source, type);
}

TEST(Signature, ReadsEveryKindOfParameter) {
    const auto found = read(
        "T f(T a) { return a; }\n"
        "__kernel __attribute__((reqd_work_group_size(8, 8, 1))) void k(__global const T4* in,\n"
        "    T const __global* restrict q, global T *out, __constant T* c, const ulong n,\n"
        "    unsigned int m, __local volatile T* s) {\n}\nkernel void none(void) {}",
        ElementType::f64);
    ASSERT_EQ(found.size(), 2U);
    EXPECT_EQ(found[0].kernel, "k");
    EXPECT_EQ(found[0].line, 2U);
    EXPECT_EQ(found[0].last_line, 5U);
    const std::vector<std::tuple<Kind, std::string, std::string, bool>> wanted{
        {Kind::global, "double4", "in", true},  {Kind::global, "double", "q", true},
        {Kind::global, "double", "out", false}, {Kind::constant, "double", "c", true},
        {Kind::scalar, "ulong", "n", false},    {Kind::scalar, "uint", "m", false},
        {Kind::local, "double", "s", false}};
    ASSERT_EQ(found[0].parameters.size(), wanted.size());
    for (std::size_t i = 0; i < wanted.size(); ++i) {
        const Parameter& p = found[0].parameters[i];
        EXPECT_EQ(std::tuple(p.kind, p.type, p.name, p.read_only), wanted[i]) << i;
    }
    EXPECT_EQ(found[1].kernel, "none");
    EXPECT_TRUE(found[1].parameters.empty());
}

TEST(Signature, ReadsImages) {
    const auto parameters =
        read(
            "__kernel void k(__read_only image2d_t a, image1d_buffer_t b, write_only image2d_t c,\n"
            "    __read_write image3d_t d) {}")[0]
            .parameters;
    const std::vector<std::tuple<Kind, std::string, std::string, bool>> wanted{
        {Kind::image, "image2d_t", "a", true},
        {Kind::image, "image1d_buffer_t", "b", true},
        {Kind::image, "image2d_t", "c", false},
        {Kind::image, "image3d_t", "d", false}};
    ASSERT_EQ(parameters.size(), wanted.size());
    for (std::size_t i = 0; i < wanted.size(); ++i) {
        const Parameter& p = parameters[i];
        EXPECT_EQ(std::tuple(p.kind, p.type, p.name, p.read_only), wanted[i]) << i;
    }
}

TEST(Signature, ATypeOfTwoBranchesIsNotKnown) {
    const auto type = [](const std::string& text) {
        return read(text + "\n__kernel void k(__global REAL* a) {}")[0].parameters[0].type;
    };
    EXPECT_EQ(type("#define REAL double"), "double");
    EXPECT_EQ(type("#ifdef A\n#define REAL double\n#elif 1\n#define REAL float\n#endif"), "REAL");
    EXPECT_EQ(read("#ifdef A\n#define G __global\n#else\n#define G global\n#endif\n"
                   "__kernel void k(G int* a) {}")[0]
                  .parameters[0]
                  .kind,
              Kind::global);
}

TEST(Signature, ReadsTheSizeThatIsRequired) {
    const auto size = [](const std::string& text) {
        return read(text + " void k() {}")[0].required;
    };
    using Size3 = std::array<unsigned, 3>;
    EXPECT_EQ(size("kernel"), Size3{});
    EXPECT_EQ(size("__kernel __attribute__((reqd_work_group_size(8, 4, 1)))"), (Size3{8, 4, 1}));
    EXPECT_EQ(size("#define T 16\nkernel __attribute__((reqd_work_group_size(T, T, 1)))"),
              (Size3{16, 16, 1}));
    EXPECT_EQ(size("kernel __attribute__((reqd_work_group_size(T, 4, 1)))"), Size3{});
}

TEST(Signature, LeavesOutPrototypes) {
    EXPECT_EQ(read("__kernel void k(int a);\n__kernel void k(int a) {}").size(), 1U);
}

TEST(Signature, ConstPointersAreNotPointersToConst) {
    EXPECT_FALSE(read("__kernel void k(__global T* const a) {}")[0].parameters[0].read_only);
}

TEST(Signature, RefusesWhatItCannotRead) {
    for (const char* list : {"__global T** a", "T* a", "__global T a", "int", "int a,",
                             "int a, , int b", "int (*f)(int)", "int a = 3"}) {
        EXPECT_THROW(read("__kernel void k(" + std::string(list) + ") {}"), Refused) << list;
    }
}

}  // namespace
}  // namespace parallax::signature_test
