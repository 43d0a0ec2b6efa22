// Validators for the values of lines, with their descriptions.
#pragma once

#include <algorithm>
#include <array>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json.hpp>

#include "records/json_fwd.hpp"

namespace parallax::kinds {

/// A kind of value.
struct Kind {
    std::string_view what;  ///< as in `... is not WHAT`
    bool (*is)(const Json&) = nullptr;
    const Kind* each = nullptr;  ///< of a list or an object: the kind of its values
};

bool is_name(const Json&);          ///< a string of 1 to 200 characters
bool is_whole(const Json&);         ///< from 0 on
bool is_count(const Json&);         ///< from 1 to 2^32 - 1
bool is_extent(const Json&);        ///< from 1 on
bool is_int64(const Json&);         ///< a signed 64-bit integer
bool is_finite(const Json&);        ///< a number; JSON has no others
bool is_positive(const Json&);      ///< a number above 0
bool is_not_negative(const Json&);  ///< a number from 0 on
bool is_real(const Json&);          ///< a number, or a string with the bits of a non-finite one
bool is_hash(const Json&);          ///< 32 hex digits
bool is_type(const Json&);          ///< the name of an element type

/// The string is one of these.
template <std::size_t N>
bool is_one_of(const Json& j, const std::array<std::string_view, N>& known) {
    return j.is_string() &&
           std::ranges::find(known, j.get_ref<const std::string&>()) != known.end();
}

inline constexpr Kind text{"a text", [](const Json& j) { return j.is_string(); }};
inline constexpr Kind said{"a text that is not empty", [](const Json& j) {
                               return j.is_string() && !j.get_ref<const std::string&>().empty();
                           }};
inline constexpr Kind name{"a name of 1 to 200 characters", is_name};
inline constexpr Kind truth{"true or false", [](const Json& j) { return j.is_boolean(); }};
inline constexpr Kind object{"an object", [](const Json& j) { return j.is_object(); }};
inline constexpr Kind whole{"a whole number from 0 on", is_whole};
inline constexpr Kind small{"a whole number from 0 to 2^32 - 1", [](const Json& j) {
                                return is_whole(j) && j.get<std::uint64_t>() <= 0xffffffff;
                            }};
inline constexpr Kind count{"a count from 1 on", is_count};
inline constexpr Kind extent{"a size from 1 on", is_extent};
inline constexpr Kind int64{"a whole number of 64 bits", is_int64};
inline constexpr Kind positive{"a number above 0", is_positive};
inline constexpr Kind not_negative{"a number from 0 on", is_not_negative};
inline constexpr Kind finite{"a number", is_finite};
inline constexpr Kind share{"a number from 0 to 1", [](const Json& j) {
                                return is_not_negative(j) && j.get<double>() <= 1;
                            }};
inline constexpr Kind real{"a number or the bits of one", is_real};
inline constexpr Kind hash{"a hash of 32 hex digits", is_hash};
inline constexpr Kind element_type{"a type that this program knows", is_type};

inline bool is_list(const Json& j) {
    return j.is_array();
}
inline bool is_some(const Json& j) {
    return j.is_array() && !j.empty();
}
inline constexpr Kind texts{"a list of texts", is_list, &text};
inline constexpr Kind names{"a list of names, at least one", is_some, &name};
inline constexpr Kind wholes{"a list of whole numbers", is_list, &whole};
inline constexpr Kind smalls{"a list of whole numbers", is_list, &small};
inline constexpr Kind counts{"a list of counts", is_some, &count};
inline constexpr Kind two_counts{
    "a list of two counts", [](const Json& j) { return j.is_array() && j.size() == 2; }, &count};
inline constexpr Kind three_counts{
    "a list of three counts", [](const Json& j) { return j.is_array() && j.size() == 3; }, &extent};
inline constexpr Kind shape{"a list of sizes", is_some, &extent};
inline constexpr Kind shapes{"a list of shapes", is_list, &shape};
inline constexpr Kind samples{"a list of times", is_some, &positive};
inline constexpr Kind times{"a list of times", is_list, &not_negative};
inline constexpr Kind two_times{"a list of two times",
                                [](const Json& j) { return j.is_array() && j.size() == 2; },
                                &not_negative};
inline constexpr Kind quads{"a list of times, two for each quad",
                            [](const Json& j) { return is_some(j) && j.size() % 2 == 0; },
                            &positive};
inline constexpr Kind objects{"a list of objects", is_list, &object};
inline constexpr Kind whole_values{"an object of whole numbers",
                                   [](const Json& j) { return j.is_object(); }, &int64};
inline constexpr Kind count_values{"an object of counts",
                                   [](const Json& j) { return j.is_object(); }, &count};
inline constexpr Kind text_values{"an object of texts", [](const Json& j) { return j.is_object(); },
                                  &text};

/// What is wrong with a line, as sentences' ends.
struct Problems : std::vector<std::string> {
    /// Members that the line was parsed without, as parse_line() takes them: they are not missing.
    std::span<const std::string_view> left_out = {};
};

/// Adds the value's error, of a list or an object the first one, to `problems`.
/// @param where  its position in the line: `timing.samples`
/// @param or_else  an alternative in the message: ` or null`
/// @return whether it is valid
bool is_of(const Json& value, const std::string& where, const Kind& kind, Problems& problems,
           std::string_view or_else = {});

/// A value for messages: shortened and printable.
std::string shown(const Json&);

}  // namespace parallax::kinds
