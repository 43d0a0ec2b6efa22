// What all commands do with their words: devices, options.
#include "cli/arguments.hpp"

#include <algorithm>
#include <ostream>

namespace parallax::cli {

std::vector<Entry> chosen_entries(const Devices& devices, const std::vector<std::string>& words) {
    if (words.empty()) return devices.entries;
    std::vector<Entry> chosen;
    for (const std::string& word : words) {
        for (const Entry& entry : matching(devices, word)) {
            const bool known = std::ranges::any_of(
                chosen, [&](const Entry& other) { return other.info.id() == entry.info.id(); });
            if (!known) chosen.push_back(entry);
        }
    }
    return chosen;
}

std::vector<Entry> entries_for(const std::vector<std::string>& words, bool quiet, World& world) {
    const Devices devices = find_devices(world.backends);
    for (const std::string& problem : devices.problems) {
        if (words.empty() && !quiet) world.err << problem << "\n";
    }
    return chosen_entries(devices, words);
}

void add_allow_option(boost::program_options::options_description_easy_init& add) {
    namespace po = boost::program_options;
    add("allow", po::value<std::vector<std::string>>()->composing(),
        "folder that a manifest or a kernel's includes may read beside their own, again and again");
}

std::vector<std::string> words_of(const Values& values, const char* name) {
    return value_of<std::vector<std::string>>(values, name).value_or(std::vector<std::string>{});
}

}  // namespace parallax::cli
