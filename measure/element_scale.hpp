// How large an element of an output may be said to be, where a program's own run is all that is
// known of what is right.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "common/suite/suite.hpp"

namespace parallax {

/// What answers of a captured program are held to, where its manifest has no tolerance: integers
/// are equal, and each number in floating point may be off by a share of its scale (ElementScale):
/// 1e-5 of it for `float`, 1e-2 for `half`, 1e-12 for `double`. That is never more than a hundredth
/// of the number itself for `float`, a tenth for `half` and 1e-9 for `double`; a zero stays zero.
/// @param is_mixed  samplers mix texels, and a device weighs them as finely as it likes: a share of
///                  1/256, and no such limit
Tolerance captured_tolerance(bool is_mixed);
bool is_captured_tolerance(const Tolerance&);
/// Of one output. A captured image's normalized numbers are one step apart, or two where they were
/// mixed: OpenCL leaves open how 0.5 is rounded to 8 bits.
Tolerance output_tolerance(const Tolerance&, const BufferSpec&);

/// The scales of an output's elements. Sums whose terms cancel leave an element that is smaller
/// than its rounding errors would have it: of n numbers of a size T, some n * s / T are as small as
/// s. So an element's scale is the largest T of which there are enough for it to be one of these.
/// Sentinels and outliers are too few for their size, and no element's scale but their own.
template <class T>
class ElementScale {
public:
    /// @param right  of an output, or of a part of it
    ElementScale(std::span<const T> right, const Tolerance&);
    /// Whether its floats are integers' bits: most of its numbers are denormal. They are equal
    /// then.
    bool holds_bits() const { return holds_bits_; }
    /// How far from `right` its element may be.
    double bound(double right) const;
    /// Of an element of that size; of a zero the least that there is.
    double scale(double right) const;

private:
    double share_, most_, least_;
    bool holds_bits_ = false;
    std::vector<double> scales_;  ///< by the size's exponent and the first bits behind it
};

}  // namespace parallax
