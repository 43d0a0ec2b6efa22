// Rows that are read from CUDA to OpenCL C alone.
#pragma once

#include "mapping/table/mapping_rule.hpp"

namespace parallax::row_lists {

inline constexpr std::string_view as_in_float =
    "CUDA's name for the function of float; OpenCL C has one name for all types. How exact it is "
    "says the row of that name.";

inline constexpr std::string_view converts_in_range =
    "CUDA takes a value beyond the type to its largest or smallest one and NaN to 0, as _sat does.";

inline constexpr std::string_view converts_nan =
    "CUDA takes a value beyond the type to its largest or smallest one, as _sat does, and NaN to the "
    "number whose highest bit alone is set, where _sat gives 0: it is written out, as a function of "
    "its own.";

inline constexpr std::string_view takes_sub_groups =
    "A warp's lanes as such: OpenCL C 1.2 has none, sub-groups are optional and of any size, and "
    "beyond the last lane they give nothing where CUDA gives the own value. Write it with __shared__ "
    "memory and __syncthreads(), or, for NVIDIA's devices alone, give --dialect nvidia.";

inline constexpr std::string_view texture_is_two =
    "The texture object is an image and a sampler, both parameters: the sampler says what CUDA's "
    "host says by cudaTextureDesc. The type of the texels chooses f, i or ui, and the components.";

inline constexpr std::string_view surface_is_image =
    "The surface object is an image that a kernel either reads or writes. CUDA counts bytes in the "
    "first direction, OpenCL texels. The type of the texels chooses f, i or ui.";

inline constexpr MappingRule kernel_from_cuda[] = {
    // Work-items.
    {"(uint)get_local_id($)", "threadIdx.$",
     "32 bits and unsigned in CUDA, a size_t in OpenCL: the conversion keeps arithmetic with it as "
     "it is in CUDA."},
    {"(uint)get_group_id($)", "blockIdx.$", "The index of the block (work-group), in 32 bits."},
    {"(uint)get_local_size($)", "blockDim.$", "Threads of a block in one dimension, in 32 bits."},
    {"(uint)get_num_groups($)", "gridDim.$", "Blocks of the launch, in 32 bits."},
    {"(uint)get_global_id($)", "blockIdx.$ * blockDim.$ + threadIdx.$",
     "The global index, cut off at 32 bits as CUDA's arithmetic does it. The launch has no offset."},
    {"32", "warpSize", "On every CUDA device. OpenCL's sub-groups may be of other sizes.", nearly},
    // Memory.
    {"(*($))", "__ldg($)",
     "A load through the read-only cache, which is a matter of speed: const and restrict let "
     "OpenCL's compiler do it.", same, "read-only cache, ldg"},
    {"T f(T* a)", "T f(T& a)",
     "A reference is a pointer in OpenCL C; where it is const and gets a value that has no place in "
     "memory, it is that value.", same, "reference, T&"},
    {"__global T* p", "__device__ T data",
     "OpenCL C 1.2 has no variables in global memory: a parameter takes its place, which the host "
     "sets as it sets CUDA's by cudaMemcpyToSymbol. One of __constant__ without a value likewise.",
     nearly, "cudaMemcpyToSymbol, symbol, __device__ variable"},
    {"packed_T3", "float3",
     "CUDA's vectors of 3 take 12 bytes where OpenCL's take 16, and its double4 and long4 are "
     "aligned to 16 where OpenCL's are to 32: a struct of CUDA's layout takes their place.", nearly,
     "float3, int3, uint3, double3, double4, make_float3, make_double4"},
    {"T f_2(T)", "overload f(T)",
     "Functions of one name, templates and functions that get pointers to several kinds of memory "
     "are written out, each with a name of its own.", same, "template, overload, instantiation"},
    // Synchronisation.
    {"barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE)", "__syncthreads()",
     "CUDA's barrier orders both kinds of memory."},
    {"mem_fence(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE)", "<__threadfence|__threadfence_block>()",
     "OpenCL 1.2 does not say for whom its fence orders global memory; CUDA's is for the device, or "
     "for the block.", nearly},
    {"", "__threadfence_system()",
     "OpenCL C 1.2 has no fence for the host. Let the host read when the launch has ended.", none},
    {"", "__syncthreads_and(), __syncthreads_or(), __syncthreads_count()",
     "OpenCL C 1.2 has no barrier that combines or counts what work-items say. Combine it with an "
     "atomic in __shared__ memory, between two __syncthreads().", none},
    // `cooperative_groups`.
    {"barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE)", "thread_block::sync()",
     "A cooperative group of the whole block is its barrier and its numbers; the group itself is no "
     "value in OpenCL C, and vanishes.", same,
     "cooperative groups, cg::sync, cg::thread_block, this_thread_block"},
    {"(uint)((get_local_id(2) * get_local_size(1) + get_local_id(1)) * get_local_size(0) + "
     "get_local_id(0))", "thread_block::thread_rank()",
     "The number of the thread in its block, in 32 bits: OpenCL 2.0's get_local_linear_id().", same,
     "cg::thread_rank"},
    {"(uint)(get_local_size(0) * get_local_size(1) * get_local_size(2))",
     "<thread_block::size|thread_block::num_threads|thread_block::group_size>()",
     "Threads of the block, in 32 bits.", same, "cg::group_size, cta.size"},
    {"(uint)get_local_id($)", "thread_block::thread_index().$", "threadIdx, by the group."},
    {"(uint)get_group_id($)", "thread_block::group_index().$", "blockIdx, by the group."},
    {"(uint)get_local_size($)", "<thread_block::group_dim|thread_block::dim_threads>().$",
     "blockDim, by the group."},
    // Textures and surfaces.
    {"read_imagef($, $, (float2)($, $))", "tex2D($, $, $)", texture_is_two, nearly,
     "tex2D<T>, texture object, cudaTextureObject_t, cudaTextureDesc"},
    {"read_imagef($, $, (float4)($, $, $, 0.0f))", "<tex3D|tex2DLayered>($, $, $, $)", texture_is_two,
     nearly, "tex3D<T>, layered texture, tex2DLayered<T>"},
    {"read_imagef($, $, $)", "tex1D($, $)", texture_is_two, nearly, "tex1D<T>"},
    {"read_imagef($, $)", "tex1Dfetch($, $)",
     "The texture object is an image1d_buffer_t. Outside of it CUDA reads 0, and OpenCL leaves open "
     "what is read.", nearly, "tex1Dfetch<T>, texel buffer"},
    {"read_imagef($, (int2)($, $))", "surf2Dread($, $, $)", surface_is_image, nearly,
     "surf2Dread<T>, surface object, cudaSurfaceObject_t"},
    {"read_imagef($, (int4)($, $, $, 0))", "<surf3Dread|surf2DLayeredread>($, $, $, $)",
     surface_is_image, nearly},
    {"read_imagef($, $)", "surf1Dread($, $)", surface_is_image, nearly},
    {"write_imagef($, (int2)($, $), $)", "surf2Dwrite($, $, $, $)", surface_is_image, nearly,
     "surf2Dwrite<T>"},
    {"write_imagef($, (int4)($, $, $, 0), $)", "<surf3Dwrite|surf2DLayeredwrite>($, $, $, $, $)",
     surface_is_image, nearly},
    {"write_imagef($, $, $)", "surf1Dwrite($, $, $)", surface_is_image, nearly},
    // Atomics.
    {"T atomic_add(T* p, T v)", "T atomicAdd_scope(T* p, T v)",
     "OpenCL 1.2's atomic functions are for all work-items of the device: more than _block asks "
     "for. While a kernel runs the host touches none of its memory in OpenCL 1.2, so that _system "
     "says no more; several devices at once need OpenCL 2.0 and fine-grained memory.", nearly,
     "system-wide atomics, scoped atomics, atomicAdd_block, atomicAdd_system"},
    {"atomic_sub($, $)", "atomicSub($, $)", "Returns the value before, orders nothing else."},
    {"atom_<add|xchg|min|max|and|or|xor>($, $)",
     "atomic<Add|Exch|Min|Max|And|Or|Xor>(unsigned long long* $, $)",
     "Of 64 bits, which is an extension of OpenCL."},
    {"atom_<min|max>($, $)", "atomic<Min|Max>(long long* $, $)",
     "Of 64 bits, which is an extension of OpenCL."},
    {"atom_cmpxchg($, $, $)", "atomicCAS(unsigned long long* $, $, $)",
     "Of 64 bits, which is an extension of OpenCL."},
    // Floats.
    {"<sqrt|rsqrt|cbrt|exp|exp2|exp10|expm1|log|log2|log10>($)",
     "<sqrtf|rsqrtf|cbrtf|expf|exp2f|exp10f|expm1f|logf|log2f|log10f>($)", as_in_float, nearly},
    {"<log1p|sin|cos|tan|sinpi|cospi|asin|acos|atan|sinh|cosh>($)",
     "<log1pf|sinf|cosf|tanf|sinpif|cospif|asinf|acosf|atanf|sinhf|coshf>($)", as_in_float, nearly},
    {"<tanh|asinh|acosh|atanh|erf|erfc|lgamma|tgamma|fabs|floor>($)",
     "<tanhf|asinhf|acoshf|atanhf|erff|erfcf|lgammaf|tgammaf|fabsf|floorf>($)", as_in_float, nearly},
    {"<ceil|trunc|round|rint|logb>($)",
     "<ceilf|truncf|roundf|rintf|logbf>($)", as_in_float, nearly},
    {"<pow|fmod|remainder|atan2|hypot|fmin|fmax|fdim|copysign>($, $)",
     "<powf|fmodf|remainderf|atan2f|hypotf|fminf|fmaxf|fdimf|copysignf>($, $)", as_in_float, nearly},
    {"<nextafter|ldexp|frexp|modf>($, $)",
     "<nextafterf|ldexpf|frexpf|modff>($, $)", as_in_float, nearly},
    {"", "ilogb(), ilogbf()",
     "For 0 and NaN CUDA gives the smallest int, and each OpenCL device what it chooses. Write frexp, "
     "or logb.", none},
    {"fma($, $, $)", "<fmaf|__fmaf_rn|__fma_rn>($, $, $)", "One rounding, exact in both."},
    {"rint($)", "<nearbyint|nearbyintf>($)", "To the nearest integer, halves to even; exact."},
    {"native_<cos|sin|tan|exp|exp10|log|log2|log10>($)",
     "<__cosf|__sinf|__tanf|__expf|__exp10f|__logf|__log2f|__log10f>($)",
     "Each implementation has its own precision and range.", nearly},
    {"native_<powr|divide>($, $)", "<__powf|__fdividef>($, $)",
     "Each implementation has its own precision and range.", nearly},
    {"sqrt($)", "<__fsqrt_rn|__dsqrt_rn>($)",
     "Rounded correctly in CUDA; OpenCL allows 3 ULP for float unless the build says "
     "-cl-fp32-correctly-rounded-divide-sqrt.", nearly},
    {"rsqrt($)", "__frsqrt_rn($)", "Rounded correctly in CUDA; OpenCL allows 2 ULP.", nearly},
    {"(1.0f / ($))", "__frcp_rn($)",
     "Rounded correctly in CUDA; OpenCL allows 2.5 ULP unless the build says "
     "-cl-fp32-correctly-rounded-divide-sqrt.", nearly},
    {"(($) / ($))", "__fdiv_rn($, $)",
     "Rounded correctly in CUDA; OpenCL allows 2.5 ULP unless the build says "
     "-cl-fp32-correctly-rounded-divide-sqrt.", nearly},
    {"(($) / ($))", "__ddiv_rn($, $)", "Rounded correctly by both."},
    {"(($) <+|-|*> ($))", "<__fadd_rn|__fsub_rn|__fmul_rn>($, $)",
     "CUDA never fuses it into an fma: #pragma OPENCL FP_CONTRACT OFF stands before the text then.",
     nearly, "__fadd_rn, __fmul_rn, contraction"},
    {"(($) <+|-|*> ($))", "<__dadd_rn|__dsub_rn|__dmul_rn>($, $)",
     "CUDA never fuses it into an fma: #pragma OPENCL FP_CONTRACT OFF stands before the text then.",
     nearly},
    {"f<min|max>($, $)", "<min|max>(float $, $)",
     "CUDA's min and max of floats pass over a NaN; those of OpenCL C promise nothing for it."},
    {"f<min|max>($, $)", "<min|max>(double $, $)",
     "CUDA's min and max of floats pass over a NaN; those of OpenCL C promise nothing for it."},
    {"fabs($)", "abs(float $)", "abs of OpenCL C is for integers."},
    {"fabs($)", "abs(double $)", "abs of OpenCL C is for integers."},
    // Integers.
    {"((int)abs($))", "abs(int $)", "The result is unsigned in OpenCL and signed in CUDA."},
    {"((long)abs($))", "<abs|labs>(long $)", "The result is unsigned in OpenCL and signed in CUDA."},
    {"((long)abs($))", "<abs|llabs>(long long $)",
     "The result is unsigned in OpenCL and signed in CUDA."},
    {"((int)popcount($))", "<__popc|__popcll>($)",
     "The result has the argument's type in OpenCL and is an int in CUDA."},
    {"((int)clz($))", "<__clz|__clzll>($)",
     "The result has the argument's type in OpenCL and is an int in CUDA."},
    {"mul_hi($, $)", "<__mulhi|__umulhi|__mul64hi|__umul64hi>($, $)", "The upper half of the product."},
    {"<hadd|rhadd>($, $)", "<__hadd|__rhadd>($, $)", "The mean without overflow."},
    {"(abs_diff($, $) + ($))", "<__sad|__usad>($, $, $)", "The distance of two numbers, and a sum."},
    {"<hadd|rhadd>($, $)", "<__uhadd|__urhadd>($, $)", "The mean without overflow."},
    // Bits and conversions.
    {"as_<int|uint|float|float>($)",
     "<__float_as_int|__float_as_uint|__int_as_float|__uint_as_float>($)",
     "The same bits for another type; no value is converted."},
    {"as_<long|double>($)", "<__double_as_longlong|__longlong_as_double>($)",
     "The same bits for another type; no value is converted."},
    {"convert_int_sat_<rte|rtz|rtp|rtn>($)",
     "<__float2int_rn|__float2int_rz|__float2int_ru|__float2int_rd>($)", converts_in_range},
    {"convert_uint_sat_<rte|rtz|rtp|rtn>($)",
     "<__float2uint_rn|__float2uint_rz|__float2uint_ru|__float2uint_rd>($)", converts_in_range},
    {"f($)", "<__double2int_rn|__double2int_rz|__double2int_ru|__double2int_rd>($)",
     converts_nan, same, "convert_int_sat"},
    {"f($)", "<__double2uint_rn|__double2uint_rz|__double2uint_ru|__double2uint_rd>($)",
     converts_nan, same, "convert_uint_sat"},
    {"f($)", "<__float2ll_rn|__float2ll_rz|__float2ll_ru|__float2ll_rd>($)",
     converts_nan, same, "convert_long_sat"},
    {"f($)", "<__float2ull_rn|__float2ull_rz|__float2ull_ru|__float2ull_rd>($)",
     converts_nan, same, "convert_ulong_sat"},
    {"f($)", "<__double2ll_rn|__double2ll_rz|__double2ll_ru|__double2ll_rd>($)",
     converts_nan},
    {"f($)", "<__double2ull_rn|__double2ull_rz|__double2ull_ru|__double2ull_rd>($)",
     converts_nan},
    {"convert_float_<rte|rtz|rtp|rtn>($)",
     "<__int2float_rn|__int2float_rz|__int2float_ru|__int2float_rd>($)", "The mode is part of both."},
    {"convert_float_<rte|rtz|rtp|rtn>($)",
     "<__uint2float_rn|__uint2float_rz|__uint2float_ru|__uint2float_rd>($)",
     "The mode is part of both."},
    {"convert_float_<rte|rtz|rtp|rtn>($)",
     "<__ll2float_rn|__ll2float_rz|__ll2float_ru|__ll2float_rd>($)", "The mode is part of both."},
    {"convert_float_<rte|rtz|rtp|rtn>($)",
     "<__ull2float_rn|__ull2float_rz|__ull2float_ru|__ull2float_rd>($)",
     "The mode is part of both."},
    {"convert_float_<rte|rtz|rtp|rtn>($)",
     "<__double2float_rn|__double2float_rz|__double2float_ru|__double2float_rd>($)",
     "The mode is part of both."},
    {"convert_double_<rte|rtz|rtp|rtn>($)",
     "<__ll2double_rn|__ll2double_rz|__ll2double_ru|__ll2double_rd>($)", "The mode is part of both."},
    {"convert_double_<rte|rtz|rtp|rtn>($)",
     "<__ull2double_rn|__ull2double_rz|__ull2double_ru|__ull2double_rd>($)",
     "The mode is part of both."},
    {"((double)($))", "<__int2double_rn|__uint2double_rn>($)", "Exact."},
    // Types and constants.
    {"<uchar|ushort|uint>", "<unsigned char|unsigned short|unsigned int>",
     "OpenCL C has short names for unsigned types."},
    {"long", "long", "64 bits on Linux, and always in OpenCL."},
    {"ulong", "unsigned long", "64 bits on Linux, and always in OpenCL."},
    {"char", "char", "Signed in OpenCL, and in CUDA on x86."},
    {"((float)M_PI)", "CUDART_PI_F", "Pi, rounded to a float."},
    {"M_PI", "CUDART_PI", "Pi as a double."},
    {"<LONG_MAX|LONG_MIN|ULONG_MAX>", "<LLONG_MAX|LLONG_MIN|ULLONG_MAX>",
     "long of OpenCL C has 64 bits, as long long of CUDA."},
    {"INFINITY", "CUDART_INF_F", "Infinity as a float."},
    {"((double)INFINITY)", "CUDART_INF", "Infinity as a double."},
    {"NAN", "CUDART_NAN_F", "A quiet NaN as a float."},
    // Words without a counterpart.
    {"((void)($))", "assert($)",
     "assert() stops a kernel of CUDA; OpenCL C has nothing that does: the condition is computed, "
     "and nothing follows from it.", nearly, "assert, static_assert"},
    {"", "__fadd_rz(), __fadd_ru(), __fadd_rd(), __fsub_rz(), __fsub_ru(), __fsub_rd(), "
         "__fmul_rz(), __fmul_ru(), __fmul_rd(), __fdiv_rz(), __fdiv_ru(), __fdiv_rd(), "
         "__dadd_rz(), __dadd_ru(), __dadd_rd(), __dsub_rz(), __dsub_ru(), __dsub_rd(), "
         "__dmul_rz(), __dmul_ru(), __dmul_rd(), __ddiv_rz(), __ddiv_ru(), __ddiv_rd(), "
         "__fsqrt_rz(), __fsqrt_ru(), __fsqrt_rd(), __dsqrt_rz(), __dsqrt_ru(), __dsqrt_rd(), "
         "__frcp_rz(), __frcp_ru(), __frcp_rd(), __fmaf_rz(), __fmaf_ru(), __fmaf_rd(), "
         "__fma_rz(), __fma_ru(), __fma_rd()",
     "OpenCL C rounds to the nearest number alone. A product of floats is exact in double: convert it "
     "with a mode (__double2float_rz). For others write the _rn function where the difference does "
     "not matter.", none},
    {"", "__shfl_sync(), __shfl_up_sync(), __shfl_down_sync(), __shfl_xor_sync(), __all_sync(), "
         "__any_sync(), __ballot_sync(), __activemask(), __syncwarp()",
     takes_sub_groups, none, "warp shuffle, warp vote"},
    {"", "__trap(), clock(), clock64()",
     "OpenCL C cannot stop a launch, and has no clock but that of an extension, "
     "cl_khr_kernel_clock. With --dialect nvidia it is inline PTX, for NVIDIA's devices alone.",
     none, "cl_khr_kernel_clock, clock_read_device"},
    {"", "asm",
     "Inline PTX is for NVIDIA's devices alone. Write what it computes in C++, or give --dialect "
     "nvidia.", none},
    {"asm volatile(\"shfl.sync.idx.b32 ...\")", "T __shfl_sync(unsigned mask, T x, int lane)",
     "With --dialect nvidia warp shuffles, votes, __syncwarp, tiles of a warp and clocks are "
     "functions of inline PTX, which NVIDIA's OpenCL compiler alone takes: the same instructions "
     "as in CUDA.", nearly, "warp functions in OpenCL, inline PTX in OpenCL, --dialect nvidia"},
    {"", "texture, cudaTextureObject_t, cudaSurfaceObject_t, tex1DLayered*(), tex1DLod(), "
         "tex2DLod(), tex3DLod(), tex1DGrad(), tex2DGrad(), tex3DGrad(), tex2Dgather(), "
         "tex2DLayeredLod(), texCubemap*(), surfCubemap*(), surf1DLayered*()",
     "Cube maps, levels of detail, gathers, texture references, and texture objects in variables, "
     "arrays or structs have no image in OpenCL C 1.2. Pass each texture object as a parameter, and "
     "read it with tex1Dfetch, tex1D, tex2D, tex3D or tex2DLayered.", none,
     "cube map, mip map, texture reference"},
    {"", "cooperative_groups, cg, thread_group, thread_block_tile, tiled_partition*(), "
         "coalesced_group, coalesced_threads(), grid_group, this_grid(), multi_grid_group, "
         "this_multi_grid(), cluster_group, this_cluster(), binary_partition(), "
         "labeled_partition(), block_tile_memory, memcpy_async(), wait()",
     "Of cooperative groups the whole block is translated, and with --dialect nvidia, for NVIDIA's "
     "devices alone, tiles of a warp. Write other parts with __shared__ memory and __syncthreads(); "
     "no barrier of OpenCL is for a whole grid: end the kernel there and launch another.",
     none, "cooperative groups, grid.sync, cg::this_grid, tiled_partition, coalesced_threads"},
    {"", "__half, __half2, half, half2, __nv_bfloat16",
     "Half precision is not translated from CUDA. Write float, or the OpenCL C kernel with half. "
     "OpenCL C has no floats of 8 bits and no bfloat16: keep their bits in uchar or ushort.",
     none, "fp8, __nv_fp8_e4m3, __nv_fp8_e5m2, bfloat16"},
    {"", "normcdf(), normcdff(), normcdfinv(), normcdfinvf(), erfinv(), erfinvf(), erfcinv(), "
         "erfcinvf(), erfcx(), erfcxf(), j0(), j0f(), j1(), j1f(), y0(), y0f(), y1(), y1f(), "
         "cyl_bessel_i0(), cyl_bessel_i0f(), cyl_bessel_i1(), cyl_bessel_i1f()",
     "OpenCL C has no such function. Write an approximation of your own, in plain C++.", none},
    {"", "__match_*(), __reduce_*(), curand*(), thrust, cub",
     "It is not translated. Write what it computes in plain C++.", none,
     "random numbers in a kernel"},
    {"", "virtual, new, delete, malloc(), free(), throw, try, lambda, this",
     "OpenCL C is C: it has no classes with code, no lambdas, no heap. Write plain functions and "
     "structs of data.", none, "lambda, member function"},
};

inline constexpr std::string_view written_out =
    "OpenCL C has no function for it: it is written out, as a function of its own.";

inline constexpr MappingRule kernel_cuda_words[] = {
    // Launches, work-groups and memory.
    {"", "<<<>>>",
     "A kernel of OpenCL C 1.2 launches none; enqueue_kernel() of 2.0 is optional, and few devices "
     "have it. Write what is to be done into a buffer, and let the host launch it, or let the groups "
     "that run take it from there by an atomic.", none,
     "dynamic parallelism, device-side launch, CDP, cudaStreamFireAndForget, cudaStreamTailLaunch, "
     "nested kernel launch"},
    {"", "cuda",
     "libcu++: cuda::atomic_ref is atomic_fetch_add_explicit and its like of OpenCL C 2.0, whose "
     "memory_scope_work_group is thread_scope_block; its barriers, pipelines and memcpy_async have "
     "no counterpart. Write atomicAdd() and its like, which are relaxed, __threadfence() and "
     "__syncthreads().", none,
     "cuda::atomic, cuda::atomic_ref, thread_scope_block, memory order, cuda::barrier, "
     "cuda::pipeline, cuda::memcpy_async, libcu++"},
    {"__global T* p", "__managed__ T data",
     "A parameter takes its place, as for __device__. That the host and the device touch the same "
     "memory is SVM in OpenCL 2.0 (clSVMAlloc), and fine-grained on few devices: elsewhere the host "
     "copies.", nearly, "managed memory, unified memory, __managed__"},
    {"", "__pipeline_*()",
     "Asynchronous copies into shared memory: OpenCL C has async_work_group_copy(), which all "
     "work-items of a group call alike. Copy with plain loads and "
     "stores, and __syncthreads().", none,
     "cp.async, asynchronous copy, __pipeline_memcpy_async, memcpy_async, TMA"},
    {"", "nvcuda, wmma, mma",
     "Tensor cores have no word in OpenCL C. Multiply tiles in __shared__ memory; NVIDIA's OpenCL "
     "takes the same inline PTX (mma.sync) in a kernel that is written for it.", none,
     "tensor cores, wmma, mma, mma.sync, matrix multiply-accumulate"},
    {"T a", "__grid_constant__ T a",
     "A promise that nothing writes the parameter, so that its address may be taken. A parameter of "
     "OpenCL C is a copy of the work-item's own.", nearly, "__grid_constant__"},
    {"", "__nanosleep()", "OpenCL C cannot wait for a time. Leave it out: the loop around it tries again.",
     none, "sleep in a kernel, spin lock, back-off"},
    // Integers.
    {"f($)", "<__ffs|__ffsll|__brev|__brevll|__saturatef|__double2hiint|__double2loint>($)", written_out,
     same, "find first set, reverse bits, bit_reverse, integer intrinsics"},
    {"f($, $)", "__hiloint2double($, $)", written_out},
    {"f($, $, $)", "<__funnelshift_l|__funnelshift_r|__byte_perm|__dp4a>($, $, $)",
     "OpenCL C has no function for it: it is written out, as a function of its own. OpenCL's "
     "dot_4x8packed_ss_int is of an extension (cl_khr_integer_dot_product), and its shuffle2 chooses "
     "among components.", same,
     "integer dot product, permute bytes, funnel shift, dp4a, integer intrinsics"},
    {"", "__dp2a_*(), __vadd*(), __vsub*(), __vmin*(), __vmax*(), __vabs*(), __vavg*(), __vcmp*(), "
         "__vset*()",
     "Several numbers in one integer. OpenCL C has vectors of bytes and shorts with operators, "
     "add_sat, min and abs_diff. Write the parts one by one.", none,
     "SIMD within a register, video instructions, SIMD intrinsics"},
};

}  // namespace parallax::row_lists
