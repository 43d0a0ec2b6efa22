// Fixture for tests of manifests: change one, load it, and check the suite or the error.
#pragma once

#include <string>
#include <utility>

#include <gtest/gtest.h>

#include "common/error.hpp"
#include "suites/manifest/manifest.hpp"
#include "suites/manifest/tests/folder.hpp"

namespace parallax::testing_manifest {

/// A test with a kernel file and its manifest, which it changes and loads.
class Loading : public testing::Test {
protected:
    Folder folder_;
    Json json_ = scale_manifest();
    ManifestPermissions permissions_;

    Loading() { folder_.write("scale.cl", scale_text); }

    Suite load() const {
        return suite_from((folder_.path / "m.json").string(), json_.dump(), permissions_);
    }
    std::string complaint(const std::string& text) const {
        try {
            suite_from((folder_.path / "m.json").string(), text, permissions_);
        } catch (const UsageError& error) {
            return error.what();
        }
        return "it loads";
    }
    std::string complaint() const { return complaint(json_.dump()); }
    std::string with(const char* pointer, Json value) const {
        Json changed = json_;
        changed[Json::json_pointer(pointer)] = std::move(value);
        return complaint(changed.dump());
    }
    std::string without(const char* pointer) const {
        const Json::json_pointer at(pointer);
        Json changed = json_;
        if (at.parent_pointer().empty()) {
            changed.erase(at.back());
        } else {
            changed[at.parent_pointer()].erase(at.back());
        }
        return complaint(changed.dump());
    }
    /// Replaces every value by one of another kind: expects an error that names the file, or none.
    void expect_no_value_to_harm() const {
        const Json flat = json_.flatten();
        for (const auto& [pointer, value] : flat.items()) {
            for (const Json& other : {Json(nullptr), Json(true), Json(-1), Json("?"), Json::array(),
                                      Json::object(), Json(1e300)}) {
                const std::string said = with(pointer.c_str(), other);
                EXPECT_TRUE(said == "it loads" || said.find("m.json") != std::string::npos)
                    << pointer << other << said;
            }
        }
    }
};

}  // namespace parallax::testing_manifest
