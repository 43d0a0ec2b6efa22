// Constant memory: tables of the file, parameters, structs.

__constant float constant_weights[4] = {0.5f, 0.25f, 0.125f, 0.125f};
__constant int constant_scale = 3;
constant uchar constant_grid[2][3] = {{1, 2, 3}, {4, 5, 6}};
typedef struct {
    int a;
    float b;
} ConstantPair;
__constant ConstantPair constant_pairs[] = {{1, 0.5f}, {2, 1.5f}, {3, 2.5f}};
__constant float4 constant_vectors[2] = {(float4)(1, 2, 3, 4), (float4)(0.5f)};
__constant const uint constant_primes[] = {2, 3, 5, 7, 11, 13, 17, 19};

// Tables of scalars.
//! in: float 67 small
//! out: float 64
//! launch: 64 by 32
__kernel void constant_table(__global const float* in, __global float* out) {
    int i = get_global_id(0);
    float sum = 0;
    for (int k = 0; k < 4; ++k) sum += in[i + k] * constant_weights[k];
    out[i] = sum * constant_scale;
}

// Two dimensions, structs, vectors.
//! out: float4 64
//! launch: 64 by 32
__kernel void constant_kinds(__global float4* out) {
    int i = get_global_id(0);
    ConstantPair p = constant_pairs[i % 3];
    float4 v = constant_vectors[i & 1];
    out[i] = v * (p.a + p.b) + constant_grid[i & 1][i % 3];
}

// A parameter.
//! in: int 16 bits
//! in: uint 64 iota
//! out: int 64
//! launch: 64 by 32
__kernel void constant_parameter(__constant int* table, __global const uint* in,
                                 __global int* out) {
    int i = get_global_id(0);
    out[i] = table[in[i] & 15];
}

// A parameter of structs, and a pointer into it.
//! in: float 128 small
//! out: float 64
//! launch: 64 by 32
__kernel void constant_structs(constant float2* pairs, global float* out) {
    int i = get_global_id(0);
    constant float2* p = pairs + (63 - i);
    out[i] = p->x * 2 + (*p).y;
}

// Pointers to the file's data, given to a helper.
uint constant_sum(__constant const uint* p, int n) {
    uint sum = 0;
    while (n--) sum += *p++;
    return sum;
}
//! out: uint 64
//! launch: 64 by 32
__kernel void constant_pointers(__global uint* out) {
    int i = get_global_id(0);
    out[i] = constant_sum(constant_primes + (i & 3), 4) + sizeof(constant_primes);
}

// Declared within a kernel; characters of a text.
//! out: int 64
//! launch: 64 by 32
__kernel void constant_within(__global int* out) {
    __constant int inner[3] = {7, -8, 9};
    __constant char word[] = "parallax";
    int i = get_global_id(0);
    out[i] = inner[i % 3] * 256 + word[i & 7];
}
