// Tests what a mangled name says of a kernel.
#include "common/text/demangled.hpp"

#include <gmock/gmock.h>

namespace parallax {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

TEST(Demangled, AFunctionHasItsNameAndItsParametersTypes) {
    const FunctionName plain = demangled("_Z5saxpyifPKfPf");
    EXPECT_EQ(plain.name, "saxpy");
    EXPECT_THAT(plain.parameters, ElementsAre("int", "float", "float const*", "float*"));
    const FunctionName instance = demangled("_ZN3gpu5scaleIfLi4EEEvPT_i");
    EXPECT_EQ(instance.name, "scale") << "its namespace and template arguments are left out";
    EXPECT_THAT(instance.parameters, ElementsAre("float*", "int"));
    const FunctionName nested = demangled("_Z4walkIN3gpu4PairIifEEEvPFiPKcEPT_");
    EXPECT_EQ(nested.name, "walk");
    EXPECT_THAT(nested.parameters, ElementsAre("int (*)(char const*)", "gpu::Pair<int, float>*"));
    EXPECT_THAT(demangled("_Z4nonev").parameters, IsEmpty());
}

TEST(Demangled, OtherNamesStayAsTheyAre) {
    for (const char* name : {"saxpy", "_Z!", "i", "", "_Z"}) {
        EXPECT_EQ(demangled(name).name, name);
        EXPECT_THAT(demangled(name).parameters, IsEmpty());
    }
}

TEST(Demangled, APointerLeadsToAScalarOrToAVectorsComponents) {
    const auto of = [](const char* parameter) { return std::string(pointee_of(parameter).name); };
    EXPECT_EQ(of("float const*"), "float");
    EXPECT_EQ(of("unsigned long long*"), "ulong");
    EXPECT_EQ(of("uchar4*"), "uchar");
    EXPECT_EQ(of("float3 const* __restrict__"), "float");
    EXPECT_EQ(of("__half*"), "half");
    for (const char* other : {"int", "float**", "Pair*", "void*", "float5*", "*", "", "4*"})
        EXPECT_EQ(of(other), "") << other;
    EXPECT_EQ(pointee_of("double*").bytes, 8U);
}

}  // namespace
}  // namespace parallax
