// The built-in functions of OpenCL C by rules: names with stars, and what they give back.
#include "mapping/translate/builtins.hpp"

#include <algorithm>

namespace parallax {
namespace {

/// What a call gives back.
enum class Result {
    type,       ///< the arguments' common type: the vector's, or the larger float of scalars
    first,      ///< the first argument's type; what it points to
    element,    ///< the element of the common type
    ints,       ///< int of as many components
    unsigneds,  ///< the unsigned integer of the same size
    wide,       ///< the integer of twice the size
    floats,     ///< the float of the same size
    comparison,
    boolean,
    integer,
    natural,  ///< uint
    size,     ///< size_t
    uint4,
    float4,
    int4,
    half4,
    mask,  ///< the first's element, as wide as the last argument
    loaded,
    by_name,  ///< the name says it: `convert_int4_sat`, `as_uint`
    nothing
};

struct Rule {
    std::string_view names;  ///< with blanks between; a star at the end stands for any rest
    Result result;
};

constexpr Rule rules[] = {
    {"acos acosh acospi asin asinh asinpi atan atan2 atan2pi atanh atanpi cbrt ceil copysign cos "
     "cosh cospi erf erfc exp exp10 exp2 expm1 fabs fdim floor fma fmax fmin fmod hypot lgamma log "
     "log10 log1p log2 logb mad maxmag minmag nextafter pow powr remainder rint round rsqrt sin "
     "sinh sinpi sqrt tan tanh tanpi tgamma trunc native_cos native_divide native_exp native_exp2 "
     "native_exp10 native_log native_log2 native_log10 native_powr native_recip native_rsqrt "
     "native_sin native_sqrt native_tan half_cos half_divide half_exp half_exp2 "
     "half_exp10 half_log half_log2 half_log10 half_powr half_recip half_rsqrt half_sin half_sqrt "
     "half_tan clamp degrees max min mix radians sign smoothstep step cross normalize "
     "fast_normalize add_sat sub_sat hadd rhadd clz ctz popcount mad_hi mad_sat mul_hi rotate "
     "mad24 mul24 bitselect",
     Result::type},
    {"fract frexp ldexp lgamma_r modf pown remquo rootn sincos select", Result::first},
    {"dot length distance fast_length fast_distance", Result::element},
    {"ilogb", Result::ints},
    {"abs abs_diff", Result::unsigneds},
    {"upsample", Result::wide},
    {"nan", Result::floats},
    {"isequal isnotequal isgreater isgreaterequal isless islessequal islessgreater isfinite isinf "
     "isnan isnormal isordered isunordered signbit",
     Result::comparison},
    {"any all vec_step printf work_group_all work_group_any sub_group_all sub_group_any "
     "sub_group_inverse_ballot sub_group_ballot_bit_extract sub_group_elect get_image_width "
     "get_image_height get_image_depth get_image_channel_data_type get_image_channel_order",
     Result::integer},
    {"shuffle shuffle2", Result::mask},
    {"vload2 vload3 vload4 vload8 vload16 vload_half* vloada_half*", Result::loaded},
    {"vstore* convert_* as_*", Result::by_name},
    {"get_global_id get_local_id get_group_id get_global_size get_local_size get_num_groups "
     "get_global_offset get_enqueued_local_size get_global_linear_id get_local_linear_id "
     "get_image_array_size",
     Result::size},
    {"get_work_dim get_sub_group_size get_sub_group_id get_sub_group_local_id get_num_sub_groups "
     "get_max_sub_group_size get_enqueued_num_sub_groups sub_group_ballot_bit_count "
     "sub_group_ballot_inclusive_scan sub_group_ballot_exclusive_scan sub_group_ballot_find_lsb "
     "sub_group_ballot_find_msb",
     Result::natural},
    {"sub_group_ballot get_sub_group_eq_mask get_sub_group_ge_mask get_sub_group_gt_mask "
     "get_sub_group_le_mask get_sub_group_lt_mask read_imageui",
     Result::uint4},
    {"read_imagef", Result::float4},
    {"read_imagei", Result::int4},
    {"read_imageh", Result::half4},
    {"work_group_broadcast work_group_reduce_* work_group_scan_* sub_group_broadcast "
     "sub_group_broadcast_first sub_group_non_uniform_broadcast sub_group_reduce_* "
     "sub_group_scan_* sub_group_shuffle* intel_sub_group_shuffle*",
     Result::first},
    {"atomic_flag_test_and_set* atomic_compare_exchange_*", Result::boolean},
    {"atomic_add atomic_sub atomic_xchg atomic_inc atomic_dec atomic_cmpxchg atomic_min atomic_max "
     "atomic_and atomic_or atomic_xor atom_* atomic_load atomic_load_explicit atomic_exchange "
     "atomic_exchange_explicit atomic_fetch_*",
     Result::first},
    {"atomic_init atomic_store atomic_store_explicit atomic_flag_clear* atomic_work_item_fence "
     "barrier work_group_barrier sub_group_barrier mem_fence read_mem_fence write_mem_fence "
     "async_work_group_copy async_work_group_strided_copy wait_group_events prefetch write_image* "
     "get_image_dim intel_sub_group_block_* sub_group_block_* enqueue_* get_pipe_* read_pipe "
     "write_pipe reserve_* commit_* work_group_reserve_* work_group_commit_* sub_group_reserve_* "
     "sub_group_commit_* ndrange_* create_user_event retain_event release_event "
     "set_user_event_status capture_event_profiling_info get_default_queue is_valid_event "
     "is_valid_reserve_id to_global "
     "to_local to_private get_fence get_kernel_*",
     Result::nothing},
};

std::string_view next_word(std::string_view& list) {
    const std::size_t blank = std::min(list.find(' '), list.size());
    const std::string_view word = list.substr(0, blank);
    list.remove_prefix(std::min(blank + 1, list.size()));
    return word;
}

/// `convert_int4_sat_rte` -> int4, `as_float` -> float.
std::optional<ValueType> type_in_name(std::string_view name) {
    const bool converts = name.starts_with("convert_");
    if (!converts && !name.starts_with("as_")) return {};
    name.remove_prefix(converts ? 8 : 3);
    for (const std::string_view ending : {"_rte", "_rtz", "_rtp", "_rtn", "_sat"}) {
        if (converts && name.ends_with(ending)) name.remove_suffix(ending.size());
    }
    const auto type = value_type_named(name);
    const bool fits =
        type && std::ranges::find(vector_elements, type->element) != vector_elements.end();
    return fits && name == name_of(*type) ? type : std::nullopt;
}

/// The components that the end of a name says: 1 where there are no digits.
unsigned width_at_end(std::string_view name) {
    for (const unsigned width : {16u, 8u, 4u, 3u, 2u}) {
        const std::string_view digits = width == 16  ? "16"
                                        : width == 8 ? "8"
                                        : width == 4 ? "4"
                                        : width == 3 ? "3"
                                                     : "2";
        if (name.ends_with(digits)) return width;
    }
    return 1;
}

/// `vstore4`, `vstore_half`, `vstorea_half8_rte`
bool is_store(std::string_view name) {
    for (const std::string_view ending : {"_rte", "_rtz", "_rtp", "_rtn"}) {
        if (name.ends_with(ending) && name.find("_half") != name.npos) name.remove_suffix(4);
    }
    const unsigned width = width_at_end(name);
    if (width > 1) name.remove_suffix(width == 16 ? 2 : 1);
    return name == "vstore_half" || (width > 1 && (name == "vstore" || name == "vstorea_half"));
}

bool is_half_load(std::string_view name) {
    const unsigned width = width_at_end(name);
    if (width > 1) name.remove_suffix(width == 16 ? 2 : 1);
    return name == "vload_half" || (name == "vloada_half" && width > 1);
}

const Rule* rule_for(std::string_view name) {
    for (const Rule& rule : rules) {
        for (std::string_view rest = rule.names; !rest.empty();) {
            const std::string_view word = next_word(rest);
            const bool star = word.ends_with('*');
            if (star ? !name.starts_with(word.substr(0, word.size() - 1)) : name != word) continue;
            const bool loads_half = rule.result == Result::loaded && star;
            if (loads_half && !is_half_load(name)) continue;
            if (rule.result == Result::by_name && !type_in_name(name) && !is_store(name)) continue;
            return &rule;
        }
    }
    return nullptr;
}

/// The vector's type among the arguments; of scalars what arithmetic would give.
ValueType common_type(std::span<const ArgumentType> arguments) {
    ValueType common;
    for (const ArgumentType& one : arguments) {
        if (one.pointer) continue;
        if (one.type.is_vector()) return one.type;
        // A scalar beside an unknown argument decides nothing: that may be a vector.
        if (!one.type.known()) return {};
        const auto rank = [](ValueType type) {
            return !type.known()                     ? -1
                   : !is_float_element(type.element) ? 0
                                                     : int(element_bytes(type.element));
        };
        if (rank(one.type) > rank(common)) common = one.type;
    }
    return common;
}

ValueType loaded(std::string_view name, std::span<const ArgumentType> arguments) {
    const unsigned width = width_at_end(name);
    if (is_half_load(name)) return {"float", width};
    if (arguments.size() < 2 || !arguments[1].type.known()) return {};
    return {arguments[1].type.element, width};
}

}  // namespace

bool is_builtin_function(std::string_view name) {
    return rule_for(name) != nullptr;
}

ValueType result_of(std::string_view function, std::span<const ArgumentType> arguments) {
    const Rule* rule = rule_for(function);
    if (!rule) return {};
    const ValueType common = common_type(arguments);
    const ValueType first = arguments.empty() ? ValueType{} : arguments.front().type;
    switch (rule->result) {
        case Result::type: return common;
        case Result::first: return first;
        case Result::element: return {common.element, 1};
        case Result::ints: return first.known() ? ValueType{"int", first.width} : ValueType{};
        case Result::unsigneds: return unsigned_like(common);
        case Result::wide: return wide_like(first);
        case Result::floats:
            if (!first.known()) return {};
            return {element_bytes(first.element) == 8 ? "double" : "float", first.width};
        case Result::comparison: return comparison_of(common);
        case Result::boolean: return {"bool", 1};
        case Result::integer: return {"int", 1};
        case Result::natural: return {"uint", 1};
        case Result::size: return {"ulong", 1};
        case Result::uint4: return {"uint", 4};
        case Result::float4: return {"float", 4};
        case Result::int4: return {"int", 4};
        case Result::half4: return {"half", 4};
        case Result::mask: {
            const ValueType last = arguments.empty() ? ValueType{} : arguments.back().type;
            return first.known() && last.known() ? ValueType{first.element, last.width}
                                                 : ValueType{};
        }
        case Result::loaded: return loaded(function, arguments);
        case Result::by_name: return type_in_name(function).value_or(ValueType{});
        case Result::nothing: break;
    }
    return {};
}

}  // namespace parallax
