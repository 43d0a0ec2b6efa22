// The geometric functions of the prelude.
#include <fmt/format.h>

#include "mapping/prelude/prelude_functions.hpp"

namespace parallax {
namespace {

constexpr std::string_view names =
    "dot cross length distance normalize fast_length fast_distance fast_normalize";

struct Geometric {
    std::string_view name, scalar, vector;
    std::string_view needs = {};  ///< of the same type, with blanks between
};

// `$v` is the type, `$t` its element, `$n` the sum of products, `$d` the difference, `$[x]` ...: by
// components. A sum of squares can leave the range that the length itself is in: then the vector is
// scaled by powers of two, `$s` and `$S`, and its length back. `$m` is where small sums begin.
constexpr Geometric functions[] = {
    {"dot", "__device__ inline $v dot($v a, $v b) { return a * b; }\n",
     "__device__ inline $t dot($v a, $v b) { return $n; }\n"},
    {"length", "__device__ inline $v length($v a) { return fabs(a); }\n",
     R"(__device__ inline $t length($v a) {
    const $t sum = dot(a, a);
    const $t scale = isinf(sum) ? ($t)($s) : sum < ($t)($m) ? ($t)($S) : ($t)(1);
    const $v b = $1;
    return scale == 1 ? sqrt(sum) : sqrt(dot(b, b)) / scale;
}
)",
     "dot"},
    {"distance", "__device__ inline $v distance($v a, $v b) { return fabs(a - b); }\n",
     "__device__ inline $t distance($v a, $v b) { return length($2); }\n", "length"},
    {"normalize",
     "__device__ inline $v normalize($v a) { return isnan(a) || a == 0 ? a : copysign($v(1), a); "
     "}\n",
     R"(__device__ inline $v normalize($v a) {
    $t sum = dot(a, a);
    const $t scale = isinf(sum) ? ($t)($s) : sum < ($t)($m) ? ($t)($S) : ($t)(1);
    $v b = a;
    if (scale != 1) {
        b = $1;
        sum = dot(b, b);
    }
    if (sum == 0) return a;
    if (isinf(sum)) {
        b = $3;
        sum = dot(b, b);
    }
    const $t size = sqrt(sum);
    return $4;
}
)",
     "dot"},
    {"fast_length", "__device__ inline $v fast_length($v a) { return fabs(a); }\n",
     "__device__ inline $t fast_length($v a) { return sqrt(dot(a, a)); }\n", "dot"},
    {"fast_distance", "__device__ inline $v fast_distance($v a, $v b) { return fabs(a - b); }\n",
     R"(__device__ inline $t fast_distance($v a, $v b) {
    const $v c = $2;
    return sqrt(dot(c, c));
}
)",
     "dot"},
    {"fast_normalize",
     "__device__ inline $v fast_normalize($v a) { return a == 0 ? a : copysign($v(1), a); }\n",
     R"(__device__ inline $v fast_normalize($v a) {
    const $t sum = dot(a, a);
    const $t factor = rsqrt(sum);
    return sum == 0 ? a : $5;
}
)",
     "dot"},
};

std::string sum_of_products(ValueType type) {
    std::string sum;
    for (unsigned i = 0; i < type.width; ++i) {
        sum += fmt::format("{}a.{} * b.{}", i > 0 ? " + " : "", component_name(type, i),
                           component_name(type, i));
    }
    return sum;
}

std::string maker_key(ValueType type) {
    std::string word = "make";
    for (unsigned i = 0; i < type.width; ++i) word += " 1";
    return key_of(type, word);
}

/// A vector of halfs goes by the float one.
Definition by_float(const PreludeKey& key) {
    const bool two = key.word.find("dot") != key.word.npos || key.word.ends_with("distance");
    const bool vector = key.word.ends_with("normalize") || key.word == "cross";
    const ValueType wide{"float", key.type.width};
    const std::string type = cuda_name(key.type);
    const auto widened = [&](char name) {
        return wide.is_vector() ? by_components(wide, fmt::format("float({}.{{c}})", name))
                                : fmt::format("float({})", name);
    };
    const std::string call =
        fmt::format("{}({}{})", key.word, widened('a'),
                    two || key.word == "cross" ? ", " + widened('b') : std::string());
    Definition made{"",
                    {"half", name_of(wide), name_of(key.type), maker_key(wide), maker_key(key.type),
                     key_of(wide, key.word)}};
    made.text =
        fmt::format("__device__ inline {} {}({} a{}) {{\n", vector ? type : "half", key.word, type,
                    two || key.word == "cross" ? fmt::format(", {} b", type) : "");
    if (vector && wide.is_vector()) {
        made.text += fmt::format("    const {} r = {};\n    return {};\n}}\n", cuda_name(wide),
                                 call, by_components(key.type, "half(r.{c})"));
    } else {
        made.text += fmt::format("    return half({});\n}}\n", call);
    }
    return made;
}

Definition cross(ValueType type) {
    const std::string name = cuda_name(type);
    return {fmt::format("__device__ inline {0} cross({0} a, {0} b) {{\n"
                        "    return {1}(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z,\n"
                        "        a.x * b.y - a.y * b.x{2});\n}}\n",
                        name, maker_of(type), type.width == 4 ? ", 0" : ""),
            {name_of(type), maker_key(type)}};
}

}  // namespace

bool is_geometric_word(std::string_view word) {
    return lists(names, word);
}

std::optional<Definition> geometric_definition(const PreludeKey& key) {
    if (!is_geometric_word(key.word) || !key.rest.empty()) return {};
    if (!key.type.known()) {
        Definition made;
        for (const unsigned width : {1u, 2u, 3u, 4u}) {
            made.needs.push_back(key_of({"float", width}, key.word));
        }
        return made;
    }
    if (!is_float_element(key.type.element) || key.type.width > 4) return {};
    if (key.word == "cross" && key.type.width < 3) return {};
    if (key.word.starts_with("fast_") && key.type.element != "float") return {};
    if (key.type.element == "half") return by_float(key);
    if (key.word == "cross") return cross(key.type);
    const bool vector = key.type.is_vector(), wide = key.type.element == "double";
    for (const Geometric& one : functions) {
        if (one.name != key.word) continue;
        std::vector<Placeholder> values{{'v', cuda_name(key.type)},
                                        {'t', cuda_name({key.type.element, 1})},
                                        {'s', wide ? "0x1p-520" : "0x1p-70"},
                                        {'S', wide ? "0x1p+600" : "0x1p+86"},
                                        {'m', wide ? "0x1p-900" : "0x1p-100"}};
        Definition made;
        if (vector) {
            values.push_back({'n', sum_of_products(key.type)});
            int next = '1';
            for (const std::string_view each : {"scale * a.{c}", "a.{c} - b.{c}",
                                                "copysign(isinf(a.{c}) ? ($t)(1) : ($t)(0), a.{c})",
                                                "b.{c} / size", "a.{c} * factor"}) {
                values.push_back({static_cast<char>(next++),
                                  by_components(key.type, filled(each, std::span(&values[1], 1)))});
            }
            made.needs = {name_of(key.type), maker_key(key.type)};
            if (!one.needs.empty()) made.needs.push_back(key_of(key.type, one.needs));
        }
        made.text = filled(vector ? one.vector : one.scalar, values);
        return made;
    }
    return {};
}

}  // namespace parallax
