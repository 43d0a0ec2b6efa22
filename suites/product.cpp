// Inputs and reference results of matrix products.
#include "suites/product.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>
#include <type_traits>

#include "common/suite/inputs.hpp"

namespace parallax {
namespace {

/// Terms of a sum that are added in one step, and the block of the right matrix that fits in a
/// cache.
constexpr std::uint64_t terms_at_once = 4, columns_at_once = 512, depth_at_once = 64;

template <std::uint64_t terms, class Wide, class T>
[[gnu::always_inline]] inline void add_some(const T* left, const T* right, std::uint64_t pitch,
                                            std::uint64_t count, Wide* __restrict sums,
                                            double* __restrict magnitudes) {
    Wide factor[terms];
    double size[terms];
    for (std::uint64_t t = 0; t < terms; ++t) {
        factor[t] = static_cast<Wide>(left[t]);
        size[t] = std::fabs(static_cast<double>(factor[t]));
    }
    for (std::uint64_t j = 0; j < count; ++j) {
        Wide sum = sums[j];
        double magnitude = magnitudes[j];
        for (std::uint64_t t = 0; t < terms; ++t) {
            const T value = right[t * pitch + j];
            sum += factor[t] * static_cast<Wide>(value);
            magnitude += size[t] * std::fabs(static_cast<double>(value));
        }
        sums[j] = sum;
        magnitudes[j] = magnitude;
    }
}

/// A part of a row of the product in a wider type: adds the terms of `depth` rows of `right`, in
/// order, to `count` sums.
template <class Wide, class T>
[[gnu::always_inline]] inline void add_terms(const T* left, std::uint64_t depth, const T* right,
                                             std::uint64_t pitch, std::uint64_t count, Wide* sums,
                                             double* magnitudes) {
    std::uint64_t i = 0;
    for (; i + terms_at_once <= depth; i += terms_at_once) {
        add_some<terms_at_once>(left + i, right + i * pitch, pitch, count, sums, magnitudes);
    }
    for (; i < depth; ++i) {
        add_some<1>(left + i, right + i * pitch, pitch, count, sums, magnitudes);
    }
}

#if defined(__x86_64__)
#if defined(__clang__)
#define OPTIMIZED  // it vectorises in any case
#else
#define OPTIMIZED , gnu::optimize("O3")
#endif
/// The same, four numbers at a time: each is rounded as before.
template <class Wide, class T>
[[gnu::target("avx2") OPTIMIZED]] void add_terms_avx2(const T* left, std::uint64_t depth,
                                                      const T* right, std::uint64_t pitch,
                                                      std::uint64_t count, Wide* sums,
                                                      double* magnitudes) {
    add_terms(left, depth, right, pitch, count, sums, magnitudes);
}
const bool has_avx2 = __builtin_cpu_supports("avx2") != 0;
#endif

/// Rows of the product, in parts, so that `right` is read in sequence.
template <class Wide, class T>
Expected product(std::span<const T> a, std::span<const T> b, const ProductSizes& sizes) {
    const auto [m, n, k] = sizes;
    std::vector<Wide> values(m * n);
    std::vector<double> magnitudes(m * n);
    auto* add = &add_terms<Wide, T>;
#if defined(__x86_64__)
    if (has_avx2) add = &add_terms_avx2<Wide, T>;
#endif
    for_chunks(
        m,
        [&, n = n, k = k](std::uint64_t begin, std::uint64_t end, std::size_t) {
            for (std::uint64_t first = 0; first < n; first += columns_at_once) {
                const std::uint64_t count = std::min(columns_at_once, n - first);
                for (std::uint64_t i = 0; i < k; i += depth_at_once) {
                    const std::uint64_t depth = std::min(depth_at_once, k - i);
                    for (std::uint64_t row = begin; row < end; ++row) {
                        add(a.data() + row * k + i, depth, b.data() + i * n + first, n, count,
                            values.data() + row * n + first, magnitudes.data() + row * n + first);
                    }
                }
            }
        },
        1);
    return {std::move(values), std::move(magnitudes)};
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
            fill_by_index(data, [&](std::uint64_t i) -> T {
                if (pattern.exact) return static_cast<T>(small_integer(own, i));
                const double u = uniform(own, i);
                if (pattern.name == "denormals" && which == 0) {
                    return static_cast<T>(u * static_cast<double>(Limits::min()));
                }
                return static_cast<T>(u);
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

Expected product_reference(const HostArray& left, const HostArray& right,
                           const ProductSizes& sizes) {
    Expected expected;
    visit_type(left.type(), [&](auto zero) {
        using T = decltype(zero);
        using Wide = std::conditional_t<std::is_same_v<T, float>, double, long double>;
        expected = product<Wide>(left.as<T>(), right.as<T>(), sizes);
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
