// A macro that gets its earlier text back.
//! refused: 4 _Pragma
#define A 1
_Pragma("push_macro(\"A\")")
#undef A
#define A 2
_Pragma("pop_macro(\"A\")")
__kernel void k(__global int* out) { out[0] = A; }
