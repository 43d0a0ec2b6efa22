// Tests behaviour that OpenCL leaves undefined although the translated source defines it, and
// limits of GPUs: OpenCL C kernels on both host devices.
#include <cmath>
#include <limits>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "backends/host/tests/launched.hpp"
#include "common/error.hpp"

namespace parallax::host::undefined_test {
namespace {

using namespace host::test;
using ::testing::HasSubstr;

/// Kernels of one OpenCL source, `k0`, `k1`, ..., each after the given first lines; body `n` is
/// line `n + 1`, past the first of `before`.
class Portable {
public:
    explicit Portable(const std::vector<std::string>& bodies, const std::string& before = "") {
        program_ = {.name = "k.cl", .source = before, .type = {}};
        for (std::size_t i = 0; i < bodies.size(); ++i) {
            program_.source += fmt::format(
                "__kernel void k{}(__global const float* x, __global int* y, __global uint* z, "
                "__local float* t) {{ const int i = get_global_id(0); {} }}\n",
                i, bodies[i]);
        }
    }
    /// The error of a launch with 32 work-items: `x` counts from -4 by 0.5, `y` and `z` from 0.
    std::string complaint(std::size_t which, unsigned index) const {
        const auto device = entries().at(index).open();
        try {
            HostArray x(ElementType::f32, 256), y(ElementType::i32, 256), z(ElementType::u32, 256);
            for (std::size_t i = 0; i < 256; ++i) {
                x.as<float>()[i] = static_cast<float>(i) / 2 - 4;
                y.as<std::int32_t>()[i] = static_cast<std::int32_t>(i);
                z.as<std::uint32_t>()[i] = static_cast<std::uint32_t>(i);
            }
            const Command command{Dispatch{
                device->compile(program_, fmt::format("k{}", which)),
                {{1, 1, 1}, {32, 1, 1}},
                {device->upload(x), device->upload(y), device->upload(z), LocalBytes{512}}}};
            device->run(std::span(&command, 1));
        } catch (const BuildFailed& error) {
            return error.what() + error.log;
        } catch (const Error& error) {
            return error.what();
        }
        return {};
    }

private:
    Program program_;
};

TEST(Undefined, EndsTheLaunchWithItsLine) {
    if (entries().size() < 2) GTEST_SKIP() << "the system's compiler has no sanitizers";
    const char* const cast = "a number that the type it becomes does not hold";
    const char* const mul = "mul24() of a number that 24 bits do not hold";
    const char* const clamps = "clamp() with a lower bound above the upper one";
    const char* const steps = "smoothstep() whose first edge is not below the second";
    const char* const copies = "an asynchronous copy whose arguments differ";
    const std::pair<std::string, const char*> all[] = {
        {"z[i] = (uint)x[i];", cast},
        {"z[i] = (uchar)(x[i] + 300.0f);", cast},
        {"y[i] = (int)(x[i] * 1e10f);", cast},
        {"y[i] = convert_uchar(x[i]);", cast},
        {"y[i] = (short)(x[i] * 1e5f);", cast},
        {"y[i] = x[i] * 1e10f;", cast},
        {"y[i] = (int)sqrt(x[i]);", cast},  // a NaN
        {"z[i] = convert_ushort4((float4)(x[i])).y;", cast},
        {"y[i] = (int)x[i];", ""},
        {"__local half h[32]; vstore_half(x[i], i, h); barrier(CLK_LOCAL_MEM_FENCE); "
         "y[i] = vload_half(31 - i, h);",
         ""},
        {"y[i] = convert_uchar_sat(x[i] * 1e10f) + convert_int_sat(x[i] * 1e10f);", ""},
        {"y[i] = convert_char4_sat_rte((float4)(x[i] * 1e10f)).x;", ""},
        {"z[i] = (uchar)fabs(x[i]);", ""},
        {"z[i] = (uchar)(y[i] + 300);", ""},
        {"y[i] = mul24(y[i] << 20, 3);", mul},
        {"y[i] = mul24(3, -y[i] << 20);", mul},
        {"z[i] = mul24(z[i] << 20, 3u);", mul},
        {"z[i] = mad24(z[i] << 20, 3u, 1u);", mul},
        {"y[i] = mad24(7, y[i] << 20, y[i]);", mul},
        {"y[i] = mul24(0x7fffff, y[i]) + mul24(-0x800000, y[i]) + mad24(y[i], y[i], y[i] << 25);",
         ""},
        {"z[i] = mul24(get_local_id(0), get_local_size(0)) + mul24((long)i, (long)-2);", ""},
        {"z[i] = mul24(get_local_id(0) << 40, get_local_size(0));", mul},
        {"z[i] = mul24(0xffffffu, z[i]) + mul24((uint4)(z[i]), (uint4)(z[i])).x;", ""},
        {"const short s = (short)i; y[i] = mul24(s, s) + mad24((int3)(i), (int3)(2), (int3)(i)).z;",
         ""},
        {"y[i] = clamp(y[i], 5, 4);", clamps},
        {"z[i] = clamp(z[i], 5u, 4u);", clamps},
        {"y[i] = clamp((int4)(y[i]), (int4)(1, 2, 3, 4), (int4)(2, 3, 2, 5)).x;", clamps},
        {"t[i] = clamp(x[i], 1.0f, x[i]);", clamps},
        {"t[i] = clamp((float2)(x[i]), 1.0f, 0.5f).x;", clamps},
        {"y[i] = clamp(y[i], 4, 4) + clamp((int4)(y[i]), 1, 2).x; t[i] = clamp(x[i], -1.0f, 0.0f);",
         ""},
        {"t[i] = smoothstep(1.0f, 1.0f, x[i]);", steps},
        {"t[i] = smoothstep((float4)(2.0f), (float4)(1.0f), (float4)(x[i])).x;", steps},
        {"t[i] = smoothstep(1.0f, 2.0f, x[i]);", ""},
        {"event_t e = async_work_group_copy(t, x, i < 9 ? 16 : 17, 0); wait_group_events(1, &e);",
         copies},
        {"event_t e = async_work_group_copy(t + i % 2, x, 16, 0); wait_group_events(1, &e);",
         copies},
        {"event_t e = async_work_group_strided_copy(t, x, 16, 1 + i / 31, 0); "
         "wait_group_events(1, &e);",
         copies},
        {"event_t e = async_work_group_copy(t, x, 16, 0); "
         "e = async_work_group_strided_copy(t + 32, x + 3, 8, 2, e); wait_group_events(1, &e); "
         "e = async_work_group_copy(t, x + 32, 16, 0); wait_group_events(1, &e);",
         ""}};
    std::vector<std::string> bodies;
    for (const auto& [body, said] : all) bodies.push_back(body);
    const Portable kernels(bodies);
    for (std::size_t i = 0; i < bodies.size(); ++i) {
        const std::string said = kernels.complaint(i, 1);
        if (*all[i].second) {
            EXPECT_THAT(said, HasSubstr(fmt::format("k.cl:{}: {}", i + 1, all[i].second)))
                << bodies[i];
        } else {
            EXPECT_EQ(said, "") << bodies[i];
        }
    }
}

// The access is in the prelude, but the reported line is the kernel's.
TEST(Lines, AreTheKernelsOwnWhereThePreludeFails) {
    if (entries().size() < 2) GTEST_SKIP() << "the system's compiler has no sanitizers";
    const std::string vectors = "__global float4* v = (__global float4*)y; ";
    const std::vector<std::string> bodies{
        "vstore4((float4)(x[i]), i + 60, (__global float*)y);",
        "float4 v = vload4(i + 60, x); y[i] = v.x;",
        "y[i] = vload3(i + 90, y).z;",
        "y[i] = vload_half(i + 512, (__global const half*)x);",
        "y[i] = vloada_half4(i + 128, (__global const half*)x).x;",
        "vstore_half(x[i], i + 512, (__global half*)y);",
        "vstorea_half4((float4)(x[i]), i + 128, (__global half*)y);",
        vectors + "v[i + 60].xz = (float2)(1.0f);",
        vectors + "y[i] = v[i + 60].zyx.x;",
        vectors + "v[i + 60] += (float4)(1.0f);",
        vectors + "v[i + 60]++;",
        vectors + "v[i + 60].hi *= 2.0f;",
        "y[i] = remquo(x[i], 2.0f, y + i + 256);",
        "y[i + 256] <<= i;",
        "atomic_add(y + i + 256, 1);",
        "atomic_max(z + i + 256, 1u);",
        "atomic_cmpxchg(y + i + 256, 1, 2);",
        "float c; y[i] = sincos(x[i], (__global float*)y + i + 256) > c;",
        "y[i] = fract(x[i], (__global float*)y + i + 256) > 0.5f;",
        "y[i] = frexp(x[i], y + i + 256);",
        "event_t e = async_work_group_copy(t + 100, x, 64, 0); wait_group_events(1, &e);",
        "event_t e = async_work_group_strided_copy(t, x, 64, 9, 0); wait_group_events(1, &e);",
        "PAST(i);",
        "past(y, i);"};
    // A generated line under the kernel's file name would be one of the first lines.
    const Portable kernels(bodies,
                           "#define PAST(i) \\\n    atomic_inc(y + (i) + 256)\n"
                           "void past(__global int* y, int i) { atomic_inc(y + i + 256); }\n" +
                               std::string(40, '\n'));
    for (std::size_t i = 0; i < bodies.size(); ++i) {
        const std::size_t line = bodies[i] == "past(y, i);" ? 3 : i + 44;
        EXPECT_THAT(kernels.complaint(i, 1), HasSubstr(fmt::format(": k.cl:{}: it ", line)))
            << bodies[i];
    }
}

TEST(Lines, AreThoseOfABarrierThatSomeNeverReach) {
    const Portable kernels(
        {"if (i > 3) barrier(CLK_LOCAL_MEM_FENCE);", "if (i == 3) return; y[i] = whole_group(i);"},
        "int whole_group(int i) { barrier(CLK_LOCAL_MEM_FENCE); return i; } ");
    for (unsigned index = 0; index < entries().size(); ++index) {
        EXPECT_THAT(kernels.complaint(0, index), HasSubstr(": k.cl:1: 28 items wait at a barrier"));
        EXPECT_THAT(kernels.complaint(1, index), HasSubstr(": k.cl:1: 31 items wait at a barrier"));
    }
}

TEST(Constants, BeyondWhatCudaTakesAreRefused) {
    const Portable kernels({"y[i] = table[i];"}, "__constant float table[16385] = {1.0f};\n");
    for (unsigned index = 0; index < entries().size(); ++index)
        EXPECT_THAT(kernels.complaint(0, index), HasSubstr("has 65540 bytes of constant data"));
    const Portable right({"y[i] = table[i] + more[0];"},
                         "__constant float table[16380] = {1.0f}; __constant int more[4] = {2};\n");
    for (unsigned index = 0; index < entries().size(); ++index)
        EXPECT_EQ(right.complaint(0, index), "");
}

}  // namespace
}  // namespace parallax::host::undefined_test
