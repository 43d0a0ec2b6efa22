// A macro of as many arguments as come.

// The arguments are passed on.
#define THIRD(...) variadic_third(__VA_ARGS__)
int variadic_third(int a, int b, int c) { return a * b + c; }
//! in: int 64 small
//! out: int 64
//! launch: 64 by 32
//! wrong: NVIDIA OpenCL C has no variadic macros; clang takes them, NVIDIA's compiler does not.
__kernel void variadic_sum(__global const int* in, __global int* out) {
    int i = get_global_id(0);
    out[i] = THIRD(2, 3, in[i]);
}
