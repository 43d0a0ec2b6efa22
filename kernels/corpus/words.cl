// Words of the language that kernels rarely have: other spellings, qualifiers, literals, pragmas.

#pragma OPENCL EXTENSION cl_khr_int64_base_atomics : enable
#pragma OPENCL EXTENSION cl_khr_int64_extended_atomics : enable

struct Named {
    int a, b;
};
typedef float4 four;
typedef __global float* floats;
__inline float squared(float x) { return x * x; }
__inline__ int after(__const int x) { return x + 1; }

// Spellings without underscores, and those of compilers for C.
//! in: float 64 unit
//! out: float 64
//! launch: 64 by 32
kernel void words_qualifiers(global const float* __restrict in, global float* __restrict__ out) {
    local float tile[32];
    private int i = get_global_id(0);
    __private int l = get_local_id(0);
    float x = in[i];
    tile[l] = squared(x);
    barrier(CLK_GLOBAL_MEM_FENCE | CLK_LOCAL_MEM_FENCE);
    float y = tile[31 - l];
    barrier(0);
    mem_fence(CLK_GLOBAL_MEM_FENCE | CLK_LOCAL_MEM_FENCE);
    read_mem_fence(CLK_LOCAL_MEM_FENCE);
    write_mem_fence(CLK_LOCAL_MEM_FENCE);
    const int kept = after(l);
    int* same = &kept;
    __const__ float* at = NULL;
    out[i] = (at == NULL ? y : 0.0f) + *same;
}

// Types and literals.
//! in: uint 64 bits
//! out: long 320
//! launch: 64 by 32
__kernel void words_literals(__global const uint* in, __global long* out) {
    const int i = get_global_id(0);
    const unsigned long wide = in[i] + 1L;
    const uintptr_t place = (uintptr_t)i;
    const intptr_t step = -(intptr_t)i;
    struct Named both = (struct Named){i, 2};
    struct Named named = {.a = 3, .b = i};
    out[5 * i] = wide + 0x7fffffffL;
    out[5 * i + 1] = place + step;
    out[5 * i + 2] = both.a + both.b + named.a * named.b;
    out[5 * i + 3] = 'a' + '\n';
    out[5 * i + 4] = vec_step(float4) + vec_step(out[0]) + vec_step(char3);
}

// Vectors by their numbers and in braces; a function of float with a whole number beside.
//! in: float4 64 unit
//! out: float 320
//! launch: 64 by 32
//! ulp: 16
__kernel void words_vectors(__global const float4* in, __global float* to) {
    floats out = to;
    const int i = get_global_id(0);
    four v = in[i];
    float4 made = {v.s3, v.s2, v.s1, v.s0};
    for (int k = 0; k < 4; ++k) out[5 * i + k] = ((__private const float*)&made)[k];
    const int n = 2;
    out[5 * i + 4] = pow(v.s0, n) + fmax(v.s1, n);
}

// Loops that compilers are told to unroll, or not to; names that CUDA takes.
#define TIMES 4
//! out: int 64
//! launch: 64 by 32
__kernel void words_loops(__global int* out) {
    int erfinv = get_global_id(0), make_float4 = 1, class = 0;
#pragma unroll TIMES
    for (int k = 0; k < 8; ++k) erfinv += k;
#pragma nounroll
    for (int k = 0; k < 8; ++k) make_float4 += k;
    __attribute__((opencl_unroll_hint(2))) for (int k = 0; k < 8; ++k) class += k;
#pragma clang loop unroll(disable)
    for (int k = 0; k < 8; ++k) class += k;
    _Pragma("clang loop unroll(enable)") for (int k = 0; k < 8; ++k) class += k;
    out[get_global_id(0)] = erfinv + make_float4 + class;
}

// A string in constant memory.
//! out: int 4
//! launch: 4 by 4
__kernel void words_strings(__global int* out) {
    __constant char* text = "abc";
    out[get_global_id(0)] = text[get_global_id(0)];
}

// Between whole numbers of every type.
//! in: uint 32 small
//! out: long 256
//! launch: 32 by 32
__kernel void words_conversions(__global const uint* in, __global long* out) {
    const int i = get_global_id(0), v = in[i] & 127;
    out[8 * i] = convert_char(v) + convert_uchar(v);
    out[8 * i + 1] = convert_short(-v);
    out[8 * i + 2] = convert_ushort(v);
    out[8 * i + 3] = convert_uint(v);
    out[8 * i + 4] = convert_long(-v);
    out[8 * i + 5] = convert_ulong(v);
    out[8 * i + 6] = convert_int((float)v);
    out[8 * i + 7] = convert_char(v) / 2;
}

// Vectors of the widths that others here leave out, read and written.
//! in: uchar 128 bits
//! out: uchar 128
//! launch: 4 by 4
__kernel void words_widths(__global const uchar* in, __global uchar* out) {
    const int i = get_global_id(0);
    uchar2 a = vload2(0, in + 32 * i);
    char3 b = as_char3(vload3(0, in + 32 * i + 2));
    char8 c = as_char8(vload8(0, in + 32 * i + 5));
    char16 d = as_char16(vload16(0, in + 32 * i + 13));
    vstore2(a + (uchar2)(1), 0, out + 32 * i);
    vstore3(as_uchar3(-b), 0, out + 32 * i + 2);
    vstore8(as_uchar8(-c), 0, out + 32 * i + 5);
    vstore16(as_uchar16(-d), 0, out + 32 * i + 13);
    out[32 * i + 29] = as_uchar(as_char(in[32 * i + 29]));
    out[32 * i + 30] = convert_uchar(convert_int(in[32 * i + 30]) + 1);
    out[32 * i + 31] = as_ushort((short)in[32 * i + 31]) >> 1;
}

//! in: ulong 64 bits
//! out: ulong 64
//! launch: 1 by 1
__kernel void words_wide(__global const ulong* in, __global ulong* out) {
    long3 a = as_long3(vload3(0, in));
    ulong3 b = vload3(1, in);
    ulong4 c = vload4(2, in);
    ulong8 d = vload8(2, in);
    long16 e = as_long16(vload16(2, in));
    ulong16 f = vload16(3, in);
    ushort3 g = (ushort3)(1, 2, 3);
    uint3 h = convert_uint3(g) + (uint3)(1);
    for (int k = 0; k < 64; ++k) out[k] = 0;
    vstore3(as_ulong3(a) + b, 0, out);
    vstore4(c, 1, out);
    vstore8(d, 1, out);
    vstore16(as_ulong16(e) + f, 1, out);
    out[63] = h.x + h.y + h.z;
}

// Doubles in the widths that are left.
//! in: double 32 unit
//! out: double 32
//! launch: 1 by 1
//! needs: double
__kernel void words_doubles(__global const double* in, __global double* out) {
    double4 a = vload4(0, in);
    double16 b = vload16(1, in);
    vstore16(b + b, 1, out);
    vstore4(a + a, 0, out);
    vstore4(a * a, 1, out);
    vstore8(b.lo, 1, out);
}

// The spelling of 64 bits, and of OpenCL 1.0.
//! in: ulong 64 small
//! inout: ulong 7 iota
//! inout: int 1 zero
//! launch: 64 by 32
__kernel void words_atomics(__global const ulong* in, volatile __global ulong* out,
                          volatile __global int* last) {
    const ulong v = in[get_global_id(0)];
    atom_sub(&out[0], v);
    atom_dec(&out[1]);
    atom_min(&out[2], v);
    atom_and(&out[3], v);
    atom_or(&out[4], v & 6);
    if (get_global_id(0) == 0) {
        atom_xchg(&out[5], 99ul);
        atom_cmpxchg(&out[6], 6ul, 77ul);
    }
    atomic_add(last, 1);
}

// Names that CUDA C++, its intrinsics or the prelude have.
typedef struct {
    uint threadIdx, warpSize, make_uint4, __popc, tex2D;
} __shfl_sync_t;
#define __brev(x) ((x) ^ 5u)
#define __syncthreads() barrier(CLK_LOCAL_MEM_FENCE)
#define atomicAdd(p, v) atomic_add(p, v)
__constant uint __clz[2] = {1, 2};
__constant uint half_value = 3, sub_group_mask = 4;
uint __popc(uint x) { return popcount(x); }
uint __umulhi(uint a, uint b) { return a * b; }
uint tex2D(uint a, uint b) { return a - b; }
uint make_uint4(uint a) { return a; }
uint increment_xy(uint a) { return a + 1; }
uint volatile_load(uint a) { return a + 2; }
uint __syncwarp(uint a) { return a + 3; }
float __expf(float a) { return a + 4; }
//! in: uint4 64 bits
//! out: uint4 64
//! launch: 64 by 32
__kernel void words_of_cuda(__global const uint4* in, __global uint4* out) {
    int i = get_global_id(0);
    uint4 v = in[i];
    volatile uint4 kept = v;
    uint blockIdx = 3, gridDim = v.x, __sinf = 5, __threadfence = 6, memcpy = 7;
    __shfl_sync_t s = {v.x, v.y, v.z, v.w, 1};
    __local uint sum[1];
    if (get_local_id(0) == 0) sum[0] = 0;
    __syncthreads();
    atomicAdd(sum, 1u);
    __syncthreads();
    v.xy++;
    if (v.x & 1) goto __nanosleep;
    v.z += __popc(v.x) + __umulhi(v.y, 3) + tex2D(5, 2) + make_uint4(1) + increment_xy(blockIdx);
__nanosleep:
    v += kept + (volatile_load(gridDim) + __syncwarp(3) + __clz[1] + half_value + sub_group_mask);
    v.w += s.threadIdx + s.warpSize + s.make_uint4 + s.__popc + s.tex2D + __brev(v.x);
    v.x += __sinf + __threadfence + memcpy + sum[0] + (uint)__expf(2.5f) + (uint)native_exp(0.0f);
    out[i] = v;
}
