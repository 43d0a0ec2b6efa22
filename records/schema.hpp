// What members of kept lines may be: kinds of values, and tables of members. For schema*.cpp alone.
#pragma once

#include <algorithm>
#include <array>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json.hpp>

#include "records/record.hpp"

namespace parallax::schema {

/// What a value may be.
struct Kind {
    std::string_view what;  ///< as in `... is not WHAT`
    bool (*is)(const Json&) = nullptr;
    const Kind* each = nullptr;  ///< of a list: what each of its values is
};

bool is_text(const Json&);
bool is_list(const Json&);
bool is_object(const Json&);
bool is_truth(const Json&);
bool is_name(const Json&);          ///< a text of 1 to 200 characters
bool is_whole(const Json&);         ///< from 0 on
bool is_count(const Json&);         ///< from 1 to 2^32 - 1
bool is_extent(const Json&);        ///< from 1 on
bool is_int64(const Json&);         ///< whole, within 64 bits with a sign
bool is_finite(const Json&);        ///< a number; JSON has no others
bool is_positive(const Json&);      ///< a number above 0
bool is_not_negative(const Json&);  ///< a number from 0 on
bool is_share(const Json&);         ///< a number from 0 to 1
bool is_real(const Json&);          ///< a number, or the bits of one that JSON cannot hold
bool is_hash(const Json&);          ///< 32 hex digits
bool is_type(const Json&);          ///< the name of an element type
bool is_fact(const Json&);          ///< a number, true, false or a text
bool is_some(const Json&);          ///< a list that is not empty
bool is_three(const Json&);         ///< a list of three

/// The text is one of these.
template <std::size_t N>
bool is_one_of(const Json& j, const std::array<std::string_view, N>& known) {
    return j.is_string() &&
           std::ranges::find(known, j.get_ref<const std::string&>()) != known.end();
}

inline constexpr Kind text{"a text", is_text};
inline constexpr Kind said{"a text that is not empty", [](const Json& j) {
                               return is_text(j) && !j.get_ref<const std::string&>().empty();
                           }};
inline constexpr Kind name{"a name of 1 to 200 characters", is_name};
inline constexpr Kind truth{"true or false", is_truth};
inline constexpr Kind object{"an object", is_object};
inline constexpr Kind whole{"a whole number from 0 on", is_whole};
inline constexpr Kind count{"a count from 1 on", is_count};
inline constexpr Kind extent{"a size from 1 on", is_extent};
inline constexpr Kind int64{"a whole number of 64 bits", is_int64};
inline constexpr Kind positive{"a number above 0", is_positive};
inline constexpr Kind not_negative{"a number from 0 on", is_not_negative};
inline constexpr Kind finite{"a number", is_finite};
inline constexpr Kind share{"a number from 0 to 1", is_share};
inline constexpr Kind real{"a number or the bits of one", is_real};
inline constexpr Kind hash{"a hash of 32 hex digits", is_hash};
inline constexpr Kind element_type{"a type that this program knows", is_type};
inline constexpr Kind fact{"a number, true, false or a text", is_fact};

inline constexpr Kind texts{"a list of texts", is_list, &text};
inline constexpr Kind wholes{"a list of whole numbers", is_list, &whole};
inline constexpr Kind counts{"a list of counts", is_some, &count};
inline constexpr Kind three_counts{"a list of three counts", is_three, &extent};
inline constexpr Kind shape{"a list of sizes", is_some, &extent};
inline constexpr Kind shapes{"a list of shapes", is_list, &shape};
inline constexpr Kind samples{"a list of times", is_some, &positive};
inline constexpr Kind times{"a list of times", is_list, &not_negative};
inline constexpr Kind objects{"a list of objects", is_list, &object};

/// A member of an object.
struct Member {
    std::string_view name;
    const Kind& kind;
    bool needed = true;
};

using Problems = std::vector<std::string>;

/// Adds to `problems` what is wrong with the object's members.
/// @param where  the object's own place, with a dot at its end: `timing.`; empty: the line
void look(const Json& object, std::string_view where, std::span<const Member> members,
          Problems& problems);
/// Checks every value of an object whose members have names of their own.
void look_at_all(const Json& object, std::string_view where, const Kind& kind, Problems& problems);

/// A value as messages show it: cut off, made printable.
std::string shown(const Json&);

/// Members that records, pairs and explanations share.
inline constexpr Member of_case[]{
    {"suite", name},  {"variant", name},     {"type", element_type},
    {"shape", shape}, {"constants", object}, {"run", object},
};
inline constexpr Member of_run[]{
    {"id", said}, {"started", text}, {"seed", whole}, {"command", texts}, {"program_version", text},
};

/// All take an object of the right schema and version.
Problems of_record(const Json&);
Problems of_pair(const Json&);
Problems of_explanation(const Json&);

}  // namespace parallax::schema
