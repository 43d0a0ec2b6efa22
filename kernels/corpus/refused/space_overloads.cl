// Functions that only the address space of a pointer tells apart.
//! refused: 6 f
#define OVERLOADED __attribute__((overloadable))
typedef __global const int* Data;
int OVERLOADED f(__local int* p, float a) { return p[0]; }
int OVERLOADED f(Data p, int a) { return p[0] + 1; }
__kernel void k(__global int* out, __local int* part) { out[0] = f(part, 1) + f(out, 1); }
