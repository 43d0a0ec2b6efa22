// The built-in functions and their result types.
#include "mapping/analyze/builtins.hpp"

#include <vector>

#include <gtest/gtest.h>

namespace parallax::builtins_test {
namespace {

/// Types by their names; `*` at the end for pointers, `?` for an unknown one.
std::string result(std::string_view function, const std::vector<std::string_view>& arguments) {
    std::vector<ArgumentType> types;
    for (std::string_view name : arguments) {
        const bool pointer = name.ends_with('*');
        if (pointer) name.remove_suffix(1);
        types.push_back({value_type_named(name).value_or(ValueType{}), pointer});
    }
    return name_of(result_of(function, types));
}

TEST(Builtins, GiveTheTypeOfTheVectorAmongTheArguments) {
    EXPECT_EQ(result("exp", {"float4"}), "float4");
    EXPECT_EQ(result("fmax", {"float4", "float"}), "float4");
    EXPECT_EQ(result("step", {"float", "float3"}), "float3");
    EXPECT_EQ(result("smoothstep", {"double", "double", "double8"}), "double8");
    EXPECT_EQ(result("clamp", {"?", "int4", "int4"}), "");
    EXPECT_EQ(result("clamp", {"int4", "?", "?"}), "int4");
    EXPECT_EQ(result("rotate", {"uchar16", "uchar16"}), "uchar16");
}

TEST(Builtins, GiveTheLargerFloatOfScalars) {
    EXPECT_EQ(result("pow", {"float", "int"}), "float");
    EXPECT_EQ(result("fmax", {"int", "float"}), "float");
    EXPECT_EQ(result("fmax", {"float", "double"}), "double");
    EXPECT_EQ(result("min", {"uchar", "uchar"}), "uchar");
    EXPECT_EQ(result("fma", {"float", "?", "float"}), "");
    EXPECT_EQ(result("exp", {"?"}), "");
}

TEST(Builtins, GiveOtherTypesWhereTheFunctionSaysSo) {
    EXPECT_EQ(result("dot", {"float4", "float4"}), "float");
    EXPECT_EQ(result("length", {"double3"}), "double");
    EXPECT_EQ(result("cross", {"float3", "float3"}), "float3");
    EXPECT_EQ(result("ilogb", {"double2"}), "int2");
    EXPECT_EQ(result("abs", {"char4"}), "uchar4");
    EXPECT_EQ(result("abs_diff", {"long", "long"}), "ulong");
    EXPECT_EQ(result("upsample", {"short2", "ushort2"}), "int2");
    EXPECT_EQ(result("nan", {"ulong2"}), "double2");
    EXPECT_EQ(result("isnan", {"double4"}), "long4");
    EXPECT_EQ(result("isless", {"float", "float"}), "int");
    EXPECT_EQ(result("any", {"int4"}), "int");
    EXPECT_EQ(result("sincos", {"float2", "float2*"}), "float2");
    EXPECT_EQ(result("fract", {"float", "float*"}), "float");
    EXPECT_EQ(result("ldexp", {"float4", "int"}), "float4");
    EXPECT_EQ(result("select", {"float4", "float4", "int4"}), "float4");
    EXPECT_EQ(result("shuffle", {"float4", "uint8"}), "float8");
    EXPECT_EQ(result("shuffle2", {"float4", "float4", "uint2"}), "float2");
}

TEST(Builtins, GiveWhatTheirNamesSay) {
    EXPECT_EQ(result("vload4", {"int", "uchar*"}), "uchar4");
    EXPECT_EQ(result("vload4", {"int", "?*"}), "");
    EXPECT_EQ(result("vload_half", {"int", "half*"}), "float");
    EXPECT_EQ(result("vloada_half16", {"int", "half*"}), "float16");
    EXPECT_EQ(result("convert_int4", {"float4"}), "int4");
    EXPECT_EQ(result("convert_uchar16_sat_rte", {"?"}), "uchar16");
    EXPECT_EQ(result("as_double", {"long"}), "double");
    EXPECT_EQ(result("get_global_id", {"int"}), "ulong");
    EXPECT_EQ(result("get_local_linear_id", {}), "ulong");
    EXPECT_EQ(result("get_sub_group_size", {}), "uint");
    EXPECT_EQ(result("read_imagef", {"?", "?", "int2"}), "float4");
    EXPECT_EQ(result("read_imageui", {}), "uint4");
    EXPECT_EQ(result("atomic_inc", {"ulong*"}), "ulong");
    EXPECT_EQ(result("atom_cmpxchg", {"int*", "int", "int"}), "int");
    EXPECT_EQ(result("atomic_fetch_add_explicit", {"uint*", "int", "?"}), "uint");
    EXPECT_EQ(result("atomic_compare_exchange_strong", {"int*", "int*", "int"}), "bool");
    EXPECT_EQ(result("work_group_reduce_add", {"float"}), "float");
    EXPECT_EQ(result("sub_group_shuffle_xor", {"double", "uint"}), "double");
    EXPECT_EQ(result("barrier", {"uint"}), "");
    EXPECT_EQ(result("vstore4", {"float4", "int", "float*"}), "");
}

TEST(Builtins, AreKnownByName) {
    for (const char* name :
         {"exp", "native_exp", "vstore3", "vstorea_half8_rte", "vstore_half", "convert_half2_rtz",
          "as_uchar4", "write_imagef", "enqueue_kernel", "get_work_dim", "mad24", "bitselect"}) {
        EXPECT_TRUE(is_builtin_function(name)) << name;
    }
    for (const char* name :
         {"expf", "vload5", "vstore", "convert_", "convert_foo", "as_int5", "vload_half5",
          "convert_size_t", "as_int_sat", "", "atomicAdd", "vstorea_half", "half_sinpi"}) {
        EXPECT_FALSE(is_builtin_function(name)) << name;
        EXPECT_EQ(result(name, {"int4"}), "") << name;
    }
}

}  // namespace
}  // namespace parallax::builtins_test
