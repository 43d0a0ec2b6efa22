// Kernels that others call, which CUDA has not.

//! inout: int 64 bits
//! value: int 3
//! launch: 64 by 32
__kernel __attribute__((reqd_work_group_size(32, 1, 1)))
void called_first(__global int* a,  // what is added to
                  const int n) {
    a[get_global_id(0)] += n;
}

// With local memory: the launch's, or the caller's.
//! inout: int 64 bits
//! local: 128
//! local: 256
//! launch: 64 by 32
__kernel void called_local(__global int* a, __local int* tile, __local int (*pairs)[2]) {
    int l = get_local_id(0);
    tile[l] = a[get_global_id(0)];
    pairs[l][l & 1] = tile[l] * 3;
    pairs[l][~l & 1] = l;
    barrier(CLK_LOCAL_MEM_FENCE);
    a[get_global_id(0)] = tile[31 - l] + pairs[31 - l][0];
    barrier(CLK_LOCAL_MEM_FENCE);
}

// With an array of its own.
//! inout: int 64 bits
//! launch: 64 by 32
__kernel void called_array(__global int* a) {
    __local int tile[32];
    int l = get_local_id(0);
    tile[l] = a[get_global_id(0)];
    barrier(CLK_LOCAL_MEM_FENCE);
    a[get_global_id(0)] = tile[l ^ 5] - l;
    barrier(CLK_LOCAL_MEM_FENCE);
}

#define CALL_AGAIN(a) called_first(a, -1)
void called_by_helper(__global int* a) { called_first(a, 7); }

//! in: int 64 bits
//! inout: int 64 bits
//! launch: 64 by 32
__kernel void calls_others(__global const int* in, __global int* a) {
    __local int tile[32], pairs[32][2];
    called_first(a, 5);
    CALL_AGAIN(a);
    called_by_helper(a);
    called_local(a, tile, pairs);
    called_array(a);
    called_array(a);
    a[get_global_id(0)] ^= in[get_global_id(0)];
}
