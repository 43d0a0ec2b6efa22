// Infers the members of structs, and the components of vectors.
#include <algorithm>

#include <fmt/format.h>

#include "mapping/analyze/value_type.hpp"
#include "mapping/body/body.hpp"
#include "suites/manifest/launch_inference.hpp"

namespace parallax::manifest {

std::uint64_t LaunchInference::bytes_of(const GuessedArgument& member) {
    std::uint64_t bytes = 0;
    for (const GuessedArgument& inner : member.members) bytes += bytes_of(inner);
    const auto known = value_type_named(member.type);
    return known ? std::uint64_t{element_bytes(known->element)} * known->width * member.elements
                 : bytes;
}

std::vector<GuessedArgument> LaunchInference::members_of(const std::vector<Member>& declared) {
    std::vector<GuessedArgument> made;
    for (const Member& one : declared) {
        GuessedArgument& member = made.emplace_back(
            GuessedArgument{.name = one.name, .type = one.type, .elements = one.elements});
        member.is_array = one.is_array;
        member.members = members_of(one.members);
        const bool known = !member.members.empty() || value_type_named(one.type).has_value();
        if (!known) member.ask = "What is its type?";
        if (known && one.elements == 0) member.ask = "How many elements has the array?";
    }
    return made;
}

void LaunchInference::write_parts(GuessedArgument& made, ValueType type, std::size_t p) {
    for (unsigned i = 0; i < type.width; ++i) {
        const std::string name = component_of(made.name, i);
        made.parts.push_back(value_for(name, std::string(type.element), find_member(p, name)));
    }
}

void LaunchInference::write_member_value(GuessedArgument& made, std::size_t p) {
    for (GuessedArgument& member : made.members) write_member_value(member, p);
    const auto type = value_type_named(made.type);
    if (!type || !made.ask.empty()) return;
    if (made.is_array) {
        // All elements of a long array get the same value.
        const std::string each = is_float_element(type->element) ? "1.5" : "1";
        const std::size_t count = std::size_t{made.elements} * type->width;
        if (count <= 8) made.parts.assign(count, each);
        made.formula = each;
    } else if (type->is_vector()) {
        write_parts(made, *type, p);
    } else {
        made.formula = value_for(made.name, made.type, find_member(p, made.name));
    }
}

void LaunchInference::write_member_fill(GuessedArgument& made, std::size_t p) {
    for (GuessedArgument& member : made.members) write_member_fill(member, p);
    const auto type = value_type_named(made.type);
    if (!type || !made.ask.empty()) return;
    const int own = find_member(p, made.name);
    if (!made.is_array && !type->is_vector() && is_whole(made.type) && own >= 0 &&
        (used_.contains(own) || values_.contains(own) || body_.bounding.contains(own))) {
        // The number bounds an index: it needs its own value, unlike data.
        const std::string value = value_for(made.name, made.type, own);
        const std::string number = json_number(value);
        made.fill = fmt::format("{{\"{}\": {}}}", number == value ? "value" : "formula", number);
        return;
    }
    made.fill = is_float_element(type->element) ? float_fill()
                : type->element == "bool"       ? "\"random\""
                                                : "{\"random\": [0, 16]}";
}

void LaunchInference::note_answer(const std::string& type,
                                  const std::vector<GuessedArgument>& members) {
    for (const GuessedArgument& member : members) note_answer(member.type, member.members);
    const auto known = value_type_named(type);
    if (!known) return;
    const std::string element(known->element);
    const bool rounded = body_.rounded.contains(element);
    if (rounded || is_float_element(element)) {
        guess_.answer = coarser(guess_.answer, rounded ? "rounded" : element);
    }
}

std::string coarser(const std::string& a, const std::string& b) {
    return std::ranges::find(answer_kinds, a) < std::ranges::find(answer_kinds, b) ? b : a;
}

}  // namespace parallax::manifest
