// Arithmetic over the sizes and constants of a manifest: `ceil(n / 256)`.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <string_view>

namespace parallax {

/// What names in a formula stand for.
using FormulaNames = std::map<std::string, double, std::less<>>;

/// The value of a formula: numbers, names, `+ - * / %`, parentheses, and ceil, floor, min, max,
/// log2, sqrt. `/` divides as real numbers do; what has to be whole says ceil or floor.
/// @throws UsageError saying what is wrong, where, and what could be written
double formula_value(std::string_view formula, const FormulaNames& names);

/// The same where it counts something.
/// @throws UsageError when it is not a whole number from `least` to `most` too
std::int64_t formula_count(std::string_view formula, const FormulaNames& names, std::int64_t least,
                           std::int64_t most);

/// The value for each `i` from 0 up to `count`, in order.
/// @throws UsageError as formula_value does, naming the `i`
void formula_each(std::string_view formula, const FormulaNames& names, std::uint64_t count,
                  const std::function<void(std::uint64_t, double)>& take);

/// Whether a formula can use it as a name: letters, digits and `_`, and it is no function's.
bool is_formula_name(std::string_view name);

}  // namespace parallax
