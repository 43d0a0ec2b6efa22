// Compares two sides' results, bitwise and in units in the last place.
#pragma once

#include <array>
#include <cmath>
#include <cstdint>
#include <vector>

#include "common/device/types.hpp"
#include "common/suite/suite.hpp"
#include "records/pair.hpp"

namespace parallax {

/// For floating-point numbers.
template <class T>
bool is_nan(T value) {
    if constexpr (std::is_same_v<T, Half>) {
        return std::isnan(static_cast<float>(value));
    } else {
        return std::isnan(value);
    }
}

/// The elements of an output with any order (Order::any), rows sorted: two such outputs are equal
/// when these are. NaNs are ordered, too.
HostArray ascending_rows(const HostArray& values, const BufferSpec&);
/// The same of several outputs with as many rows: rows of one index stay together.
std::vector<HostArray> ascending_rows(const std::vector<const HostArray*>& values,
                                      const std::vector<const BufferSpec*>&);

/// Compares outputs part by part, element by element.
///
/// A distance is the number of representable values between two values (0 and -0 are one apart, and
/// so are the largest finite number and infinity); for integers it is the difference. All NaNs are
/// equal for the distance, and infinitely far from other values.
class AnswerDistance {
public:
    /// Corresponding parts of both sides; `first` is the index of their first element in the
    /// output.
    /// @throws Error when they differ in type or size
    void add(const HostArray& a, const HostArray& b, std::uint64_t first);

    /// Counts elements that are known to be identical.
    void add_identical(std::uint64_t elements) { distance_.elements += elements; }

    bool identical() const { return distance_.differing == 0; }
    /// The result so far. The median is exact up to 255; above, it is a power of two.
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
