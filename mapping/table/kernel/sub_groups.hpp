// Sub-groups, which are warps in CUDA.
#pragma once

#include "mapping/table/mapping_rule.hpp"

namespace parallax::row_lists {

inline constexpr MappingRule kernel_sub_groups[] = {
    {"get_sub_group_<size|id|local_id>()", "=",
     "A sub-group is a warp: 32 work-items whose linear local ids follow each other. OpenCL "
     "leaves the size open.", nearly, "@, lane, lane id, laneid"},
    {"get_<max_sub_group_size|num_sub_groups|enqueued_num_sub_groups>()", "=",
     "A sub-group is a warp: 32 work-items whose linear local ids follow each other. OpenCL "
     "leaves the size open.", nearly, "@"},
    {"sub_group_barrier($)", "=",
     "__syncwarp() of the lanes that there are; it orders their memory as well.", same,
     "@__syncwarp"},
    {"sub_group_barrier($, $)", "=",
     "__syncwarp() of the lanes that there are, behind CUDA's fence of the scope.", nearly,
     "@__syncwarp"},
    {"sub_group_<all|any>($)", "=",
     "The warp votes, by __all_sync or __any_sync.", same, "@__all_sync, @__any_sync"},
    {"sub_group_shuffle<|_xor|_up|_down>($, $)", "=",
     "__shfl_sync over the lanes that there are, of any type. All of the sub-group must call it.",
     nearly,
     "@__shfl_sync, @__shfl_xor_sync, @__shfl_up_sync, @__shfl_down_sync, warp shuffle, "
     "shuffle across lanes"},
    {"sub_group_<broadcast|non_uniform_broadcast>($, $)", "=",
     "__shfl_sync over the lanes that there are, of any type. All of the sub-group must call it.",
     nearly, "@__shfl_sync"},
    {"intel_sub_group_shuffle<|_xor>($, $)", "=",
     "Intel's older name; __shfl_sync over the lanes that there are, of any type. All of the "
     "sub-group must call it.", nearly, "@__shfl_sync, @__shfl_xor_sync"},
    {"sub_group_broadcast_first($)", "=",
     "The value of lane 0. All of the sub-group must call it.", nearly, "@__shfl_sync"},
    {"intel_sub_group_shuffle_<up|down>($, $, $)", "=",
     "Shifts two values a lane, side by side, by a number of lanes.", nearly,
     "@__shfl_up_sync, @__shfl_down_sync"},
    {"sub_group_reduce_add($)", "=",
     "The prelude adds the values by a tree of shuffles. OpenCL does not fix the order of the "
     "sums.", nearly, "@__reduce_add_sync, warp reduction"},
    {"sub_group_scan_<inclusive|exclusive>_add($)", "=",
     "The prelude adds the values of the lanes before, for inclusive this one's as well, by "
     "shuffles. OpenCL does not fix the order of the sums.", nearly, "@cub::WarpScan"},
    {"sub_group_reduce_<min|max>($)", "=", "The prelude finds it by a tree of shuffles.", same,
     "@__reduce_min_sync, @__reduce_max_sync"},
    {"sub_group_scan_<inclusive|exclusive>_<min|max>($)", "=",
     "The prelude finds it for the lanes before, for inclusive with this one, by shuffles.", same,
     "@cub::WarpScan"},
    {"sub_group_ballot($)", "=",
     "The votes in the first 32 of 128 bits. All of the sub-group must call it.", nearly,
     "@__ballot_sync, __activemask, vote"},
    {"sub_group_inverse_ballot($)", "=",
     "Looks at the first 32 of the 128 bits, as a warp has no more lanes; the prelude has it.",
     same, "@"},
    {"sub_group_ballot_<bit_count|inclusive_scan|exclusive_scan|find_lsb|find_msb>($)", "=",
     "Looks at the first 32 of the 128 bits, as a warp has no more lanes; the prelude has it.",
     same, "@"},
    {"sub_group_ballot_bit_extract($, $)", "=",
     "Looks at the first 32 of the 128 bits, as a warp has no more lanes; the prelude has it.",
     same, "@"},
    {"get_sub_group_<eq|ge|gt|le|lt>_mask()", "=",
     "A bit for each lane whose number is equal to (eq), at least (ge), above (gt), at most "
     "(le) or below (lt) this one's, in the first 32 of 128 bits.", same, "@"},
    {"sub_group_block_*(), intel_sub_group_block_*()", "",
     "Block reads and writes have no counterpart. Let each lane read its own element, at the "
     "sub-group's start plus its lane.", none},
    {"sub_group_non_uniform_*(), sub_group_clustered_*(), sub_group_rotate*(), "
     "sub_group_elect(), sub_group_reduce_*(), sub_group_scan_*()", "",
     "Only add, min and max of the whole sub-group are translated. Write it with shuffles.", none,
     "__match_any_sync, cooperative groups, tiled_partition, coalesced_threads, cg::reduce, "
     "cl_khr_subgroup_clustered_reduce, cl_khr_subgroup_rotate"},
};

}  // namespace parallax::row_lists
