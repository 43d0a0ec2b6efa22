// Compares a device's outputs with the reference, element by element.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "common/suite/suite.hpp"

namespace parallax {

/// The first error in an output.
struct Mismatch {
    std::uint64_t index = 0;  ///< of the first wrong element
    std::uint64_t count = 0;  ///< of wrong elements
    std::string expected, got;
    std::string bound;  ///< the allowed error
};

/// The result of a comparison.
struct Comparison {
    std::optional<Mismatch> mismatch;
    double worst_share = 0;  ///< largest error relative to its bound; 0 when all are exact
    double worst_ulp = 0;    ///< largest error in units in the last place of the reference value
    double squared_ulp = 0;  ///< sum of the squares of all these errors

    /// Merges the result of the following elements.
    void add(const Comparison& later);
};

/// Compares `got`, the elements of an output from `first` on, on all cores. Outputs are compared in
/// parts, since they may be too large to hold twice.
///
/// For `Tolerance::rounding` an element is right when |got - value| <= depth * u * magnitude +
/// depth * (smallest denormal), u the unit roundoff of the output's type. A NaN must match a NaN;
/// an infinity is right where the value is that infinity or where the bound exceeds the largest
/// finite number. For a captured tolerance `expected` has the scale of its own elements
/// (ElementScale), of those that are compared with `got`.
/// @throws Error when the reference differs in type or number of elements
Comparison compare(const HostArray& got, const Expected& expected, const Tolerance& tolerance,
                   std::uint64_t first = 0);

/// The same for a buffer of which only parts are compared. Where they mix types, floating-point
/// numbers must be within the tolerance, and integers equal. Elements are counted as those of
/// `got`.
/// @param expected  the output of another run
/// @throws Error as above
Comparison compare_structs(const HostArray& got, const HostArray& expected, const BufferSpec&,
                           const Tolerance&, std::uint64_t first = 0);

/// The numbers of each part of a buffer, or all numbers of a buffer without parts.
std::vector<HostArray> fields_of(const HostArray& values, const BufferSpec&);
/// Writes the numbers of each part back.
void put_fields(HostArray& values, const BufferSpec&, const std::vector<HostArray>& fields);

/// Whether they are equal, found on all cores.
bool have_same_bytes(std::span<const std::byte> a, std::span<const std::byte> b);

/// Number of elements that are expected.
std::uint64_t size_of(const Expected&);

/// The value as decimal text and exact bits: `0.1 (0x3dcccccd)`.
template <class T>
std::string spelled(T value);

}  // namespace parallax
