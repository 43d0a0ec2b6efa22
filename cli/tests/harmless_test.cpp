// Tests that every text of every file is shown safely by every command.
#include <functional>
#include <regex>
#include <set>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cli/output_redirection.hpp"
#include "cli/progress_line.hpp"
#include "cli/sanitizing_stream.hpp"
#include "cli/tests/command_line.hpp"
#include "common/tests/thorough.hpp"
#include "common/text/text.hpp"

namespace parallax::cli::harmless_test {
namespace {

/// Clears a screen, rings a bell, writes from right to left, and uses C1 controls.
const std::string evil = "\x1b[2J\x07\u202e\u200b\u009b31m\x7f";

TEST(OwnOutput, ClangsCountsOfMessagesAreNoise) {
    EXPECT_EQ(without_counts("1 error generated.\nx.cl:1: error: no\n2 warnings generated.\n"
                             "1 warning and 2 errors generated.\n"),
              "x.cl:1: error: no\n");
    const std::string others = "an error generated.\n7 numbers generated.\n\n";
    EXPECT_EQ(without_counts(others), others);
    EXPECT_EQ(without_counts(""), "");
}

class Hostile : public CommandLine {
protected:
    static void expect_harmless(const std::string& text, const std::string& where) {
        for (const char* bad : {"\x1b", "\x07", "\u202e", "\u200b", "\u009b", "\x7f"}) {
            EXPECT_EQ(text.find(bad), std::string::npos)
                << where << ": " << testing::PrintToString(bad);
        }
    }
    /// Runs all commands, and checks their output and the files `out.*`.
    static void expect_all_harmless(const std::vector<Words>& commands, const std::string& where) {
        for (const Words& words : commands) {
            std::filesystem::remove("out.html");
            const Ended e = run(words);
            expect_harmless(e.out + e.err, where + " in " + words[0] + " " + words.back());
            if (std::filesystem::exists("out.html")) {
                expect_harmless(text_of("out.html"), where + " in a page of " + words[0]);
            }
        }
    }
    /// Replaces one string of the JSON at a time; of a list only the first.
    static void spoil_each(Json& json, const std::string& path,
                           const std::function<void(const std::string&)>& then) {
        if (json.is_string()) {
            const Json before = json;
            json = before.get<std::string>() + evil;
            then(path);
            json = before;
        } else if (json.is_array() && !json.empty()) {
            spoil_each(json.at(0), path + "[]", then);
        } else if (json.is_object()) {
            for (auto& [name, value] : json.items()) spoil_each(value, path + "." + name, then);
        }
    }
    /// Keeps only the start of each long text, since whole compiler outputs take long.
    static void shorten(Json& json) {
        if (json.is_string()) json = json.get<std::string>().substr(0, 1000);
        if (!json.is_structured()) return;
        for (Json& one : json) shorten(one);
    }
    static std::vector<Json> lines_of(const std::string& file) {
        std::vector<Json> lines;
        std::istringstream text(text_of(file));
        for (std::string line; std::getline(text, line);) lines.push_back(Json::parse(line));
        return lines;
    }
    static void write_lines(const std::string& file, const std::vector<Json>& lines) {
        std::ofstream out(file);
        for (const Json& line : lines) out << line.dump() << "\n";
    }
};

TEST_F(Hostile, AManifest) {
    const std::string folder = SOURCE_ROOT "/docs/examples/saxpy/";
    Json json = Json::parse(text_of(folder + "saxpy.json"));
    json["question"] = "q";
    json["defines"] = {{"UNUSED", "1"}};
    unsigned texts = 0;
    spoil_each(json, "$", [&](const std::string& path) {
        // A manifest is loaded once per process: each has its own name.
        const std::string name = "m" + std::to_string(++texts), file = name + ".json";
        if (path != "$.name") json["name"] = name;
        std::ofstream(file) << json.dump();
        std::filesystem::copy_file(folder + "saxpy.cl", "saxpy.cl",
                                   std::filesystem::copy_options::overwrite_existing);
        expect_all_harmless({{"list", file},
                             {"show", file + "/plain", "-o", "out.html"},
                             {"show", file + "/plain", "--format", "md"},
                             {"show", file + "/plain", "--why"}},
                            path);
    });
    EXPECT_GT(texts, 10u);
}

TEST_F(Hostile, AKernelFile) {
    std::ofstream("k.cl") << "// " << evil
                          << "\n__kernel void k(__global float* y) { y[0] = 1; }\n";
    expect_all_harmless({{"port", "k.cl"}, {"port", "k.cl", "--init", "-o", "k.json"}}, "k.cl");
    expect_all_harmless({{"show", "k.json/k", "-o", "out.html", "--all"},
                         {"show", "k.json/k", "--language", "opencl"},
                         {"show", "k.json/k", "--language", "cuda"}},
                        "k.cl");
}

TEST_F(Hostile, RecordsPairsAndExplanations) {
    std::vector<Json> lines = lines_of(SOURCE_ROOT "/results/nvidia-h100-80gb-hbm3/explain.jsonl");
    lines.resize(4);  // one explanation with all its parts
    for (Json& line : lines) shorten(line);
    std::set<std::string> schemas;
    unsigned texts = 0;
    for (Json& line : lines) {
        schemas.insert(line.at("schema"));
        spoil_each(line, line.at("schema"), [&](const std::string& path) {
            // The sample is every fourth text of all lines.
            if (texts++ % 4 != 0 && !test::is_thorough()) return;
            write_lines("a.jsonl", lines);
            expect_all_harmless({{"run", "--from", "a.jsonl"},
                                 {"run", "--from", "a.jsonl", "--format", "json"},
                                 {"diff", "a.jsonl", "-o", "out.html"},
                                 {"diff", "a.jsonl", "--format", "md"},
                                 {"diff", "a.jsonl", "--format", "junit"},
                                 {"diff", "a.jsonl", "--format", "json"},
                                 {"explain", "a.jsonl", "-o", "out.html"},
                                 {"explain", "a.jsonl", "--format", "md"},
                                 {"explain", "a.jsonl", "--format", "json"},
                                 {"explain", "a.jsonl", "--format", "causes"}},
                                path);
        });
    }
    EXPECT_EQ(schemas.size(), 3u);
}

TEST_F(Hostile, TheNameOfAFile) {
    const std::string file = "a" + evil + ".jsonl";
    std::filesystem::copy_file(SOURCE_ROOT "/results/nvidia-h100-80gb-hbm3/align4-diff.jsonl",
                               file);
    expect_all_harmless({{"run", "--from", file},
                         {"diff", file, "-o", "out.html"},
                         {"diff", file, file, "--format", "junit"},
                         {"explain", file},
                         {"list", evil},
                         {"list", evil + ".json"},
                         {"show", evil + "/x"},
                         {"port", evil + ".cl"},
                         {"lesson", evil + ".yaml"}},
                        "a file's name");
}

TEST_F(Hostile, ALesson) {
    const std::string text = text_of(SOURCE_ROOT "/docs/course/transpose.yaml");
    const std::regex member("^ *(- )?([a-z]+): +([^ |>\\[{\"'].*)$");
    std::istringstream all(text);
    std::set<std::string> keys;
    std::size_t at = 0;
    for (std::string line; std::getline(all, line); at += line.size() + 1) {
        std::smatch found;
        if (!std::regex_match(line, found, member) || !keys.insert(found[2]).second) continue;
        // The sample is every second member.
        if (keys.size() % 2 == 0 && !test::is_thorough()) continue;
        std::string spoiled = text;
        const auto start = at + static_cast<std::size_t>(found.position(3));
        const std::string value = found[3].str().substr(0, found[3].str().find('"'));
        spoiled.replace(start, found[3].str().size(), '"' + value + R"(\e[2J\a\u202e\x7f")");
        std::ofstream("own.yaml") << spoiled;
        const std::string from = SOURCE_ROOT "/results/nvidia-h100-80gb-hbm3/walk.jsonl";
        expect_all_harmless({{"lesson", "own.yaml", "--from", from},
                             {"lesson", "own.yaml", "--from", from, "--format", "md"},
                             {"lesson", "own.yaml", "--from", from, "-o", "out.html"}},
                            found[2]);
    }
    EXPECT_GT(keys.size(), 5u);
}

TEST(HarmlessStreams, LetNothingSteerATerminal) {
    // Sequences that the program itself may send: another text must not imitate them.
    const std::string own = "\r\x1b[K\x1b[32mAll answers are right.\x1b[0m",
                      other = "\x1b]0;x\x07\x1b[8m\x1b[2J";
    std::ostringstream out;
    {
        const SanitizingStream harmless_out(out);
        // A character may come in two parts.
        out << own << other << "\xe2\x80"
            << "\xae" << std::string(100'000, 'x') << "\n\t.";
        out << "\r\n";
    }
    const std::string shown = "\\r\\x1b[K\\x1b[32mAll answers are right.\\x1b[0m" +
                              harmless(other) + "\\u202e" + std::string(100'000, 'x') + "\n\t.\r\n";
    EXPECT_EQ(out.str(), shown);
    out << "\x07";
    EXPECT_EQ(out.str(), shown + "\x07") << "the stream is as it was";
}

TEST(HarmlessStreams, ColoursAreForReports) {
    std::ostringstream out;
    {
        const SanitizingStream harmless_out(out);
        out << "\x1b[1;31m";
        SanitizingStream::write_coloured(out, "\x1b[1;31mred\x1b[0m\r\x1b[K\x1b[8m\x07\n\x1b");
    }
    EXPECT_EQ(out.str(), "\\x1b[1;31m\x1b[1;31mred\x1b[0m\\r\\x1b[K\\x1b[8m\\x07\n\\x1b");
}

TEST(HarmlessStreams, OnlyTheProgressLineWritesOverItself) {
    std::ostringstream err;
    {
        const SanitizingStream harmless_err(err);
        ProgressLine line(err, false, true);
        err << "before\r";
        line.show({.done = 0, .total = 2, .what = "y\r\x1b[K"});
        line.show({.done = 1, .total = 2, .what = "z"});
    }
    const std::string times = ", 0 s, at most 0 s left";
    EXPECT_EQ(err.str(), "before\\r\r\x1b[K[1/2] y\\r\\x1b[K" + times + "\r\x1b[K[2/2] z" + times +
                             "\r\x1b[K");
}

TEST(HarmlessStreams, NothingIsCountedWhereNobodyKnowsHowMuchThereIs) {
    std::ostringstream to;
    {
        ProgressLine line(to, false, true);
        line.show({.what = "evidence"});
    }
    EXPECT_THAT(to.str(), testing::HasSubstr("evidence"));
    EXPECT_THAT(to.str(), testing::Not(testing::HasSubstr("/0")));
    EXPECT_THAT(to.str(), testing::Not(testing::HasSubstr("left")));
}

TEST(HarmlessStreams, HandOnWholeLinesBeforeTheyAreFlushed) {
    std::ostringstream out;
    const SanitizingStream harmless_out(out);
    std::string shown, kept;
    for (int line = 0; line < 3; ++line) {
        // Each part is far below the buffer's size; a line of them exceeds it.
        for (int i = 0; i < 2000; ++i) {
            const std::string part = std::string(49, 'x') + std::to_string(i % 10);
            out << part;
            kept += part;
        }
        EXPECT_EQ(out.str(), shown) << "a line without its end stays";
        out << "\ny";
        shown += kept + "\n";
        EXPECT_EQ(out.str(), shown);
        kept = "y";
    }
    out << std::flush;
    EXPECT_EQ(out.str(), shown + kept);
}

TEST(HarmlessStreams, SayThatNothingCouldBeWritten) {
    std::ofstream full("/dev/full");
    {
        const SanitizingStream harmless_out(full);
        full << "x" << std::flush;
        EXPECT_FALSE(full);
    }
    EXPECT_FALSE(full);
}

}  // namespace
}  // namespace parallax::cli::harmless_test
