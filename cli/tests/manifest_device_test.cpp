// Tests manifests on a real device: documented examples, and wrong or doubtful kernels.
#include <cstring>
#include <tuple>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cli/tests/manifest_fixture.hpp"
#include "mapping/preprocess/expand.hpp"

namespace parallax::cli::manifest_device_test {
namespace {

using testing::HasSubstr;
using testing::Not;

TEST_F(ManifestCommand, OutputsAreSavedAlsoWrongOnes) {
    const std::string device = pocl();
    if (device.empty()) GTEST_SKIP() << "no PoCL";
    const auto source = [](int factor) {
        return fmt::format(
            "__kernel void k(__global const int* x, __global int* y) {{\n"
            "    y[get_global_id(0)] = {} * x[get_global_id(0)];\n}}\n",
            factor);
    };
    const std::string arguments = R"("arguments": [
        {"name": "x", "type": "int", "elements": "n", "fill": {"formula": "i + 1"}},
        {"name": "y", "type": "int", "elements": "n", "use": "output"}],
        "kernel": "k", "items": [2], "groups": ["n / 2"])";
    const auto saved = [&](int factor, int code) {
        const std::string name = fmt::format("times_{}", factor);
        std::filesystem::create_directory(name);
        std::ofstream(name + "/k.cl") << source(factor);
        std::ofstream(name + "/right.cl") << source(2);
        std::ofstream(name + "/mine.json") << fmt::format(
            R"({{"parallax": "manifest", "version": 1, "name": "{0}", "source": "k.cl",
                "sizes": {{"names": ["n"], "timed": [[6]], "checked": [[4]]}}, {1},
                "reference": {{"source": "right.cl", {1}}}}})",
            name, arguments);
        const Ended e = run({"run", name + "/mine.json", "--check", "--one-size", "-d", device,
                             "-o", "o.jsonl", "--save", "out"});
        EXPECT_EQ(e.code, code) << e.out << e.err;
        const std::string bytes = text_of("out/" + device + "/" + name + "/k_int_6/y.bin");
        std::vector<int> values(bytes.size() / sizeof(int));
        std::memcpy(values.data(), bytes.data(), values.size() * sizeof(int));
        return values;
    };
    EXPECT_EQ(saved(2, 0), (std::vector<int>{2, 4, 6, 8, 10, 12}));
    EXPECT_EQ(saved(3, 1), (std::vector<int>{3, 6, 9, 12, 15, 18}));
    expect_usage({"run", "times_2/mine.json", "--check", "-d", device, "--save", "o.jsonl"},
                 "Choose another with --save");
}

TEST_F(ManifestCommand, CodeScanningGetsThePlacesInSources) {
    const std::string device = pocl();
    if (device.empty()) GTEST_SKIP() << "no PoCL";
    const std::string source =
        text_of(std::filesystem::path(example("saxpy")).parent_path() / "saxpy.cl");
    const auto results = [&](const std::string& name, const std::string& text, const Words& more) {
        std::filesystem::create_directory(name);
        std::ofstream(name + "/saxpy.cl") << text;
        Json json = Json::parse(text_of(example("saxpy")));
        json["name"] = name;
        std::ofstream(name + "/mine.json") << json.dump();
        Words words{"run", name + "/mine.json", "--check", "-d", device,   "--seed",
                    "7",   "--sarif",           "s.sarif", "-o", "o.jsonl"};
        words.insert(words.end(), more.begin(), more.end());
        run(words);
        const Json sarif = Json::parse(text_of("s.sarif"));
        EXPECT_EQ(sarif.at("version"), "2.1.0");
        return sarif.at("runs").at(0).at("results");
    };
    const auto place_of = [](const Json& result) -> Json {
        return result["locations"][0]["physicalLocation"];
    };
    EXPECT_TRUE(results("right", source, {}).empty());
    std::string broken = source;
    broken.insert(broken.find("fma"), "none + ");
    const Json failed = results("broken", broken, {});
    ASSERT_EQ(failed.size(), 1U) << "both variants at one place: " << failed;
    EXPECT_EQ(failed[0]["ruleId"], "failed");
    EXPECT_EQ(failed[0]["level"], "error");
    EXPECT_EQ(place_of(failed[0])["artifactLocation"]["uri"], "broken/saxpy.cl");
    EXPECT_EQ(place_of(failed[0])["region"]["startLine"], 5);
    const std::string message = failed[0]["message"]["text"];
    EXPECT_THAT(message, HasSubstr("'none'"));
    EXPECT_THAT(message, HasSubstr(" To repeat: parallax run broken/mine.json --check -d " +
                                   device + " --seed 7"));
    // The sanitizers name the line; other wrong answers have that of the kernel.
    std::string outside = source;
    outside.replace(outside.find("x[i], y[i]"), 4, "x[i + n]");
    const Json wrong = results("outside", outside, {});
    ASSERT_EQ(wrong.size(), 1U) << wrong;
    EXPECT_EQ(place_of(wrong[0])["region"]["startLine"], 3);
    if (find_devices(backends(), "host:1").entries.empty()) GTEST_SKIP() << "no sanitizers";
    const Json caught = results("sanitized", outside, {"-d", "host:1"});
    EXPECT_THAT(caught.dump(), HasSubstr("\"startLine\":5"));
}

TEST_F(ManifestCommand, ABranchIsHeldAgainstMainAsThePageForCiSays) {
    const std::string device = pocl();
    if (device.empty()) GTEST_SKIP() << "no PoCL";
    const std::string page = text_of(SOURCE_ROOT "/docs/guides/ci.md");
    const std::string recipe = page.substr(page.find("## A branch against main"));
    const fs::path shown = SOURCE_ROOT "/docs/examples/branch";
    const Json both = Json::parse(text_of(shown / "both.json"));
    std::size_t commands = 0;
    const auto expect = [&](Json manifest, int code, const std::string& found = "x[i] +") {
        manifest["name"] = fmt::format("branch_{}", code);
        manifest["sizes"]["timed"] = {{4096}};
        const fs::path folder = folder_ / manifest["name"];
        fs::copy(shown, folder, fs::copy_options::recursive);
        fs::current_path(folder);
        std::string source = text_of("my-kernels/scale.cl");
        std::ofstream("my-kernels/scale.cl") << source.replace(source.find("x[i] +"), 6, found);
        std::ofstream("both.json") << manifest.dump();
        std::istringstream lines(recipe);
        for (std::string line; std::getline(lines, line) && !line.starts_with("## Before");) {
            if (line.find("parallax diff") == line.npos) continue;
            ++commands;
            std::istringstream from(line.substr(line.find("diff")));
            Words words(std::istream_iterator<std::string>(from), {});
            *std::next(std::ranges::find(words, "-d")) = device;
            const Ended e = run(words);
            EXPECT_EQ(e.code, code) << line << "\n" << e.out << e.err;
        }
    };
    expect(both, 0);
    expect(both, 1, "x[i] -");
    EXPECT_THAT(text_of("branch.xml"), HasSubstr("<failure type=\"wrong\""));
    Json slow = both;
    const Json launch{{"kernel", both["kernel"]},
                      {"arguments", {"n", "x", "y"}},
                      {"items", both["items"]},
                      {"groups", both["groups"]}};
    slow["variants"][1]["launches"] = {launch, launch};
    expect(slow, 3);
    EXPECT_EQ(commands, 6U);
}

TEST_F(ManifestCommand, TheCompilerSaysWhatIsBrokenInABody) {
    const std::string device = pocl();
    if (device.empty()) GTEST_SKIP() << "no PoCL";
    const fs::path folder = fs::path(example("saxpy")).parent_path();
    Json json = Json::parse(text_of(folder / "saxpy.json"));
    for (const auto& [name, from, to] : {std::tuple{"unclosed", "y[i]);", "y[i];"},
                                         {"unopened", "fma(a", "fma)(a"},
                                         {"without_end", "y[i]);\n}", "y[i]);\n"},
                                         {"nested", "if (i < n)", "if (i < n) {"}}) {
        fs::copy(folder, name);
        json["name"] = std::string("broken_") + name;
        const std::string manifest = std::string(name) + "/mine.json";
        std::ofstream(manifest) << json.dump();
        std::string broken = text_of(folder / "saxpy.cl");
        broken.replace(broken.find(from), std::string_view(from).size(), to);
        std::ofstream(std::string(name) + "/saxpy.cl") << broken;
        for (Words words : {Words{"run", manifest, "--check", "-d", device, "--sarif"},
                            Words{"diff", device, device, "-s", manifest, "-o"}}) {
            words.push_back("s.sarif");
            const Ended e = run(words);
            EXPECT_EQ(e.code, 6) << name << e.out << e.err;
            const std::string found = text_of("s.sarif");
            EXPECT_THAT(found, HasSubstr(std::string("\"uri\": \"") + name + "/saxpy.cl\""));
            EXPECT_THAT(found, Not(HasSubstr("mine.json\"")));
        }
    }
}

TEST_F(ManifestCommand, CodeScanningGetsTheSourceOfTheWrongSide) {
    const fs::path folder = fs::path(example("rms_norm")).parent_path();
    const Json json = Json::parse(text_of(folder / "rms_norm.json"));
    fs::copy(folder, "rms_norm");
    for (const std::string wrong : {"base", "candidate"}) {
        Json other = json;
        other["name"] = "wrong_" + wrong;
        other["variants"][wrong == "base" ? 0 : 1]["cuda"] = "wrong.cu";
        std::ofstream("rms_norm/" + wrong + ".json") << other.dump();
        std::string text = text_of("rms_norm/" + wrong + ".cu");
        std::ofstream("rms_norm/wrong.cu") << text.replace(text.find("* scale"), 7, "+ scale");
        const std::string manifest = "rms_norm/" + wrong + ".json/";
        const Ended e = run({"diff", manifest + "base", manifest + "candidate", "-d", "host:0",
                             "-n", "64x100", "-o", "s.sarif"});
        EXPECT_EQ(e.code, 1) << e.out << e.err;
        EXPECT_THAT(text_of("s.sarif"), HasSubstr("\"uri\": \"rms_norm/wrong.cu\""));
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
            << "what verification cannot see: " << e.out;
        EXPECT_THAT(e.out, HasSubstr(".json -n ")) << "of a size that an interpreter ends with";
        EXPECT_THAT(e.out, HasSubstr("run --check -d host:1"));
        EXPECT_EQ(e.out.find("compute-sanitizer"), std::string::npos) << e.out;
        const Ended strict = run({"run", "--from", file, "--strict"});
        const bool is_alone = std::string(against) == "itself";
        EXPECT_EQ(strict.code, is_alone ? 1 : 0) << strict.err;
        EXPECT_EQ(strict.err.find("--strict takes 2 cases for failures") != strict.err.npos,
                  is_alone)
            << strict.err;
        const Ended compared = run({"diff", file, file, "--strict"});
        EXPECT_EQ(compared.code, is_alone ? 1 : 0) << compared.err;
        EXPECT_EQ(compared.err.find("--strict takes 2 cases for failures") != compared.err.npos,
                  is_alone)
            << compared.err;
        const Ended same = run({"diff", file, file, "--format", "json"});
        EXPECT_EQ(same.code, 0) << same.err;
        EXPECT_EQ(same.out.find("proves agreement") != std::string::npos,
                  std::string(against) == "itself");
        const std::string unseen = run({"diff", file, file, "-v"}).out;
        EXPECT_NE(unseen.find("What was not checked"), std::string::npos) << unseen;
    }
    EXPECT_EQ(records_of("histogram.jsonl")[1]["launches"].at(0)["local_bytes"], 1024);
}

TEST_F(ManifestCommand, TheExamplesOfTwoSourcesAgree) {
    const std::string device = pocl();
    if (device.empty()) GTEST_SKIP() << "no PoCL";
    const auto answers = [&](std::vector<std::string> words) {
        words.insert(words.end(), {"-n", "64x100", "--format", "json", "--data", "data.jsonl"});
        const Ended e = run(words);
        EXPECT_EQ(e.code, 0) << e.err;
        const Json one = Json::parse(e.out)["cases"].at(0);
        EXPECT_EQ(one["kernel"]["two_kernels"], true) << one;
        for (const char* side : {"a", "b"}) {
            EXPECT_EQ(one["answer"][fmt::format("right_{}", side)], true) << one;
            EXPECT_GT(one["answer"][fmt::format("rms_ulp_{}", side)].get<double>(), 0) << one;
        }
    };
    answers({"diff", example("row_sums") + "/opencl", example("row_sums") + "/cuda", "-d", device,
             "-d", "host:0"});
    answers({"diff", example("rms_norm") + "/base", example("rms_norm") + "/candidate", "-d",
             "host:0"});
    // The source has host code, which is left aside.
    EXPECT_THAT(text_of(std::filesystem::path(example("row_sums")).replace_extension("cu")),
                HasSubstr("<<<rows, 128"));
    // `rows` is a parameter of the OpenCL kernel alone, and the order differs.
    const Ended both = run({"run", example("row_sums"), "--check", "-d", device, "-d", "host:0",
                            "-n", "64x100", "-o", "both.jsonl"});
    EXPECT_EQ(both.code, 0) << both.out << both.err;
    const std::vector<Json> records = records_of("both.jsonl");
    ASSERT_EQ(records.size(), 2u);
    for (const Json& record : records) {
        EXPECT_EQ(record["status"], "checked") << record;
        EXPECT_EQ(record["check"]["checked_against"], "reference kernel");
    }
    EXPECT_THAT(both.out, HasSubstr("oclgrind"));
    const Ended cuda = run({"run", example("rms_norm"), "--check", "-d", "host:0", "-n", "64x100",
                            "-o", "cuda.jsonl"});
    EXPECT_THAT(cuda.out, HasSubstr("compute-sanitizer"));
    EXPECT_THAT(cuda.out, Not(HasSubstr("oclgrind"))) << "no OpenCL device runs it";
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

TEST_F(ManifestCommand, AnExtensionThatTheDeviceLacksIsNoFailure) {
    const std::string device = pocl();
    if (device.empty()) GTEST_SKIP() << "no PoCL";
    copy_of("saxpy");
    const Json manifest = Json::parse(text_of("saxpy/mine.json"));
    const auto record = [&](const std::string& word) {
        std::string text = fmt::format("#pragma OPENCL EXTENSION cl_khr_no_such_thing : {}\n{}",
                                       word, text_of("saxpy/saxpy.cl"));
        text.replace(text.find("fma(a"), 5, "no_such_fma(a");
        fs::create_directory(word);
        std::ofstream(word + "/saxpy.cl") << text;
        Json own = manifest;
        own["name"] = "saxpy_" + word;
        std::ofstream(word + "/mine.json") << own.dump();
        run({"run", word + "/mine.json/plain", "-d", device, "--check", "-o", word + ".jsonl"});
        return records_of(word + ".jsonl").at(0);
    };
    const Json lacks = record("enable");
    EXPECT_EQ(lacks["status"], "unsupported") << lacks;
    EXPECT_THAT(lacks["reason"], HasSubstr("has no cl_khr_no_such_thing"));
    EXPECT_THAT(lacks["reason"], HasSubstr("no_such_fma")) << "what the compiler says";
    EXPECT_EQ(record("disable")["status"], "failed");
}

TEST_F(ManifestCommand, WhatADeviceRefusesIsUnsupportedAndAnotherAnswersForItself) {
    const std::string device = pocl();
    if (device.empty()) GTEST_SKIP() << "no PoCL";
    std::ofstream("twice.cl") << R"(
kernel void twice(global const float* x, global float* y) {
    y[get_global_id(0)] = 2 * x[get_global_id(0)];
}
kernel void copies(global const float* x, global float* y, local float* t) {
    t[get_local_id(0)] = x[get_global_id(0)];
    y[get_global_id(0)] = 2 * t[get_local_id(0)];
}
)";
    const Json x = {{"name", "x"}, {"type", "float"}, {"elements", "n"}, {"fill", "random"}};
    const Json y = {{"name", "y"}, {"type", "float"}, {"elements", "n"}, {"use", "output"}};
    const auto statuses = [&](const std::string& name, unsigned items, const Json& more,
                              const std::vector<std::string>& devices, int code) {
        Json arguments = {x, y};
        if (!more.is_null()) arguments.push_back(more);
        Json manifest = {{"parallax", "manifest"},
                         {"version", 1},
                         {"name", name},
                         {"source", "twice.cl"},
                         {"sizes", {{"names", {"n"}}, {"timed", {{2 * items}}}}},
                         {"kernel", more.is_null() ? "twice" : "copies"},
                         {"arguments", arguments},
                         {"items", {items}},
                         {"global", {"n"}}};
        if (name == "by_reference") {
            manifest["reference"] = {{"kernel", manifest["kernel"]},
                                     {"arguments", arguments},
                                     {"items", {items}},
                                     {"global", {"n"}}};
        }
        std::ofstream(name + ".json") << manifest.dump();
        std::vector<std::string> words{"run", name + ".json", "--check", "-o", name + ".jsonl"};
        for (const std::string& one : devices) words.insert(words.end(), {"-d", one});
        const Ended e = run(words);
        EXPECT_EQ(e.code, code) << name << e.out << e.err;
        std::string said;
        for (const Json& record : records_of(name + ".jsonl")) {
            said += record["status"].get<std::string>();
            const Json check = record.value("check", Json::object());
            if (check.contains("checked_against")) {
                said += " against " + check["checked_against"].get<std::string>();
            }
            said += ". ";
        }
        return said;
    };
    const std::string alone = "checked against itself. ", refused = "unsupported. ";
    EXPECT_EQ(statuses("alone", 4097, {}, {device}, 2), refused);
    EXPECT_EQ(statuses("by_reference", 4097, {}, {device}, 2), refused);
    EXPECT_EQ(statuses("both_refuse", 4097, {}, {device, "host:0"}, 2), refused + refused);
    // Work-groups of 2048: PoCL supports them, CUDA does not.
    EXPECT_EQ(statuses("one_refuses", 2048, {}, {device, "host:0"}, 0), alone + refused);
    EXPECT_EQ(statuses("first_refuses", 2048, {}, {"host:0", device}, 0), refused + alone);
    const Json local = {{"name", "t"}, {"type", "float"}, {"local", "67108864"}};
    EXPECT_EQ(statuses("local", 64, local, {device}, 2), refused);
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
    const auto row = [&](const std::string& name, const std::string& body, bool looked_over) {
        const std::string file = name + ".cl";
        std::ofstream(file) << "kernel void copies(global const float* x, global float* y, uint n)"
                            << " { uint i = get_global_id(0); if (i < n) " << body << " }\n";
        run({"port", file, "--init", "-o", name + ".json"});
        Json json = Json::parse(text_of(name + ".json"));
        json["name"] = name;
        if (looked_over) json.erase("check");
        std::ofstream(name + ".json") << json.dump();
        const Ended e = run({"run", name + ".json", "-d", device, "-n", "1000"});
        EXPECT_EQ(e.code, 0) << e.err;
        return e.out;
    };
    EXPECT_THAT(row("fine", "y[i] = x[i];", true), Not(HasSubstr("oubtful")));
    const std::string guessed = row("guessed", "y[i] = x[i];", false);
    EXPECT_THAT(guessed, HasSubstr("doubtful"));
    EXPECT_THAT(guessed, HasSubstr("still has its list 'check'"));
    EXPECT_THAT(row("idle", "if (fabs(x[i]) < 0) y[i] = x[i];", true),
                HasSubstr("'y' holds after every launch"));
    EXPECT_THAT(row("deaf", "y[i] = fabs(x[i]) < 0 ? x[i] : 3;", true), HasSubstr("doubtful"));
    // Findings that need no times are reported without timing, too.
    const auto checked = [&](const char* name) {
        const Ended e =
            run({"run", std::string(name) + ".json", "-d", device, "-n", "1000", "--check"});
        EXPECT_EQ(e.code, 0) << e.err;
        return e.out;
    };
    EXPECT_THAT(checked("fine"), Not(HasSubstr("oubtful")));
    EXPECT_THAT(checked("idle"), HasSubstr("'y' holds after every launch"));
    EXPECT_THAT(checked("deaf"), HasSubstr("'y' is the same for other inputs"));
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

TEST_F(ManifestCommand, AConstantMayHaveAnyNameOnTheHost) {
    // Names of templates' parameters in the host's own headers and in the prelude.
    for (const char* name : {"N", "T", "I", "F", "A", "value"}) {
        std::ofstream("scale.cl") << fmt::format(
            "float4 twice(float4 x) {{ return x * 2.0f; }}\nkernel void scale(global float4* x) "
            "{{\n"
            "int i = get_global_id(0); if (i < {}) x[i] = twice(x[i]); }}\n",
            name);
        const Json json{{"parallax", "manifest"},
                        {"version", 1},
                        {"name", "scale"},
                        {"source", "scale.cl"},
                        {"sizes", {{"names", {"n"}}, {"timed", {{1000}}}}},
                        {"constants", {{name, 1000}}},
                        {"kernel", "scale"},
                        {"arguments",
                         {{{"name", "x"},
                           {"type", "float4"},
                           {"elements", 1000},
                           {"fill", "random"},
                           {"use", "in_out"}}}},
                        {"items", {256}},
                        {"groups", {4}}};
        std::ofstream("scale.json") << json.dump();
        const Ended e = run({"run", "scale.json", "-d", "host:0", "--check", "-o", "c.jsonl"});
        EXPECT_EQ(e.code, 0) << name << e.out << e.err;
    }
}

TEST_F(ManifestCommand, WithoutAReferenceAnswersAgreeAndAreNotCalledRight) {
    copy_of("saxpy");
    const Ended e = run({"diff", "host:0", "host:0", "-s", "saxpy/mine.json/plain", "-n", "100",
                         "--data", "d.jsonl", "--format", "text"});
    EXPECT_EQ(e.code, 0) << e.err;
    EXPECT_THAT(e.out, HasSubstr("No reference says what is right; the answers agree: 1 of 1"));
    EXPECT_THAT(e.out, HasSubstr("Both sides ran, without a reference that says what is right"));
    EXPECT_THAT(e.out, testing::ContainsRegex("100 +agree +agree +EQUAL"));
    for (const char* said : {"Right on both", "are right,", "from the reference"}) {
        EXPECT_THAT(e.out, testing::Not(HasSubstr(said)));
    }
    const Json found = Json::parse(run({"diff", "d.jsonl", "--format", "json"}).out);
    EXPECT_EQ(found["cases"].at(0)["answer"]["only_agree"], true);
}

TEST_F(ManifestCommand, WithoutASecondDeviceTwoSourcesAreOffered) {
    const std::string device = pocl();
    if (device.empty()) GTEST_SKIP() << "no PoCL";
    const Ended e = run({"diff", example("row_sums"), "-n", "64x100"});
    if (e.code == 0) GTEST_SKIP() << "a GPU is here through both";
    EXPECT_EQ(e.code, 5) << e.err;
    EXPECT_THAT(e.err,
                HasSubstr(fmt::format("'parallax diff {0}/opencl {0}/cuda'", example("row_sums"))));
    EXPECT_THAT(run({"diff", example("saxpy")}).err, testing::Not(HasSubstr("two sources")));
}

TEST_F(ManifestCommand, OpenClsCompilerReadsTheFileItself) {
    const std::string device = pocl();
    if (device.empty() || !can_expand()) GTEST_SKIP() << "no PoCL, or no preprocessor";
    // One kernel that writes `WHAT` to each element, preprocessed for CUDA.
    const auto preprocessed = [&](const std::string& name, const std::string& source) {
        std::ofstream(name + ".cl")
            << source
            << "kernel void k(global int* y, int n) {\n"
               "    int i = get_global_id(0);\n    if (i < n) y[i] = WHAT;\n}\n";
        const Json arguments = {
            {{"name", "y"}, {"type", "int"}, {"elements", "n"}, {"use", "output"}},
            {{"name", "n"}, {"type", "int"}, {"value", "n"}}};
        const Json sizes = {{"names", {"n"}}, {"timed", {{64}}}, {"checked", {{33}}}};
        std::ofstream(name + ".json")
            << Json{{"parallax", "manifest"}, {"version", 1},
                    {"name", name},           {"source", name + ".cl"},
                    {"kernel", "k"},          {"expand", true},
                    {"sizes", sizes},         {"arguments", arguments},
                    {"items", {64}},          {"groups", {"ceil(n / 64)"}}};
        run({"run", name + ".json", "--check", "-d", device, "-d", "host:0", "-o",
             name + ".jsonl"});
        return json_results(name + ".jsonl").records;
    };
    // A name of its own is defined for its compiler alone: the answers differ.
    std::vector<Json> records =
        preprocessed("a", "#ifdef __clang__\n#define WHAT 1\n#else\n#define WHAT 2\n#endif\n");
    EXPECT_THAT(records, testing::Contains(testing::ResultOf(
                             [](const Json& one) { return one["status"]; }, Json("wrong"))));
    // A source that it rejects is passed preprocessed, and the record says so.
    records = preprocessed("b", "#define WHAT 3\n#ifdef __clang__\n#error not this one\n#endif\n");
    ASSERT_EQ(records.size(), 2u);
    EXPECT_EQ(records[0]["status"], "checked") << records[0];
    EXPECT_THAT(records[0]["notes"].dump(), HasSubstr("did not take b.cl as it is written"));
    EXPECT_THAT(records[0]["notes"].dump(), HasSubstr("not this one"));
    EXPECT_THAT(records[1].value("notes", Json()).dump(), Not(HasSubstr("as it is written")));
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
    EXPECT_EQ(e.code, 2) << e.out << e.err;
    const std::vector<Json> records = records_of("r.jsonl");
    ASSERT_EQ(records.size(), 1u);
    EXPECT_EQ(records[0]["status"], "unsupported");
    EXPECT_THAT(records[0]["reason"].get<std::string>(),
                HasSubstr("is no GPU, which is given 2147483648 at most"));
}

}  // namespace
}  // namespace parallax::cli::manifest_device_test
