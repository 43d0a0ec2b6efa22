// The prelude's functions of sub-groups: a sub-group is a warp.
#include <algorithm>

#include <fmt/format.h>

#include "mapping/prelude/prelude_functions.hpp"

namespace parallax {
namespace {

// Warps follow the linear local id. The last one of a group may be partial: its mask names only the
// lanes that there are.
constexpr PlainFunction functions[] = {
    {"sub_group_lanes", R"(__device__ inline unsigned int get_sub_group_local_id() {
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
)",
     "get_local_linear_id"},
    {"get_sub_group_local_id", "", "sub_group_lanes"},
    {"get_sub_group_id", "", "sub_group_lanes"},
    {"get_max_sub_group_size", "", "sub_group_lanes"},
    {"get_num_sub_groups", "", "sub_group_lanes"},
    {"get_enqueued_num_sub_groups", "", "sub_group_lanes"},
    {"get_sub_group_size", "", "sub_group_lanes"},

    {"sub_group_barrier", R"(template <class... Flags>
__device__ inline void sub_group_barrier(Flags...) { __syncwarp(sub_group_mask()); }
)",
     "sub_group_lanes"},
    {"sub_group_all", R"(__device__ inline int sub_group_all(int x) {
    return __all_sync(sub_group_mask(), x);
}
)",
     "sub_group_lanes"},
    {"sub_group_any", R"(__device__ inline int sub_group_any(int x) {
    return __any_sync(sub_group_mask(), x);
}
)",
     "sub_group_lanes"},
    // In whole words, so that any type can be passed on.
    {"sub_group_read",
     R"(template <class T> __device__ inline T sub_group_read(T x, unsigned int lane) {
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
)",
     "sub_group_lanes"},
    {"sub_group_broadcast",
     R"(template <class T> __device__ inline T sub_group_broadcast(T x, unsigned int lane) {
    return sub_group_read(x, lane);
}
)",
     "sub_group_read"},
    {"sub_group_non_uniform_broadcast",
     R"(template <class T>
__device__ inline T sub_group_non_uniform_broadcast(T x, unsigned int lane) {
    return sub_group_read(x, lane);
}
)",
     "sub_group_read"},
    {"sub_group_broadcast_first",
     R"(template <class T> __device__ inline T sub_group_broadcast_first(T x) {
    return sub_group_read(x, 0);
}
)",
     "sub_group_read"},
    {"sub_group_shuffle",
     R"(template <class T> __device__ inline T sub_group_shuffle(T x, unsigned int lane) {
    return sub_group_read(x, lane);
}
)",
     "sub_group_read"},
    {"intel_sub_group_shuffle",
     R"(template <class T> __device__ inline T intel_sub_group_shuffle(T x, unsigned int lane) {
    return sub_group_read(x, lane);
}
)",
     "sub_group_read"},
    {"sub_group_shuffle_xor",
     R"(template <class T> __device__ inline T sub_group_shuffle_xor(T x, unsigned int mask) {
    return sub_group_read(x, get_sub_group_local_id() ^ mask);
}
)",
     "sub_group_read"},
    {"intel_sub_group_shuffle_xor",
     R"(template <class T> __device__ inline T intel_sub_group_shuffle_xor(T x, unsigned int mask) {
    return sub_group_read(x, get_sub_group_local_id() ^ mask);
}
)",
     "sub_group_read"},
    {"sub_group_shuffle_up",
     R"(template <class T> __device__ inline T sub_group_shuffle_up(T x, unsigned int delta) {
    return sub_group_read(x, get_sub_group_local_id() - delta);
}
)",
     "sub_group_read"},
    {"sub_group_shuffle_down",
     R"(template <class T> __device__ inline T sub_group_shuffle_down(T x, unsigned int delta) {
    return sub_group_read(x, get_sub_group_local_id() + delta);
}
)",
     "sub_group_read"},
    {"intel_sub_group_shuffle_up",
     R"(template <class T>
__device__ inline T intel_sub_group_shuffle_up(T before, T x, unsigned int delta) {
    const unsigned int lane = get_sub_group_local_id() - delta;
    const T far = sub_group_read(before, lane), near = sub_group_read(x, lane);
    return lane < 32 ? near : far;
}
)",
     "sub_group_read"},
    {"intel_sub_group_shuffle_down",
     R"(template <class T>
__device__ inline T intel_sub_group_shuffle_down(T x, T after, unsigned int delta) {
    const unsigned int lane = get_sub_group_local_id() + delta;
    const T near = sub_group_read(x, lane), far = sub_group_read(after, lane);
    return lane < 32 ? near : far;
}
)",
     "sub_group_read"},

    {"sub_group_fold", R"(template <class Op, class T> __device__ inline T sub_group_fold(T x) {
    const unsigned int lane = get_sub_group_local_id();
    for (unsigned int d = 16; d > 0; d /= 2) {
        const T other = sub_group_read(x, lane + d);
        if (lane + d < get_sub_group_size()) x = Op::of(x, other);
    }
    return sub_group_read(x, 0);
}
)",
     "sub_group_read group_operations"},
    {"sub_group_scan",
     R"(template <class Op, bool inclusive, class T> __device__ inline T sub_group_scan(T x) {
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
)",
     "sub_group_read group_operations"},

    {"sub_group_ballot", R"(__device__ inline uint4 sub_group_ballot(int x) {
    return make_uint4(__ballot_sync(sub_group_mask(), x), 0, 0, 0);
}
)",
     "sub_group_lanes"},
    {"sub_group_inverse_ballot", R"(__device__ inline int sub_group_inverse_ballot(uint4 bits) {
    return bits.x >> get_sub_group_local_id() & 1;
}
)",
     "sub_group_lanes"},
    {"sub_group_ballot_bit_extract",
     R"(__device__ inline int sub_group_ballot_bit_extract(uint4 bits, unsigned int lane) {
    return lane < 32 ? bits.x >> lane & 1 : 0;
}
)"},
    {"sub_group_ballot_bit_count",
     R"(__device__ inline unsigned int sub_group_ballot_bit_count(uint4 bits) {
    return __popc(bits.x & sub_group_mask());
}
)",
     "sub_group_lanes"},
    {"sub_group_ballot_inclusive_scan",
     R"(__device__ inline unsigned int sub_group_ballot_inclusive_scan(uint4 bits) {
    return __popc(bits.x & ~0u >> (31 - get_sub_group_local_id()));
}
)",
     "sub_group_lanes"},
    {"sub_group_ballot_exclusive_scan",
     R"(__device__ inline unsigned int sub_group_ballot_exclusive_scan(uint4 bits) {
    return __popc(bits.x & ((1u << get_sub_group_local_id()) - 1));
}
)",
     "sub_group_lanes"},
    {"sub_group_ballot_find_lsb",
     R"(__device__ inline unsigned int sub_group_ballot_find_lsb(uint4 bits) {
    return __ffs(int(bits.x & sub_group_mask())) - 1;
}
)",
     "sub_group_lanes"},
    {"sub_group_ballot_find_msb",
     R"(__device__ inline unsigned int sub_group_ballot_find_msb(uint4 bits) {
    return 31 - __clz(int(bits.x & sub_group_mask()));
}
)",
     "sub_group_lanes"},
};

constexpr std::string_view operations[] = {"add", "min", "max"};

/// `sub_group_reduce_add`, taken apart.
struct Fold {
    std::string_view kind, operation;
};

std::optional<Fold> fold_named(std::string_view word) {
    for (const std::string_view kind : {"reduce", "scan_inclusive", "scan_exclusive"}) {
        for (const std::string_view operation : operations) {
            if (word == fmt::format("sub_group_{}_{}", kind, operation)) {
                return Fold{kind, operation};
            }
        }
    }
    return {};
}

bool is_mask(std::string_view word) {
    return lists(
        "get_sub_group_eq_mask get_sub_group_ge_mask get_sub_group_gt_mask get_sub_group_le_mask "
        "get_sub_group_lt_mask",
        word);
}

}  // namespace

std::optional<Definition> sub_group_definition(const PreludeKey& key) {
    if (key.type.known() && is_sub_group_word(key.word)) return Definition{"", {key.word}};
    if (const auto fold = fold_named(key.word)) {
        const bool reduces = fold->kind == "reduce";
        const std::string call = reduces
                                     ? fmt::format("sub_group_fold<group_{}>", fold->operation)
                                     : fmt::format("sub_group_scan<group_{}, {}>", fold->operation,
                                                   fold->kind == "scan_inclusive");
        return Definition{fmt::format("template <class T> __device__ inline T {}(T x) {{\n"
                                      "    return {}(x);\n}}\n",
                                      key.word, call),
                          {reduces ? "sub_group_fold" : "sub_group_scan"}};
    }
    if (is_mask(key.word)) {
        const std::string_view which = std::string_view(key.word).substr(14, 2);
        const std::string_view bits = which == "eq"   ? "1u << lane"
                                      : which == "ge" ? "~0u << lane & sub_group_mask()"
                                      : which == "gt" ? "~1u << lane & sub_group_mask()"
                                      : which == "le" ? "~(~1u << lane)"
                                                      : "~(~0u << lane)";
        return Definition{fmt::format("__device__ inline uint4 {}() {{\n"
                                      "    const unsigned int lane = get_sub_group_local_id();\n"
                                      "    return make_uint4({}, 0, 0, 0);\n}}\n",
                                      key.word, bits),
                          {"sub_group_lanes"}};
    }
    return plain_definition(functions, key);
}

bool is_sub_group_word(std::string_view word) {
    return fold_named(word) || is_mask(word) || defines(functions, word);
}

}  // namespace parallax
