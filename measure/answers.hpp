// Two sides' answers against each other, to the bit and in units in the last place.
#pragma once

#include <array>
#include <cstdint>

#include "common/types.hpp"
#include "records/pair.hpp"

namespace parallax {

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
