// Where an item stands.

// All ids of one dimension.
//! out: int8 64
//! launch: 64 by 16
__kernel void item_one_dimension(__global int8* out) {
    int i = get_global_id(0);
    out[i] = (int8)(get_local_id(0), get_group_id(0), get_local_size(0), get_num_groups(0),
                    get_global_size(0), get_global_id(1), get_global_size(1), i);
}

// Three dimensions.
//! out: int4 128
//! launch: 8x4x4 by 4x2x1
__kernel void item_three_dimensions(__global int4* out) {
    size_t x = get_global_id(0), y = get_global_id(1), z = get_global_id(2);
    size_t at = (z * get_global_size(1) + y) * get_global_size(0) + x;
    out[at] = (int4)(get_local_id(0) + 10 * get_local_id(1) + 100 * get_local_id(2),
                     get_group_id(0) + 10 * get_group_id(1) + 100 * get_group_id(2),
                     get_num_groups(0) + 10 * get_num_groups(1) + 100 * get_num_groups(2),
                     get_local_size(0) + 10 * get_local_size(1) + 100 * get_local_size(2));
}

// The dimension is a variable; beyond the last one ids are 0 and sizes 1.
//! out: int 320
//! launch: 8x8 by 4x2
//! wrong: Portable PoCL 3.1 says 0 for sizes beyond the third dimension.
__kernel void item_variable_dimension(__global int* out) {
    int at = get_global_id(1) * get_global_size(0) + get_global_id(0);
    for (uint d = 0; d < 5; ++d) {
        out[at * 5 + d] = get_global_id(d) + 10 * get_local_id(d) + 100 * get_group_id(d) +
                          1000 * get_global_size(d) + 10000 * get_local_size(d) +
                          100000 * get_num_groups(d);
    }
}

// The offset of a launch is 0 where there is none.
//! out: int 64
//! launch: 64 by 32
__kernel void item_offset(__global int* out) {
    out[get_global_id(0)] = get_global_offset(0) + get_global_id(0);
}

// Two dimensions over a rectangle that the groups do not fill.
//! inout: int 700 zero
//! value: int 35
//! value: int 20
//! launch: 48x32 by 16x4
__kernel void item_ragged(__global int* out, int width, int height) {
    int x = get_global_id(0), y = get_global_id(1);
    if (x >= width || y >= height) return;
    out[y * width + x] = x * 100 + y;
}

// Ids in helpers, in indices, in conditions.
int item_helper(void) { return get_local_id(0) * 2 + get_group_id(0); }
//! inout: int 64 small
//! launch: 64 by 32
__kernel void item_everywhere(__global int* io) {
    if (get_local_id(0) % 2 == 0 && get_group_id(0) < get_num_groups(0) - 1)
        io[get_global_id(0)] += item_helper();
    for (size_t i = get_local_id(0); i < 1; i += get_local_size(0)) io[get_global_id(0)]++;
}
