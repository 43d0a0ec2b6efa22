// Converts settings to one word, and back.
#include "capture/capture_settings.hpp"

#include <charconv>
#include <cstdlib>
#include <string_view>

namespace parallax::capture {

std::string to_word(const Settings& settings) {
    std::string word;
    const auto add = [&](std::string_view name, const std::string& value) {
        if (!word.empty()) word += ',';
        word.append(name).append("=").append(value);
    };
    if (settings.timeline) add("timeline", "1");
    if (settings.no_data) add("no_data", "1");
    if (settings.no_binaries) add("no_binaries", "1");
    add("launch", std::to_string(settings.launch));
    add("first", std::to_string(settings.first));
    add("per_kernel", std::to_string(settings.per_kernel));
    add("max_bytes", std::to_string(settings.max_bytes));
    for (const std::string& kernel : settings.kernels) add("kernel", kernel);
    return word;
}

Settings settings_from_environment() {
    Settings settings;
    if (const char* folder = std::getenv(folder_variable)) settings.folder = folder;
    const char* text = std::getenv(settings_variable);
    std::string_view rest = text ? text : "";
    while (!rest.empty()) {
        const std::string_view one = rest.substr(0, rest.find(','));
        rest.remove_prefix(one.size() < rest.size() ? one.size() + 1 : rest.size());
        const std::size_t equals = one.find('=');
        if (equals == one.npos) continue;
        const std::string_view name = one.substr(0, equals), value = one.substr(equals + 1);
        std::uint64_t number = 0;
        std::from_chars(value.data(), value.data() + value.size(), number);
        if (name == "timeline") settings.timeline = number != 0;
        if (name == "no_data") settings.no_data = number != 0;
        if (name == "no_binaries") settings.no_binaries = number != 0;
        if (name == "launch") settings.launch = number;
        if (name == "first") settings.first = number;
        if (name == "per_kernel") settings.per_kernel = number;
        if (name == "max_bytes") settings.max_bytes = number;
        if (name == "kernel") settings.kernels.emplace_back(value);
    }
    return settings;
}

}  // namespace parallax::capture
