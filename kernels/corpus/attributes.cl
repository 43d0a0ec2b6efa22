// Attributes and pragmas.

// The group's size is promised.
//! in: int 64 bits
//! out: int 64
//! launch: 64 by 32
__kernel __attribute__((reqd_work_group_size(32, 1, 1))) void attribute_required(
    __global const int* in, __global int* out) {
    __local int tile[32] __attribute__((aligned(16)));
    int l = get_local_id(0);
    tile[l] = in[get_global_id(0)];
    barrier(CLK_LOCAL_MEM_FENCE);
    out[get_global_id(0)] = tile[31 - l];
}

// Hints.
//! in: float4 64 small
//! out: float4 64
//! launch: 64 by 32
__attribute__((vec_type_hint(float4))) __attribute__((work_group_size_hint(32, 1, 1))) __kernel
void attribute_hints(__global const float4* in, __global float4* out) {
    int i = get_global_id(0);
    out[i] = in[i] * 2.0f;
}

// Of functions and variables.
__attribute__((always_inline)) int attribute_inline(int a) { return a + 1; }
__attribute__((noinline)) int attribute_apart(int a) { return a * 2; }
//! in: int 64 small
//! out: int 64
//! launch: 64 by 32
__kernel void attribute_functions(__global const int* in, __global int* out) {
    int i = get_global_id(0);
    int spare __attribute__((unused)) = 3;
    int table[4] __attribute__((aligned(16))) = {1, 2, 3, 4};
    out[i] = attribute_inline(in[i]) + attribute_apart(table[i & 3]);
}

// Unrolled loops.
//! in: float 64 small
//! out: float 64
//! launch: 64 by 32
__kernel void attribute_unrolled(__global const float* in, __global float* out) {
    int i = get_global_id(0);
    float sum = 0;
#pragma unroll
    for (int k = 0; k < 8; ++k) sum += in[(i + k) & 63];
#pragma unroll 4
    for (int k = 0; k < 8; ++k) sum -= in[(i * k) & 63] * 0.5f;
    out[i] = sum;
}

// Float rules and extensions.
#pragma OPENCL FP_CONTRACT OFF
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
//! in: double 64 unit
//! out: double 64
//! launch: 64 by 32
//! needs: double
__kernel void attribute_pragmas(__global const double* in, __global double* out) {
    int i = get_global_id(0);
    out[i] = in[i] * in[63 - i] - in[i];
}

// Members aligned and packed.
typedef struct {
    char a;
    int b __attribute__((aligned(8)));
    short c __attribute__((packed));
} AttributeMembers;
//! in: int 256 bits
//! out: int 64
//! launch: 64 by 32
__kernel void attribute_members(__global const AttributeMembers* in, __global int* out) {
    int i = get_global_id(0);
    out[i] = in[i].a + (in[i].b >> 1) + in[i].c + (int)sizeof(AttributeMembers);
}
