// Evaluates arithmetic over the sizes and constants of a manifest: `ceil(n / 256)`.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <string_view>

namespace parallax {

/// The values of names in a formula.
using FormulaNames = std::map<std::string, double, std::less<>>;

/// The value of a formula: numbers, names, `+ - * / %`, parentheses, and ceil, floor, min, max,
/// log2, sqrt. `/` is real division; ceil or floor give integers.
/// @throws UsageError with the error, its position, and what could be written
double formula_value(std::string_view formula, const FormulaNames& names);

/// The same for a count.
/// @throws UsageError also when it is not an integer from `least` to `most`
std::int64_t formula_count(std::string_view formula, const FormulaNames& names, std::int64_t least,
                           std::int64_t most);

/// The value for each `i` from 0 to `count` - 1, in order.
/// @throws UsageError as formula_value does, with the `i`
void formula_each(std::string_view formula, const FormulaNames& names, std::uint64_t count,
                  const std::function<void(std::uint64_t, double)>& take);

/// Whether a formula can use the name: letters, digits and `_`, and no function's name.
bool is_formula_name(std::string_view name);

}  // namespace parallax
