// Tests manifests on the command line: documented examples run, errors end with exit code 2 and
// lose no results.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cli/tests/manifest_fixture.hpp"

namespace parallax::cli::manifest_command_test {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

TEST_F(ManifestCommand, ListShowsIt) {
    for (const auto& [name, variant] :
         {std::pair{"saxpy", "vector"}, {"histogram", "local"}, {"convolution", "tiled"}}) {
        const Ended e = run({"list", example(name)});
        EXPECT_EQ(e.code, 0) << e.err;
        EXPECT_THAT(e.out, HasSubstr(variant));
        EXPECT_EQ(e.out.find("--type"), std::string::npos);
    }
}

TEST_F(ManifestCommand, WhatEndsACommandIsInItsReportsForCi) {
    std::ofstream("broken.json") << R"({"parallax": "manifest", "version": 1, "tolerence": 2})";
    const std::string said = "Did you mean &#39;tolerance&#39;?";
    const std::vector<std::string> run_files{"--junit", "r.xml", "--sarif", "r.sarif"};
    const std::vector<std::string> diff_files{"-o", "d.xml", "-o", "d.json", "-o", "d.md"};
    const auto with = [](std::vector<std::string> words, const std::vector<std::string>& more) {
        words.insert(words.end(), more.begin(), more.end());
        return words;
    };
    EXPECT_EQ(run(with({"run", "broken.json"}, run_files)).code, 2);
    EXPECT_THAT(text_of("r.xml"), AllOf(HasSubstr("errors=\"1\""), HasSubstr(said),
                                        HasSubstr("<error type=\"unusable\"")));
    const Json result = Json::parse(text_of("r.sarif"))["runs"][0]["results"][0];
    EXPECT_EQ(result["level"], "error");
    EXPECT_EQ(result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"], "broken.json");
    EXPECT_THAT(text_of("r.xml"), HasSubstr(" name=\"broken.json\" "));
    std::ofstream("lines.json") << "{\n  \"parallax\" 1\n}";
    const Ended lines = run(with({"run", "lines.json"}, run_files));
    EXPECT_THAT(lines.err, AllOf(HasSubstr("lines.json:2: "), HasSubstr("; expected ':'")));
    EXPECT_THAT(text_of("r.sarif"), HasSubstr("\"startLine\": 2"));
    EXPECT_EQ(run(with({"diff", "a", "b", "-s", "broken.json"}, diff_files)).code, 2);
    EXPECT_THAT(text_of("d.xml"), HasSubstr(said));
    EXPECT_EQ(Json::parse(text_of("d.json"))["exit_code"], 2);
    EXPECT_THAT(text_of("d.md"), HasSubstr("tolerence"));
    // What an earlier run wrote is replaced, whatever the error.
    EXPECT_EQ(run(with({"run", "none.json"}, run_files)).code, 2);
    EXPECT_THAT(text_of("r.xml"), HasSubstr("no file none.json"));
    EXPECT_EQ(run(with({"run", example("saxpy")}, run_files), {}).code, 5);
    EXPECT_THAT(text_of("r.xml"), AllOf(HasSubstr("\"nothing-ran\""), HasSubstr("no device")));
    EXPECT_EQ(run(with({"run", example("saxpy"), "-d", "gpu"}, run_files)).code, 2);
    EXPECT_THAT(text_of("r.xml"), HasSubstr("names no device"));
    // What is no report is not.
    std::ofstream("mine.md") << "Mine.";
    for (const char* own : {"broken.json", "mine.md"}) {
        const std::string before = text_of(own);
        EXPECT_EQ(run({"diff", "a", "b", "-s", "broken.json", "-o", own}).code, 2);
        EXPECT_EQ(text_of(own), before);
    }
}

TEST_F(ManifestCommand, TextsAreShown) {
    const Ended e = run({"show", example("saxpy") + "/plain", "--language", "opencl"});
    EXPECT_EQ(e.code, 0) << e.err;
    EXPECT_THAT(e.out, HasSubstr("__kernel void saxpy("));
}

TEST_F(ManifestCommand, WhatLiesOutsideItsFolderIsReadWhereThatIsAllowed) {
    const std::string manifest = copy_of("saxpy");
    std::ofstream("secret.h") << "// a secret\n";
    const std::string text = text_of("saxpy/saxpy.cl");
    std::ofstream("saxpy/saxpy.cl") << "#include \"../secret.h\"\n" << text;
    for (const std::vector<std::string>& words :
         {std::vector<std::string>{"show", manifest + "/plain", "--format", "html", "--all"},
          {"show", manifest + "/plain", "--language", "opencl"},
          {"list", manifest},
          {"run", manifest},
          {"diff", "-s", manifest},
          {"build", manifest + "/plain"},
          {"sweep", manifest + "/plain", "--over", "n=1,2"},
          {"occupancy", manifest + "/plain"},
          {"explain", manifest + "/plain"},
          {"port", "saxpy/saxpy.cl"}}) {
        const Ended closed = run(words);
        EXPECT_THAT(closed.err, AllOf(HasSubstr("secret.h leads to "), HasSubstr("--allow ")));
        EXPECT_THAT(closed.err + closed.out, Not(HasSubstr("a secret")));
        EXPECT_EQ(closed.code, words[0] == "port" ? 1 : 2);
        EXPECT_THAT(run({words[0], "--help"}).out, HasSubstr("--allow"));
    }
    const Ended open =
        run({"show", manifest + "/plain", "--format", "html", "--all", "--allow", "."});
    EXPECT_EQ(open.code, 0) << open.err;
    EXPECT_THAT(open.out, HasSubstr("a secret"));
    expect_usage({"list", manifest, "--allow", "nowhere"}, "--allow nowhere is no folder");
}

TEST_F(ManifestCommand, AFirstManifestNamesItsFilesFromItsOwnFolder) {
    fs::create_directories("here/inc");
    fs::create_directories("there");
    std::ofstream("here/inc/x.h") << "// x\n";
    std::ofstream("here/one.cl")
        << "#include <x.h>\n__kernel void one(__global float* y) { y[get_global_id(0)] = 1; }\n";
    std::ofstream("here/two.cl")
        << "#include <x.h>\n__kernel void two(__global float* y) { y[get_global_id(0)] = 1; }\n";
    const Ended beside =
        run({"port", "here/one.cl", "-I", "here/inc", "--init", "-o", "here/one.json"});
    EXPECT_EQ(beside.code, 0) << beside.err;
    EXPECT_THAT(beside.err, StartsWith("wrote here/one.json. Review it"));
    EXPECT_EQ(run({"list", "here/one.json"}).code, 0) << text_of("here/one.json");
    const Ended away =
        run({"port", "here/two.cl", "-I", "here/inc", "--init", "-o", "there/two.json"});
    EXPECT_EQ(away.code, 0) << away.err;
    EXPECT_THAT(away.err, HasSubstr("--allow " + fs::canonical("here").string()))
        << "absolute, for use from any folder";
    expect_usage({"list", "there/two.json"}, "--allow");
    EXPECT_EQ(run({"list", "there/two.json", "--allow", "here"}).err, "");
    std::ofstream("here/one.json") << "corrected by hand";
    expect_usage({"port", "here/one.cl", "-I", "here/inc", "--init", "-o", "here/one.json"},
                 "here/one.json is there already");
    EXPECT_EQ(text_of("here/one.json"), "corrected by hand");
    const Ended all = run({"port", "here/one.cl", "-I", "here/inc", "--init", "-o", "here"});
    EXPECT_EQ(all.code, 1);
    EXPECT_THAT(all.err, HasSubstr("one.json is there already"));
    expect_usage({"port", "here/one.cl", "-I", "here/inc", "--init", "-o", "typo/one.json"},
                 "there is no folder typo");
}

TEST_F(ManifestCommand, AFirstManifestOfNoCudaSaysSoAtOnce) {
    std::ofstream("order.cl") << "__kernel void order(read_only image2d_t i, __global int* y) {\n"
                                 "y[get_global_id(0)] = get_image_channel_order(i); }\n";
    const Ended made = run({"port", "order.cl", "--init", "-o", "order.json"});
    EXPECT_EQ(made.code, 0);
    EXPECT_THAT(made.err, HasSubstr("order.cl:2: 'get_image_channel_order'"));
    EXPECT_THAT(made.err, HasSubstr("once the source is changed; "));
    EXPECT_THAT(text_of("order.json"), HasSubstr("Only OpenCL takes the text as it stands"));
}

TEST_F(ManifestCommand, AKernelsTextIsNoSuite) {
    std::ofstream("mine.cl") << "kernel void mine(global int* y) { y[get_global_id(0)] = 1; }\n";
    const Ended e = run({"run", "mine.cl"});
    EXPECT_EQ(e.code, 2);
    EXPECT_THAT(e.err, HasSubstr("'parallax port mine.cl --init -o mine.json' writes a manifest"));
    EXPECT_THAT(run({"run", "mine.cu"}).err, HasSubstr("'parallax port mine.cu --init -o mine."));
}

TEST_F(ManifestCommand, WhatCannotBeIsTwo) {
    const std::string manifest = example("saxpy");
    expect_usage({"run", manifest, "--type", "double"}, "--type is for the program's own suites");
    expect_usage({"build", manifest + "/plain", "--type", "int"}, "--type");
    expect_usage({"show", manifest + "/plain", "--type", "int"}, "--type");
    expect_usage({"run", manifest + "/nothing"}, "plain, vector");
    expect_usage({"run", manifest, "-n", "4x4"}, "needs 1");
    expect_usage({"run", manifest + "/vector", "-n", "1001"}, "whole number is needed");
    expect_usage({"run", manifest, "--define", "ITEMS=4"}, "--define ITEMS sets nothing");
    expect_usage({"run", "nowhere.json"}, "there is no file");
    expect_usage({"list", "nowhere.json"}, "there is no file");
    expect_usage({"explain", manifest}, "Which variant");
    expect_usage({"explain", "nowhere.json"}, "there is no file");
    expect_usage({"diff", "-s", "nowhere.json"}, "there is no file");
}

TEST_F(ManifestCommand, ABadManifestLeavesAFileAlone) {
    std::ofstream("kept.jsonl") << "what was there\n";
    std::ofstream("bad.json") << "{\"parallax\": \"manifest\", \"version\": 1}";
    expect_usage({"run", "bad.json", "-o", "kept.jsonl"}, "bad.json: $");
    EXPECT_EQ(text_of("kept.jsonl"), "what was there\n");
}

}  // namespace
}  // namespace parallax::cli::manifest_command_test
