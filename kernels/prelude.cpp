// The definitions that the prelude is made of.
#include "kernels/prelude.hpp"

#include <array>
#include <utility>
#include <vector>

#include <fmt/format.h>

namespace parallax {
namespace {

struct Entry {
    std::string name, text;
};

struct Vector {
    std::string_view name, element;
    int width;
};

constexpr std::array<Vector, 8> vectors{{{"float2", "float", 2},
                                         {"float4", "float", 4},
                                         {"double2", "double", 2},
                                         {"double4_32a", "double", 4},
                                         {"int2", "int", 2},
                                         {"int4", "int", 4},
                                         {"uint2", "unsigned int", 2},
                                         {"uint4", "unsigned int", 4}}};

constexpr std::string_view double4 =
    R"(#if __CUDACC_VER_MAJOR__ < 13
struct __align__(32) double4_32a { double x, y, z, w; };
__device__ inline double4_32a make_double4_32a(double x, double y, double z, double w) {
    double4_32a v;
    v.x = x; v.y = y; v.z = z; v.w = w;
    return v;
}
#endif
)";

constexpr std::string_view clamp =
    R"(template <class V> __device__ inline V clamp(V x, V low, V high) {
    return min(max(x, low), high);
}
)";

constexpr std::string_view unsigned_abs =
    R"(__device__ inline unsigned int unsigned_abs(int x) { return x < 0 ? 0u - x : x; }
__device__ inline unsigned int unsigned_abs(unsigned int x) { return x; }
__device__ inline unsigned long long unsigned_abs(long long x) { return x < 0 ? 0ull - x : x; }
__device__ inline unsigned long long unsigned_abs(unsigned long long x) { return x; }
__device__ inline unsigned long unsigned_abs(unsigned long x) { return x; }
)";

constexpr std::string_view as_float =
    R"(__device__ inline float as_float(int x) { return __int_as_float(x); }
__device__ inline float as_float(unsigned int x) { return __uint_as_float(x); }
__device__ inline float as_float(float x) { return x; }
)";

constexpr std::string_view as_int =
    R"(__device__ inline int as_int(int x) { return x; }
__device__ inline int as_int(unsigned int x) { return x; }
__device__ inline int as_int(float x) { return __float_as_int(x); }
)";

constexpr std::string_view as_uint =
    R"(__device__ inline unsigned int as_uint(int x) { return x; }
__device__ inline unsigned int as_uint(unsigned int x) { return x; }
__device__ inline unsigned int as_uint(float x) { return __float_as_uint(x); }
)";

/// `format` for each component, with commas between: `{c}` is the component.
std::string components(int width, std::string_view format) {
    std::string text;
    for (int i = 0; i < width; ++i) {
        if (i > 0) text += ", ";
        text += fmt::format(fmt::runtime(format), fmt::arg("c", "xyzw"[i]));
    }
    return text;
}

std::string splat(const Vector& v) {
    return fmt::format("__device__ inline {0} splat_{0}({1} s) {{ return make_{0}({2}); }}\n",
                       v.name, v.element, components(v.width, "s"));
}

std::string negation(const Vector& v) {
    return fmt::format("__device__ inline {0} operator-({0} a) {{ return make_{0}({1}); }}\n",
                       v.name, components(v.width, "-a.{c}"));
}

/// Both vectors, or a scalar on either side, which OpenCL widens.
std::string arithmetic(const Vector& v, std::string_view mark) {
    const auto each = [&](std::string_view left, std::string_view right) {
        return components(v.width, fmt::format("{} {} {}", left, mark, right));
    };
    return fmt::format(
        "__device__ inline {0} operator{2}({0} a, {0} b) {{ return make_{0}({3}); }}\n"
        "__device__ inline {0} operator{2}({0} a, {1} b) {{ return make_{0}({4}); }}\n"
        "__device__ inline {0} operator{2}({1} a, {0} b) {{ return make_{0}({5}); }}\n",
        v.name, v.element, mark, each("a.{c}", "b.{c}"), each("a.{c}", "b"), each("a", "b.{c}"));
}

std::string assignment(const Vector& v, std::string_view mark) {
    std::string vector_body, scalar_body;
    for (int i = 0; i < v.width; ++i) {
        vector_body += fmt::format("a.{0} {1} b.{0}; ", "xyzw"[i], mark);
        scalar_body += fmt::format("a.{0} {1} b; ", "xyzw"[i], mark);
    }
    return fmt::format(
        "__device__ inline {0}& operator{2}({0}& a, {0} b) {{ {3}return a; }}\n"
        "__device__ inline {0}& operator{2}({0}& a, {1} b) {{ {4}return a; }}\n",
        v.name, v.element, mark, vector_body, scalar_body);
}

const std::vector<Entry>& entries() {
    static const std::vector<Entry> all = [] {
        std::vector<Entry> made{{"double4_32a", std::string(double4)},
                                {"clamp", std::string(clamp)},
                                {"unsigned_abs", std::string(unsigned_abs)},
                                {"as_float", std::string(as_float)},
                                {"as_int", std::string(as_int)},
                                {"as_uint", std::string(as_uint)}};
        for (const Vector& v : vectors) {
            made.push_back({fmt::format("splat_{}", v.name), splat(v)});
            if (v.element != "unsigned int") {
                made.push_back({fmt::format("{} neg", v.name), negation(v)});
            }
            for (const std::string_view mark : {"+", "-", "*", "/"}) {
                made.push_back({fmt::format("{} {}", v.name, mark), arithmetic(v, mark)});
            }
            for (const std::string_view mark : {"+=", "-=", "*=", "/="}) {
                made.push_back({fmt::format("{} {}", v.name, mark), assignment(v, mark)});
            }
        }
        return made;
    }();
    return all;
}

}  // namespace

bool in_prelude(std::string_view name) {
    for (const Entry& entry : entries()) {
        if (entry.name == name) return true;
    }
    return false;
}

std::string prelude_of(const std::set<std::string>& names) {
    std::string text;
    for (const Entry& entry : entries()) {
        if (names.contains(entry.name)) text += entry.text;
    }
    return text;
}

}  // namespace parallax
