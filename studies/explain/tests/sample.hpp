// Compiler output that tests read, from the folder `samples`.
#pragma once

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

#include <gtest/gtest.h>

namespace parallax {

/// A file of `samples`, which the build names.
inline std::filesystem::path sample_path(const std::string& name) {
    return std::filesystem::path(SOURCE_ROOT "/studies/explain/tests/samples") / name;
}

inline std::string sample(const std::string& name) {
    std::ifstream file(sample_path(name), std::ios::binary);
    EXPECT_TRUE(file) << sample_path(name) << " is missing";
    return {std::istreambuf_iterator<char>(file), {}};
}

}  // namespace parallax
