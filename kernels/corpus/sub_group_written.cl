// What the kernels of sub_group.cl give, without sub-groups.

// The same without.
//! inout: uint 256 zero
//! launch: 256 by 64
__kernel void sub_group_places_written(__global uint* out) { out[get_global_id(0)] = 3; }

// The same without.
//! in: int 256 small
//! inout: int 3 zero
//! launch: 256 by 64
__kernel void sub_group_sums_written(__global const int* in, __global int* out) {
    int v = in[get_global_id(0)];
    atomic_add(&out[0], v);
    atomic_max(&out[1], v);
    atomic_min(&out[2], v);
}

// The same without.
//! in: int 256 small
//! out: int 256
//! launch: 256 by 64
__kernel void sub_group_scans_written(__global const int* in, __global int* out) {
    out[get_global_id(0)] = 7;
}

// The same without.
//! in: int 256 small
//! out: int 256
//! launch: 256 by 64
__kernel void sub_group_neighbours_written(__global const int* in, __global int* out) {
    out[get_global_id(0)] = 0;
}
