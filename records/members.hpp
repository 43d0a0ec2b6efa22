// Member lists: what writes a line, reads it, checks it and describes it in
// docs/reference/record-members.md, all from one list for each part of a line. For records/*.cpp
// alone.
//
// A part is a struct with a function `members_of(const Part*)` that returns a tuple of: member()
// for a member of the struct, computed() for a value that the struct computes, flat() for a struct
// whose members are in the same JSON object.
#pragma once

#include <algorithm>
#include <bit>
#include <charconv>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "records/field_validators.hpp"
#include "records/json.hpp"

namespace parallax::members {

using kinds::Kind;
using kinds::Problems;

/// The representation of a missing value in a line.
enum class Absent {
    never,     ///< never missing
    left_out,  ///< the member is omitted
    unknown,   ///< the string `unknown`
    null
};

/// One member of a part. `get(part)` returns its value; an empty optional and, unless `absent` is
/// `never`, an empty string or list is a missing value. `set(part, value)` stores a value that was
/// read; a nullptr: the value is derived, and only checked.
template <class Get, class Set>
struct Member {
    std::string_view name;
    Get get;
    Set set;
    const Kind* kind = nullptr;  ///< null: an object, or a list of them, of a part of its own
    std::string_view
        what;  ///< for docs/reference/record-members.md; empty: only in the part's own table
    Absent absent = Absent::never;
    bool needed = true;  ///< lines without it are rejected
    std::string_view when = "always";

    /// Omitted if missing. @param said  when it is present
    constexpr Member if_any(std::string_view said) const {
        Member changed = *this;
        changed.absent = Absent::left_out;
        changed.needed = false;
        changed.when = said;
        return changed;
    }
    constexpr Member or_unknown() const {
        Member changed = *this;
        changed.absent = Absent::unknown;
        return changed;
    }
    constexpr Member or_null() const {
        Member changed = *this;
        changed.absent = Absent::null;
        return changed;
    }
    /// Always written, but missing in old files: then the part keeps its default.
    constexpr Member not_in_old() const {
        Member changed = *this;
        changed.needed = false;
        return changed;
    }
};

template <class Get, class Set>
constexpr auto computed(std::string_view name, Get get, Set set, const Kind* kind,
                        std::string_view what = {}) {
    return Member<Get, Set>{.name = name, .get = get, .set = set, .kind = kind, .what = what};
}

template <class T, class M>
constexpr auto member(std::string_view name, M T::*at, const Kind& kind,
                      std::string_view what = {}) {
    return computed(
        name, [at](const T& part) -> const M& { return part.*at; },
        [at](T& part, M&& value) { part.*at = std::move(value); }, &kind, what);
}

/// A value that a device or a compiler may not report, and that old files lack.
template <class T, class M>
constexpr auto fact(std::string_view name, M T::*at, const Kind& kind, std::string_view what) {
    return member(name, at, kind, what).or_unknown().not_in_old();
}

/// For a struct, or a list of structs, with their own member lists.
template <class T, class M>
constexpr auto member(std::string_view name, M T::*at, std::string_view what = {}) {
    return computed(
        name, [at](const T& part) -> const M& { return part.*at; },
        [at](T& part, M&& value) { part.*at = std::move(value); }, nullptr, what);
}

template <class T, class M>
struct Flat {
    M T::*at;
};
template <class T, class M>
constexpr Flat<T, M> flat(M T::*at) {
    return {at};
}

/// A part of a line.
template <class T>
concept Part = requires {
    members_of(static_cast<const T*>(nullptr));
};

template <class T>
struct IsOptional : std::false_type {};
template <class T>
struct IsOptional<std::optional<T>> : std::true_type {};
template <class T>
struct IsVector : std::false_type {};
template <class T>
struct IsVector<std::vector<T>> : std::true_type {};

/// The string for an enumerator. Overloads are next to the lists.
template <class E>
concept Worded = requires(std::string_view word, E e) {
    { word_in_line(e) } -> std::convertible_to<std::string_view>;
    { from_word(word, e) } -> std::same_as<bool>;
};

template <Part T>
Json write_part(const T& part);
template <Part T>
void read_part(const Json& json, const std::string& where, T& part, Problems& problems);

template <class V>
Json write(const V& value) {
    if constexpr (Part<V>) {
        return write_part(value);
    } else if constexpr (std::is_same_v<V, double>) {
        return number(value);
    } else if constexpr (Worded<V>) {
        return Json(word_in_line(value));
    } else if constexpr (std::is_same_v<V, Size>) {
        return Json::array({value.x, value.y, value.z});
    } else if constexpr (std::is_same_v<V, Constants>) {
        Json object = Json::object();
        for (const auto& [name, constant] : value) object[name] = constant;
        return object;
    } else if constexpr (IsVector<V>::value) {
        Json list = Json::array();
        for (const auto& one : value) list.push_back(write(one));
        return list;
    } else {
        return Json(value);
    }
}

/// A number, or one from the bits of a non-finite value.
inline double real_from(const Json& json) {
    if (json.is_number()) return json.get<double>();
    const auto& text = json.get_ref<const std::string&>();
    std::uint64_t bits = 0;
    std::from_chars(text.data() + 2, text.data() + text.size(), bits, 16);
    return std::bit_cast<double>(bits);
}

/// @param json  a valid value for the member
template <class V>
void read(const Json& json, const std::string& where, V& value, Problems& problems) {
    if constexpr (Part<V>) {
        read_part(json, where + ".", value, problems);
    } else if constexpr (std::is_same_v<V, double>) {
        value = real_from(json);
    } else if constexpr (Worded<V>) {
        if (!from_word(json.get_ref<const std::string&>(), value)) {
            problems.push_back(fmt::format("{} {} is unknown", where, kinds::shown(json)));
        }
    } else if constexpr (std::is_same_v<V, Size>) {
        value = {json[0].template get<std::uint64_t>(), json[1].template get<std::uint64_t>(),
                 json[2].template get<std::uint64_t>()};
    } else if constexpr (std::is_same_v<V, Constants>) {
        for (const auto& [name, constant] : json.items()) {
            value.push_back({name, constant.template get<std::int64_t>()});
        }
    } else if constexpr (IsVector<V>::value) {
        value.resize(json.size());
        for (std::size_t i = 0; i < json.size(); ++i) {
            if constexpr (Part<typename V::value_type>) {
                read(json[i], fmt::format("{}[{}]", where, i), value[i], problems);
            } else {
                read(json[i], where, value[i], problems);
            }
        }
    } else {
        value = json.get<V>();
    }
}

template <class V>
constexpr const Kind& own_kind() {
    return IsVector<V>::value ? kinds::objects : kinds::object;
}

template <class T, class M>
void write_member(Json& json, const T& part, const Flat<T, M>& flat) {
    json.update(write_part(part.*flat.at));
}

template <class T, class Get, class Set>
void write_member(Json& json, const T& part, const Member<Get, Set>& member) {
    const auto& value = member.get(part);
    using V = std::remove_cvref_t<decltype(value)>;
    const auto print_none = [&] {
        if (member.absent == Absent::unknown) json[std::string(member.name)] = "unknown";
        if (member.absent == Absent::null) json[std::string(member.name)] = nullptr;
    };
    if constexpr (IsOptional<V>::value) {
        if (!value) return print_none();
        json[std::string(member.name)] = write(*value);
    } else {
        if constexpr (requires { value.empty(); }) {
            if (member.absent != Absent::never && value.empty()) return print_none();
        }
        json[std::string(member.name)] = write(value);
    }
}

template <class T, class M>
void read_member(const Json& json, const std::string& where, T& part, const Flat<T, M>& flat,
                 Problems& problems) {
    read_part(json, where, part.*flat.at, problems);
}

template <class T, class Get, class Set>
void read_member(const Json& json, const std::string& where, T& part,
                 const Member<Get, Set>& member, Problems& problems) {
    using Given = std::remove_cvref_t<decltype(member.get(std::as_const(part)))>;
    const auto found = json.find(member.name);
    const std::string place = where + std::string(member.name);
    if (found == json.end()) {
        const bool is_left_out = std::ranges::find(problems.left_out, std::string_view(place)) !=
                                 problems.left_out.end();
        if (member.needed && !is_left_out) problems.push_back(place + " is missing");
        return;
    }
    if (member.absent == Absent::unknown && *found == "unknown") return;
    if (member.absent == Absent::null && found->is_null()) return;
    const auto take = [&](auto value) {
        using V = decltype(value);
        const Kind& kind = member.kind ? *member.kind : own_kind<V>();
        const std::string_view or_else = member.absent == Absent::unknown ? " or unknown"
                                         : member.absent == Absent::null  ? " or null"
                                                                          : "";
        if (!kinds::is_of(*found, place, kind, problems, or_else)) return;
        const std::size_t before = problems.size();
        read(*found, place, value, problems);
        if constexpr (!std::is_null_pointer_v<Set>) {
            if (problems.size() == before) member.set(part, std::move(value));
        }
    };
    if constexpr (IsOptional<Given>::value) {
        take(typename Given::value_type{});
    } else {
        take(Given{});
    }
}

template <Part T>
Json write_part(const T& part) {
    Json json = Json::object();
    std::apply([&](const auto&... each) { (write_member(json, part, each), ...); },
               members_of(static_cast<const T*>(nullptr)));
    return json;
}

template <Part T>
void read_part(const Json& json, const std::string& where, T& part, Problems& problems) {
    std::apply([&](const auto&... each) { (read_member(json, where, part, each, problems), ...); },
               members_of(static_cast<const T*>(nullptr)));
}

/// Table rows `| member | when | what it is |` of a part.
template <Part T>
std::string rows_of() {
    std::string rows;
    const auto add = [&](const auto& each) {
        if constexpr (requires { each.name; }) {
            std::string what(each.what);
            if (each.absent == Absent::unknown) what += "; `unknown` if not reported";
            if (each.absent == Absent::null) what += "; `null`: there is none";
            rows += fmt::format("| `{}` | {} | {} |\n", each.name, each.when, what);
        } else {
            using At = std::remove_cvref_t<decltype(std::declval<T>().*each.at)>;
            rows += rows_of<At>();
        }
    };
    std::apply([&](const auto&... each) { (add(each), ...); },
               members_of(static_cast<const T*>(nullptr)));
    return rows;
}

/// The type of a value: `text`, `whole`, `number`, `truth` or the name of a part; with `[]` a list
/// of them, with `{}` an object of them. @tparam Name  the name of a part
template <class V, template <class> class Name>
std::string type_word() {
    if constexpr (IsOptional<V>::value) {
        return type_word<typename V::value_type, Name>();
    } else if constexpr (Part<V>) {
        return std::string(Name<V>::value);
    } else if constexpr (std::is_same_v<V, Size>) {
        return "whole[]";
    } else if constexpr (std::is_same_v<V, Constants>) {
        return "whole{}";
    } else if constexpr (requires { typename V::mapped_type; }) {
        return type_word<typename V::mapped_type, Name>() + "{}";
    } else if constexpr (IsVector<V>::value) {
        return type_word<typename V::value_type, Name>() + "[]";
    } else if constexpr (std::is_same_v<V, bool>) {
        return "truth";
    } else if constexpr (std::is_integral_v<V>) {
        return "whole";
    } else if constexpr (std::is_floating_point_v<V>) {
        return "number";
    } else {
        static_assert(Worded<V> || std::is_convertible_v<V, std::string_view>);
        return "text";
    }
}

/// The members of a part for programs: `name`, `type` (as of type_word), `always` (whether every
/// line has a value for it), `what`.
template <Part T, template <class> class Name>
void add_members(Json& list) {
    const auto add = [&](const auto& each) {
        if constexpr (requires { each.name; }) {
            using V = std::remove_cvref_t<decltype(each.get(std::declval<const T&>()))>;
            list.push_back({{"name", each.name},
                            {"type", type_word<V, Name>()},
                            {"always", each.needed && each.absent == Absent::never},
                            {"what", each.what}});
        } else {
            using At = std::remove_cvref_t<decltype(std::declval<T>().*each.at)>;
            add_members<At, Name>(list);
        }
    };
    std::apply([&](const auto&... each) { (add(each), ...); },
               members_of(static_cast<const T*>(nullptr)));
}

}  // namespace parallax::members
