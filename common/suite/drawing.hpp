// Random inputs as a function of a key: the host and a device generate the same bits.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "common/device/types.hpp"
#include "common/suite/inputs.hpp"

namespace parallax {

/// The seed of the numbers that a key gives to what has this name.
constexpr std::uint64_t seed_for(std::uint64_t key, std::string_view name) {
    for (const char c : name) key = mix(key, static_cast<unsigned char>(c));
    return key;
}

/// The elements of a buffer, or those of one member of its structs.
struct DrawnPart {
    enum class Kind : std::uint32_t {
        value,           ///< `low`
        iota,            ///< the element's index
        permutation,     ///< of the indices
        small_integers,  ///< small_integer(); of unsigned types their magnitudes
        numbers,         ///< uniform from `low` up to `high`
        sorted,          ///< the same, ascending
        row_begins,      ///< of a CSR matrix with `low` elements and `high` columns
        row_columns      ///< the columns of its elements, `high` columns
    };
    Kind kind = Kind::value;
    ElementType type = ElementType::f32;
    std::string name = {};  ///< for seed_for()
    double low = 0, high = 1;
    std::uint64_t count = 0;  ///< elements
    /// Element i is number `first + i / per * stride + i % per` of the buffer's, all of this type.
    std::uint64_t first = 0, per = 1, stride = 1;
    std::size_t begins = 0;  ///< row_columns: the plan's index of the buffer with the rows' begins

    /// Whether another key gives other elements.
    bool varies() const { return kind >= Kind::permutation; }
};

/// The content of an initialised buffer.
struct DrawnBuffer {
    std::vector<DrawnPart> parts = {};  ///< elements outside of all parts are 0 ...
    bool has_rest = false;              ///< ... or what the suite's `inputs` have there
    bool may_rotate = false;            ///< its elements may move by any number of places

    bool varies() const { return std::ranges::any_of(parts, &DrawnPart::varies); }
};

}  // namespace parallax
