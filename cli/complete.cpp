// Completes the word at a shell's cursor.
#include <algorithm>
#include <set>

#include <fmt/format.h>

#include "cli/command.hpp"
#include "common/device/devices.hpp"
#include "common/suite/suite.hpp"
#include "studies/explain/planted_gaps.hpp"
#include "studies/lessons/lesson.hpp"
#include "studies/published/published.hpp"

namespace parallax::cli {
namespace {

/// Words with their descriptions.
using Offers = std::vector<std::pair<std::string, std::string>>;

/// The suites that the earlier words select, with `/VARIANT` or without; all if there are none.
std::vector<const Suite*> named_suites(const std::vector<std::string>& words) {
    std::vector<const Suite*> named, all;
    for (const Suite& suite : suites()) {
        all.push_back(&suite);
        const auto names_it = [&](const std::string& word) {
            return word.substr(0, word.find('/')) == suite.name;
        };
        if (std::ranges::any_of(words, names_it)) named.push_back(&suite);
    }
    return named.empty() ? all : named;
}

Offers cases(std::string_view typed, bool whole_suites) {
    Offers offers;
    for (const Suite& suite : suites()) {
        const std::string folder = suite.name + "/";
        if (whole_suites) offers.emplace_back(suite.name, suite.question);
        if (!typed.starts_with(folder)) {
            offers.emplace_back(folder, suite.question);
            continue;
        }
        for (const Variant& one : suite.variants)
            offers.emplace_back(folder + one.name, one.description);
    }
    return offers;
}

/// `NAME=`, or after it values: the choices, or the default and similar values.
Offers constants(std::string_view typed, const std::vector<const Suite*>& of) {
    Offers offers;
    for (const Suite* suite : of) {
        for (const ConstantSpec& spec : suite->constants) {
            if (spec.follows) continue;
            const std::string name = spec.name + "=";
            if (!typed.starts_with(name)) {
                offers.emplace_back(name, spec.meaning);
            } else if (!spec.choices.empty()) {
                for (const std::string& one : spec.choices) offers.emplace_back(name + one, "");
            } else {
                std::set<std::int64_t> values{spec.value};
                for (const std::int64_t near : {spec.value / 2, spec.value * 2, spec.value * 4}) {
                    if (near >= spec.least && near <= spec.most) values.insert(near);
                }
                for (const std::int64_t value : values) {
                    offers.emplace_back(
                        fmt::format("{}{}", name, value),
                        value == spec.value ? "unless a variant says otherwise" : "");
                }
            }
        }
    }
    return offers;
}

Offers values(const Command& command, std::string_view name, const std::vector<std::string>& before,
              std::string_view typed, const CommandContext& context) {
    // The sides of a diff may be kernels.
    Offers offers = name == "sides" ? cases(typed, false) : Offers{};
    for (const std::string& one : choices_of(command, name)) offers.emplace_back(one, "");
    if (name == "device" || name == "sides") {
        for (const Entry& entry : find_devices(context.backends).entries) {
            offers.emplace_back(entry.info.id(), entry.info.name);
        }
    } else if (name == "suite") {
        return cases(typed, true);
    } else if (name == "case" || name == "what") {
        offers = cases(typed, false);
        if (command.name == "show") offers.emplace_back("host", "a whole program through each API");
    } else if (name == "define" || name == "over") {
        if (command.name != "port") return constants(typed, named_suites(before));
    } else if (name == "type") {
        std::set<std::string_view> known;
        for (const Suite* suite : named_suites(before)) {
            for (const ElementType type : suite->types) known.insert(name_of(type));
        }
        for (const std::string_view one : known) offers.emplace_back(one, "");
    } else if (name == "lesson") {
        offers.emplace_back("all", "all lessons, in order");
        for (const Lesson& one : lessons()) offers.emplace_back(one.name, one.title);
    } else if (name == "row") {
        offers.emplace_back("all", "all rows");
        for (const PublishedRow& one : published_rows()) offers.emplace_back(one.name, "");
    } else if (name == "planted" && command.name == "explain") {
        offers.emplace_back("all", "all planted gaps");
        for (const PlantedGap& one : planted_gaps()) offers.emplace_back(one.name, "");
    }
    return offers;
}

Offers offers(const std::vector<std::string>& words, const CommandContext& context) {
    Offers list;
    const std::string& typed = words.back();
    const auto command = std::ranges::find(commands(), words.front(), &Command::name);
    if (words.size() == 1) {
        for (const Command& one : commands()) list.emplace_back(one.name, one.summary);
        for (const char* one : {"--help", "--version"}) list.emplace_back(one, "");
        return list;
    }
    if (command == commands().end()) return {};
    const std::vector<std::string> before(words.begin() + 1, words.end() - 1);
    if (command->takes_program && std::ranges::count(before, "--") > 0) return {};
    const std::vector<OptionWords> options = options_of(*command);
    const auto option_of = [&](const std::string& word) {
        return std::ranges::find_if(options, [&](const OptionWords& one) {
            return !one.is_positional &&
                   (word == "--" + one.long_name ||
                    (!one.short_name.empty() && word == "-" + one.short_name));
        });
    };
    if (!before.empty()) {
        const auto open = option_of(before.back());
        if (open != options.end() && !open->value.empty()) {
            return values(*command, open->long_name, before, typed, context);
        }
    }
    if (typed.starts_with('-')) {
        for (const OptionWords& one : options) {
            if (!one.is_positional) list.emplace_back("--" + one.long_name, one.about);
        }
        return list;
    }
    std::size_t place = 0;  // among the positional words
    for (std::size_t i = 0; i < before.size(); ++i) {
        const auto option = option_of(before[i]);
        if (option != options.end()) {
            i += option->value.empty() ? 0 : 1;
        } else if (!before[i].starts_with('-')) {
            ++place;
        }
    }
    if (place >= command->positional.size()) return {};
    return values(*command, command->positional[place], before, typed, context);
}

}  // namespace

std::string completions(const std::vector<std::string>& words, const CommandContext& context) {
    std::string lines;
    if (words.empty()) return lines;
    std::set<std::string> known;
    for (const auto& [word, about] : offers(words, context)) {
        if (!word.starts_with(words.back()) || !known.insert(word).second) continue;
        lines += fmt::format("{}\t{}\n", word, about.substr(0, about.find_first_of(".;:\n")));
    }
    return lines;
}

}  // namespace parallax::cli
