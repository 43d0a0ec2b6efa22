// Atomic functions of OpenCL 1.x: what stands at the end does not depend on who came first.

// Sums, of signed and unsigned, and counts up and down.
//! in: int 256 bits
//! inout: int 4 zero
//! inout: uint 2 zero
//! launch: 256 by 64
__kernel void atomic_sums(__global const int* in, volatile __global int* sums,
                          volatile __global uint* counts) {
    int v = in[get_global_id(0)] >> 8;
    atomic_add(&sums[0], v);
    atomic_sub(&sums[1], v);
    atomic_inc(&sums[2]);
    atomic_dec(&sums[3]);
    atomic_add(counts, 3u);
    atomic_sub(counts + 1, 1u);
}

// The largest, the smallest; bits.
//! in: int 256 bits
//! inout: int 2 zero
//! inout: uint 5 iota
//! launch: 256 by 64
__kernel void atomic_order(__global const int* in, __global int* order, __global uint* bits) {
    int v = in[get_global_id(0)];
    atomic_min(order, v);
    atomic_max(order + 1, v);
    atomic_or(&bits[0], 1u << (v & 15));
    atomic_and(&bits[1], (uint)v | 0xfffffff1u);
    atomic_xor(&bits[2], (uint)v);
    atomic_max(&bits[3], (uint)v);
    atomic_min(&bits[4], (uint)v);
}

// What comes back is each number once.
//! inout: uint 1 zero
//! inout: uint 256 zero
//! launch: 256 by 64
__kernel void atomic_tickets(__global uint* next, __global uint* seen) {
    uint ticket = atomic_inc(next);
    if (ticket < 256) seen[ticket] = ticket * 3 + 1;
}

// Added to with compare and exchange; floats exchanged.
//! in: float 128 small
//! inout: uint 1 zero
//! inout: float 128 zero
//! launch: 128 by 64
__kernel void atomic_exchanged(__global const float* in, volatile __global uint* sum,
                              volatile __global float* places) {
    int i = get_global_id(0);
    uint seen = *sum, expected;
    do {
        expected = seen;
        seen = atomic_cmpxchg(sum, expected, as_uint(as_float(expected) + in[i]));
    } while (seen != expected);
    float before = atomic_xchg(&places[i], in[i]);
    places[i] += before * 2;
}

// In local memory.
//! in: uchar 256 bits
//! out: uint 64
//! launch: 256 by 64
__kernel void atomic_local(__global const uchar* in, __global uint* out) {
    __local uint bins[16];
    int l = get_local_id(0);
    if (l < 16) bins[l] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    atomic_add(&bins[in[get_global_id(0)] & 15], 1u);
    barrier(CLK_LOCAL_MEM_FENCE);
    if (l < 16) out[get_group_id(0) * 16 + l] = bins[l];
}

// The old spelling, and 64 bits.
#pragma OPENCL EXTENSION cl_khr_int64_base_atomics : enable
#pragma OPENCL EXTENSION cl_khr_int64_extended_atomics : enable
//! in: ulong 128 bits
//! inout: ulong 4 zero
//! inout: int 1 zero
//! launch: 128 by 64
__kernel void atomic_wide(__global const ulong* in, __global ulong* out, __global int* count) {
    int i = get_global_id(0);
    atom_add(&out[0], in[i] >> 8);
    atom_inc(&out[1]);
    atom_max(&out[2], in[i]);
    atom_xor(&out[3], in[i]);
    atom_inc(count);
}

// Through a helper, by pointer, its result used.
uint atomic_taken(volatile __global uint* at, uint n) { return atomic_add(at, n) + n; }
//! inout: uint 2 zero
//! launch: 64 by 32
__kernel void atomic_helper(__global uint* io) {
    uint end = atomic_taken(io, 2);
    atomic_max(io + 1, end);
}

// Counters of the type that sizes have.
#pragma OPENCL EXTENSION cl_khr_int64_base_atomics : enable
//! in: uint 64 bits
//! out: ulong 64
//! launch: 64 by 32
__kernel void atomic_sizes(__global const uint* in, __global ulong* out) {
    __local size_t sum;
    __local volatile size_t count;
    __local ptrdiff_t least;
    const size_t i = get_global_id(0);
    if (get_local_id(0) == 0) sum = count = least = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    atom_add(&sum, in[i]);
    atom_inc(&count);
    atom_sub(&least, 3L);
    barrier(CLK_LOCAL_MEM_FENCE);
    size_t both[4] = {sum, count, i, least};
    const ulong2 v = vload2(1, both);
    vstore2(v + 1, 0, both);
    out[i] = both[0] + both[1] + v.x + v.y;
}

// What is subtracted has only its sign bit.
//! in: uint 64 bits
//! inout: uint 64 zero
//! inout: int 64 zero
//! launch: 64 by 64
__kernel void atomic_sub_of_the_sign(__global const uint* in, volatile __global uint* sums,
                                     volatile __global int* others) {
    const size_t i = get_global_id(0);
    atomic_sub(&sums[i], in[i] << 31);
    atomic_sub(others + i, (int)(in[i] << 31));
}
