// Tests that the program accepts every command in the pages and the help.
#include <algorithm>
#include <cctype>
#include <set>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cli/tests/command_line.hpp"

namespace parallax::cli::documented_test {
namespace {

using testing::HasSubstr;

class Documented : public CommandLine {};

/// A line of a page, or code between two backticks.
struct Shown {
    std::string where, text;
    bool within_sentence = false;
};

/// The lines of a page's code blocks, with continued lines joined, then the code within sentences.
std::vector<Shown> code_of(const fs::path& page) {
    std::vector<Shown> shown;
    std::string sentences;
    std::ifstream lines(page);
    bool fenced = false, continued = false;
    for (std::string line; std::getline(lines, line);) {
        const std::size_t text = std::min(line.find_first_not_of(' '), line.size());
        if (line.compare(text, 3, "```") == 0) {
            fenced = !fenced;
        } else if (fenced || text >= 4) {
            const std::string_view rest = std::string_view(line).substr(text);
            if (continued) {
                shown.back().text.back() = ' ';
                shown.back().text += rest;
            } else {
                shown.push_back({page.filename(), std::string(rest)});
            }
            continued = rest.ends_with('\\');
            continue;
        } else {
            sentences += line + " ";
        }
        continued = false;
    }
    for (std::size_t at = 0; (at = sentences.find('`', at)) != sentences.npos;) {
        const std::size_t end = std::min(sentences.find('`', at + 1), sentences.size());
        shown.push_back({page.filename(), sentences.substr(at + 1, end - at - 1), true});
        at = end + 1;
    }
    return shown;
}

/// The commands of a line as words, without trailing comments, or prose after three blanks. `[...]`
/// is left out.
std::vector<std::vector<std::string>> commands_in(const std::string& line) {
    std::vector<std::vector<std::string>> commands(1);
    std::string word;
    char quote = 0;
    std::size_t brackets = 0;
    const auto end_word = [&] {
        if (!word.empty()) commands.back().push_back(std::exchange(word, {}));
    };
    for (std::size_t i = 0; i < line.size(); ++i) {
        const char c = line[i];
        if (quote != 0 ? c == quote : c == '\'' || c == '"') {
            quote = quote != 0 ? 0 : c;
        } else if (quote != 0) {
            word += c;
        } else if (c == '[' || c == ']') {
            brackets += c == '[' ? 1 : -std::min<std::size_t>(brackets, 1);
        } else if (brackets > 0) {
            continue;
        } else if (c == ' ') {
            end_word();
            const bool names_something = commands.back().size() > 1;
            if (line.compare(i, 2, " #") == 0) break;
            if (names_something && line.compare(i, 3, "   ") == 0) break;
        } else if (std::string_view("&;|<>()").find(c) != std::string_view::npos) {
            end_word();
            commands.emplace_back();
        } else {
            word += c;
        }
    }
    end_word();
    return commands;
}

/// The words after `parallax`, if the command is the program's; else none.
std::vector<std::string> of_parallax(std::vector<std::string> words) {
    const std::set<std::string> before{"-", "run:", "$", "time"};
    while (!words.empty() && before.contains(words.front())) words.erase(words.begin());
    if (words.size() < 2 || fs::path(words[0]).filename() != "parallax") return {};
    words.erase(words.begin());
    // COMMAND is a placeholder, and `--help` is no command.
    if (std::islower(static_cast<unsigned char>(words[0].front())) == 0) return {};
    std::erase(words, "...");
    return words;
}

/// Whether it is a placeholder for something of the reader's: FILE, app/, mine.json, $file, cuda,
/// 4..32.
bool is_readers_own(const std::string& word) {
    return word == "opencl" || word == "cuda" || word.ends_with('/') || word.starts_with('$') ||
           std::ranges::any_of(word, [](unsigned char c) {
               return std::isupper(c) != 0 || c == '.' || c == ':' || c == ' ';
           });
}

/// Why the command is invalid; empty: it is valid. Within a sentence an option may lack its value.
/// @param run  the program, in process
std::string complaint(const std::vector<std::string>& words, bool within_sentence,
                      const auto& run) {
    std::vector<std::string> asking = words;
    asking.insert(asking.begin() + 1, "--help");
    const Ended help = run(asking);
    const bool is_named = within_sentence && words.back().starts_with('-') &&
                          help.err.find("required argument") != std::string::npos;
    if (help.code != exit_ok && !is_named) return help.err;
    for (std::size_t i = 1; i < words.size() && words[i] != "--"; ++i) {
        if (words[i].starts_with("docs/") || words[i].starts_with("results/")) {
            const bool is_any = words[i].ends_with("...");
            // A variant may be named after its manifest.
            const std::string file = words[i].substr(
                0, words[i].find('/', std::min(words[i].find(".json/"), words[i].size())));
            if (!is_any && !fs::exists(fs::path(SOURCE_ROOT) / file)) return "no " + words[i];
            continue;
        }
        const bool names_device = words[i - 1] == "-d" || words[i - 1] == "--device";
        if (words[i].starts_with('-') || is_readers_own(words[i]) || names_device) continue;
        std::vector<std::string> completing{"--complete"};
        completing.insert(completing.end(), words.begin(), words.begin() + static_cast<long>(i));
        completing.emplace_back();
        if (run(completing).out.empty()) continue;  // any word is allowed here
        completing.back() = words[i];
        const std::string offered = "\n" + run(completing).out;
        if (offered.find("\n" + words[i] + "\t") == std::string::npos &&
            offered.find("\n" + words[i] + "/\t") == std::string::npos) {
            return words[i] + " is not what may stand there";
        }
    }
    return "";
}

TEST_F(Documented, TheProgramTakesWhatIsShown) {
    const fs::path root = SOURCE_ROOT;
    std::vector<Shown> shown;
    std::vector<fs::path> pages{root / "README.md", root / "CONTRIBUTING.md",
                                root / "results/README.md"};
    for (const auto& page : fs::recursive_directory_iterator(root / "docs")) {
        if (page.path().extension() == ".md") pages.push_back(page.path());
    }
    EXPECT_GT(pages.size(), 30u);
    for (const fs::path& page : pages) {
        for (Shown& one : code_of(page)) shown.push_back(std::move(one));
    }
    for (const Command& command : commands()) {
        for (const std::string& one : command.examples) shown.push_back({"--help", one});
    }
    std::set<std::vector<std::string>> seen;
    for (const Shown& one : shown) {
        for (const std::vector<std::string>& all : commands_in(one.text)) {
            const std::vector<std::string> words = of_parallax(all);
            if (words.empty() || !seen.insert(words).second) continue;
            EXPECT_EQ(complaint(words, one.within_sentence, [](const auto& of) { return run(of); }),
                      "")
                << one.where << ": " << one.text;
        }
    }
    EXPECT_GT(seen.size(), 150u);
}

TEST_F(Documented, AWrongOneIsFound) {
    const auto wrong = [](const std::string& line) {
        std::string all;
        for (const auto& words : commands_in(line)) {
            const std::vector<std::string> found = of_parallax(words);
            if (found.empty()) continue;
            all += complaint(found, false, [](const auto& of) { return run(of); });
        }
        return all;
    };
    EXPECT_EQ(wrong("cd x && build/parallax run -s transpose -o FILE [--full] | less  # all"), "");
    EXPECT_EQ(wrong("parallax map 'a; b && c'     any row that there is"), "");
    EXPECT_EQ(wrong("parallax run \"$file\" --check"), "");
    EXPECT_THAT(wrong("parallax rnu"), HasSubstr("rnu"));
    EXPECT_THAT(wrong("./setup.sh && build/parallax run --al"), HasSubstr("--al"));
    EXPECT_THAT(wrong("parallax run -s transpos"), HasSubstr("transpos is not"));
    EXPECT_THAT(wrong("parallax run --floats"), HasSubstr("required argument"));
    EXPECT_THAT(wrong("parallax list transpose reduction"), HasSubstr("Too many words"));
    EXPECT_THAT(wrong("parallax diff results/none/diff.jsonl"), HasSubstr("no results/none"));
    EXPECT_THAT(wrong("parallax devices --format md"), HasSubstr("md is not"));
}

}  // namespace
}  // namespace parallax::cli::documented_test
