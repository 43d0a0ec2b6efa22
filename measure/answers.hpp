// Two sides' answers against each other, to the bit and in units in the last place.
#pragma once

#include <array>
#include <cmath>
#include <cstdint>

#include "common/device/types.hpp"
#include "common/suite/suite.hpp"
#include "records/pair.hpp"

namespace parallax {

/// Of a number in floating point.
template <class T>
bool is_nan(T value) {
    if constexpr (std::is_same_v<T, Half>) {
        return std::isnan(static_cast<float>(value));
    } else {
        return std::isnan(value);
    }
}

/// The elements of an output whose order is any (Order::any), row by row in ascending order: two
/// such outputs are the same when these are. NaNs have an order, too.
HostArray ascending_rows(const HostArray& values, const BufferSpec&);

/// Compares outputs that come in parts, element with element.
///
/// A distance counts the numbers of the type from one value to the other (0 and -0 are one apart,
/// and so are the largest finite number and infinity); for integers it is the difference. A NaN is
/// equal to a NaN, whatever its bits, for the distance, and infinitely far from all else.
class AnswerDistance {
public:
    /// Parts of the same elements on both sides, of one type and size; `first` is the index of
    /// their first in the output.
    /// @throws Error when they are not of one type and size
    void add(const HostArray& a, const HostArray& b, std::uint64_t first);

    /// Elements that are known to be identical without a look.
    void add_identical(std::uint64_t elements) { distance_.elements += elements; }

    bool identical() const { return distance_.differing == 0; }
    /// What was seen so far. The median is exact up to 255 and, beyond, that of a power of two.
    AnswerDistances distance() const;

private:
    template <class T>
    void add_all(std::span<const T> a, std::span<const T> b, std::uint64_t first);
    void count(std::uint64_t ulp);

    AnswerDistances distance_;
    std::uint64_t infinitely_far_ = 0;
    std::array<std::uint64_t, 256> exact_{};  ///< elements by distance below 256
    std::array<std::uint64_t, 64> powers_{};  ///< from 2^i to below 2^(i+1)
};

}  // namespace parallax
