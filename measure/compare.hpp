// What a device computed against what is right, element by element.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "common/suite/suite.hpp"

namespace parallax {

/// Where and how an output is wrong.
struct Mismatch {
    std::uint64_t index = 0;  ///< of the first wrong element
    std::uint64_t count = 0;  ///< of wrong elements
    std::string expected, got;
    std::string bound;  ///< what was allowed
};

/// How an output compares.
struct Comparison {
    std::optional<Mismatch> mismatch;
    double worst_share = 0;  ///< largest error as a share of its bound; 0 when all are exact
    double worst_ulp = 0;    ///< largest error in units in the last place of the right value

    /// Takes over what `later`, of the elements behind these, has seen.
    void add(const Comparison& later);
};

/// Compares `got`, which are elements `first` and following of an output, on all cores. Outputs may
/// be larger than what is pleasant to hold twice.
///
/// For `Tolerance::rounding` an element is right when |got - value| <= depth * u * magnitude +
/// depth * (smallest denormal), u the unit roundoff of the output's type. A NaN is right where, and
/// only where, the value is a NaN; an infinity where the value is that infinity or where the bound
/// reaches beyond the largest finite number. For a captured tolerance `expected` has the scale of
/// its own elements (ElementScale), of those that are compared with `got`.
/// @throws Error when the reference has not as many elements, or another type.
Comparison compare(const HostArray& got, const Expected& expected, const Tolerance& tolerance,
                   std::uint64_t first = 0);

/// The same for a buffer of which parts are compared, and nothing of what lies between them. Where
/// they mix types, numbers in floating point are held within the tolerance, and whole ones are
/// equal. Elements are counted as those of `got`.
/// @param expected  what another run left
/// @throws Error as above
Comparison compare_structs(const HostArray& got, const HostArray& expected, const BufferSpec&,
                           const Tolerance&, std::uint64_t first = 0);

/// The numbers of each part of a buffer, or all of them where it has no parts.
std::vector<HostArray> fields_of(const HostArray& values, const BufferSpec&);
/// Puts those of each part back into their places.
void put_fields(HostArray& values, const BufferSpec&, const std::vector<HostArray>& fields);

/// Whether they are equal, found on all cores.
bool have_same_bytes(std::span<const std::byte> a, std::span<const std::byte> b);

/// Number of elements that are expected.
std::uint64_t size_of(const Expected&);

/// The value as decimal text and exact bits: `0.1 (0x3dcccccd)`.
template <class T>
std::string spelled(T value);

}  // namespace parallax
