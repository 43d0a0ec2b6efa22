// Generates manifests of sources and loads them.
#pragma once

#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "common/error.hpp"
#include "suites/manifest/manifest.hpp"
#include "suites/manifest/tests/folder.hpp"

namespace parallax::testing_manifest {

class Forms : public testing::Test {
protected:
    Folder folder_;

    /// The generated manifest, which must load.
    Json made(const std::string& source, const std::vector<std::string>& kernels = {}) {
        folder_.write("mine.cl", source);
        const std::string text =
            first_manifest({.file = "mine.cl", .source = source, .kernels = kernels});
        try {
            suite_from((folder_.path / "mine.json").string(), text);
        } catch (const Error& error) {
            ADD_FAILURE() << error.what() << text;
        }
        return Json::parse(text);
    }
    static Json argument(const Json& made, const std::string& name) {
        for (const Json& one : made.at("arguments")) {
            if (one.at("name") == name) return one;
        }
        return {};
    }
    static bool is_noted(const Json& made, const std::string& sentence) {
        for (const Json& one : made.at("check")) {
            if (one.get<std::string>().find(sentence) != std::string::npos) return true;
        }
        return false;
    }
};

}  // namespace parallax::testing_manifest
