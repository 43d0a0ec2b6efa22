// Computes the result types of OpenCL C's built-in functions.
#include "mapping/analyze/builtins.hpp"

#include <algorithm>

#include "mapping/analyze/patterns.hpp"
#include "mapping/analyze/word_lists.hpp"

namespace parallax {
namespace {

/// The result type of a call.
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
    nothing
};

struct Rule {
    std::string_view names;  ///< separated by blanks; a star at the end matches any rest
    Result result;
};

// Others that have a row give back the common type where they compute something.
constexpr Rule rules[] = {
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
    // Functions without a mapping rule
    {"write_image* intel_sub_group_block_* sub_group_block_* enqueue_* get_pipe_* "
     "read_pipe write_pipe reserve_read_pipe reserve_write_pipe commit_read_pipe "
     "commit_write_pipe work_group_reserve_* work_group_commit_* "
     "sub_group_reserve_* sub_group_commit_* ndrange_* create_user_event retain_event "
     "release_event set_user_event_status capture_event_profiling_info get_default_queue "
     "is_valid_event is_valid_reserve_id to_global to_local to_private get_fence get_kernel_*",
     Result::nothing},
};

/// The type of that name that has vectors: not `size_t`, `bool` and `void`.
std::optional<ValueType> type_with_vectors(std::string_view name) {
    const auto type = value_type_named(name);
    const bool fits = type && name == name_of(*type) && !is_one_of(type->element, {"bool", "void"});
    return fits ? type : std::nullopt;
}

/// `convert_int4_sat_rte` -> int4, `as_float` -> float.
std::optional<ValueType> type_in_name(std::string_view name) {
    if (const auto conversion = conversion_named(name)) return conversion->to;
    return type_of_bits(name);
}

const Rule* rule_for(std::string_view name) {
    for (const Rule& rule : rules) {
        for (std::string_view word : split(rule.names, " ")) {
            const bool star = word.ends_with('*');
            if (star) word.remove_suffix(1);
            if (star ? name.starts_with(word) : name == word) return &rule;
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
        // A scalar next to an unknown argument decides nothing: that may be a vector.
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
    const std::size_t digits = std::min(name.find_first_of("0123456789"), name.size());
    const unsigned width = width_named(name.substr(digits)).value_or(1);
    if (name.find("_half") != name.npos) return {"float", width};
    if (arguments.size() < 2 || !arguments[1].type.known()) return {};
    return {arguments[1].type.element, width};
}

}  // namespace

bool is_predicate_of_cuda(std::string_view name) {
    return is_one_of(name, {"isnan", "isinf", "isfinite", "signbit"});
}

std::optional<Conversion> conversion_named(std::string_view name) {
    if (!name.starts_with("convert_")) return {};
    name.remove_prefix(8);
    Conversion made;
    if (ends_with_any(name, {"_rte", "_rtz", "_rtp", "_rtn"})) {
        made.mode = name.substr(name.size() - 4);
        name.remove_suffix(4);
    }
    made.saturates = name.ends_with("_sat");
    if (made.saturates) name.remove_suffix(4);
    const auto to = type_with_vectors(name);
    if (!to || (made.saturates && is_float_element(to->element))) return {};
    made.to = *to;
    return made;
}

std::optional<ValueType> type_of_bits(std::string_view name) {
    return name.starts_with("as_") ? type_with_vectors(name.substr(3)) : std::nullopt;
}

bool is_builtin_function(std::string_view name) {
    return rule_for(name) || type_in_name(name) || Patterns::of_table().is_function(name);
}

ValueType result_of(std::string_view function, std::span<const ArgumentType> arguments) {
    if (const auto named = type_in_name(function)) return *named;
    const auto& rows = Patterns::of_table().beginning_with(function);
    const Rule* rule = rule_for(function);
    if (!rule && rows.empty()) return {};
    if (function.starts_with("vload")) return loaded(function, arguments);
    const bool computes =
        !rule && is_one_of(rows.front().row->topic, {"functions", "mathematics", "integers"});
    const ValueType common = common_type(arguments);
    const ValueType first = arguments.empty() ? ValueType{} : arguments.front().type;
    switch (rule ? rule->result : computes ? Result::type : Result::nothing) {
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
        case Result::nothing: break;
    }
    return {};
}

}  // namespace parallax
