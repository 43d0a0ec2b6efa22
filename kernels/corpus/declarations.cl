// Declarations: several names at once, scalars that spread over vectors, pointers and arrays.

// A scalar initialises, is assigned to, returned as and passed as a vector.
float4 declared_four(float x) { return x; }
float2 declared_sum(float2 a, float2 b) { return a + b; }
//! in: float 64 small
//! out: float4 64
//! out: float2 64
//! launch: 64 by 32
__kernel void declared_splats(__global const float* in, __global float4* out,
                              __global float2* two) {
    int i = get_global_id(0);
    float4 a = in[i], b = 2;
    b = in[63 - i];
    out[i] = a + b + declared_four(0.5f);
    two[i] = declared_sum(in[i], 1.0f);
}

// Several declarators: values, pointers, arrays, of vectors too.
//! in: int4 64 small
//! out: int4 64
//! launch: 64 by 32
__kernel void declared_several(__global const int4* in, __global int4* out) {
    int i = get_global_id(0), *p = &i, a[2] = {1, 2}, **q = &p;
    int4 v = in[**q], *w = &v, x[2] = {v.wzyx, (int4)(a[1])};
    w[0] += x[0];
    *w -= x[1];
    out[*p] = v;
}

// Arrays of vectors, of two dimensions, partly initialised.
//! in: float2 64 small
//! out: float2 64
//! launch: 64 by 32
__kernel void declared_arrays(__global const float2* in, __global float2* out) {
    int i = get_global_id(0);
    float2 grid[2][3] = {{in[i], (float2)(1, 2)}};
    grid[1][2].y = 5;
    float2 sum = 0;
    for (int r = 0; r < 2; ++r)
        for (int c = 0; c < 3; ++c) sum += grid[r][c];
    out[i] = sum;
}

// Qualifiers in every order.
//! in: float4 64 small
//! in: uint 64 bits
//! out: float4 64
//! out: uint 64
//! launch: 64 by 32
__kernel void declared_qualifiers(const __global float4* restrict a,
                                  __global uint const* const b, __global volatile float4* c,
                                  global unsigned* restrict d) {
    const size_t i = get_global_id(0);
    float4 const k = a[i];
    volatile int n = 3;
    const __global uint* const p = b + i;
    c[i] = k * (float)n;
    d[i] = *p >> 1;
}

// Types of several words.
//! in: int 64 bits
//! out: long 64
//! launch: 64 by 32
__kernel void declared_words(__global const int* in, __global long* out) {
    int i = get_global_id(0);
    unsigned char a = in[i];
    signed char b = in[i];
    unsigned short int c = in[i];
    long unsigned d = (uint)in[i];
    unsigned e = in[i];
    short f = in[i];
    signed g = in[i];
    long int h = in[i];
    out[i] = a + b + c + (long)d + e + f + g + h;
}

// Enums, typedefs of arrays and pointers, forward structs.
typedef int declared_triple[3];
typedef __global const int* declared_source;
typedef enum { declared_red = 1, declared_green = declared_red << 3, declared_blue } Colour;
struct DeclaredLater;
struct DeclaredLater {
    int a;
};
//! in: int 64 small
//! out: int 64
//! launch: 64 by 32
__kernel void declared_typedefs(__global const int* data, __global int* out) {
    int i = get_global_id(0);
    declared_source in = data;
    declared_triple t = {declared_red, declared_green, declared_blue};
    Colour c = declared_blue;
    struct DeclaredLater s = {t[i % 3]};
    out[i] = in[i] * s.a + c;
}

// Pointers to vectors as pointers to their elements, and back.
//! in: float4 64 bits
//! out: float 256
//! launch: 64 by 32
__kernel void declared_pointer_casts(__global const float4* in, __global float* out) {
    int i = get_global_id(0);
    __global const float* scalars = (__global const float*)in;
    __global float4* fours = (__global float4*)out;
    float4 own = fours == 0 ? (float4)(0) : in[i];
    float* p = (float*)&own;
    p[1] = scalars[4 * i + 3];
    fours[i] = own;
    out[4 * i + 3] = scalars[i];
}

// Differences and comparisons of pointers; sizes.
//! in: int 64 bits
//! out: long 64
//! launch: 64 by 32
__kernel void declared_pointer_arithmetic(__global const int* in, __global long* out) {
    int i = get_global_id(0);
    __global const int *p = in + i, *end = &in[64];
    ptrdiff_t left = end - p;
    size_t n = 0;
    while (p < end) {
        n += *p++ & 1;
        p += 2;
    }
    out[i] = left * 1000 + n + sizeof(float4) + sizeof p[0] + sizeof(size_t);
}
