// Finds the devices that the command line selects, and loads only their backends.
#include "cli/chosen_devices.hpp"

#include <algorithm>
#include <ostream>

#include <fmt/format.h>

#include "common/error.hpp"

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
            fmt::format("{} ({}) checks answers on the processor and is never timed: 'parallax run "
                        "--check -d {}' or 'parallax diff opencl:0 {}'.",
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

Error no_device(std::string_view what) {
    return Error(fmt::format(
        "There is no device {}. 'parallax doctor' says what is missing, and how to get it.", what));
}

}  // namespace parallax::cli
