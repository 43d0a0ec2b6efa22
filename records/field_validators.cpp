// Validates the values of lines.
#include "records/field_validators.hpp"

#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "common/device/types.hpp"
#include "common/text/text.hpp"

namespace parallax::kinds {
namespace {

bool is_hex(std::string_view digits) {
    return std::ranges::all_of(
        digits, [](char c) { return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f'); });
}

/// The value of a JSON number; NaN for anything else.
double value_of(const Json& j) {
    return j.is_number() ? j.get<double>() : std::numeric_limits<double>::quiet_NaN();
}

}  // namespace

bool is_name(const Json& j) {
    if (!j.is_string()) return false;
    const auto& word = j.get_ref<const std::string&>();
    return !word.empty() && word.size() <= 800 && columns_of(word) <= 200;
}
bool is_whole(const Json& j) {
    return j.is_number_unsigned() || (j.is_number_integer() && j.get<std::int64_t>() >= 0);
}
bool is_count(const Json& j) {
    return is_extent(j) && j.get<std::uint64_t>() <= std::numeric_limits<std::uint32_t>::max();
}
bool is_extent(const Json& j) {
    return is_whole(j) && j.get<std::uint64_t>() >= 1;
}
bool is_int64(const Json& j) {
    constexpr auto most = static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max());
    return j.is_number_integer() && !(j.is_number_unsigned() && j.get<std::uint64_t>() > most);
}
bool is_finite(const Json& j) {
    return std::isfinite(value_of(j));
}
bool is_positive(const Json& j) {
    return is_finite(j) && value_of(j) > 0;
}
bool is_not_negative(const Json& j) {
    return is_finite(j) && value_of(j) >= 0;
}
bool is_real(const Json& j) {
    if (is_finite(j)) return true;
    if (!j.is_string()) return false;
    const auto& bits = j.get_ref<const std::string&>();
    return bits.size() == 18 && bits.starts_with("0x") && is_hex(std::string_view(bits).substr(2));
}
bool is_hash(const Json& j) {
    return j.is_string() && j.get_ref<const std::string&>().size() == 32 &&
           is_hex(j.get_ref<const std::string&>());
}
bool is_type(const Json& j) {
    return j.is_string() && element_type_named(j.get_ref<const std::string&>()).has_value();
}
bool is_of(const Json& value, const std::string& where, const Kind& kind, Problems& problems,
           std::string_view or_else) {
    if (!kind.is(value)) {
        problems.push_back(
            fmt::format("{} is {}, and not {}{}", where, shown(value), kind.what, or_else));
        return false;
    }
    if (!kind.each) return true;
    const bool plain = kind.each->each == nullptr;
    if (value.is_object()) {
        for (const auto& [key, one] : value.get_ref<const Json::object_t&>()) {
            if (kind.each->is(one)) continue;
            return is_of(one, fmt::format("{}.{}", where, printable(key, 60)), *kind.each,
                         problems);
        }
        return true;
    }
    for (std::size_t i = 0; i < value.size(); ++i) {
        if (plain && kind.each->is(value[i])) continue;
        if (!is_of(value[i], fmt::format("{}[{}]", where, i), *kind.each, problems)) return false;
    }
    return true;
}

std::string shown(const Json& value) {
    switch (value.type()) {
        case Json::value_t::string:
            return fmt::format("'{}'", printable(value.get_ref<const std::string&>(), 60));
        case Json::value_t::array:
            return value.empty() ? "an empty list" : fmt::format("a list of {}", value.size());
        case Json::value_t::object: return "an object";
        case Json::value_t::null: return "null";
        default: return value.dump();  // a number or a boolean: short
    }
}

}  // namespace parallax::kinds
