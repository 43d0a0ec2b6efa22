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

// Values of other lanes, votes and masks, where the device has them: each that is right counts.
//! in: int 256 small
//! out: int 256
//! launch: 256 by 64
//! needs: CL2.0 subgroups
//! like: sub_group_neighbours_written
__kernel void sub_group_neighbours(__global const int* in, __global int* out) {
    const int i = get_global_id(0), v = in[i];
    const uint lane = get_sub_group_local_id(), size = get_sub_group_size();
    int wrong = size > get_max_sub_group_size() || get_enqueued_num_sub_groups() == 0;
    const int first = sub_group_broadcast(v, 0);
    const int least = sub_group_scan_inclusive_min(v), most = sub_group_scan_inclusive_max(v);
    const int before = sub_group_scan_exclusive_min(v), over = sub_group_scan_exclusive_max(v);
    wrong += least > v || most < v || min(before, v) != least || max(over, v) != most;
    sub_group_barrier(CLK_LOCAL_MEM_FENCE, memory_scope_sub_group);
    sub_group_barrier(CLK_GLOBAL_MEM_FENCE, memory_scope_device);
#ifdef cl_khr_subgroup_shuffle
    const int lowest = sub_group_shuffle(v, 0), own = sub_group_shuffle(v, lane);
    const uint back = sub_group_shuffle_xor(sub_group_shuffle_xor(lane, 1), 1);
    wrong += lowest != first || own != v || (back != lane && size % 2 == 0);
#endif
#ifdef cl_khr_subgroup_shuffle_relative
    const uint left = sub_group_shuffle_up(lane, 1), right = sub_group_shuffle_down(lane, 1);
    wrong += (lane > 0 && left != lane - 1) || (lane + 1 < size && right != lane + 1);
#endif
#ifdef cl_khr_subgroup_ballot
    const uint4 votes = sub_group_ballot(lane % 2 == 0);
    wrong += sub_group_broadcast_first(v) != first;
    wrong += sub_group_non_uniform_broadcast(v, 0) != first;
    wrong += sub_group_inverse_ballot(votes) != (lane % 2 == 0);
    wrong += sub_group_ballot_bit_extract(votes, lane) != (lane % 2 == 0);
    wrong += sub_group_ballot_bit_count(votes) != (size + 1) / 2;
    wrong += sub_group_ballot_inclusive_scan(votes) != lane / 2 + 1;
    wrong += sub_group_ballot_exclusive_scan(votes) != (lane + 1) / 2;
    wrong += sub_group_ballot_find_lsb(votes) != 0;
    wrong += sub_group_ballot_find_msb(votes) != (size - 1) / 2 * 2;
    const uint4 here = get_sub_group_eq_mask(), up = get_sub_group_ge_mask();
    wrong += sub_group_ballot_bit_count(get_sub_group_le_mask()) != lane + 1;
    wrong += sub_group_ballot_bit_count(get_sub_group_lt_mask()) != lane;
    wrong += sub_group_ballot_bit_count(up) != size - lane;
    wrong += sub_group_ballot_bit_count(get_sub_group_gt_mask()) != size - lane - 1;
    wrong += sub_group_ballot_bit_count(here) != 1;
#endif
#ifdef cl_intel_subgroups
    wrong += intel_sub_group_shuffle(v, lane) != v;
    wrong += intel_sub_group_shuffle_xor(v, 0) != v;
    wrong += intel_sub_group_shuffle_up(v, v, 0) != v;
    wrong += intel_sub_group_shuffle_down(v, v, 0) != v;
#endif
    out[i] = wrong;
}
