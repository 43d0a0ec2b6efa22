// Tests scores of a manifest's checks, with the real program and kernels whose changes are known.
#include "studies/mutation/checks_score.hpp"

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <set>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "common/process/child.hpp"
#include "common/text/temporary_folder.hpp"
#include "records/json_fwd.hpp"
#include "report/selftest/score_report.hpp"
#include "suites/manifest/manifest.hpp"

namespace parallax::checks_score_test {
namespace {

using testing::AllOf;
using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

constexpr const char* kernel =
    R"(__kernel void scale(__global const float* x, __global float* y, const uint n) {
    const size_t i = get_global_id(0);
    if (i < n) y[i] = 2.0f * x[i];
}
)";

Json manifest_of(const Json& sizes, const Json& fill) {
    return {{"parallax", "manifest"},
            {"version", 1},
            {"name", "mine"},
            {"source", "scale.cl"},
            {"sizes", sizes},
            {"kernel", "scale"},
            {"arguments",
             {{{"name", "x"}, {"type", "float"}, {"elements", "n"}, {"fill", fill}},
              {{"name", "y"}, {"type", "float"}, {"elements", "n"}, {"use", "output"}},
              {{"name", "n"}, {"type", "uint"}, {"value", "n"}}}},
            {"items", {64}},
            {"groups", {"ceil(n / 64)"}}};
}

void compare_with(Json& manifest, const char* source) {
    manifest["reference"] = {{"source", source},
                             {"kernel", "scale"},
                             {"arguments", manifest["arguments"]},
                             {"items", {64}},
                             {"groups", manifest["groups"]}};
}

const Json one_size{{"names", {"n"}}, {"timed", {{64}}}, {"checked", Json::array()}};
const Json many_sizes{{"names", {"n"}}, {"timed", {{640}}}, {"checked", {{1}, {333}}}};

class ChecksScores : public testing::Test {
protected:
    ChecksScores() {
        write("scale.cl", kernel);
        setenv("XDG_CACHE_HOME", (folder_.path() / "cache").c_str(), 1);
        program_ = std::getenv("PARALLAX_PROGRAM");
    }
    void SetUp() override {
        static const bool has_pocl =
            ran({"run", "--check", "-s", "transpose/naive", "-d", "opencl:pocl"}).exit_code == 0;
        if (!has_pocl) GTEST_SKIP() << "no PoCL";
    }
    void write(const char* name, const std::string& text) const {
        std::ofstream(folder_.path() / name) << text;
    }
    ProcessResult ran(const std::vector<std::string>& words) const {
        return run_program(program_, words, std::chrono::minutes(10), folder_.path());
    }
    /// The score of the manifest's kernel as JSON, and the exit code.
    Json score(const Json& manifest, std::vector<std::string> more, int& code) const {
        write("mine.json", manifest.dump());
        std::vector<std::string> words{"selftest", "mine.json", "-d",       "opencl:pocl",
                                       "--format", "json",      "--budget", "600"};
        words.insert(words.end(), more.begin(), more.end());
        const ProcessResult one = ran(words);
        code = one.exit_code;
        EXPECT_EQ(one.err, "");
        return Json::parse(one.out, nullptr, false);
    }
    /// `3: '<=' for '<': "checked": ...`
    static std::vector<std::string> survivors(const Json& score) {
        std::vector<std::string> all;
        for (const Json& one : score["kernels"][0]["unnoticed"]) {
            all.push_back(fmt::format(
                "{}: '{}' for '{}': {}", one["line"].get<unsigned>(), one["is"].get<std::string>(),
                one["was"].get<std::string>(),
                one.contains("shown_by") ? one["shown_by"]["line"].get<std::string>() : "nothing"));
        }
        return all;
    }

    /// Writes each offered line: the kernel passes, and the changed ones that it shows do not.
    void expect_lines_to_hold(const Json& manifest, const Json& unnoticed) const {
        const auto code = [&] {
            return ran({"run", "--check", "-s", "mine.json", "-d", "opencl:pocl"}).exit_code;
        };
        write("right.cl", kernel);
        std::set<std::string> tried;
        for (const Json& one : unnoticed) {
            if (!one.contains("shown_by") || !tried.insert(one["shown_by"].dump()).second) continue;
            Json changed = manifest;
            std::string path = one["shown_by"]["path"].get<std::string>().substr(1);
            for (const char c : {'.', '[', ']'})
                std::ranges::replace(path, c, c == ']' ? ' ' : '/');
            std::erase(path, ' ');
            changed[Json::json_pointer(path)].update(
                Json::parse("{" + one["shown_by"]["line"].get<std::string>() + "}"));
            compare_with(changed, "right.cl");
            write("mine.json", changed.dump());
            EXPECT_EQ(code(), 0) << changed;
            std::string source(kernel);
            std::size_t at = 0;
            for (unsigned line = 1; line < one["line"]; ++line) at = source.find('\n', at) + 1;
            source.replace(at + one["column"].get<unsigned>() - 1,
                           one["was"].get<std::string>().size(), one["is"].get<std::string>());
            write("scale.cl", source);
            EXPECT_EQ(code(), 1) << source << changed;
            write("scale.cl", kernel);
        }
        EXPECT_EQ(tried.size(), 2u);
    }

    TemporaryFolder folder_{"parallax-score-"};
    const char* program_ = nullptr;
};

TEST_F(ChecksScores, OfOneSizeAndZerosNameWhatPassesAndWhatWouldShowIt) {
    int code = 0;
    const Json weak = score(manifest_of(one_size, "zeros"), {"--require-score", "100%"}, code);
    EXPECT_EQ(code, 1) << weak;
    EXPECT_EQ(weak["enough"], false);
    const std::vector<std::string> passed = survivors(weak);
    const std::string sizes = R"("checked": [[517]])", drawn = R"("fill": {"random")";
    // One work-group has all work-items, and 64 of them need no more than 8 bits.
    EXPECT_THAT(passed, Contains(HasSubstr("2: 'uchar' for 'size_t': " + sizes)));
    EXPECT_THAT(passed, Contains(HasSubstr("2: 'get_local_id' for 'get_global_id': " + sizes)));
    EXPECT_THAT(passed, Contains(HasSubstr("3: 'if (1 || (i < n))' for 'if (i < n)': " + sizes)));
    EXPECT_THAT(passed, Contains(HasSubstr("3: '<=' for '<': " + sizes)));
    // Twice nothing is nothing.
    EXPECT_THAT(passed, Contains(HasSubstr("3: '2.02f' for '2.0f': \"fill\": ")));
    EXPECT_THAT(passed, Not(Contains(HasSubstr("'>=' for '<'"))));
    EXPECT_THAT(passed, Not(Contains(HasSubstr("'+' for '*'"))));
    const Json& kernel_score = weak["kernels"][0];
    EXPECT_THAT(kernel_score["notes"].dump(), AllOf(HasSubstr("All checked launches have the size"),
                                                    HasSubstr("'x' holds only zeros")));
    EXPECT_EQ(kernel_score["size"], "64");
    EXPECT_EQ(kernel_score["not_tried"], 0);
    EXPECT_EQ(kernel_score["checked_against"], "itself");
    expect_lines_to_hold(manifest_of(one_size, "zeros"), kernel_score["unnoticed"]);
}

TEST_F(ChecksScores, OfferNoLineThatIsTooMuchForALargerSize) {
    // Its error grows with its size. No "work" says how long that takes: it is tried.
    write("scale.cl", R"(__kernel void scale(__global const float* x, __global float* y, uint n) {
    const uint i = get_global_id(0);
    const float v = x[i] * (float)(i);
    y[i] = 1.0f * fabs(v - rint(v));
})");
    write("exact.cl", R"(__kernel void scale(__global const float* x, __global float* y, uint n) {
    const uint i = get_global_id(0);
    const double v = (double)x[i] * (double)(i);
    y[i] = (float)fabs(v - rint(v));
})");
    Json manifest = manifest_of({{"names", {"n"}}, {"timed", {{65536}}}, {"checked", {{64}}}},
                                {{"random", {0, 1}}});
    manifest["groups"] = {"n / 64"};
    manifest["tolerance"] = {{"absolute", 0.1}};
    compare_with(manifest, "exact.cl");
    int code = 0;
    const Json found = score(manifest, {}, code);
    EXPECT_EQ(code, 0) << found;
    EXPECT_EQ(found["kernels"][0]["size"], "65536");
    EXPECT_THAT(found["kernels"][0]["left_out_sizes"], IsEmpty());
    EXPECT_THAT(survivors(found), Contains("4: '1.01f' for '1.0f': nothing"));
    EXPECT_THAT(survivors(found), Not(Contains(HasSubstr("'uchar'"))));
    for (const std::string& one : survivors(found)) EXPECT_THAT(one, Not(HasSubstr("tolerance")));
}

TEST_F(ChecksScores, OfAToleranceThatZerosMeetAreNotFull) {
    write("scale.cl", R"(__kernel void scale(__global const float* x, __global float* y, uint n) {
    y[get_global_id(0)] = 1.0e-9f * x[get_global_id(0)];
})");
    Json manifest =
        manifest_of({{"names", {"n"}}, {"timed", {{64}}}, {"checked", {{128}}}}, "random");
    manifest["tolerance"] = {{"absolute", 1e-4}};
    int code = 0;
    const Json found = score(manifest, {"--require-score", "100%"}, code);
    EXPECT_EQ(code, 1) << found;
    EXPECT_THAT(found["kernels"][0]["notes"].dump(), HasSubstr("zeros would pass for 100 %"));
    EXPECT_THAT(survivors(found), Contains(HasSubstr("'0' for '1.0e-9f * x[get_global_id(0)]'")));
}

TEST_F(ChecksScores, OfAKernelWithNothingToChangeAreNone) {
    write("scale.cl", "__kernel void scale(__global float* x, __global float* y, uint n) {}");
    Json manifest = manifest_of(one_size, "random");
    manifest["arguments"][1] = {
        {"name", "y"}, {"type", "float"}, {"elements", "n"}, {"use", "in_out"}, {"fill", "iota"}};
    write("mine.json", manifest.dump());
    const ProcessResult one = ran({"selftest", "mine.json", "-d", "opencl:pocl"});
    EXPECT_EQ(one.exit_code, 5);
    EXPECT_THAT(one.out, HasSubstr("It has nothing to change"));
}

TEST_F(ChecksScores, AreInterruptedWithWhatIsKnown) {
    write("mine.json", manifest_of(many_sizes, "random").dump());
    const ProcessResult one =
        run_program("sh",
                    {"-c",
                     "MARK=m$$ \"$0\" selftest mine.json -d opencl:pocl & p=$!; "
                     "until for c in $(grep -ls MARK=m$$ /proc/[0-9]*/environ); do "
                     "tr '\\0' ' ' <${c%environ}cmdline; done 2>/dev/null | grep -q -e --judge || "
                     "! kill -0 $p; do sleep .02; done; "
                     "kill -INT $p; wait $p",
                     program_},
                    std::chrono::minutes(5), folder_.path());
    EXPECT_EQ(one.exit_code, 130) << one.out << one.err;
    EXPECT_THAT(one.err, HasSubstr("Interrupted"));
}

TEST_F(ChecksScores, OfManySizesAndNumbersAreFullAndRunSaysSo) {
    int code = 0;
    const Json strong = score(manifest_of(many_sizes, "random"), {"--require-score", "100%"}, code);
    EXPECT_EQ(code, 0) << strong;
    EXPECT_EQ(strong["kernels"][0]["score"], 1.0);
    EXPECT_THAT(survivors(strong), IsEmpty());
    const std::vector<std::string> words{"run", "--check", "-s", "mine.json", "-d", "opencl:pocl"};
    const std::string told =
        fmt::format("These checks tell {0} of {0} changed kernels apart on opencl:0 (100 %)",
                    strong["kernels"][0]["told_apart"].get<std::size_t>());
    EXPECT_THAT(ran(words).out, HasSubstr(told));
    // A size of the command line's, and other rules for floats, are other checks.
    for (const std::vector<std::string>& more :
         {std::vector<std::string>{"-n", "77"}, {"--floats", "relaxed"}}) {
        std::vector<std::string> other = words;
        other.insert(other.end(), more.begin(), more.end());
        const ProcessResult one = ran(other);
        EXPECT_EQ(one.exit_code, 0) << one.out << one.err;
        EXPECT_THAT(one.out, Not(HasSubstr("changed kernels")));
    }
    write("scale.cl", std::string(kernel) + "\n// edited\n");
    EXPECT_THAT(ran(words).out, Not(HasSubstr("changed kernels")));
}

TEST_F(ChecksScores, OfAKernelThatIsWrongAreNone) {
    write("other.cl",
          "__kernel void scale(__global const float* x, __global float* y, const uint n)"
          " { y[get_global_id(0)] = 3.0f * x[get_global_id(0)]; }");
    Json manifest = manifest_of(one_size, "random");
    compare_with(manifest, "other.cl");
    int code = 0;
    const Json wrong = score(manifest, {}, code);
    EXPECT_EQ(code, 1);
    EXPECT_THAT(wrong["kernels"][0]["problem"].get<std::string>(), HasSubstr("(wrong: mine/scale"));
}

TEST_F(ChecksScores, OfAKernelThatIsWrongForWiderNumbersAreNotFull) {
    const std::string larger =
        "__kernel void scale(__global const int* x, __global int* y, const uint n) {\n"
        "    const size_t i = get_global_id(0);\n"
        "    if (i < n) y[i] = x[i] > 5 ? x[i] : 5;\n}\n";
    write("right.cl", larger);
    std::string wrong = larger;
    wrong.replace(wrong.find("x[i] > 5"), 8, "(uint)x[i] > 5u");
    write("scale.cl", wrong);
    Json manifest = manifest_of(many_sizes, {{"random", {0, 16}}});
    for (int i : {0, 1}) manifest["arguments"][i]["type"] = "int";
    compare_with(manifest, "right.cl");
    int code = 0;
    const Json found = score(manifest, {"--require-score", "100%"}, code);
    EXPECT_EQ(code, 1) << found;
    const Json first = found["kernels"][0]["unnoticed"][0];
    EXPECT_EQ(first["is"], "") << "the kernel as it is";
    EXPECT_EQ(first["shown_by"]["line"], R"("fill": {"random":[-2147483648,2147483648]})");
    write("scale.cl", larger);
    const Json right = score(manifest, {}, code);
    for (const Json& one : right["kernels"][0]["unnoticed"]) EXPECT_NE(one["is"], "") << right;
}

TEST_F(ChecksScores, OfAKernelThatDoesNotEndKeepToTheBudget) {
    write("scale.cl",
          "__kernel void scale(__global const float* x, __global float* y, const uint n)"
          " { volatile int go = 1; while (go) {} y[0] = x[0]; }");
    write("mine.json", manifest_of(one_size, "random").dump());
    // Its process is ended after 5 s of processor time, or 25 s; a trial of 20 s would end too
    // late.
    const ProcessResult one = ran({"selftest", "mine.json", "-d", "opencl:pocl", "--budget", "19"});
    EXPECT_EQ(one.exit_code, 1);
    EXPECT_THAT(one.out, HasSubstr("the kernel as it is takes longer than 5 s, and the budget"));
}

TEST_F(ChecksScores, RefuseOptionsOfTheOtherSelfTest) {
    write("mine.json", manifest_of(one_size, "random").dump());
    for (const std::vector<std::string>& words :
         {std::vector<std::string>{"selftest", "mine.json", "--trials", "3"},
          {"selftest", "reduction/tree"},
          {"selftest", "mine.json", "--budget", "0"},
          {"selftest", "mine.json", "--budget", "inf"},
          {"selftest", "mine.json", "--require-score", "much"},
          {"selftest", "mine.json", "--require-score", "101%"},
          {"selftest", "mine.json", "--judge", "5", "--places", "0"},
          {"selftest", "--require-score", "90%"}}) {
        EXPECT_EQ(ran(words).exit_code, 2) << testing::PrintToString(words);
    }
}

TEST(TrialEdits, AreSizesAndInputsAndKeepWhatMayBeAnIndex) {
    Json manifest = manifest_of(many_sizes, "random");
    manifest["arguments"].push_back(
        {{"name", "rows"}, {"type", "int"}, {"elements", "n"}, {"fill", {{"random", {0, 9}}}}});
    manifest["arguments"].push_back({{"name", "a"}, {"type", "float"}, {"value", 1}});
    manifest["tolerance"] = {{"relative", 0.1}};
    std::vector<std::string> lines;
    for (const ManifestEdit& edit : trial_edits(manifest.dump())) {
        lines.push_back(edit.path + ": " + edit.line);
        EXPECT_TRUE(Json::parse(edit.manifest, nullptr, false).is_object());
    }
    EXPECT_THAT(lines, Contains(R"($.sizes: "checked": [[1],[333],[517]])"));
    EXPECT_THAT(lines, Contains(R"($.sizes: "checked": [[1],[333],[576]])")) << "nine groups";
    EXPECT_THAT(lines, Contains(R"($.sizes: "checked": [[1],[333],[516]])")) << "129 vectors";
    EXPECT_THAT(lines, Contains(R"($.arguments[0]: "fill": {"random":[-1,1]})"));
    EXPECT_THAT(lines, Contains(R"($.arguments[0]: "fill": "permutation")"));
    EXPECT_THAT(lines, Contains(R"($.arguments[4]: "value": 2.25)"));
    EXPECT_THAT(lines, Contains(R"($: "tolerance": {"relative":0.01})"));
    EXPECT_THAT(lines, Contains(R"json($: "groups": ["ceil((ceil(n / 64)) / 3)"])json"));
    EXPECT_THAT(lines, Contains(R"($: "groups": ["ceil(n / 64) + 1"])"));
    EXPECT_THAT(lines, Not(Contains(HasSubstr("$.arguments[3]"))));
    EXPECT_THAT(lines, Not(Contains(HasSubstr("[[1],[333],[1]]")))) << "there already";
    EXPECT_THAT(trial_edits("no JSON"), IsEmpty());
    manifest["arguments"][3]["fill"] = {{"csr_offsets", {"8 * n", 16}}};
    const std::vector<ManifestEdit> rows = trial_edits(manifest.dump());
    EXPECT_THAT(rows,
                Contains(AllOf(testing::Field(&ManifestEdit::is_exact, true),
                               testing::Field(&ManifestEdit::line,
                                              HasSubstr(R"("csr_offsets":["8 * n",1024])")))));
    // The work-items of launches in variants count, too.
    manifest["items"] = {8};
    manifest["variants"] = {{{"name", "a"}, {"launches", {{{"items", {256}}}}}}};
    manifest.erase("tolerance");
    EXPECT_THAT(trial_edits(manifest.dump()).front().line, HasSubstr("[2053]"));
}

TEST(ScoreReports, SayWhatIsLeftOut) {
    ChecksScore score{
        .suite = "mine", .kernel = "scale", .device = "opencl:0", .against = "itself"};
    score.noticed = 199;
    score.same_code = 5;
    score.not_tried = 40;
    score.size = "64";
    score.left_out_sizes = {"1048576", "2097152"};
    score.unnoticed = {{"scale.cl", "scale", "<", "<=", 12, 9, "\"checked\": [[7]]", "$.sizes"}};
    const std::string text = score_text({&score, &score + 1}, "mine.json");
    EXPECT_THAT(text,
                HasSubstr("Of 205 changed kernels 199 are told apart, 5 are proven equal (same "
                          "machine code), 1 pass: 99 %."));
    EXPECT_THAT(text, HasSubstr("Write \"checked\": [[7]] in $.sizes, which shows:\n"
                                "    scale.cl:12:9: '<=' for '<'\n"));
    EXPECT_THAT(text, HasSubstr("Not tried at 1048576, 2097152, which would take too long"));
    EXPECT_THAT(text, AllOf(HasSubstr("40 more were not tried"), HasSubstr("no \"reference\""),
                            HasSubstr("NVRTC is not here")));
    const TemporaryFolder folder("parallax-kept-score-");
    const auto file = folder.path() / "scores.jsonl";
    const auto sentence = [&](const std::string& digest, const std::string& size) {
        return score_sentence(file, digest, {"8", size}, "my file.json");
    };
    EXPECT_EQ(sentence("abc", "64"), "");
    keep_score(file, score, "abc");
    const std::string told =
        "These checks tell 199 of 200 changed kernels apart on opencl:0 (99 %), and 40 were not "
        "tried: 'parallax selftest 'my file.json'' says which pass.";
    EXPECT_EQ(sentence("abc", "64"), told);
    EXPECT_EQ(sentence("abd", "64"), "");
    EXPECT_EQ(sentence("abc", "65"), "") << "these checks have another size";
    score.not_tried = 41;
    keep_score(file, score, "abc");
    EXPECT_EQ(sentence("abc", "64"), told) << "more was tried then";
    score.not_tried = 0;
    keep_score(file, score, "abc");
    EXPECT_THAT(sentence("abc", "64"), Not(HasSubstr("not tried")));
    std::ofstream(file) << "{\"digest\": \"abc\"}\nno JSON\n";
    EXPECT_EQ(sentence("abc", "64"), "");
}

TEST(ScoreReports, OfFewOfManyAreNotSureToBeFull) {
    ChecksScore score;
    score.noticed = 3;
    EXPECT_EQ(score.least_share(), 1);
    score.not_tried = 53;
    EXPECT_NEAR(score.least_share(), 0.526, 0.001);
    score.noticed = 300;
    EXPECT_NEAR(score.least_share(), 0.991, 0.001);
    score.noticed = 0;
    EXPECT_EQ(score.least_share(), 0);
}

TEST(ScoreReports, BeginWithTheLineThatShowsMost) {
    ChecksScore score{.suite = "mine", .kernel = "scale", .device = "opencl:0"};
    score.unnoticed = {{"a.cl", "f", "1", "2", 1, 1, "\"z\"", "$"},
                       {"a.cl", "f", "1", "2", 2, 1, "", ""},
                       {"a.cl", "f", "1", "2", 3, 1, "", ""},
                       {"a.cl", "f", "1", "2", 4, 1, "\"b\"", "$"},
                       {"a.cl", "f", "1", "2", 5, 1, "\"b\"", "$"}};
    const std::string text = score_text({&score, &score + 1}, "mine.json");
    EXPECT_LT(text.find("\"b\""), text.find("\"z\""));
    EXPECT_LT(text.find("\"z\""), text.find("Nothing that was tried"));
    score.against = "expected data";
    EXPECT_THAT(score_text({&score, &score + 1}, "folder"), HasSubstr("no others were tried"));
}

}  // namespace
}  // namespace parallax::checks_score_test
