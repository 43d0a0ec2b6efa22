// Tests that a report read from files heeds each of its command's options, or refuses it.
#include "cli/option_table.hpp"

#include <algorithm>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cli/tests/command_line.hpp"

namespace parallax::cli::option_table_test {
namespace {

using testing::HasSubstr;
using testing::Not;
struct ReportFromFiles {
    StoredData data;
    std::string command;  ///< @ is the committed results of the H100
    /// NAME[=VALUE][,OPTION...] of each option that has an effect: it changes the output of the
    /// others. An option with ! is accepted without effect here.
    std::string heeded;
};

const std::vector<ReportFromFiles> reports{
    {diff_files, "diff @diff.jsonl",
     "format=md json output=made.md margin=40% max-slowdown=5% strict! baseline=@run.jsonl "
     "device=cuda:7 suite=transpose size=3 type=double kernels=.,--format=html allow=.! "
     "allow-command! verbose quiet,--output=made.md"},
    {explain_files, "explain @explain.jsonl",
     "format=md json output=made.md margin=40%,--format=html device=cuda:7,--format=html "
     "kernels=.,--format=html quiet,--output=made.md"},
    {run_from, "run --from=@types.jsonl",
     "format=json json suite=transpose size=3 type=double strict! junit=made.xml "
     "sarif=made.sarif allow=.! allow-command! quiet"},
    {sweep_from, "sweep reduction/items --over=GROUP=64..1024 --from=@sweep.jsonl",
     "over=ITEMS=4..8 device=cuda:7 size=2^10 type=double define=ITEMS=8 occupancy format=md json "
     "allow=.! allow-command! quiet!"},
    {tune_from, "tune reduction/items --from=@sweep.jsonl",
     "over=GROUP=64..128 device=cuda:7 size=2^10 type=double define=OP=max trials=1 "
     "strategy=random,--trials=2,--seed=1 seed=5,--strategy=random,--trials=2 keep=made.jsonl "
     "format=md json allow=.! allow-command! quiet,--keep=made.jsonl"},
    {lesson_from, "lesson transpose --from=@overview.jsonl",
     "html format=md json output=made.md side=cuda no-answers no-questions! quiet!"},
    // It measures: without its device no more can be seen than that an option is not refused.
    {run_again, "run --again=@types.jsonl:transpose/padded",
     "device=cuda:7! output=made.jsonl! suite=transpose! budget=8! fresh-ceilings! no-wait! "
     "allow=.! allow-command! kernels=.! check! strict! junit=made.xml! sarif=made.sarif! "
     "save=.! watchdog=8! memory=8! quiet! format=json! json! timing!"},
    {any_data, "fleet @", "expect=expected baseline=@ output=made.md format=md json"},
};

/// Values for rejected options that do not accept 8.
const std::string values = "define=GROUP=64 floats=exact type=int allow=. try-exchange=a";

Words words_in(std::string text, char between = ' ') {
    const std::string h100 = SOURCE_ROOT "/results/nvidia-h100-80gb-hbm3/";
    for (std::size_t at = 0; (at = text.find('@')) != text.npos;) text.replace(at, 1, h100);
    Words words;
    std::istringstream rest(text);
    for (std::string word; std::getline(rest, word, between);) words.push_back(word);
    return words;
}

/// The one of the words that gives this option; empty: none.
std::string given_in(const std::string& text, const std::string& option) {
    for (const std::string& word : words_in(text)) {
        if (word.substr(0, word.find_first_of("=,!")) == option) return word;
    }
    return {};
}

class OptionTable : public CommandLine {
protected:
    /// All that a run leaves, its files included.
    static std::string effect_of(Words words, const Words& more) {
        words.insert(words.end(), more.begin(), more.end());
        const Ended e = run(words, {});
        std::string all = fmt::format("{}\n{}\n{}", e.code, e.out, e.err);
        for (const char* file : {"made.md", "made.xml", "made.sarif", "made.jsonl"}) {
            if (std::filesystem::remove(file)) all += file;
        }
        return all;
    }

    static void expect_heeded(const Words& command, std::string word) {
        const bool is_only_taken = word.ends_with('!');
        if (is_only_taken) word.pop_back();
        const Words given = words_in("--" + word, ',');
        const std::string effect = effect_of(command, given);
        EXPECT_THAT(effect, Not(HasSubstr("Leave --")));
        EXPECT_TRUE(is_only_taken || effect != effect_of(command, {given.begin() + 1, given.end()}))
            << effect;
    }

    static void expect_refused(Words command, const OptionWords& option) {
        const std::string value = given_in(values, option.long_name);
        command.push_back("--" + option.long_name);
        if (!option.value.empty()) {
            command.back() = "--" + (value.empty() ? option.long_name + "=8" : value);
        }
        expect_usage(command, fmt::format("parallax: --{} is for ", option.long_name));
        expect_usage(command, fmt::format("Leave --{} out.", option.long_name));
    }
};

TEST_F(OptionTable, EachOptionOfAReportFromFilesIsHeededOrRefused) {
    std::ofstream("expected") << "nid1 4\n";
    for (const ReportFromFiles& report : reports) {
        const Words words = words_in(report.command);
        const auto command = std::ranges::find(commands(), words[0], &Command::name);
        std::vector<OptionWords> options = options_of(*command);
        options.push_back({.long_name = "json"});
        for (const OptionWords& option : options) {
            const std::string& name = option.long_name;
            const std::string heeded = given_in(report.heeded, name);
            const bool makes_it = report.command.find("--" + name + "=") != std::string::npos ||
                                  (report.data == run_again && name == "from");
            if (option.is_positional || name == "help" || (makes_it && heeded.empty())) continue;
            SCOPED_TRACE(fmt::format("{} --{}", report.command, name));
            EXPECT_NE(heeded.empty(), (row_of(name).heeded & report.data) != 0);
            heeded.empty() ? expect_refused(words, option) : expect_heeded(words, heeded);
        }
    }
}

}  // namespace
}  // namespace parallax::cli::option_table_test
