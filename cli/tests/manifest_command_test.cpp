// Manifests on the command line: the examples of the documentation run, and what is wrong ends with
// two and loses nothing.
#include <algorithm>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cli/tests/command_line.hpp"
#include "records/results.hpp"

namespace parallax::cli::manifest_command_test {
namespace {

namespace fs = std::filesystem;
using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

class ManifestCommand : public CommandLine {
protected:
    static std::string example(const std::string& name) {
        return std::string(SOURCE_ROOT "/docs/examples") + "/" + name + "/" + name + ".json";
    }
    static std::string pocl() {
        for (const Entry& entry : find_devices(backends()).entries) {
            if (entry.info.is_pocl()) return entry.info.id();
        }
        return {};
    }
    static std::vector<Json> records_of(const fs::path& file) {
        std::vector<Json> records = json_results(file).records;
        std::erase_if(records, [](const Json& r) { return r["suite"] == "ceiling"; });
        return records;
    }
    /// A copy of an example, of another name, that a test may spoil.
    static std::string copy_of(const std::string& name) {
        fs::copy(fs::path(example(name)).parent_path(), name);
        Json json = Json::parse(text_of(fs::path(name) / (name + ".json")));
        json["name"] = name + "_copy";
        std::ofstream(fs::path(name) / "mine.json") << json.dump();
        return name + "/mine.json";
    }
};

TEST_F(ManifestCommand, ListShowsIt) {
    for (const auto& [name, variant] :
         {std::pair{"saxpy", "vector"}, {"histogram", "local"}, {"convolution", "tiled"}}) {
        const Ended e = run({"list", example(name)});
        EXPECT_EQ(e.code, 0) << e.err;
        EXPECT_THAT(e.out, HasSubstr(variant));
        EXPECT_EQ(e.out.find("--type"), std::string::npos);
    }
}

TEST_F(ManifestCommand, TheExamplesRun) {
    const std::string device = pocl();
    if (device.empty()) GTEST_SKIP() << "no PoCL";
    for (const auto& [name, size, against] : {std::tuple{"saxpy", "4096", "itself"},
                                              {"histogram", "70000", "reference kernel"},
                                              {"convolution", "70x50", "reference kernel"}}) {
        const std::string file = std::string(name) + ".jsonl";
        const Ended e =
            run({"run", example(name), "-d", device, "-n", size, "-o", file, "--budget", "1000"});
        ASSERT_EQ(e.code, 0) << e.out << e.err;
        const std::vector<Json> records = records_of(file);
        ASSERT_EQ(records.size(), 2u) << name;
        for (const Json& record : records) {
            EXPECT_EQ(record["suite"], name);
            EXPECT_EQ(record["status"], "ok") << record;
            EXPECT_EQ(record["check"]["checked_against"], against);
        }
        EXPECT_EQ(e.out.find("proves agreement, not truth") != std::string::npos,
                  std::string(against) == "itself")
            << e.out;
        EXPECT_NE(e.out.find("oclgrind --data-races"), std::string::npos)
            << "what the gate cannot see: " << e.out;
        EXPECT_THAT(e.out, HasSubstr(".json -n ")) << "of a size that an interpreter ends with";
        EXPECT_THAT(e.out, HasSubstr("run --check -d host:1"));
        EXPECT_EQ(e.out.find("compute-sanitizer"), std::string::npos) << e.out;
        const Ended same = run({"diff", file, file, "--format", "json"});
        EXPECT_EQ(same.code, 0) << same.err;
        EXPECT_EQ(same.out.find("proves agreement") != std::string::npos,
                  std::string(against) == "itself");
        const std::string unseen = run({"diff", file, file}).out;
        EXPECT_NE(unseen.find("Not seen by this check"), std::string::npos) << unseen;
    }
    EXPECT_EQ(records_of("histogram.jsonl")[1]["launches"].at(0)["local_bytes"], 1024);
}

TEST_F(ManifestCommand, AWrongKernelIsSeen) {
    const std::string device = pocl();
    if (device.empty()) GTEST_SKIP() << "no PoCL";
    const std::string manifest = copy_of("convolution");
    std::string text = text_of("convolution/convolution.cl");
    text.replace(text.find("i <= RADIUS"), 11, "i < RADIUS");
    std::ofstream("convolution/convolution.cl") << text;
    const Ended e = run({"run", manifest + "/direct", "-d", device, "-n", "40x30", "-o", "c.jsonl",
                         "--budget", "1000"});
    EXPECT_EQ(e.code, 1) << e.out;
    EXPECT_EQ(records_of("c.jsonl").at(0)["status"], "wrong");
}

TEST_F(ManifestCommand, ConstantsAndSizesAreTheCommandLines) {
    const std::string device = pocl();
    if (device.empty()) GTEST_SKIP() << "no PoCL";
    const std::string manifest = example("convolution");
    const Ended e = run({"run", "-s", manifest + "/tiled", "-d", device, "-n", "33x20", "--define",
                         "RADIUS=5", "-o", "r.jsonl", "--budget", "1000"});
    ASSERT_EQ(e.code, 0) << e.out << e.err;
    const Json record = records_of("r.jsonl").at(0);
    EXPECT_EQ(record["constants"]["RADIUS"], 5);
    EXPECT_EQ(record["shape"], Json::array({33, 20}));
    EXPECT_EQ(record["launches"].at(0)["local_bytes"], 4 * 42 * 18);
    EXPECT_EQ(run({"build", manifest + "/direct", "-d", device}).code, 0);
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
    EXPECT_EQ(beside.err, "");
    EXPECT_EQ(run({"list", "here/one.json"}).code, 0) << text_of("here/one.json");
    const Ended away =
        run({"port", "here/two.cl", "-I", "here/inc", "--init", "-o", "there/two.json"});
    EXPECT_EQ(away.code, 0) << away.err;
    EXPECT_THAT(away.err, HasSubstr("--allow " + fs::canonical("here").string()))
        << "whole, whoever uses it from wherever";
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
    std::ofstream("dim.cl") << "__kernel void dim(read_only image2d_t i, __global int* y) {\n"
                               "int2 d = get_image_dim(i); y[get_global_id(0)] = d.x; }\n";
    const Ended made = run({"port", "dim.cl", "--init", "-o", "dim.json"});
    EXPECT_EQ(made.code, 0);
    EXPECT_THAT(made.err, HasSubstr("dim.cl:2: 'get_image_dim'"));
    EXPECT_THAT(made.err, HasSubstr("OpenCL alone runs it"));
    EXPECT_THAT(text_of("dim.json"), HasSubstr("Only OpenCL takes the text as it stands"));
}

TEST_F(ManifestCommand, ItsOwnCommandRunsOnlyWhenAllowed) {
    std::ofstream("copy.cl")
        << "kernel void copy(global const float* x, global float* y, uint n) {"
           " if (get_global_id(0) < n) y[get_global_id(0)] = x[get_global_id(0)]; }\n";
    std::ofstream("copy.json") << R"json({"parallax": "manifest", "version": 1, "name": "copied",
        "source": "copy.cl", "sizes": {"names": ["n"], "timed": [[1000]], "checked": [[1]]},
        "kernel": "copy", "arguments": [
            {"name": "x", "type": "float", "elements": "n", "fill": "random"},
            {"name": "y", "type": "float", "elements": "n", "use": "output"},
            {"name": "n", "type": "uint", "value": "n"}],
        "items": [64], "groups": ["ceil(n / 64)"],
        "reference": {"command": ["sh", "-c", "touch was-run; cp $0/in/x.bin $0/out/y.bin"]}})json";
    for (const std::vector<std::string>& words :
         {std::vector<std::string>{"run", "copy.json"},
          {"explain", "copy.json/copy"},
          {"sweep", "copy.json/copy", "--over", "size=64,128"},
          {"diff", "opencl:0", "opencl:0", "-s", "copy.json"}}) {
        expect_usage(words, "--allow-command");
    }
    EXPECT_EQ(run({"list", "copy.json"}).code, 0) << "looking at it runs nothing";
    EXPECT_EQ(run({"show", "copy.json/copy"}).code, 0);
    EXPECT_FALSE(fs::exists("was-run"));
    const std::string device = pocl();
    if (device.empty()) GTEST_SKIP() << "no PoCL";
    const Ended e =
        run({"run", "copy.json", "-d", device, "--check", "-o", "copy.jsonl", "--allow-command"});
    EXPECT_EQ(e.code, 0) << e.out << e.err;
    EXPECT_TRUE(fs::exists("was-run"));
    const std::vector<Json> records = records_of("copy.jsonl");
    ASSERT_EQ(records.size(), 1u);
    EXPECT_EQ(records[0]["check"]["checked_against"], "reference command");
}

TEST_F(ManifestCommand, WhatIsSuspiciousIsNotOk) {
    const std::string device = pocl();
    if (device.empty()) GTEST_SKIP() << "no PoCL";
    const auto row = [&](const char* name, const std::string& body, bool looked_over) {
        const std::string file = std::string(name) + ".cl";
        std::ofstream(file) << "kernel void " << name
                            << "(global const float* x, global float* y, uint n)"
                            << " { uint i = get_global_id(0); if (i < n) " << body << " }\n";
        run({"port", file, "--init", "-o", std::string(name) + ".json"});
        Json json = Json::parse(text_of(std::string(name) + ".json"));
        if (looked_over) json.erase("check");
        std::ofstream(std::string(name) + ".json") << json.dump();
        const Ended e = run({"run", std::string(name) + ".json", "-d", device, "-n", "1000"});
        EXPECT_EQ(e.code, 0) << e.err;
        return e.out;
    };
    EXPECT_THAT(row("fine", "y[i] = x[i];", true), Not(HasSubstr("Suspicious")));
    const std::string guessed = row("guessed", "y[i] = x[i];", false);
    EXPECT_THAT(guessed, HasSubstr("doubtful"));
    EXPECT_THAT(guessed, HasSubstr("still has its list 'check'"));
    EXPECT_THAT(row("idle", "if (x[i] > 99) y[i] = x[i];", true),
                HasSubstr("'y' holds after every launch"));
    EXPECT_THAT(row("deaf", "y[i] = x[i] < 99 ? 3 : x[i];", true), HasSubstr("doubtful"));
    // What needs no time to be known is said without a timing, too.
    const auto checked = [&](const char* name) {
        const Ended e =
            run({"run", std::string(name) + ".json", "-d", device, "-n", "1000", "--check"});
        EXPECT_EQ(e.code, 0) << e.err;
        return e.out;
    };
    EXPECT_THAT(checked("fine"), Not(HasSubstr("Suspicious")));
    EXPECT_THAT(checked("idle"), HasSubstr("'y' holds after every launch"));
    EXPECT_THAT(checked("deaf"), HasSubstr("the outputs are the same for other inputs"));
}

TEST_F(ManifestCommand, AKernelsTextIsNoSuite) {
    std::ofstream("mine.cl") << "kernel void mine(global int* y) { y[get_global_id(0)] = 1; }\n";
    const Ended e = run({"run", "mine.cl"});
    EXPECT_EQ(e.code, 2);
    EXPECT_THAT(e.err, HasSubstr("'parallax port mine.cl --init -o mine.json' writes a manifest"));
}

TEST_F(ManifestCommand, AFolderThatIsMadeIsSaid) {
    std::ofstream("k.cl") << "kernel void k(global int* y) { y[get_global_id(0)] = 1; }\n";
    const Ended made = run({"port", "k.cl", "-o", "new/one/k.cu"});
    EXPECT_THAT(made.err, HasSubstr("The folder new was made for new/one/k.cu."));
    EXPECT_EQ(run({"port", "k.cl", "-o", "new/one/k.cu"}).err, "");
    EXPECT_EQ(run({"port", "k.cl", "--init", "-o", "other/k.json"}).err.find("was made"),
              std::string::npos)
        << "which makes none";
}

TEST_F(ManifestCommand, WhatWasGuessedIsSaid) {
    const std::string device = pocl();
    if (device.empty()) GTEST_SKIP() << "no PoCL";
    std::ofstream("g.cl") << "kernel void g(global const float* x, global double* y, float a,"
                             " int from, int n) { int i = get_global_id(0);"
                             " if (i < n) y[i] = a * x[i + from]; }\n";
    EXPECT_EQ(run({"port", "g.cl", "--init", "-o", "g.json"}).code, 0);
    const Ended e = run({"run", "g.json", "-d", device, "-n", "1000", "--check"});
    EXPECT_THAT(e.out, HasSubstr("g: Guessed: These numbers are guessed, since the text does not "
                                 "say them: a 1.5, from 0."));
    EXPECT_EQ(Json::parse(text_of("g.json"))["tolerance"]["relative"], 1e-12);
    EXPECT_THAT(e.out, Not(HasSubstr("Nobody has looked")));
}

TEST_F(ManifestCommand, ALaunchThatNoCpuIsGivenIsRefused) {
    const std::string device = pocl();
    if (device.empty()) GTEST_SKIP() << "no PoCL";
    Json json = Json::parse(text_of(copy_of("saxpy")));
    json["sizes"] = {{"names", {"n"}}, {"timed", {{1024}}}};
    json["name"] = "too_many";
    json["variants"] = Json::array({json["variants"][0]});
    json["variants"][0]["groups"] = {"8388609 + 0 * n"};
    std::ofstream("saxpy/many.json") << json.dump();
    const Ended e = run({"run", "saxpy/many.json/plain", "-d", device, "-o", "r.jsonl"});
    EXPECT_EQ(e.code, 1) << e.out << e.err;
    const std::vector<Json> records = records_of("r.jsonl");
    ASSERT_EQ(records.size(), 1u);
    EXPECT_EQ(records[0]["status"], "failed");
    EXPECT_THAT(records[0]["reason"].get<std::string>(),
                HasSubstr("is no GPU, which is given 2147483648 at most"));
}

TEST_F(ManifestCommand, WhatCannotBeIsTwo) {
    const std::string manifest = example("saxpy");
    expect_usage({"run", manifest, "--type", "double"}, "--type is for the program's own suites");
    expect_usage({"build", manifest + "/plain", "--type", "int"}, "--type");
    expect_usage({"show", manifest + "/plain", "--type", "int"}, "--type");
    expect_usage({"run", manifest + "/nothing"}, "plain, vector");
    expect_usage({"run", manifest, "-n", "4x4"}, "needs 1");
    expect_usage({"run", manifest + "/vector", "-n", "1001"}, "whole number is needed");
    expect_usage({"run", manifest, "--define", "ITEMS=4"}, "ITEMS");
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
