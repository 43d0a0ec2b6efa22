// A project's own defaults: the options that a file `parallax.toml` sets.
#include "cli/settings.hpp"

#include <algorithm>
#include <filesystem>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <toml++/toml.h>

#include "cli/arguments.hpp"
#include "cli/processes.hpp"
#include "common/error.hpp"
#include "common/text.hpp"

namespace parallax::cli {
namespace {

namespace po = boost::program_options;
namespace fs = std::filesystem;

/// What may stand outside of a command's table: it is for every command that has the option.
const std::vector<std::string> for_all{"devices", "margin", "max-slowdown", "budget", "floats"};

/// What lets others' files reach beyond themselves is said where somebody asks, and by no file that
/// may be one of them.
const std::vector<std::string> never{"allow", "allow-command"};

fs::path nearest_file() {
    std::error_code error;
    for (fs::path at = fs::current_path(error); !at.empty(); at = at.parent_path()) {
        if (fs::is_regular_file(at / settings_file, error)) return at / settings_file;
        if (!at.has_relative_path()) break;
    }
    return {};
}

UsageError wrong(const fs::path& file, const toml::node& at, const std::string& what) {
    return UsageError(fmt::format("{}:{}: {}", file.string(), at.source().begin.line, what));
}

/// The words that stand for a value on a command line; of `false` nothing.
std::optional<std::vector<std::string>> words_in(const toml::node& node) {
    if (const auto* list = node.as_array()) {
        std::vector<std::string> words;
        for (const toml::node& one : *list) {
            const auto some = words_in(one);
            if (!some || one.is_array()) return {};
            words.push_back(some->front());
        }
        return words;
    }
    if (const auto* text = node.as_string()) return std::vector{text->get()};
    if (const auto* whole = node.as_integer()) return std::vector{std::to_string(whole->get())};
    if (const auto* number = node.as_floating_point()) {
        return std::vector{fmt::format("{}", number->get())};
    }
    return {};
}

}  // namespace

std::string take_settings(const Command& command, const po::options_description& description,
                          Values& values) {
    const fs::path file = nearest_file();
    if (file.empty()) return {};
    toml::table table;
    try {
        table = toml::parse_file(file.string());
    } catch (const toml::parse_error& error) {
        throw UsageError(fmt::format("{}:{}: {}", file.string(), error.source().begin.line,
                                     error.description()));
    }
    std::vector<std::string> taken;
    const auto take = [&](std::string name, const toml::node& node) {
        std::string as_written = name;
        if (name == "devices") name = command.name == "diff" ? "sides" : "device";
        // `explain` may be given files, which have their devices already.
        if (name == "device" && command.name == "explain") return;
        // A process of several is not to begin several.
        if (name == "processes" && !which_process().empty()) return;
        const po::option_description* known = description.find_nothrow(name, false);
        if (!known) return;
        if (std::ranges::find(never, name) != never.end()) {
            throw wrong(file, node,
                        fmt::format("--{} is taken from the command line alone: this file may be "
                                    "a stranger's.",
                                    name));
        }
        po::option option;
        option.string_key = name;
        if (const auto* flag = node.as_boolean(); flag && known->semantic()->max_tokens() == 0) {
            if (!flag->get()) return;
        } else if (auto words = words_in(node); words && known->semantic()->max_tokens() > 0) {
            option.value = std::move(*words);
        } else {
            throw wrong(file, node,
                        fmt::format("'{}' has no value that --{} takes.", as_written, name));
        }
        if (is_given(values, name.c_str()) || std::ranges::count(taken, as_written) > 0) return;
        option.original_tokens = option.value;
        po::parsed_options parsed(&description);
        parsed.options.push_back(option);
        Values fresh;
        po::store(parsed, fresh);
        values.erase(name);
        values.insert({name, po::variable_value(fresh[name].value(), true)});
        taken.push_back(as_written);
    };
    // A command's own table goes before what is for all.
    for (const bool own : {true, false}) {
        for (const auto& [key, node] : table) {
            const std::string name(key.str());
            if (const auto* of_command = node.as_table()) {
                if (std::ranges::find(commands(), name, &Command::name) == commands().end()) {
                    throw wrong(file, node,
                                fmt::format("There is no command '{}'.{}", name,
                                            did_you_mean(name, names(commands()))));
                }
                if (!own || name != command.name) continue;
                for (const auto& [option, value] : *of_command) {
                    const std::string word(option.str());
                    const bool positional = std::ranges::count(command.positional, word) > 0;
                    if ((!description.find_nothrow(word, false) && word != "devices") ||
                        positional) {
                        throw wrong(
                            file, value,
                            fmt::format("'{}' has no option --{}.{} 'parallax {} --help' shows "
                                        "what there is.",
                                        name, word, did_you_mean_option(command, word), name));
                    }
                    take(word, value);
                }
            } else if (std::ranges::find(for_all, name) == for_all.end()) {
                throw wrong(
                    file, node,
                    fmt::format("There is no setting '{}'.{} There are: {}, and a table "
                                "[COMMAND] for a command's options.",
                                name, did_you_mean(name, for_all), fmt::join(for_all, ", ")));
            } else if (!own) {
                take(name, node);
            }
        }
    }
    if (taken.empty()) return {};
    return fmt::format("parallax: from {}: {}\n", file.string(), fmt::join(taken, ", "));
}

}  // namespace parallax::cli
