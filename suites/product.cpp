// Inputs of products of matrices, and the right answers.
#include "suites/product.hpp"

#include <cmath>
#include <limits>
#include <span>
#include <type_traits>

#include "common/inputs.hpp"

namespace parallax {
namespace {

/// Rows of the product in a wider type; i, k, j order, so that memory is walked in step.
template <class Wide, class T>
Expected product(std::span<const T> a, std::span<const T> b, const ProductSizes& sizes) {
    const auto [m, n, k] = sizes;
    std::vector<Wide> values(m * n);
    std::vector<double> magnitudes(m * n);
    for_chunks(
        m,
        [&, n = n, k = k](std::uint64_t begin, std::uint64_t end, std::size_t) {
            for (std::uint64_t row = begin; row < end; ++row) {
                Wide* const sum = values.data() + row * n;
                double* const magnitude = magnitudes.data() + row * n;
                for (std::uint64_t i = 0; i < k; ++i) {
                    const Wide left = static_cast<Wide>(a[row * k + i]);
                    const double size = std::fabs(static_cast<double>(left));
                    const T* const right = b.data() + i * n;
                    for (std::uint64_t j = 0; j < n; ++j) {
                        sum[j] += left * static_cast<Wide>(right[j]);
                        magnitude[j] += size * std::fabs(static_cast<double>(right[j]));
                    }
                }
            }
        },
        1);
    return {std::move(values), std::move(magnitudes)};
}

}  // namespace

std::vector<HostArray> product_inputs(ElementType type, std::uint64_t first, std::uint64_t second,
                                      const Filling& filling, std::uint64_t seed) {
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
                if (filling.exact) return static_cast<T>(small_integer(own, i));
                const double u = uniform(own, i);
                if (filling.name == "denormals" && which == 0) {
                    return static_cast<T>(u * static_cast<double>(Limits::min()));
                }
                return static_cast<T>(u);
            });
            if constexpr (Limits::has_infinity) {
                // One row or column of the product, and nothing else.
                const std::uint64_t at = mix(own, data.size()) % data.size();
                if (filling.name == "one nan" && which == 0) data[at] = Limits::quiet_NaN();
                if (filling.name == "infinity" && which == 1) data[at] = Limits::infinity();
            }
        });
    }
    return arrays;
}

std::vector<Filling> hostile_products() {
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
