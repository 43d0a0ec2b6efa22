// Tolerances for outputs of captured programs, where the program's own run is the only reference.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "common/suite/suite.hpp"

namespace parallax {

/// The tolerance for captured results without one in their manifest: integers must be equal, and a
/// floating-point number may differ by a share of its scale (ElementScale): 1e-5 of it for `float`,
/// 1e-2 for `half`, 1e-12 for `double`, but never more than a hundredth of the number itself for
/// `float`, a tenth for `half` and 1e-9 for `double`; a zero stays zero.
/// @param is_mixed  samplers interpolate, with device-dependent precision: 1/256 of the scale, and
/// no such limit
Tolerance captured_tolerance(bool is_mixed);
bool is_captured_tolerance(const Tolerance&);
/// The tolerance of one output. Normalized numbers of a captured image may differ by one step,
/// interpolated ones by two: OpenCL does not define how 0.5 is rounded to 8 bits.
Tolerance output_tolerance(const Tolerance&, const BufferSpec&);

/// The scales of an output's elements. Sums with cancellation leave elements smaller than their
/// rounding errors: of n numbers of magnitude T, about n * s / T are as small as s. So an element's
/// scale is the largest T that is frequent enough for the element to be one of these. Sentinels and
/// outliers are too rare to be the scale of other elements.
template <class T>
class ElementScale {
public:
    /// @param right  the reference, or a part of it
    ElementScale(std::span<const T> right, const Tolerance&);
    /// Whether its floats are integers' bits: most of its numbers are denormal. They are equal
    /// then.
    bool holds_bits() const { return holds_bits_; }
    /// The largest allowed difference of an element from `right`.
    double bound(double right) const;
    /// The scale of an element of that size; of zero, the smallest scale.
    double scale(double right) const;

private:
    double share_, most_, least_;
    bool holds_bits_ = false;
    std::vector<double> scales_;  ///< by the size's exponent and the first bits behind it
};

}  // namespace parallax
