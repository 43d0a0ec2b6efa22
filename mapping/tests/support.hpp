// Short ways to translate a snippet in a test.
#pragma once

#include <fstream>
#include <iterator>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "common/error.hpp"
#include "mapping/translate/translate.hpp"

namespace parallax::testing {

/// Names that a kernel may get by `-DNAME=value`, as suites have them.
inline std::vector<std::string> constants() {
    return {"ALIGN", "CHAINS", "COLUMNS", "GROUP", "ITEMS", "OP",
            "PAD",   "ROUNDS", "ROWS",    "TEAM",  "TILE",  "UNROLL"};
}

inline std::string file_text(const std::string& path) {
    std::ifstream stream(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(stream), {}};
}

inline Translation translate(std::string_view source, ElementType type = ElementType::f32) {
    const auto names = constants();
    return to_cuda("x.cl", source, {type, names});
}

/// The body of a kernel around `statements`, translated, without the braces.
inline std::string statements(std::string_view text, ElementType type = ElementType::f32) {
    const std::string body =
        translate("__kernel void k(void) {" + std::string(text) + "}", type).body;
    const std::size_t open = body.find('{');
    return body.substr(open + 1, body.rfind('}') - open - 1);
}

/// The error message for `source`, or nothing when it is translated.
inline std::string refusal(std::string_view source, ElementType type = ElementType::f32) {
    try {
        translate(source, type);
    } catch (const Refused& refused) {
        return refused.what();
    }
    return {};
}

inline std::string refusal_in_body(std::string_view text) {
    return refusal("__kernel void k(void) {" + std::string(text) + "}");
}

}  // namespace parallax::testing
