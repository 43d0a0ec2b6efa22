// Inputs and reference results of matrix products.
#include "suites/product.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <memory>
#include <span>
#include <type_traits>

#include "common/suite/inputs.hpp"

namespace parallax {
namespace {

/// The part of the right matrix that is converted at a time, and fits in a cache.
constexpr std::uint64_t columns_at_once = 512, depth_at_once = 64;

/// Numbers that the processor handles at once.
template <class Number, unsigned lanes>
struct VectorOf {
    using type [[gnu::vector_size(lanes * sizeof(Number))]] = Number;
};
template <class Number>
struct VectorOf<Number, 1> {
    using type = Number;
};

/// Adds `depth` terms to each of some sums, in order: of each row, `rows` factors a term, and of
/// each column, `vectors` vectors of factors a term.
template <unsigned rows, unsigned vectors, class Vector, class Number>
[[gnu::always_inline]] inline void add_terms(const Number* left, const Number* right,
                                             std::uint64_t depth, Number* sums) {
    Vector sum[rows * vectors], factors[vectors];
    std::memcpy(sum, sums, sizeof sum);
    for (std::uint64_t term = 0; term < depth; ++term) {
        std::memcpy(factors, right, sizeof factors);
        for (unsigned r = 0; r < rows; ++r) {
            for (unsigned v = 0; v < vectors; ++v) sum[r * vectors + v] += left[r] * factors[v];
        }
        left += rows;
        right += vectors * sizeof(Vector) / sizeof(Number);
    }
    std::memcpy(sums, sum, sizeof sum);
}

/// Rows of the product of two matrices, all of whose numbers are converted first.
template <unsigned rows, unsigned vectors, unsigned lanes, class T, class Convert, class Number>
[[gnu::always_inline]] inline void multiply_rows(const T* a, const T* b, const ProductSizes& sizes,
                                                 std::uint64_t begin, std::uint64_t end, Convert to,
                                                 Number* product) {
    constexpr std::uint64_t width = vectors * lanes;
    static_assert(columns_at_once % width == 0);
    const auto [m, n, k] = sizes;
    const auto left = std::make_unique_for_overwrite<Number[]>(rows * depth_at_once);
    const auto right = std::make_unique_for_overwrite<Number[]>(columns_at_once * depth_at_once);
    Number sums[rows * width] = {};
    for (std::uint64_t first = 0; first < n; first += columns_at_once) {
        const std::uint64_t count = std::min(columns_at_once, n - first);
        for (std::uint64_t i = 0; i < k; i += depth_at_once) {
            const std::uint64_t depth = std::min(depth_at_once, k - i);
            for (std::uint64_t strip = 0; strip < count; strip += width) {
                Number* at = right.get() + strip * depth;
                for (std::uint64_t term = i; term < i + depth; ++term) {
                    const T* from = b + term * n + first;
                    for (std::uint64_t column = strip; column < strip + width; ++column) {
                        *at++ = column < count ? to(from[column]) : Number{0};
                    }
                }
            }
            for (std::uint64_t row = begin; row < end; row += rows) {
                const std::uint64_t high = std::min<std::uint64_t>(rows, end - row);
                for (std::uint64_t term = 0; term < depth; ++term) {
                    for (std::uint64_t r = 0; r < rows; ++r) {
                        left[term * rows + r] =
                            r < high ? to(a[(row + r) * k + i + term]) : Number{0};
                    }
                }
                for (std::uint64_t strip = 0; strip < count; strip += width) {
                    const std::uint64_t wide = std::min(width, count - strip);
                    Number* const at = product + row * n + first + strip;
                    for (std::uint64_t r = 0; r < high; ++r) {
                        std::copy_n(at + r * n, wide, sums + r * width);
                    }
                    add_terms<rows, vectors, typename VectorOf<Number, lanes>::type>(
                        left.get(), right.get() + strip * depth, depth, sums);
                    for (std::uint64_t r = 0; r < high; ++r) {
                        std::copy_n(sums + r * width, wide, at + r * n);
                    }
                }
            }
        }
    }
}

#if defined(__clang__)
#define OPTIMIZED  // it unrolls in any case
#else
#define OPTIMIZED gnu::optimize("O3")
#endif
template <class T, class Convert, class Number>
[[OPTIMIZED]] void multiply_any(const T* a, const T* b, const ProductSizes& sizes,
                                std::uint64_t begin, std::uint64_t end, Convert to,
                                Number* product) {
    constexpr unsigned lanes = std::is_same_v<Number, double> ? 2 : 1;
    multiply_rows<2 * lanes, 2, lanes>(a, b, sizes, begin, end, to, product);
}

#if defined(__x86_64__)
// The same, more at a time, and bitwise the same: a product of floats is exact in a double, so that
// a fused multiply-add, which comes with AVX-512, rounds as both operations do.
template <class T, class Convert>
[[gnu::target("avx2"), OPTIMIZED]] void multiply_avx2(const T* a, const T* b,
                                                      const ProductSizes& sizes,
                                                      std::uint64_t begin, std::uint64_t end,
                                                      Convert to, double* product) {
    multiply_rows<4, 2, 4>(a, b, sizes, begin, end, to, product);
}
template <class Convert>
[[gnu::target("avx512f"), OPTIMIZED]] void multiply_avx512(const float* a, const float* b,
                                                           const ProductSizes& sizes,
                                                           std::uint64_t begin, std::uint64_t end,
                                                           Convert to, double* product) {
    multiply_rows<4, 4, 8>(a, b, sizes, begin, end, to, product);
}
const bool has_avx2 = __builtin_cpu_supports("avx2") != 0;
const bool has_avx512 = __builtin_cpu_supports("avx512f") != 0;
#endif

template <class Number, class T, class Convert>
std::vector<Number> product(std::span<const T> a, std::span<const T> b, const ProductSizes& sizes,
                            Convert to) {
    std::vector<Number> values(sizes.rows * sizes.columns);
    auto* multiply = &multiply_any<T, Convert, Number>;
#if defined(__x86_64__)
    if constexpr (std::is_same_v<Number, double>) {
        if (has_avx2) multiply = &multiply_avx2<T, Convert>;
    }
    if constexpr (std::is_same_v<T, float>) {
        if (has_avx512) multiply = &multiply_avx512<Convert>;
    }
#endif
    for_chunks(
        sizes.rows,
        [&](std::uint64_t begin, std::uint64_t end, std::size_t) {
            multiply(a.data(), b.data(), sizes, begin, end, to, values.data());
        },
        1);
    return values;
}

}  // namespace

std::vector<HostArray> product_inputs(ElementType type, std::uint64_t first, std::uint64_t second,
                                      const InputPattern& pattern, std::uint64_t seed) {
    std::vector<HostArray> arrays;
    arrays.emplace_back(type, first);
    arrays.emplace_back(type, second);
    for (std::uint64_t which = 0; which < 2; ++which) {
        visit_type(type, [&](auto zero) {
            using T = decltype(zero);
            using Limits = std::numeric_limits<T>;
            const std::span<T> data = arrays[which].as<T>();
            const std::uint64_t own = seed + 0x9e37 * which;
            const bool is_exact = pattern.exact;
            const bool is_denormal = pattern.name == "denormals" && which == 0;
            const double scale = is_denormal ? static_cast<double>(Limits::min()) : 1;
            fill_by_index(data, [=](std::uint64_t i) {
                return is_exact ? small_integer(own, i) : scale * uniform(own, i);
            });
            if constexpr (Limits::has_infinity) {
                // Affects exactly one row or column of the product.
                const std::uint64_t at = mix(own, data.size()) % data.size();
                if (pattern.name == "one nan" && which == 0) data[at] = Limits::quiet_NaN();
                if (pattern.name == "infinity" && which == 1) data[at] = Limits::infinity();
            }
        });
    }
    return arrays;
}

std::vector<InputPattern> hostile_products() {
    return {{"denormals", false, true}, {"one nan", false, true}, {"infinity", false, true}};
}

std::vector<Shape> product_shapes() {
    return {{{128, 128, 128}},    {{256, 256, 256}},    {{333, 444, 555}},   {{512, 512, 512}},
            {{1024, 1024, 1024}}, {{2048, 2048, 2048}}, {{4096, 4096, 4096}}};
}

Tolerance product_tolerance(const ProductSizes& sizes) {
    return Tolerance::rounding(static_cast<double>(sizes.depth));
}

std::vector<Expected> product_answer(const HostArray& left, const HostArray& right,
                                     const ProductSizes& sizes) {
    std::vector<Expected> expected(1);
    visit_type(left.type(), [&](auto zero) {
        using T = decltype(zero);
        using Wide = std::conditional_t<std::is_same_v<T, float>, double, long double>;
        expected[0].values = product<Wide>(left.as<T>(), right.as<T>(), sizes,
                                           [](T value) { return static_cast<Wide>(value); });
        expected[0].magnitudes = product<double>(left.as<T>(), right.as<T>(), sizes, [](T value) {
            return std::fabs(static_cast<double>(value));
        });
    });
    return expected;
}

Work product_work(ElementType type, const ProductSizes& sizes) {
    const auto [m, n, k] = sizes;
    return {.bytes = static_cast<double>((m * k + k * n + m * n) * size_of(type)),
            .operations =
                2.0 * static_cast<double>(m) * static_cast<double>(n) * static_cast<double>(k)};
}

}  // namespace parallax
