// The points of a sweep and of a search for better constants: axes, and the case of each point.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "common/suite/suite.hpp"
#include "measure/session.hpp"

namespace parallax {

/// A constant or an extent and the values that it takes.
struct Axis {
    std::string name;
    std::vector<std::int64_t> values;
    const ConstantSpec* constant = nullptr;  ///< null: it is an extent, or all of them
    std::optional<std::size_t> extent;       ///< its place; neither: `size`, every extent

    /// The value as people write it: a choice by its name.
    std::string label(std::int64_t value) const;
};

/// One point of a sweep.
struct Point {
    std::vector<std::int64_t> values;  ///< one of each axis
    std::optional<Case> the_case;      ///< its shape may be open; nothing: it cannot be
    std::string refusal;               ///< why it cannot
};

/// All of a sweep, or the candidates of a search.
struct SweepPoints {
    const Suite* suite = nullptr;
    const Variant* variant = nullptr;
    ElementType type = ElementType::f32;
    std::vector<Axis> axes;  ///< of a sweep one or two
    std::vector<Point> points;
    // Of a search alone, whose points can all be:
    std::optional<std::size_t> own = {};  ///< the point with the variant's own constants, if any
    std::size_t refused = 0;              ///< choices that the suite does not take

    std::string label(const Point&) const;  ///< `GROUP=256`, `GROUP=256 ITEMS=8`
    std::vector<Case> cases() const;        ///< of the points that can be
};

/// The request of a command line.
struct SweepRequest {
    CasePick pick;  ///< with its variant
    std::vector<std::string> over;
    std::vector<Constant> defines;
    std::optional<Shape> shape;
    ElementType type = ElementType::f32;
};

/// The values of `32,64,128`, `32..1024` (doubled from the first on, as far as the last), or
/// `32..256+32` (in steps); several of them with commas between, ascending in the end, each once.
/// @throws UsageError for anything else, or more than 1000 values
std::vector<std::int64_t> parse_values(std::string_view name, std::string_view list);

/// @throws UsageError for a name that is neither a constant nor an extent, one that is given twice,
/// or extents that are left open next to a swept one; a value that the suite rejects is an
/// impossible point.
SweepPoints sweep_points(const SweepRequest&);

/// The source of a kernel file, as RunConfig::kernel_source.
using KernelSource = std::function<std::string(std::string_view file)>;

/// The candidates of a search: each choice of values that the suite takes. The axes are the
/// constants with values worth trying (ConstantSpec::tuning_values) that the variant uses, but for
/// those that are defined, and those of `over`, whose values are taken instead. The variant's own
/// value is on each axis. Without a shape in the request the suite's smallest is taken.
/// @throws UsageError as sweep_points() does; where there is no axis; for an extent, or a constant
SweepPoints tune_points(const SweepRequest&, const KernelSource&);

}  // namespace parallax
