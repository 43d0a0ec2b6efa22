// Sub-groups: answers that do not depend on how large one is, as in sub_group_written.cl.

#pragma OPENCL EXTENSION cl_khr_subgroups : enable

// Every item of a group is in one place of one sub-group.
//! inout: uint 256 zero
//! launch: 256 by 64
//! needs: CL2.0 subgroups
//! like: sub_group_places_written
__kernel void sub_group_places(__global uint* out) {
    uint at = get_sub_group_id() * get_max_sub_group_size() + get_sub_group_local_id();
    out[get_group_id(0) * 64 + at] += 1 + (get_sub_group_id() < get_num_sub_groups()) +
                                      (get_sub_group_local_id() < get_sub_group_size());
}

// The sum of the sums of all sub-groups.
//! in: int 256 small
//! inout: int 3 zero
//! launch: 256 by 64
//! needs: CL2.0 subgroups
//! like: sub_group_sums_written
__kernel void sub_group_sums(__global const int* in, __global int* out) {
    int v = in[get_global_id(0)];
    int sum = sub_group_reduce_add(v);
    int most = sub_group_reduce_max(v), least = sub_group_reduce_min(v);
    if (get_sub_group_local_id() == 0) {
        atomic_add(&out[0], sum);
        atomic_max(&out[1], most);
        atomic_min(&out[2], least);
    }
}

// A scan's last value is the sum; the first one's input goes to all; votes.
//! in: int 256 small
//! out: int 256
//! launch: 256 by 64
//! needs: CL2.0 subgroups
//! like: sub_group_scans_written
__kernel void sub_group_scans(__global const int* in, __global int* out) {
    int i = get_global_id(0), v = in[i];
    int inclusive = sub_group_scan_inclusive_add(v);
    int exclusive = sub_group_scan_exclusive_add(v);
    int last = sub_group_broadcast(inclusive, get_sub_group_size() - 1);
    sub_group_barrier(CLK_LOCAL_MEM_FENCE);
    out[i] = (inclusive - exclusive == v) + 2 * (last == sub_group_reduce_add(v)) +
             4 * (sub_group_all(v > -9) != 0) + 8 * (sub_group_any(v > 9) != 0);
}
