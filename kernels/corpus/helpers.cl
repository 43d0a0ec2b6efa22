// Functions beside kernels, and names that mean something elsewhere.

// Pointers to every address space.
float helper_private(const float* p) { return p[0] - p[1]; }
float helper_local(__local const float* p) { return p[0] * 2; }
float helper_constant(__constant float* p) { return p[1]; }
void helper_global(__global float* p, float v) { *p = v; }
__constant float helper_table[2] = {4, 8};
//! in: float 64 small
//! out: float 64
//! launch: 64 by 32
__kernel void helper_spaces(__global const float* in, __global float* out) {
    __local float tile[32];
    int i = get_global_id(0), l = get_local_id(0);
    tile[l] = in[i];
    barrier(CLK_LOCAL_MEM_FENCE);
    float own[2] = {in[i], 3};
    helper_global(out + i,
                  helper_private(own) + helper_local(&tile[31 - l]) + helper_constant(helper_table));
}

// Names of functions of CUDA's library.
float helper_j(float x) { return x + 1; }
float j0(float x) { return helper_j(x) * 2; }
int __shfl_like(int x) { return x ^ 1; }
float y1(float x) { return j0(x) - x; }
float rsqrtf(float x) { return x * 0.5f; }
int atomicAdd(int a, int b) { return a * b; }
//! in: float 64 small
//! out: float 64
//! launch: 64 by 32
__kernel void helper_library_names(__global const float* in, __global float* out) {
    int i = get_global_id(0);
    out[i] = j0(in[i]) + y1(in[i]) + __shfl_like(i) + rsqrtf(in[i]) + atomicAdd(i, 2);
}

// Keywords of C++ as names.
typedef struct {
    int new, delete;
    int operator[2];
} helper_class;
int helper_this(int this, int class) { return this - class; }
//! in: int 64 small
//! out: int 64
//! launch: 64 by 32
__kernel void helper_keywords(__global const int* template, __global int* out) {
    int namespace = get_global_id(0);
    helper_class public = {template[namespace], 2, {3, 4}};
    int virtual = public.new * public.delete + public.operator[1];
    int try = helper_this(virtual, 5), catch = 1, typename = 2;
    out[namespace] = try + catch * typename;
}

// Names of CUDA's own variables and types as names of one's own.
//! in: int 64 small
//! out: int 64
//! launch: 64 by 32
__kernel void helper_cuda_names(__global const int* in, __global int* out) {
    int threadIdx = get_local_id(0), blockIdx = get_group_id(0);
    int blockDim = get_local_size(0), warpSize = 3;
    int dim3 = in[blockIdx * blockDim + threadIdx], longlong2 = 5;
    out[blockIdx * blockDim + threadIdx] = dim3 * warpSize + longlong2;
}

// Declared first, defined later; static, inline; without parameters.
int helper_late(int a);
static inline int helper_inline(int a) { return a * 3; }
inline int helper_five(void) { return 5; }
//! in: int 64 small
//! out: int 64
//! launch: 64 by 32
__kernel void helper_order(__global const int* in, __global int* out) {
    int i = get_global_id(0);
    out[i] = helper_late(in[i]) + helper_inline(in[i]) + helper_five();
}
int helper_late(int a) { return a > 0 ? a - 1 : -a; }

// Results by pointer: of scalars, vectors, structs.
typedef struct {
    float2 low, high;
} HelperBox;
void helper_widen(HelperBox* box, float2 p) {
    box->low = fmin(box->low, p);
    box->high = fmax(box->high, p);
}
void helper_divide(int a, int b, int* quotient, int* rest) {
    *quotient = a / b;
    *rest = a % b;
}
//! in: float2 64 small
//! out: float2 64
//! out: int 64
//! launch: 64 by 32
__kernel void helper_results(__global const float2* in, __global float2* out,
                             __global int* numbers) {
    int i = get_global_id(0), q, r;
    HelperBox box = {(float2)(0), (float2)(0)};
    for (int k = 0; k < 4; ++k) helper_widen(&box, in[(i + k) & 63]);
    helper_divide(i * 7, 5, &q, &r);
    out[i] = box.high - box.low;
    numbers[i] = q * 10 + r;
}

// A kernel's work done through arrays of arrays.
int helper_trace(int m[3][3]) { return m[0][0] + m[1][1] + m[2][2]; }
//! in: int 64 small
//! out: int 64
//! launch: 64 by 32
__kernel void helper_arrays(__global const int* in, __global int* out) {
    int i = get_global_id(0);
    int m[3][3];
    for (int r = 0; r < 3; ++r)
        for (int c = 0; c < 3; ++c) m[r][c] = in[(i + r * 3 + c) & 63];
    out[i] = helper_trace(m);
}
