// Small device functions and types that stand before a translated kernel when it uses them.
#pragma once

#include <set>
#include <string>
#include <string_view>

namespace parallax {

/// Whether the prelude can define `name`: `splat_float4`, `clamp`, `float4 +`, ...
bool in_prelude(std::string_view name);

/// The definitions of `names` and of nothing else, in a fixed order; each name must be one that
/// `in_prelude` knows. A vector operator is named by its CUDA type and its mark: `float4 +`, `int2
/// *=`; the minus sign is `float4 neg`.
std::string prelude_of(const std::set<std::string>& names);

}  // namespace parallax
