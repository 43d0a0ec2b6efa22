// Reads a project's default options from a file `parallax.toml`.
#include "cli/settings.hpp"

#include <algorithm>
#include <filesystem>
#include <ostream>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <sys/stat.h>
#include <toml++/toml.h>
#include <unistd.h>

#include "cli/option_values.hpp"
#include "cli/repeated_runs.hpp"
#include "cli/sides.hpp"
#include "common/error.hpp"
#include "common/text/read_file.hpp"
#include "common/text/text.hpp"
#include "records/write_file.hpp"
#include "suites/manifest/manifest.hpp"

namespace parallax::cli {
namespace {

/// Options outside of command tables, for every command that has them.
const std::vector<std::string> for_all{"devices", "margin", "max-slowdown", "budget", "floats"};

constexpr std::uint64_t most_bytes = std::uint64_t{64} << 10;
/// In keys, numbers and comments; each dot of a key nests one level of recursive destruction.
constexpr std::ptrdiff_t most_dots = 500;

bool belongs_to_caller(const fs::path& place, bool follow) {
    struct stat status {};
    const int found = follow ? stat(place.c_str(), &status) : lstat(place.c_str(), &status);
    return found == 0 && (status.st_uid == 0 || status.st_uid == geteuid());
}

/// In a world-writable folder, the file's own owner decides.
bool is_trusted(const fs::path& file) {
    return belongs_to_caller(file.parent_path(), true) && belongs_to_caller(file, false) &&
           belongs_to_caller(file, true);
}

/// @param passed_over  receives the files of other users
fs::path nearest_file(std::vector<fs::path>& passed_over) {
    std::error_code error;
    for (fs::path at = fs::current_path(error); !at.empty(); at = at.parent_path()) {
        const fs::path file = at / settings_file;
        if (fs::is_regular_file(file, error)) {
            if (is_trusted(file)) return file;
            passed_over.push_back(file);
        }
        if (!at.has_relative_path()) break;
    }
    return {};
}

toml::table table_in(const fs::path& file) {
    const std::string name = printable(file.string(), 200);
    try {
        const std::string text = read_file(file, most_bytes);
        if (std::ranges::count(text, '.') > most_dots) {
            throw UsageError(fmt::format(
                "{}: It has more than {} dots, and a setting is NAME = VALUE. Write fewer.", name,
                most_dots));
        }
        return toml::parse(text, file.string());
    } catch (const toml::parse_error& error) {
        throw UsageError(fmt::format("{}:{}: {}", name, error.source().begin.line,
                                     printable(error.description(), 200)));
    }
}

/// Why the word is no file below the folder that a setting may name; empty: it is one.
std::string why_outside(const fs::path& folder, const std::string& word, Setting kind) {
    std::error_code error;
    const fs::path base = fs::canonical(folder, error);
    const fs::path whole = error ? fs::path() : fs::absolute(word, error);
    const fs::path place = error ? fs::path() : fs::weakly_canonical(whole, error);
    const fs::path below = error ? fs::path() : place.lexically_relative(base);
    if (below.empty() || *below.begin() == "..") return "leads out of the file's folder";
    fs::path at = base;
    for (const fs::path& part : below) {
        if (part == ".") continue;
        // `.git` and similar ones configure other programs.
        if (part.string().starts_with('.')) return "leads to a hidden file or folder";
        at /= part;
        // Links were followed; a remaining one is dangling, and writing would create its target.
        if (fs::is_symlink(at, error)) return "is a link that leads nowhere";
    }
    if (kind != Setting::path && fs::is_directory(place, error)) return "is a folder";
    const bool is_safe = kind != Setting::report || may_be_replaced(place);
    return is_safe ? "" : "holds something other than a report, which would be lost";
}

UsageError wrong(const fs::path& file, const toml::node& at, const std::string& what) {
    return UsageError(
        fmt::format("{}:{}: {}", printable(file.string(), 200), at.source().begin.line, what));
}

/// The command-line words for a value; empty for `false`.
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

/// @throws UsageError when this file must not set it
void check_setting(const fs::path& file, const toml::node& node, const std::string& name,
                   const po::option_description& known, const std::vector<std::string>& words) {
    const auto* kind = dynamic_cast<const Settable*>(known.semantic().get());
    if (!kind) {
        throw wrong(file, node,
                    fmt::format("--{} is taken from the command line alone: this file may be "
                                "untrusted.",
                                name));
    }
    for (const std::string& word : words) {
        const bool is_file = kind->kind() != Setting::plain && kind->kind() != Setting::suite;
        const std::string why =
            is_file ? why_outside(file.parent_path(), word, kind->kind()) : std::string();
        if (!why.empty()) {
            throw wrong(file, node,
                        fmt::format("--{} {} {}: this file may be untrusted, and may name only "
                                    "files of its own folder. Name it on the command line.",
                                    name, printable(word, 60), why));
        }
        const bool is_side = name == "sides" && !may_be_results(word);
        if ((kind->kind() == Setting::suite || is_side) && names_manifest(word)) {
            throw wrong(file, node,
                        fmt::format("--{} {} names a manifest, and kernels are named on the "
                                    "command line alone: this file may be untrusted.",
                                    name, printable(word, 60)));
        }
    }
}

}  // namespace

void take_settings(const Command& command, const po::options_description& description,
                   Values& values, std::ostream& err) {
    // The file's own `quiet` does not hide what it sets.
    const bool quiet = values.count("quiet") > 0;
    std::vector<fs::path> passed_over;
    const fs::path file = nearest_file(passed_over);
    for (const fs::path& other : passed_over) {
        if (quiet) break;
        err << fmt::format(
            "parallax: {} is passed over: it or its folder belongs to another user. Where it is "
            "meant, become its owner (chown), or give its options on the command line.\n",
            printable(other.string(), 200));
    }
    if (file.empty()) return;
    const toml::table table = table_in(file);
    std::vector<std::string> taken, told;
    const auto take = [&](std::string name, const toml::node& node) {
        std::string as_written = name;
        if (name == "devices") name = command.name == "diff" ? "sides" : "device";
        // `explain` of files already has its devices.
        if (name == "device" && command.name == "explain") return;
        // A child of `--processes` must not start further processes.
        if (name == "processes" && !which_process().empty()) return;
        const po::option_description* known = description.find_nothrow(name, false);
        if (!known) return;
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
        check_setting(file, node, name, *known, option.value);
        if (is_given(values, name.c_str()) || std::ranges::count(taken, as_written) > 0) return;
        option.original_tokens = option.value;
        po::parsed_options parsed(&description);
        parsed.options.push_back(option);
        Values fresh;
        po::store(parsed, fresh);
        values.erase(name);
        values.insert({name, po::variable_value(fresh[name].value(), true)});
        taken.push_back(as_written);
        told.push_back(as_written);
        if (option.value.empty()) return;
        told.back() += " = " + printable(fmt::format("{}", fmt::join(option.value, " ")), 60);
    };
    // A command's own table precedes the common options.
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
    if (quiet || told.empty()) return;
    err << fmt::format("parallax: from {}: {}\n", printable(file.string(), 200),
                       fmt::join(told, ", "));
}

}  // namespace parallax::cli
