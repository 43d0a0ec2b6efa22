// One kernel on one problem, and its name.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "common/device/program.hpp"
#include "common/device/types.hpp"

namespace parallax {

struct Suite;
struct Variant;

/// The extents of a problem, in the order of `Suite::dimensions`.
struct Shape {
    std::vector<std::uint64_t> extents;

    std::uint64_t operator[](std::size_t dimension) const { return extents.at(dimension); }
    bool operator==(const Shape&) const = default;
};

/// `1024x777`
std::string to_string(const Shape&);

/// One kernel on one problem: all that determines the computation, except for the device.
struct Case {
    const Suite* suite = nullptr;
    const Variant* variant = nullptr;
    Shape shape;
    ElementType type = ElementType::f32;
    std::vector<Constant> constants;  ///< all of the suite's, in its order
    /// `constants` without the values that `parallax tune` kept; empty: none were requested.
    std::vector<Constant> default_constants = {};

    /// The constant's value. @throws UsageError when the suite has none of that name.
    std::int64_t operator[](std::string_view constant) const;
    /// `reduction/vector float 1024 sum`
    std::string title() const;
    bool operator==(const Case&) const = default;
};

}  // namespace parallax
