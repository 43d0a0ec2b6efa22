// What a kept line must be, whichever kind it is: docs/record.md, as code.
#include "records/schema.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "common/text.hpp"
#include "common/version.hpp"

namespace parallax {
namespace schema {
namespace {

bool is_hex(std::string_view digits) {
    return std::ranges::all_of(
        digits, [](char c) { return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f'); });
}

/// A number that JSON spells, in a double; anything else is not a number.
double value_of(const Json& j) {
    return j.is_number() ? j.get<double>() : std::numeric_limits<double>::quiet_NaN();
}

void look_at(const Json& value, const std::string& where, const Kind& kind, Problems& problems) {
    if (!kind.is(value)) {
        problems.push_back(fmt::format("{} is {}, and not {}", where, shown(value), kind.what));
        return;
    }
    if (!kind.each) return;
    for (std::size_t i = 0; i < value.size(); ++i) {
        const bool plain = kind.each->each == nullptr;
        if (plain && kind.each->is(value[i])) continue;
        const std::size_t before = problems.size();
        look_at(value[i], fmt::format("{}[{}]", where, i), *kind.each, problems);
        if (problems.size() > before) return;  // the first of a list is enough
    }
}

}  // namespace

bool is_text(const Json& j) {
    return j.is_string();
}
bool is_list(const Json& j) {
    return j.is_array();
}
bool is_object(const Json& j) {
    return j.is_object();
}
bool is_truth(const Json& j) {
    return j.is_boolean();
}
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
bool is_share(const Json& j) {
    return is_not_negative(j) && value_of(j) <= 1;
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
bool is_fact(const Json& j) {
    return is_finite(j) || j.is_boolean() || j.is_string();
}
bool is_some(const Json& j) {
    return j.is_array() && !j.empty();
}
bool is_three(const Json& j) {
    return j.is_array() && j.size() == 3;
}

void look(const Json& in, std::string_view where, std::span<const Member> members,
          Problems& problems) {
    for (const Member& member : members) {
        const auto found = in.find(member.name);
        if (found == in.end()) {
            if (member.needed) {
                problems.push_back(fmt::format("{}{} is missing", where, member.name));
            }
        } else if (!member.kind.is(*found) || member.kind.each) {
            look_at(*found, fmt::format("{}{}", where, member.name), member.kind, problems);
        }
    }
}

void look_at_all(const Json& in, std::string_view where, const Kind& kind, Problems& problems) {
    for (const auto& [key, value] : in.get_ref<const Json::object_t&>()) {
        if (!kind.is(value) || kind.each) {
            look_at(value, fmt::format("{}{}", where, printable(key, 60)), kind, problems);
        }
    }
}

std::string shown(const Json& value) {
    switch (value.type()) {
        case Json::value_t::string:
            return fmt::format("'{}'", printable(value.get_ref<const std::string&>(), 60));
        case Json::value_t::array:
            return value.empty() ? "an empty list" : fmt::format("a list of {}", value.size());
        case Json::value_t::object: return "an object";
        case Json::value_t::null: return "null";
        default: return value.dump();  // a number or a truth value: short
    }
}

}  // namespace schema

namespace {

/// A kind of line.
struct LineKind {
    std::string_view schema;
    int version;
    schema::Problems (*problems)(const Json&);
};
constexpr LineKind line_kinds[]{
    {record_schema, record_version, schema::of_record},
    {pair_schema, pair_version, schema::of_pair},
    {explanation_schema, explanation_version, schema::of_explanation},
};

bool is_of(const Json& line, std::string_view schema) {
    if (!line.is_object()) return false;
    const auto found = line.find("schema");
    return found != line.end() && *found == schema;
}

}  // namespace

bool is_pair(const Json& line) {
    return is_of(line, pair_schema);
}

bool is_explanation(const Json& line) {
    return is_of(line, explanation_schema);
}

std::vector<std::string> problems_of(const Json& line) {
    if (!line.is_object()) {
        return {fmt::format("it is {}, and not a JSON object", schema::shown(line))};
    }
    // What another program or a newer one wrote is said first: its members follow other rules.
    const auto name = line.find("schema");
    if (name == line.end()) return {"schema is missing"};
    const auto* kind =
        std::ranges::find_if(line_kinds, [&](const LineKind& one) { return *name == one.schema; });
    if (kind == std::end(line_kinds)) {
        return {fmt::format("its schema is {}, not {}, {} or {}", schema::shown(*name),
                            record_schema, pair_schema, explanation_schema)};
    }
    const auto version = line.find("version");
    if (version == line.end()) return {"version is missing"};
    if (!schema::is_whole(*version) || *version != kind->version) {
        return {fmt::format("its version is {}, and this program reads version {}",
                            schema::shown(*version), kind->version)};
    }
    return kind->problems(line);
}

}  // namespace parallax
