// Planted errors as test parameters, with their names, and verification's result for one.
#pragma once

#include <algorithm>
#include <cctype>
#include <functional>
#include <iterator>
#include <ostream>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "measure/verification.hpp"
#include "suites/planted.hpp"

namespace parallax {

// Found by argument-dependent lookup: GoogleTest would print bytes.
inline void PrintTo(const Planted& planted, std::ostream* out) {
    *out << planted.suite << "/" << planted.variant << ": " << planted.name;
}

namespace planted_test {

inline std::string test_name(const testing::TestParamInfo<Planted>& info) {
    std::string name = fmt::format("{} {}", info.param.suite, info.param.name);
    for (char& letter : name) {
        if (!std::isalnum(static_cast<unsigned char>(letter))) letter = '_';
    }
    return name;
}

inline std::vector<Planted> those(const std::function<bool(const Planted&)>& want) {
    std::vector<Planted> list;
    std::ranges::copy_if(planted_errors(), std::back_inserter(list), want);
    return list;
}

inline std::string told(const VerificationResult& checked) {
    if (checked.right()) return "nothing";
    return fmt::format("{} Shape {}, inputs '{}'.", checked.failure->what,
                       to_string(Shape{checked.failure->shape}), checked.failure->pattern);
}

}  // namespace planted_test
}  // namespace parallax
