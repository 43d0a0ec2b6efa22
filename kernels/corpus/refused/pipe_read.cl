// A pipe.
//! refused: 3 pipe
__kernel void k(__read_only pipe int in, __global int* out) {
    int v;
    if (read_pipe(in, &v) == 0) out[0] = v;
}
