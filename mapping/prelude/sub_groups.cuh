// Sub-groups, which are warps: they follow the linear local id. The last one of a group may be
// partial: its mask names only the lanes that there are.
// == sub_group_lanes get_sub_group_local_id get_sub_group_id get_max_sub_group_size
//    get_num_sub_groups get_enqueued_num_sub_groups get_sub_group_size: needs get_local_linear_id
__device__ inline unsigned int get_sub_group_local_id() {
    return get_local_linear_id() % 32;
}
__device__ inline unsigned int get_sub_group_id() { return get_local_linear_id() / 32; }
__device__ inline unsigned int get_max_sub_group_size() { return 32; }
__device__ inline unsigned int get_num_sub_groups() {
    return (blockDim.x * blockDim.y * blockDim.z + 31) / 32;
}
__device__ inline unsigned int get_enqueued_num_sub_groups() { return get_num_sub_groups(); }
__device__ inline unsigned int get_sub_group_size() {
    const unsigned int rest = blockDim.x * blockDim.y * blockDim.z - get_sub_group_id() * 32;
    return rest < 32 ? rest : 32;
}
__device__ inline unsigned int sub_group_mask() { return ~0u >> (32 - get_sub_group_size()); }
// == sub_group_barrier: needs sub_group_lanes, atomic_fences
template <class Flags>
__device__ inline void sub_group_barrier(Flags, memory_scope scope = memory_scope_sub_group) {
    if (scope > memory_scope_sub_group) fence_of(scope);
    __syncwarp(sub_group_mask());
}
// == sub_group_all(__all_sync) sub_group_any(__any_sync): each; needs sub_group_lanes
__device__ inline int NAME(int x) {
    return BASE(sub_group_mask(), x);
}
// Passes a value on in words of 32 bits, so that it can have any type.
// == sub_group_read: needs sub_group_lanes
template <class T> __device__ inline T sub_group_read(T x, unsigned int lane) {
    constexpr unsigned int count = (sizeof(T) + 3) / 4;
    union Words {
        __device__ Words() {}
        T value;
        unsigned int words[count];
    } all;
    all.words[count - 1] = 0;
    all.value = x;
    for (unsigned int i = 0; i < count; ++i) {
        all.words[i] = __shfl_sync(sub_group_mask(), all.words[i], lane);
    }
    return all.value;
}
// == sub_group_broadcast sub_group_non_uniform_broadcast sub_group_shuffle intel_sub_group_shuffle:
//    each; needs sub_group_read
template <class T> __device__ inline T NAME(T x, unsigned int lane) {
    return sub_group_read(x, lane);
}
// == sub_group_broadcast_first: needs sub_group_read
template <class T> __device__ inline T sub_group_broadcast_first(T x) {
    return sub_group_read(x, 0);
}
// == sub_group_shuffle_xor intel_sub_group_shuffle_xor: each; needs sub_group_read
template <class T> __device__ inline T NAME(T x, unsigned int mask) {
    return sub_group_read(x, get_sub_group_local_id() ^ mask);
}
// == sub_group_shuffle_up: needs sub_group_read
template <class T> __device__ inline T sub_group_shuffle_up(T x, unsigned int delta) {
    return sub_group_read(x, get_sub_group_local_id() - delta);
}
// == sub_group_shuffle_down: needs sub_group_read
template <class T> __device__ inline T sub_group_shuffle_down(T x, unsigned int delta) {
    return sub_group_read(x, get_sub_group_local_id() + delta);
}
// == intel_sub_group_shuffle_up: needs sub_group_read
template <class T>
__device__ inline T intel_sub_group_shuffle_up(T before, T x, unsigned int delta) {
    const unsigned int lane = get_sub_group_local_id() - delta;
    const T far = sub_group_read(before, lane), near = sub_group_read(x, lane);
    return lane < 32 ? near : far;
}
// == intel_sub_group_shuffle_down: needs sub_group_read
template <class T>
__device__ inline T intel_sub_group_shuffle_down(T x, T after, unsigned int delta) {
    const unsigned int lane = get_sub_group_local_id() + delta;
    const T near = sub_group_read(x, lane), far = sub_group_read(after, lane);
    return lane < 32 ? near : far;
}
// == sub_group_fold: needs sub_group_read, group_operations
template <class Op, class T> __device__ inline T sub_group_fold(T x) {
    const unsigned int lane = get_sub_group_local_id();
    for (unsigned int d = 16; d > 0; d /= 2) {
        const T other = sub_group_read(x, lane + d);
        if (lane + d < get_sub_group_size()) x = Op::of(x, other);
    }
    return sub_group_read(x, 0);
}
// == sub_group_scan: needs sub_group_read, group_operations
template <class Op, bool inclusive, class T> __device__ inline T sub_group_scan(T x) {
    const unsigned int lane = get_sub_group_local_id();
    const T identity = Op::identity(x);
    for (unsigned int d = 1; d < 32; d *= 2) {
        const T other = sub_group_read(x, lane - d);
        if (lane >= d) x = Op::of(other, x);
    }
    if (inclusive) return x;
    const T before = sub_group_read(x, lane - 1);
    return lane > 0 ? before : identity;
}
// == sub_group_ballot: needs sub_group_lanes
__device__ inline uint4 sub_group_ballot(int x) {
    return make_uint4(__ballot_sync(sub_group_mask(), x), 0, 0, 0);
}
// == sub_group_inverse_ballot: needs sub_group_lanes
__device__ inline int sub_group_inverse_ballot(uint4 bits) {
    return bits.x >> get_sub_group_local_id() & 1;
}
// == sub_group_ballot_bit_extract
__device__ inline int sub_group_ballot_bit_extract(uint4 bits, unsigned int lane) {
    return lane < 32 ? bits.x >> lane & 1 : 0;
}
// == sub_group_ballot_bit_count: needs sub_group_lanes
__device__ inline unsigned int sub_group_ballot_bit_count(uint4 bits) {
    return __popc(bits.x & sub_group_mask());
}
// == sub_group_ballot_inclusive_scan: needs sub_group_lanes
__device__ inline unsigned int sub_group_ballot_inclusive_scan(uint4 bits) {
    return __popc(bits.x & ~0u >> (31 - get_sub_group_local_id()));
}
// == sub_group_ballot_exclusive_scan: needs sub_group_lanes
__device__ inline unsigned int sub_group_ballot_exclusive_scan(uint4 bits) {
    return __popc(bits.x & ((1u << get_sub_group_local_id()) - 1));
}
// == sub_group_ballot_find_lsb: needs sub_group_lanes
__device__ inline unsigned int sub_group_ballot_find_lsb(uint4 bits) {
    return __ffs(int(bits.x & sub_group_mask())) - 1;
}
// == sub_group_ballot_find_msb: needs sub_group_lanes
__device__ inline unsigned int sub_group_ballot_find_msb(uint4 bits) {
    return 31 - __clz(int(bits.x & sub_group_mask()));
}

// == sub_group_reduce_add(group_add) sub_group_reduce_min(group_min)
//    sub_group_reduce_max(group_max): each; needs sub_group_fold
template <class T> __device__ inline T NAME(T x) {
    return sub_group_fold<BASE>(x);
}
// == sub_group_scan_inclusive_add(group_add) sub_group_scan_inclusive_min(group_min)
//    sub_group_scan_inclusive_max(group_max): each; needs sub_group_scan
template <class T> __device__ inline T NAME(T x) {
    return sub_group_scan<BASE, true>(x);
}
// == sub_group_scan_exclusive_add(group_add) sub_group_scan_exclusive_min(group_min)
//    sub_group_scan_exclusive_max(group_max): each; needs sub_group_scan
template <class T> __device__ inline T NAME(T x) {
    return sub_group_scan<BASE, false>(x);
}

// A bit for each lane that compares so with this one.
// == get_sub_group_eq_mask: needs sub_group_lanes
__device__ inline uint4 get_sub_group_eq_mask() {
    const unsigned int lane = get_sub_group_local_id();
    return make_uint4(1u << lane, 0, 0, 0);
}
// == get_sub_group_ge_mask: needs sub_group_lanes
__device__ inline uint4 get_sub_group_ge_mask() {
    const unsigned int lane = get_sub_group_local_id();
    return make_uint4(~0u << lane & sub_group_mask(), 0, 0, 0);
}
// == get_sub_group_gt_mask: needs sub_group_lanes
__device__ inline uint4 get_sub_group_gt_mask() {
    const unsigned int lane = get_sub_group_local_id();
    return make_uint4(~1u << lane & sub_group_mask(), 0, 0, 0);
}
// == get_sub_group_le_mask: needs sub_group_lanes
__device__ inline uint4 get_sub_group_le_mask() {
    const unsigned int lane = get_sub_group_local_id();
    return make_uint4(~(~1u << lane), 0, 0, 0);
}
// == get_sub_group_lt_mask: needs sub_group_lanes
__device__ inline uint4 get_sub_group_lt_mask() {
    const unsigned int lane = get_sub_group_local_id();
    return make_uint4(~(~0u << lane), 0, 0, 0);
}
