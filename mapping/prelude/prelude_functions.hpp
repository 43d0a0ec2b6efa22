// Makes definitions of the sections of the .cuh files: for the types that a kernel asks for.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "mapping/prelude/prelude_parts.hpp"
#include "mapping/prelude/sections.hpp"

namespace parallax {

/// A parameter or a result as written in a section: `T*` is the type `T` and a pointer, `one int`
/// the type `int`, always a scalar.
struct WrittenType {
    std::string_view type;
    bool pointer = false, one = false;
};

/// The parameters and the result of a function.
struct Prototype {
    WrittenType result;
    std::vector<WrittenType> parameters;
};

/// The prototype of a section that has a type, and behind it those that vectors have as well.
std::vector<Prototype> prototypes_of(const Section&);

/// The type that `T`, `unsigned_T`, `int` and the like denote in a function of this type; of a
/// pointer, its target.
ValueType type_meant(const WrittenType&, ValueType);

}  // namespace parallax
