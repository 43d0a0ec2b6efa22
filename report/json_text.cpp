// Prints JSON and CSV.
#include "report/json_text.hpp"

#include <algorithm>
#include <array>

#include <nlohmann/json.hpp>

#include "common/text/text.hpp"

namespace parallax::report {
namespace {

/// By its first character that is no blank, of which some spreadsheets take off the full width.
bool is_formula(std::string_view text) {
    constexpr std::array<std::string_view, 9> blanks{" ",  "\t",     "\r",     "\n",    "\v",
                                                     "\f", "\u00a0", "\u3000", "\ufeff"};
    constexpr std::array<std::string_view, 8> signs{"=",      "+",      "-",      "@",
                                                    "\uff1d", "\uff0b", "\uff0d", "\uff20"};
    if (text.find_first_of("\t\r\n") == 0) return true;
    const auto starts = [&](std::string_view one) { return text.starts_with(one); };
    for (auto at = blanks.begin(); at != blanks.end();) {
        at = std::ranges::find_if(blanks, starts);
        if (at != blanks.end()) text.remove_prefix(at->size());
    }
    return std::ranges::any_of(signs, starts);
}

std::string csv_cell(const Json& value) {
    if (value.is_null()) return {};
    if (!value.is_string()) return value.dump();
    std::string text = value.get<std::string>();
    if (is_formula(text)) text.insert(0, "'");
    if (text.find_first_of(",\"\r\n") == text.npos) return text;
    for (std::size_t at = 0; (at = text.find('"', at)) != text.npos; at += 2) text.insert(at, "\"");
    return "\"" + text + "\"";
}

}  // namespace

std::string printed(const Json& json) {
    return json.dump(2, ' ', true, Json::error_handler_t::replace) + "\n";
}

std::string printed_line(const Json& json) {
    return json.dump(-1, ' ', true, Json::error_handler_t::replace) + "\n";
}

std::string csv_line(const std::vector<Json>& values) {
    std::string line;
    for (const Json& value : values) line += (&value == values.data() ? "" : ",") + csv_cell(value);
    return harmless(line + "\r\n");
}

}  // namespace parallax::report
