// Writes the prelude's functions as a header that the host can run: prelude_host HEADER
#include <array>
#include <fstream>

#include <fmt/format.h>

#include "mapping/prelude/prelude.hpp"
#include "mapping/prelude/prelude_parts.hpp"

int main(int count, char** arguments) {
    using namespace parallax;
    if (count != 2) return 2;
    PreludeKeys keys{"shift_left", "shift_right", "shift_left_assign", "shift_right_assign"};
    for (const char* name : {"abs", "abs_diff", "add_sat", "sub_sat", "mad_sat", "hadd", "rhadd",
                             "clz", "ctz", "popcount", "mul_hi", "mad_hi", "rotate", "upsample",
                             "unsigned_abs", "min", "max", "clamp"}) {
        for (const char* element :
             {"char", "uchar", "short", "ushort", "int", "uint", "long", "ulong"}) {
            for (const unsigned width : {1u, 2u, 16u}) keys.insert(key_of({element, width}, name));
        }
    }
    for (const char* name : {"mul24", "mad24"}) {
        for (const char* element : {"int", "uint"}) keys.insert(key_of({element, 1}, name));
    }
    for (const char* name :
         {"clamp",  "degrees", "radians", "mix",      "sign",      "step",    "smoothstep",
          "dot",    "cross",   "length",  "distance", "normalize", "fract",   "maxmag",
          "minmag", "pown",    "powr",    "rootn",    "remquo",    "mad",     "fmax",
          "ldexp",  "frexp",   "acospi",  "asinpi",   "atanpi",    "atan2pi", "lgamma_r"}) {
        for (const char* element : {"float", "double"}) {
            for (const unsigned width : {1u, 3u, 4u}) keys.insert(key_of({element, width}, name));
        }
    }
    for (const char* group : {"work_group", "sub_group"}) {
        for (const char* operation : {"add", "min", "max"}) {
            for (const char* kind : {"reduce", "scan_inclusive", "scan_exclusive"}) {
                keys.insert(fmt::format("{}_{}_{}", group, kind, operation));
            }
        }
    }
    keys.insert({"work_group_broadcast",
                 "async_work_group_copy",
                 "async_work_group_strided_copy",
                 "wait_group_events",
                 "get_global_linear_id",
                 "sub_group_broadcast",
                 "sub_group_shuffle_up",
                 "sub_group_shuffle_down",
                 "sub_group_shuffle_xor",
                 "intel_sub_group_shuffle_up",
                 "intel_sub_group_shuffle_down",
                 "sub_group_ballot",
                 "sub_group_ballot_inclusive_scan",
                 "sub_group_ballot_exclusive_scan",
                 "sub_group_ballot_bit_count",
                 "sub_group_ballot_find_lsb",
                 "sub_group_ballot_find_msb",
                 "get_sub_group_ge_mask",
                 "get_sub_group_gt_mask",
                 "get_sub_group_le_mask",
                 "get_sub_group_lt_mask",
                 "get_sub_group_eq_mask"});
    keys.insert({"long atomicAdd", "long atomicSub", "ulong atomicSub", "long atomicExch",
                 "double atomicExch", "long atomicCAS", "long atomicAnd",
                 "atomic_fetch_sub_explicit", "atomic_compare_exchange_strong", "atom_inc",
                 "atomic_flag_test_and_set"});
    std::ofstream(arguments[1]) << "#pragma GCC system_header\n" << prelude_of(keys);
}
