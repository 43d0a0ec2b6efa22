// Composes the command that does the rest.
#include "report/left_out.hpp"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "common/suite/suite.hpp"
#include "common/text/unique_values.hpp"
#include "report/wording.hpp"
#include "studies/case_of.hpp"

namespace parallax {
namespace {

bool is_known(const CaseKey& key) {
    return std::ranges::find(suites(), key.suite, &Suite::name) != suites().end();
}

}  // namespace

std::vector<std::string> without_options(const std::vector<std::string>& words,
                                         const std::vector<std::string_view>& options) {
    std::vector<std::string> left;
    for (std::size_t i = 0; i < words.size(); ++i) {
        const std::string& word = words[i];
        const auto is_of = [&](std::string_view option) {
            const bool is_long = option.starts_with("--");
            return word == option || (word.starts_with(option) &&
                                      (is_long ? word.substr(option.size()).starts_with('=')
                                               : !word.starts_with("--")));
        };
        const auto option = std::ranges::find_if(options, is_of);
        if (option == options.end()) {
            left.push_back(word);
        } else if (word == *option) {
            ++i;  // and its value
        }
    }
    return left;
}

std::string shell_word(std::string_view word) {
    constexpr std::string_view plain =
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_=+,.:/@%^";
    if (!word.empty() && word.find_first_not_of(plain) == word.npos) return std::string(word);
    std::string text = "'";
    for (const char c : word) text += c == '\'' ? "'\\''" : std::string(1, c);
    return text + "'";
}

std::string repeat_command(const std::vector<std::string>& command, std::uint64_t seed) {
    if (command.empty()) return {};
    std::vector<std::string> words = without_options(
        command,
        {"-o", "--output", "--data", "--junit", "--sarif", "--save", "--processes", "--seed"});
    words.insert(words.end(), {"--seed", std::to_string(seed)});
    std::ranges::transform(words, words.begin(), shell_word);
    return fmt::format("parallax {}", fmt::join(words, " "));
}

LeftOut left_out_of(std::vector<CaseKey> left_out, std::vector<CaseKey> all,
                    const std::vector<std::string>& command) {
    if (left_out.empty()) return {};
    const auto each_once = [](std::vector<CaseKey>& keys) {
        std::vector<CaseKey> once;
        for (CaseKey& key : keys) add_once(once, std::move(key));
        keys = std::move(once);
    };
    each_once(left_out);
    each_once(all);
    std::ranges::stable_sort(left_out, is_listed_before);
    LeftOut said;
    said.sentence =
        fmt::format("The budget had ended, and {} of {} {} left out.", left_out.size(),
                    report::counted(all.size(), "case"), left_out.size() == 1 ? "was" : "were");
    if (command.empty() || !std::ranges::all_of(left_out, is_known)) {
        said.sentence += " A larger --budget reaches them.";
        return said;
    }
    std::vector<std::string_view> dropped{"-s", "--suite", "--budget"};
    // A report would replace the one that is there; records are appended.
    if (command.front() == "diff") dropped.insert(dropped.end(), {"-o", "--output"});
    std::vector<std::string> words = without_options(command, dropped);
    std::vector<std::string> picks;
    for (const CaseKey& key : left_out) add_once(picks, key.suite + "/" + key.variant);
    for (const std::string& pick : picks) words.insert(words.end(), {"-s", pick});
    std::ranges::transform(words, words.begin(), shell_word);
    said.sentence += " This does the rest, at sizes that suit it:";
    said.command = fmt::format("parallax {}", fmt::join(words, " "));
    return said;
}

}  // namespace parallax
