// Several parameters in local memory, not only the last one.

// Two behind the buffers.
//! in: int 64 bits
//! out: int 64
//! local: 128
//! local: 256
//! launch: 64 by 32
__kernel void local_two(__global const int* in, __global int* out, __local int* a,
                        __local long* b) {
    int l = get_local_id(0), i = get_global_id(0);
    a[l] = in[i];
    b[l] = (long)in[i] * 3;
    barrier(CLK_LOCAL_MEM_FENCE);
    out[i] = a[31 - l] + (int)(b[l ^ 1] >> 4);
}

// One between the others.
//! in: float 64 bits
//! local: 128
//! out: float 64
//! value: int 5
//! launch: 64 by 32
__kernel void local_between(__global const float* in, __local float* tile,
                            __global float* out, int shift) {
    int l = get_local_id(0), i = get_global_id(0);
    tile[l] = in[i];
    barrier(CLK_LOCAL_MEM_FENCE);
    out[i] = tile[(l + shift) & 31];
}
