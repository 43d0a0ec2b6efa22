// The preprocessor: constants, functions, conditions, types, pasting.

#define MACRO_SIZE 32
#define MACRO_TWICE (2 * MACRO_SIZE)
#define SQUARE(x) ((x) * (x))
#define BLEND(a, b, t) ((a) + ((b) - (a)) * (t))

// Constants and functions.
//! in: float 64 small
//! out: float 64
//! launch: 64 by 32
__kernel void macro_functions(__global const float* in, __global float* out) {
    int i = get_global_id(0);
    out[i] = BLEND(SQUARE(in[i] + 1), in[(i + MACRO_SIZE) % MACRO_TWICE], 0.5f);
}

// Types by macro and by typedef.
#define REAL float
#define REAL4 float4
typedef uint word_t;
typedef REAL4 quad_t;
//! in: float4 64 small
//! out: float4 64
//! launch: 64 by 32
__kernel void macro_types(__global const REAL4* in, __global quad_t* out) {
    word_t i = get_global_id(0);
    quad_t q = (REAL4)(1, 2, 3, 4) * (REAL)2;
    out[i] = q + in[i].wzyx * (quad_t)(0.5f);
}

// Given from outside.
#ifndef MACRO_RADIUS
#define MACRO_RADIUS 1
#endif
#if MACRO_RADIUS > 2 && defined(MACRO_KIND)
#define MACRO_PICK(a, b) (a)
#elif MACRO_RADIUS == 1
#define MACRO_PICK(a, b) (b)
#else
#error "No such radius."
#endif
#ifndef MACRO_KIND
#define MACRO_KIND long
#endif
//! in: int 64 small
//! out: int 64
//! launch: 64 by 32
//! define: MACRO_RADIUS=3
//! define: MACRO_KIND=int
__kernel void macro_given(__global const int* in, __global int* out) {
    int i = get_global_id(0);
    MACRO_KIND sum = MACRO_PICK(0, 100);
    for (int k = -MACRO_RADIUS; k <= MACRO_RADIUS; ++k) sum += in[(i + k) & 63];
    out[i] = sum;
}

// The same text, not given: the other branch.
//! in: int 64 small
//! out: int 64
//! launch: 64 by 32
__kernel void macro_not_given(__global const int* in, __global int* out) {
    int i = get_global_id(0);
    int sum = MACRO_PICK(0, 100);
    for (int k = -MACRO_RADIUS; k <= MACRO_RADIUS; ++k) sum += in[(i + k) & 63];
    out[i] = sum;
}

// On the version and on what a device has.
#if __OPENCL_VERSION__ >= 100
#define MACRO_ONE 1
#endif
#ifdef __OPENCL_NO_SUCH_THING__
#define MACRO_TWO 1
#else
#define MACRO_TWO 2
#endif
//! in: int 64 small
//! out: int 64
//! launch: 64 by 32
__kernel void macro_version(__global const int* in, __global int* out) {
    int i = get_global_id(0);
#if defined(__OPENCL_C_VERSION__) && __OPENCL_C_VERSION__ >= 110
    out[i] = in[i] * MACRO_ONE + MACRO_TWO;
#else
    out[i] = 0;
#endif
}

// Statements, loops, and a macro within a macro; one undone and made anew.
#define EACH(i, n) for (int i = 0; i < (n); ++i)
#define SWAP(t, a, b) \
    do {              \
        t held = a;   \
        a = b;        \
        b = held;     \
    } while (0)
#define MACRO_STEP 1
#undef MACRO_STEP
#define MACRO_STEP 3
//! in: int4 64 small
//! out: int 64
//! launch: 64 by 32
__kernel void macro_statements(__global const int4* in, __global int* out) {
    int i = get_global_id(0);
    int v[4] = {in[i].x, in[i].y, in[i].z, in[i].w};
    EACH(a, 3) EACH(b, 3) if (v[b] > v[b + 1]) SWAP(int, v[b], v[b + 1]);
    out[i] = v[0] + MACRO_STEP * v[1] + SQUARE(MACRO_STEP) * v[2] + v[3] * 27;
}

// The global id behind a macro, a kernel's qualifiers behind others.
#define KERNEL __kernel void
#define ID get_global_id(0)
#define LAST(a, b, c) macro_last(a, b, c)
int macro_last(int a, int b, int c) { return c; }
//! in: int 64 small
//! out: int 64
//! launch: 64 by 32
KERNEL macro_everywhere(__global const int* in, __global int* out) {
    out[ID] = LAST(1, 2, in[ID] + __LINE__ * 0);
}

// Components of components of a vector whose macro has two definitions.
#ifdef WIDE_STEPS
#define STEPS ((ushort4)(8))
#else
#define STEPS ((ushort4)(1, 2, 3, 4))
#endif
//! in: ushort 64 small
//! out: ushort 64
//! launch: 64 by 32
__kernel void macro_components(__global const ushort* in, __global ushort* out) {
    const size_t i = get_global_id(0);
    ushort v[3] = {(STEPS).hi.even, (STEPS).lo.odd, (STEPS).odd.hi};
    out[i] = v[0] * in[i] + v[1] * 16 + v[2];
}
