// Barriers and fences.

// In a loop.
//! in: int 128 small
//! out: int 128
//! launch: 128 by 32
__kernel void barrier_in_loop(__global const int* in, __global int* out) {
    __local int tile[2][32];
    int l = get_local_id(0);
    tile[0][l] = in[get_global_id(0)];
    int now = 0;
    for (int step = 1; step < 32; step *= 2) {
        barrier(CLK_LOCAL_MEM_FENCE);
        tile[1 - now][l] = tile[now][l] + (l >= step ? tile[now][l - step] : 0);
        now = 1 - now;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    out[get_global_id(0)] = tile[now][l];
}

// Of global memory, within a group.
//! inout: int 128 bits
//! launch: 128 by 32
__kernel void barrier_global(__global int* io) {
    int i = get_global_id(0), l = get_local_id(0), base = i - l;
    int other = io[base + 31 - l];
    barrier(CLK_GLOBAL_MEM_FENCE);
    io[i] = other ^ l;
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    if (l == 0) io[base] += io[base + 31];
}

// Fences order, they do not wait.
//! in: int 64 bits
//! out: int 64
//! launch: 64 by 32
__kernel void barrier_fences(__global const int* in, __global int* out) {
    __local int own[32];
    int l = get_local_id(0), i = get_global_id(0);
    own[l] = in[i];
    mem_fence(CLK_LOCAL_MEM_FENCE);
    out[i] = own[l];
    write_mem_fence(CLK_GLOBAL_MEM_FENCE);
    out[i] += 1;
    read_mem_fence(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
}

// Where the whole group takes one branch.
//! in: int 128 bits
//! out: int 128
//! launch: 128 by 32
__kernel void barrier_uniform_branch(__global const int* in, __global int* out) {
    __local int tile[32];
    int l = get_local_id(0), i = get_global_id(0);
    tile[l] = in[i];
    if (get_group_id(0) & 1) {
        barrier(CLK_LOCAL_MEM_FENCE);
        out[i] = tile[l ^ 3];
    } else {
        out[i] = tile[l];
    }
}
