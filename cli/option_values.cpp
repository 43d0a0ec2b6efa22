// Parses devices and options that several commands share.
#include "cli/option_values.hpp"

#include <algorithm>
#include <cstdlib>
#include <ostream>

#include <fmt/format.h>
#include <unistd.h>

#include "common/text/text.hpp"

namespace parallax::cli {

std::vector<Entry> chosen_entries(const Devices& devices, const std::vector<std::string>& words) {
    std::vector<Entry> chosen;
    if (words.empty()) {
        std::ranges::copy_if(devices.entries, std::back_inserter(chosen),
                             [](const Entry& entry) { return !entry.info.only_checks; });
    }
    for (const std::string& word : words) {
        for (const Entry& entry : matching(devices, word)) {
            const bool known = std::ranges::any_of(
                chosen, [&](const Entry& other) { return other.info.id() == entry.info.id(); });
            if (!known) chosen.push_back(entry);
        }
    }
    return chosen;
}

void refuse_untimed(std::span<const Entry> entries) {
    for (const Entry& entry : entries) {
        if (!entry.info.only_checks) continue;
        throw UsageError(
            fmt::format("{} ({}) checks answers, and is no measure of speed: 'parallax run --check "
                        "-d {}' or 'parallax diff opencl:0 {}'.",
                        entry.info.id(), entry.info.name, entry.info.id(), entry.info.id()));
    }
}

std::vector<Entry> entries_for(const std::vector<std::string>& words, bool quiet,
                               CommandContext& context) {
    // OpenCL's platforms take long to load, so only the selected backends are loaded. A word
    // without a backend is an error that lists all devices.
    const auto is_elsewhere = [&](std::string_view word) {
        const std::string_view backend = word.substr(0, word.find(':'));
        return backend != "opencl" && std::ranges::any_of(context.backends, [&](const auto& one) {
                   return one->name() == backend;
               });
    };
    const bool no_opencl = !words.empty() && std::ranges::all_of(words, is_elsewhere);
    // The host is used only when it is named. When it is the only device, no driver is loaded:
    // CUDA's occupies addresses that the host's sanitizers need.
    std::span<const std::unique_ptr<Backend>> asked = context.backends;
    const auto host =
        std::ranges::find_if(asked, [](const auto& one) { return one->name() == "host"; });
    const bool only_host = !words.empty() && std::ranges::all_of(words, [](std::string_view word) {
        return word.substr(0, word.find(':')) == "host";
    });
    if (only_host && host != asked.end()) {
        asked = asked.subspan(static_cast<std::size_t>(host - asked.begin()), 1);
    }
    const char* left_out = no_opencl ? "opencl" : words.empty() ? "host" : "";
    const Devices devices = find_devices(asked, left_out);
    for (const Problem& problem : devices.problems) {
        if (words.empty() && !quiet) context.err << to_string(problem) << "\n";
    }
    try {
        return chosen_entries(devices, words);
    } catch (const UsageError&) {
        if (only_host || no_opencl) return chosen_entries(find_devices(context.backends), words);
        throw;
    }
}

int print_no_device(CommandContext& context, std::string_view what) {
    context.err << fmt::format(
        "parallax: There is no device {}. 'parallax doctor' says what is missing, and how to get "
        "it.\n",
        what);
    return exit_nothing;
}

void add_allow_option(boost::program_options::options_description_easy_init& add) {
    namespace po = boost::program_options;
    add("allow", po::value<std::vector<std::string>>()->composing(),
        "folder that a manifest or a kernel's includes may read in addition to their own; "
        "repeatable");
}

void add_allow_options(boost::program_options::options_description_easy_init& add) {
    add_allow_option(add);
    add("allow-command", "run the command that a manifest names as its reference");
}

std::string two_columns(std::string_view name, std::string_view about, std::size_t from,
                        std::size_t to, std::size_t width) {
    std::string line = std::string(from, ' ').append(name);
    if (line.size() + 2 > to) line += "\n" + std::string(to, ' ');
    if (line.size() < to) line.resize(to, ' ');
    line += wrapped(about, width, to, to) + "\n";
    return line;
}

bool is_given(const Values& values, const char* name) {
    const auto found = values.find(name);
    return found != values.end() && !found->second.defaulted();
}

std::filesystem::path program_in_path(const std::string& word) {
    namespace fs = std::filesystem;
    const auto can_run = [](const fs::path& file) {
        return ::access(file.c_str(), X_OK) == 0 && !fs::is_directory(file);
    };
    if (word.find('/') != word.npos) return can_run(word) ? fs::path(word) : fs::path();
    const char* path = std::getenv("PATH");
    std::string_view rest = path ? path : "";
    while (!rest.empty()) {
        const std::string_view folder = rest.substr(0, rest.find(':'));
        rest.remove_prefix(std::min(folder.size() + 1, rest.size()));
        if (fs::path file = fs::path(folder) / word; can_run(file)) return file;
    }
    return {};
}

std::vector<std::string> words_of(const Values& values, const char* name) {
    return value_of<std::vector<std::string>>(values, name).value_or(std::vector<std::string>{});
}

}  // namespace parallax::cli
