// Modifies valid lines, one member after another, and checks the reported errors.
#pragma once

#include <initializer_list>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "records/record.hpp"

namespace parallax::fake {

/// A member with another value, and the expected error.
struct Spoiled {
    const char* place;  ///< JSON pointer
    const char* value;  ///< JSON; empty: removed
    const char* words;
};

/// Expects a problem with these words.
inline void expect_said(const Json& line, const std::string& words, const std::string& how) {
    const std::vector<std::string> problems = problems_of(line);
    ASSERT_FALSE(problems.empty()) << how;
    std::string all;
    for (const std::string& problem : problems) {
        EXPECT_LT(problem.size(), 300u) << how;
        all += problem + "\n";
    }
    EXPECT_NE(all.find(words), std::string::npos) << how << ": " << all;
}

inline void expect_said(const Json& line, std::initializer_list<Spoiled> rows) {
    ASSERT_TRUE(problems_of(line).empty()) << problems_of(line).front();
    for (const Spoiled& row : rows) {
        Json spoiled = line;
        const Json::json_pointer place(row.place);
        if (*row.value) {
            spoiled[place] = Json::parse(row.value);
        } else {
            spoiled[place.parent_pointer()].erase(place.back());
        }
        expect_said(spoiled, row.words, std::string(row.place) + " = " + row.value);
    }
}

}  // namespace parallax::fake
