// Tests that a manifest reads only its own folder, and folders that the user has allowed.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "common/error.hpp"
#include "suites/manifest/manifest.hpp"
#include "suites/manifest/tests/folder.hpp"

namespace parallax::path_sandbox_test {
namespace {

namespace fs = std::filesystem;
using testing::AllOf;
using testing::HasSubstr;

class Reached : public testing::Test {
protected:
    testing_manifest::Folder folder_;
    Json json_ = testing_manifest::scale_manifest();
    ManifestPermissions permissions_;

    Reached() {
        folder_.write("own/scale.cl", testing_manifest::scale_text);
        folder_.write("other/scale.cl", testing_manifest::scale_text);
        folder_.write("other/x.bin", std::string(4096 * 4, 'x'));
        fs::create_directory_symlink(folder_.path / "other", folder_.path / "own/link");
        json_["sizes"] = {{"names", {"n"}}, {"timed", {{4096}}}};
    }

    std::string complaint() const {
        try {
            suite_from((folder_.path / "own/m.json").string(), json_.dump(), permissions_);
        } catch (const UsageError& error) {
            return error.what();
        }
        return "it loads";
    }
    /// The manifest is refused at `path` for a file of the other folder, and loads once that is
    /// allowed.
    void expect_closed(const std::string& path, const std::string& where) {
        const std::string other = fs::canonical(folder_.path / "other").string();
        permissions_.folders = {};
        EXPECT_THAT(complaint(), AllOf(HasSubstr(path), HasSubstr("leads to " + other + where),
                                       HasSubstr("--allow")));
        permissions_.folders = {folder_.path / "own", folder_.path / "other"};
        EXPECT_EQ(complaint(), "it loads") << path;
    }
};

TEST_F(Reached, ASource) {
    for (const std::string& name : {std::string("../other/scale.cl"), std::string("link/scale.cl"),
                                    (folder_.path / "other/scale.cl").string()}) {
        json_["source"] = name;
        expect_closed("$.source: ", "/scale.cl");
    }
}

TEST_F(Reached, AFolderIsAdvisedItself) {
    const auto advice = [&](const char* folder) {
        json_["include"] = {folder};
        return complaint();
    };
    EXPECT_THAT(advice("/etc"), HasSubstr("where that is meant, --allow /etc opens"));
    EXPECT_THAT(advice("/"), HasSubstr("copy what is needed"));
    EXPECT_THAT(advice("/nothing"), HasSubstr("copy what is needed"));
}

TEST_F(Reached, AFilling) {
    for (const char* name : {"../other/x.bin", "link/x.bin"}) {
        json_["arguments"][2]["fill"] = {{"file", name}};
        expect_closed("$.arguments[2]: ", "/x.bin");
    }
}

TEST_F(Reached, ExpectedData) {
    json_["arguments"][2]["fill"] = "iota";
    json_["reference"] = {{"data", {{"y", "../other/x.bin"}}}};
    expect_closed("$.reference.data.y: ", "/x.bin");
}

TEST_F(Reached, TheTextOfAReferenceAndOfAVariant) {
    Json kernel;
    for (const char* key : {"kernel", "arguments", "items", "groups"}) kernel[key] = json_[key];
    kernel["source"] = "link/scale.cl";
    json_["reference"] = kernel;
    expect_closed("$.reference.source: ", "/scale.cl");
    json_.erase("reference");
    for (const char* key : {"kernel", "arguments", "items", "groups"}) json_.erase(key);
    json_["variants"] = Json::array({kernel});
    expect_closed("$.variants[0].source: ", "/scale.cl");
}

TEST_F(Reached, WhatATextIncludes) {
    folder_.write("other/x.h", "// x\n");
    for (const bool expand : {false, true}) {
        json_["expand"] = expand;
        for (const char* name : {"\"../other/x.h\"", "\"link/x.h\"", "<link/x.h>"}) {
            folder_.write("own/scale.cl",
                          std::string("#include ") + name + "\n" + testing_manifest::scale_text);
            expect_closed("$.source: ", "/x.h");
        }
        folder_.write("own/scale.cl",
                      std::string("#include <x.h>\n") + testing_manifest::scale_text);
        json_["include"] = {"../other"};
        expect_closed("$.include: ", "");
        json_.erase("include");
    }
}

TEST_F(Reached, WhetherAFileIsThereIsNotSaid) {
    fs::create_symlink("../other/nothing.cl", folder_.path / "own/nowhere.cl");
    for (const char* name :
         {"../other/scale.cl", "../other/nothing.cl", "link/nothing.cl", "nowhere.cl"}) {
        folder_.write("own/scale.cl",
                      fmt::format("#include \"{}\"\n", name) + testing_manifest::scale_text);
        EXPECT_THAT(complaint(), HasSubstr("outside the folder that may be read")) << name;
        folder_.write("own/scale.cl", fmt::format("#if 0\n#include \"{}\"\n#endif\n", name) +
                                          testing_manifest::scale_text);
        EXPECT_EQ(complaint(), "it loads") << name << ", left to a compiler that cannot open it";
    }
}

TEST_F(Reached, ACompilerGetsTheSameFolders) {
    json_["include"] = {"../other"};
    permissions_.folders = {folder_.path / "other"};
    const Suite suite =
        suite_from((folder_.path / "own/m.json").string(), json_.dump(), permissions_);
    ASSERT_TRUE(suite.files);
    EXPECT_TRUE(suite.files->reach.holds(folder_.path / "own/scale.cl"));
    EXPECT_TRUE(suite.files->reach.holds(folder_.path / "other/x.bin"));
    EXPECT_FALSE(suite.files->reach.holds(folder_.path));
    EXPECT_EQ(suite.files->folders.size(), 2u);
}

TEST_F(Reached, AMacroIsOneLine) {
    for (const char* value : {"1\n#include \"../other/scale.cl\"", "1\r", "1\\"}) {
        for (const char* key : {"/defines", "/cuda/defines"}) {
            Json json = json_;
            json["cuda"] = {{"source", "scale.cu"}};
            json[Json::json_pointer(key)] = {{"F", value}};
            std::swap(json, json_);
            EXPECT_THAT(complaint(), HasSubstr("one line")) << key << " " << value;
            std::swap(json, json_);
        }
    }
}

TEST_F(Reached, AFolderThatIsNoneCannotBeOpened) {
    EXPECT_THROW(folders_named({folder_.path / "nowhere"}), UsageError);
    EXPECT_THROW(folders_named({folder_.path / "own/scale.cl"}), UsageError);
}

}  // namespace
}  // namespace parallax::path_sandbox_test
