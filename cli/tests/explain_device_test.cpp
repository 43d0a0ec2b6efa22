// Tests `parallax explain` of a real device, and reports of stored explanations.
#include <algorithm>
#include <filesystem>
#include <fstream>

#include <gtest/gtest.h>

#include "cli/tests/command_line.hpp"
#include "common/tests/thorough.hpp"

namespace parallax::cli::explain_device_test {
namespace {

class ExplainOnDevices : public CommandLine {
protected:
    static Ended explain(std::vector<std::string> words) {
        words.insert(words.begin(), "explain");
        return run(words);
    }
    /// Expects this exit code, `word` on standard error, and no other output.
    static void expect_end(const Ended& e, int code, const std::string& word) {
        EXPECT_EQ(e.code, code) << e.err;
        EXPECT_NE(e.err.find(word), std::string::npos) << "'" << word << "' is not in " << e.err;
        EXPECT_EQ(e.out, "");
    }
};

TEST_F(ExplainOnDevices, ExplainsADeviceAndKeepsIt) {
    if (!has_device()) GTEST_SKIP() << "no device";
    // The budget is a number of readings of the timer: the sample ends after the first knobs.
    const Ended e = explain({"transpose/naive", "opencl:0", "-n", "64x64", "--budget",
                             test::is_thorough() ? "1000" : "12", "--quiet", "--data", "d.jsonl",
                             "-o", "page.html", "-o", "p.md"});
    ASSERT_EQ(e.code, 0) << e.err;
    for (const char* words :
         {"transpose/naive float 64x64", "Both sides are opencl:0", "What the knobs do",
          "Where the time goes", "What the kernels need"}) {
        EXPECT_NE(e.out.find(words), std::string::npos) << words << "\n" << e.out;
    }
    const JsonResults kept = json_results("d.jsonl");
    EXPECT_EQ(kept.records.size(), 2u);
    EXPECT_EQ(kept.pairs.size(), 1u);
    ASSERT_EQ(kept.explanations.size(), 1u);
    const Json& trials = kept.explanations.at(0).at("trials");
    const auto is_tried = [](const Json& trial) { return trial.at("status") != "skipped"; };
    EXPECT_GT(std::ranges::count_if(trials, is_tried), 0) << trials;
    EXPECT_FALSE(fs::exists("results")) << "the file was named";
    EXPECT_NE(text_of("page.html").find("</html>"), std::string::npos);
    EXPECT_NE(text_of("p.md").find("transpose/naive"), std::string::npos);

    // The stored explanation is the same.
    const std::string file = text_of("d.jsonl");
    EXPECT_EQ(explain({"d.jsonl"}).out, e.out);
    EXPECT_EQ(explain({"d.jsonl", "--format", "md"}).out, text_of("p.md"));
    EXPECT_EQ(Json::parse(explain({"d.jsonl", "--format", "json"}).out).at(0),
              kept.explanations.at(0));
    const Ended causes = explain({"d.jsonl", "--format", "causes"});
    EXPECT_EQ(causes.code, 0) << causes.err;
    EXPECT_NE(causes.out, "");
    const Ended page = explain({"d.jsonl", "--format", "html"});
    EXPECT_EQ(page.code, 0) << page.err;
    EXPECT_NE(page.out.find("</html>"), std::string::npos);
    EXPECT_EQ(text_of("d.jsonl"), file) << "reading changes nothing";

    // Appended, the file holds both; truncated, the complete part is shown with a warning.
    std::ofstream("d.jsonl", std::ios::app) << file.substr(0, file.size() - 20);
    const Ended cut = explain({"d.jsonl"});
    EXPECT_EQ(cut.code, 0) << cut.err;
    EXPECT_NE(cut.err.find("cut off"), std::string::npos) << cut.err;
    EXPECT_EQ(cut.out, e.out);

    // An explanation without the records of its sides.
    std::ofstream("alone.jsonl") << kept.explanations.at(0).dump() << "\n";
    EXPECT_EQ(explain({"alone.jsonl"}).out, e.out);
    expect_end(explain({"alone.jsonl", "--format", "html"}), 2, "records of both sides");
}

}  // namespace
}  // namespace parallax::cli::explain_device_test
