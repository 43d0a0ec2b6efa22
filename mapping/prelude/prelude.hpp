// Device functions and types that precede a translated kernel when it uses them.
#pragma once

#include <set>
#include <string>
#include <string_view>

#include "mapping/analyze/value_type.hpp"

namespace parallax {

/// What a text asks the prelude for. A key is a name (`clamp`: for all types that it can have), or
/// an OpenCL type and, after a blank, what is done with a value of that type:
///
/// | key                    | what is defined |
/// |------------------------|----------------------------------------------------------------|
/// | `float3`               | the type, where CUDA has none of the same layout                 |
/// | `float4 make 2 1 1`    | `make_float4` from parts of these widths, in this order          |
/// | `float4 ordered`       | `ordered_float4{...}.made`: the same, the parts in their order      |
/// | `float4 splat`         | `splat_float4(x)`: one scalar for all components                 |
/// | `float4 +`, `int4 <<=` | the operator for two vectors and for vector and scalar           |
/// | `float4 neg`, `int4 ~`, `int4 !`, `int4 ++`, `int4 --`  | the operator of one vector      |
/// | `float4 <`, `float4 &&`| the comparison, of comparison_of() the type                      |
/// | `float4 swizzle xz`    | `swizzle_xz(v)`: a vector of these components                    |
/// | `float4 set xz`        | `set_xz(v, value)`: assigns them, gives back `value`             |
/// | `float4 choose`        | `choose(condition, a, b)`: `condition ? a : b` by components     |
/// | `float4 dot`, `uint rotate` | the built-in function of that name, by its first argument of  |
/// |                        | vector type, otherwise by its first argument                     |
/// | `float vload4`         | the function by the element pointed to; `float vstore4` as well  |
///
/// Types are spelled as in OpenCL C. A key that makes no sense (`int4 exp`) defines nothing.
using PreludeKeys = std::set<std::string>;

/// Whether the prelude can define the function `name` for any type: `clamp`, `splat_float4`, ...
bool in_prelude(std::string_view name);

/// The definitions that `keys` ask for, what these need, and nothing else, in a fixed order.
std::string prelude_of(const PreludeKeys& keys);

/// The functions and types that such definitions declare at file scope.
std::set<std::string_view> words_declared_in(std::string_view prelude);

}  // namespace parallax
