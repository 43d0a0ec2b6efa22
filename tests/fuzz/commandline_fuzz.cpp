// Fuzzes the words of the command line, one per line, and after an empty line a project's file:
// they are parsed and checked, and nothing is run.
//
//     tests/fuzz/run build-fuzz 600 commandline
//
// results_fuzz.cpp says how the build folder is made and what to do with a find.
#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include <unistd.h>

#include "cli/chosen_devices.hpp"
#include "cli/command.hpp"
#include "cli/option_values.hpp"
#include "cli/request.hpp"
#include "cli/settings.hpp"
#include "common/error.hpp"
#include "common/text/temporary_folder.hpp"
#include "common/text/text_lines.hpp"
#include "tests/fuzz/fuzz.hpp"

namespace {

using namespace parallax;
using namespace parallax::cli;
using fuzz::demand;

/// Changes to an empty folder, where named files do not exist.
void go_apart() {
    static const TemporaryFolder folder("parallax-fuzz-");
    std::filesystem::current_path(folder.path());
}

void set_project(std::string_view text) {
    static std::string before;
    if (text == before) return;
    before = text;
    std::filesystem::remove(settings_file);
    if (!text.empty()) std::ofstream(settings_file, std::ios::binary) << text;
}

/// Parses the options that several commands share.
void look_at(const Values& values, const CommandContext& context) {
    // An option of one name takes one word in some commands and several in others.
    const auto has_words = [&](const char* name) {
        return boost::any_cast<std::vector<std::string>>(&values[name].value()) != nullptr;
    };
    if (has_words("suite")) {
        const Request request = request_of(values, context, 60, 600);
        demand(request.budget_seconds > 0);
        floats_of(values);
    }
    if (values.count("margin") > 0) {
        const double margin = margin_of(values);
        demand(margin > 0 && margin < 1);
    }
    if (has_words("device")) chosen_entries({}, words_of(values, "device"));
}

void read(const std::vector<std::string>& words, CommandContext& context) {
    const auto& all = commands();
    const auto command = std::ranges::find(all, words.front(), &cli::Command::name);
    if (command == all.end()) return;
    const std::vector<std::string> own(words.begin() + 1, words.end());
    try {
        const Values values = values_of(*command, own, context);
        if (values.count("help") > 0) {
            demand(!help_page(*command, 80).empty());
            return;
        }
        look_at(values, context);
    } catch (const UsageError& error) {
        demand(!std::string_view(error.what()).empty());
    }
}

}  // namespace

int parallax::fuzz::commandline(const std::uint8_t* data, std::size_t size) {
    go_apart();
    const std::string_view text(reinterpret_cast<const char*>(data), size);
    const std::size_t end = std::min(text.find("\n\n"), size);
    set_project(text.substr(std::min(end + 2, size)));
    std::vector<std::string> words;
    for (const std::string_view line : lines_of(text.substr(0, end))) words.emplace_back(line);
    if (words.empty()) return 0;
    std::ostringstream out, err;
    CommandContext context{out, err, {}};
    completions(words, context);
    read(words, context);
    return 0;
}
