// Words of CUDA, of the prelude and of concepts that lead to rows of the translator's table.
#include "mapping/table/host_rows.hpp"

namespace parallax {
namespace {

constexpr KernelWords words[] = {
    {"__kernel", "kernel function, __global__, entry point"},
    {"T f()", "__device__, device function, __host__, __forceinline__, __noinline__"},
    {"get_global_id($)", "blockIdx, threadIdx, global index, thread index"},
    {"get_global_size($)", "gridDim, grid-stride loop"},
    {"__attribute__((reqd_work_group_size($, $, $)))", "__launch_bounds__, __maxnreg__"},
    {"__global", "global address space, generic pointer"},
    {"__local", "__shared__, static shared memory"},
    {"__local T* p)", "dynamic_local, extern __shared__, dynamic shared memory in a kernel"},
    {"__constant", "__constant__, constant address space"},
    {"restrict", "__restrict__, __ldg, aliasing, read-only cache"},
    {"__attribute__((aligned($)))", "__align__, alignas, alignment of local arrays"},
    {"(T4)($, $, $, $)",
     "make_*4, make_float4, float4, int4, uint4, double4, vector literal, vector types"},
    {"(T2)($, $)", "make_*2, float2, int2, uint2, double2"},
    {"T4 + T4", "float4, int4, uint4, double4, float2, int2, uint2, double2, vector arithmetic"},
    {"(T4)($)", "splat_*"},
    {"T4.xz", "swizzle, swizzle_*, component selection"},
    {"T4.xz = T2", "set_*"},
    {"T4 ? T4 : T4", "choose"},
    {"T << n", ">>, shift_left, shift_right, shift_left_assign, shift_right_assign, shift"},
    {"#pragma unroll", "opencl_unroll_hint, loop unrolling"},
    {"barrier(CLK_LOCAL_MEM_FENCE)", "block barrier, group barrier"},
    {"mem_fence($)", "__threadfence, memory fence, fence"},
    {"atomic_add($, $)", "atomic, atomics, read-modify-write, atomicAdd_block, atomicAdd_system"},
    {"atomic_cmpxchg($, $, $)", "compare and swap, CAS"},
    {"atomic_inc($)", "atomicInc"},
    {"atomic_dec($)", "atomicDec"},
    {"sub_group_shuffle($, $)", "__shfl_sync, warp shuffle, shuffle across lanes"},
    {"sub_group_shuffle_xor($, $)", "__shfl_xor_sync"},
    {"sub_group_shuffle_up($, $)", "__shfl_up_sync"},
    {"sub_group_shuffle_down($, $)", "__shfl_down_sync"},
    {"sub_group_ballot($)", "__ballot_sync, __activemask, vote"},
    {"sub_group_all($)", "__all_sync"},
    {"sub_group_any($)", "__any_sync"},
    {"sub_group_barrier($)", "__syncwarp"},
    {"sub_group_reduce_add($)", "__reduce_add_sync, warp reduction"},
    {"get_sub_group_local_id()", "lane, lane id, laneid"},
    {"async_work_group_copy($, $, $, $)", "memcpy_async, asynchronous copy to local memory"},
    {"popcount($)", "__popc, __popcll"},
    {"clz($)", "__clz, __clzll, leading zeros"},
    {"mul24($, $)", "__mul24, __umul24"},
    {"mul_hi($, $)", "__mulhi, __umulhi"},
    {"as_int($)", "__float_as_int, reinterpret, bit cast"},
    {"as_float($)", "__int_as_float"},
    {"convert_int_rte($)", "__float2int_rn, rounding mode of a conversion"},
    {"native_exp($)", "__expf, intrinsic, fast approximation"},
    {"native_sin($)", "__sinf"},
    {"native_cos($)", "__cosf"},
    {"native_divide($, $)", "__fdividef"},
    {"fma($, $, $)", "fmaf, __fmaf_rn, fused multiply-add in a kernel"},
    {"asm, __asm, __asm__", "inline PTX, asm volatile"},
    {"read_only image2d_t", "tex2D, read_imagef, image read"},
};

}  // namespace

std::span<const KernelWords> kernel_words() {
    return words;
}

}  // namespace parallax
