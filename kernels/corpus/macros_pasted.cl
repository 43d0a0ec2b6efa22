// What only a preprocessor can read: names that are put together.
//! expand

// Pasted names.
#define JOIN(a, b) a##b
#define JOINED(a, b) JOIN(a, b)
#define WIDTH 4
#define VECTOR(t) JOINED(t, WIDTH)
#define MAKE(name, op) \
    int JOIN(macro_, name)(int a, int b) { return a op b; }
MAKE(plus, +)
MAKE(times, *)
//! in: int4 64 small
//! out: int4 64
//! launch: 64 by 32
__kernel void macro_pasting(__global const VECTOR(int)* in, __global VECTOR(int)* out) {
    int i = get_global_id(0);
    VECTOR(int) v = JOINED(convert_, VECTOR(int))(in[i]);
    v.x = macro_plus(v.JOIN(y, z).x, macro_times(v.z, 3));
    out[i] = v;
}
