// Copies by the whole group.

// To local memory and back.
//! in: float 128 bits
//! out: float 128
//! launch: 128 by 32
__kernel void async_there_and_back(__global const float* in, __global float* out) {
    __local float a[32], b[32];
    size_t base = get_group_id(0) * 32;
    event_t e = async_work_group_copy(a, in + base, 32, 0);
    wait_group_events(1, &e);
    b[get_local_id(0)] = a[31 - get_local_id(0)];
    barrier(CLK_LOCAL_MEM_FENCE);
    e = async_work_group_copy(out + base, b, 32, 0);
    wait_group_events(1, &e);
}

// Two copies behind one event, of vectors.
//! in: int4 64 bits
//! in: int4 64 bits
//! out: int4 64
//! launch: 64 by 32
__kernel void async_two(__global const int4* a, __global const int4* b, __global int4* out) {
    __local int4 x[32], y[32];
    size_t base = get_group_id(0) * get_local_size(0);
    event_t e = async_work_group_copy(x, a + base, 32, (event_t)0);
    e = async_work_group_copy(y, b + base, 32, e);
    wait_group_events(1, &e);
    int l = get_local_id(0);
    out[base + l] = x[l] ^ y[31 - l];
}

// With a stride; fewer elements than items; more elements than items.
//! in: int 256 bits
//! out: int 128
//! launch: 64 by 32
__kernel void async_strided(__global const int* in, __global int* out) {
    __local int a[10], b[64];
    size_t group = get_group_id(0);
    event_t events[2];
    events[0] = async_work_group_strided_copy(a, in + group * 128, 10, 5, 0);
    events[1] = async_work_group_copy(b, in + group * 128 + 64, 64, 0);
    wait_group_events(2, events);
    int l = get_local_id(0);
    out[group * 64 + l] = l < 10 ? a[l] : b[l];
    out[group * 64 + 32 + l] = b[32 + l];
}

// Written with a stride; a hint beforehand.
//! in: float 64 bits
//! inout: float 128 zero
//! launch: 64 by 32
__kernel void async_scattered(__global const float* in, __global float* out) {
    __local float a[32];
    int l = get_local_id(0);
    prefetch(in + get_group_id(0) * 32, 32);
    a[l] = in[get_global_id(0)];
    barrier(CLK_LOCAL_MEM_FENCE);
    event_t e = async_work_group_strided_copy(out + get_group_id(0) * 64, a, 32, 2, 0);
    wait_group_events(1, &e);
}
