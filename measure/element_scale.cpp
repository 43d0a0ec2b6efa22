// Derives tolerances from the distribution of an output's magnitudes.
#include "measure/element_scale.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <functional>
#include <limits>
#include <numeric>
#include <utility>

#include "common/process/parallel.hpp"

namespace parallax {
namespace {

/// The largest scale of an element as a multiple of its magnitude (a captured tolerance's `depth`).
constexpr double most_beyond = 1000;
/// And the bound at most this share of its magnitude.
constexpr double most_of_itself = 0.1;

/// Ten to a hundred roundings of the type.
template <class T>
constexpr double share_of = std::is_same_v<T, Half> ? 1e-2
                            : sizeof(T) == 4        ? 1e-5
                                                    : 1e-12;

template <class T>
using RealOf = std::conditional_t<std::is_same_v<T, Half>, float, T>;

/// Four bins per octave.
constexpr unsigned dropped_bits = 50;
constexpr std::size_t size_count = std::size_t{1} << 13;

std::size_t place_of(double size) {
    return std::bit_cast<std::uint64_t>(size) >> dropped_bits;
}

/// The lower end of a bin.
double least_at(std::size_t place) {
    return std::bit_cast<double>(std::uint64_t{place} << dropped_bits);
}

/// The number of elements of each magnitude.
template <class T>
std::vector<std::uint64_t> counts_of(std::span<const T> numbers) {
    constexpr std::uint64_t least = 1 << 17;  // far more than there are sizes
    std::vector<std::vector<std::uint64_t>> some(chunk_count(numbers.size(), least));
    for_chunks(
        numbers.size(),
        [&](std::uint64_t begin, std::uint64_t end, std::size_t chunk) {
            std::vector<std::uint64_t> counts(size_count);
            for (const T& one : numbers.subspan(begin, end - begin)) {
                const auto size = static_cast<double>(std::fabs(static_cast<RealOf<T>>(one)));
                if (size > 0 && std::isfinite(size)) ++counts[place_of(size)];
            }
            some[chunk] = std::move(counts);
        },
        least);
    std::vector<std::uint64_t> all(size_count);
    for (const std::vector<std::uint64_t>& counts : some) {
        std::ranges::transform(all, counts, all.begin(), std::plus());
    }
    return all;
}

/// The lower bound of the expected count, given the count seen: what is seen once may be a rare
/// case.
double expected_of(double seen) {
    return std::max(seen - 2 * std::sqrt(seen), 0.1);
}

/// The largest ratio of the density of larger magnitudes to that of magnitudes up to an element.
constexpr double slack = 4;

}  // namespace

Tolerance captured_tolerance(bool is_mixed) {
    return {.kind = Tolerance::Kind::difference,
            .depth = most_beyond,
            .relative = is_mixed ? 1.0 / 256 : 0,
            .integers_equal = true};
}

bool is_captured_tolerance(const Tolerance& tolerance) {
    return tolerance.kind == Tolerance::Kind::difference && tolerance.depth > 0;
}

Tolerance output_tolerance(const Tolerance& tolerance, const BufferSpec& output) {
    const bool is_rounded = output.image && output.image->is_normalized;
    if (!is_rounded || !is_captured_tolerance(tolerance)) return tolerance;
    return Tolerance::difference(0, tolerance.relative > 0 ? 2 : 1);
}

template <class T>
ElementScale<T>::ElementScale(std::span<const T> right, const Tolerance& tolerance)
    : share_(std::max(share_of<T>, tolerance.relative)),
      most_(tolerance.relative > 0 ? std::numeric_limits<double>::infinity()
                                   : std::min(tolerance.depth * share_, most_of_itself)),
      // Whether there are smaller numbers (denormals) depends on the device.
      least_(std::is_same_v<T, float> ? double{std::numeric_limits<float>::min()} : 0),
      scales_(size_count) {
    const std::vector<std::uint64_t> counts = counts_of(right);
    if constexpr (!std::is_same_v<T, Half>) {
        // Small integers whose bits are stored in a buffer of floats are all denormal.
        constexpr std::uint64_t few = 16;
        const auto normal =
            counts.begin() + static_cast<std::ptrdiff_t>(place_of(std::numeric_limits<T>::min()));
        const std::uint64_t small = std::accumulate(counts.begin(), normal, std::uint64_t{0}),
                            others = std::accumulate(normal, counts.end(), std::uint64_t{0});
        holds_bits_ = small >= few && small >= others;
        if (holds_bits_) share_ = least_ = 0;
    }
    struct SizeBin {
        std::size_t place;
        double top;     ///< upper end
        double spread;  ///< `top` divided by the number of magnitudes up to it
        double reach;   ///< the largest spread of numbers to which one of them can belong
    };
    std::vector<SizeBin> sizes;
    double seen = 0;
    for (std::size_t place = 0; place < size_count; ++place) {
        if (counts[place] == 0) continue;
        seen += static_cast<double>(counts[place]);
        const double top = least_at(place + 1);
        sizes.push_back({place, top, top / seen, slack * top / expected_of(seen)});
    }
    // From the largest down: the smallest value to come is known, and grows with the size.
    double least = std::numeric_limits<double>::infinity();
    for (std::size_t i = sizes.size(); i-- > 0;) {
        least = std::min(least, sizes[i].spread);
        sizes[i].spread = least;
    }
    for (std::size_t i = 0; i < sizes.size(); ++i) {
        const auto beyond =
            std::ranges::upper_bound(sizes.begin() + static_cast<std::ptrdiff_t>(i), sizes.end(),
                                     sizes[i].reach, {}, &SizeBin::spread);
        const double top = beyond == sizes.begin() + static_cast<std::ptrdiff_t>(i)
                               ? sizes[i].top
                               : (beyond - 1)->top;
        scales_[sizes[i].place] = std::min(top, std::numeric_limits<double>::max());
    }
    if (!sizes.empty()) scales_[0] = std::max(scales_[0], scales_[sizes.front().place]);
}

template <class T>
double ElementScale<T>::scale(double right) const {
    const double size = std::fabs(right);
    return size > 0 ? std::max(scales_[place_of(size)], size) : scales_[0];
}

template <class T>
double ElementScale<T>::bound(double right) const {
    const double scaled = share_ * scale(right);
    return most_ < 1 ? std::min(scaled, most_ * std::fabs(right)) + least_ : scaled + least_;
}

template class ElementScale<float>;
template class ElementScale<double>;
template class ElementScale<Half>;

}  // namespace parallax
