// Functions of a whole group; work_group_written.cl says the same with plain loops.

// Sums, smallest, largest.
//! in: int 256 small
//! out: int4 4
//! launch: 256 by 64
//! needs: CL2.0 work_group_functions
//! like: group_reductions_written
__kernel void group_reductions(__global const int* in, __global int4* out) {
    int v = in[get_global_id(0)];
    int4 r = (int4)(work_group_reduce_add(v), work_group_reduce_min(v),
                    work_group_reduce_max(v), 0);
    if (get_local_id(0) == 0) out[get_group_id(0)] = r;
}

// Scans, with and without one's own.
//! in: int 256 small
//! out: int4 256
//! launch: 256 by 64
//! needs: CL2.0 work_group_functions
//! like: group_scans_written
__kernel void group_scans(__global const int* in, __global int4* out) {
    int i = get_global_id(0), v = in[i];
    out[i] = (int4)(work_group_scan_inclusive_add(v), work_group_scan_exclusive_add(v),
                    work_group_scan_inclusive_max(v), work_group_scan_inclusive_min(v));
}

// The smallest and the largest one before.
//! in: int 256 small
//! out: int2 256
//! launch: 256 by 64
//! needs: CL2.0 work_group_functions
//! like: group_scans_before_written
__kernel void group_scans_before(__global const int* in, __global int2* out) {
    int i = get_global_id(0), v = in[i];
    out[i] = (int2)(work_group_scan_exclusive_min(v), work_group_scan_exclusive_max(v));
}

// Broadcasts and votes.
//! in: int 256 small
//! out: int4 256
//! launch: 256 by 64
//! needs: CL2.0 work_group_functions
//! like: group_votes_written
__kernel void group_votes(__global const int* in, __global int4* out) {
    int i = get_global_id(0);
    out[i] = (int4)(work_group_broadcast(in[i], 5), work_group_any(in[i] > 7) != 0,
                    work_group_all(in[i] > -9) != 0, work_group_all(in[i] > 0) != 0);
}
