// `parallax open`: opens a report in a browser.
#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <ostream>

#include <fmt/format.h>

#include "cli/option_values.hpp"
#include "common/error.hpp"
#include "common/process/spawn.hpp"

namespace parallax::cli {
namespace {

/// Whether this program wrote it.
bool is_page(const fs::path& file) {
    std::error_code error;
    if (file.extension() != ".html" || !fs::is_regular_file(file, error)) return false;
    std::ifstream in(file, std::ios::binary);
    std::string start(std::size_t{16} << 10, '\0');
    in.read(start.data(), static_cast<std::streamsize>(start.size()));
    return start.find("Parallax") != start.npos;
}

/// The latest report, here or in a folder of results.
fs::path last_page() {
    std::vector<std::pair<fs::file_time_type, fs::path>> pages;
    std::error_code error;
    const auto look = [&](const fs::path& folder) {
        for (fs::directory_iterator at(folder, error), end; !error && at != end;
             at.increment(error)) {
            if (is_page(at->path())) pages.emplace_back(at->last_write_time(error), at->path());
        }
        error.clear();
    };
    look(".");
    for (fs::directory_iterator at("results", error), end; !error && at != end;
         at.increment(error)) {
        look(at->path());
    }
    if (!pages.empty()) return std::ranges::max(pages).second;
    throw UsageError(
        "There is no page of this program here or in results/. 'parallax diff -o page.html' makes "
        "one; 'parallax open FILE' takes one from elsewhere.");
}

int open_page(const Values& values, CommandContext& context) {
    const auto word = value_of<std::string>(values, "file");
    const fs::path page = word ? fs::path(*word) : last_page();
    std::error_code error;
    if (!fs::is_regular_file(page, error)) {
        throw UsageError(fmt::format("There is no file {}.", page.string()));
    }
    const fs::path file = fs::canonical(page);
    context.out << file.string() << std::endl;
    const char* browser = std::getenv("BROWSER");
    const fs::path program = browser && *browser ? browser : "xdg-open";
    const fs::path found = program_in_path(program.string());
    if (found.empty()) {
        context.err << fmt::format(
            "parallax: {} is not here to open it. Set BROWSER to a browser's name, or open the "
            "file by hand.\n",
            program.string());
        return exit_nothing;
    }
    const ExitStatus ending =
        spawn({.program = found, .words = {file.string()}, .called = program.string()});
    if (ending.signal == 0 && ending.code == 0) return exit_ok;
    context.err << fmt::format(
        "parallax: {} did not open it. Set BROWSER to a browser's name, or open the file by "
        "hand.\n",
        program.string());
    return exit_nothing;
}

}  // namespace

Command open_command() {
    return {.name = "open",
            .arguments = "[FILE.html]",
            .summary = "the last page that was written, in a browser",
            .about =
                "Shows a page in the browser that BROWSER names, or that xdg-open knows. Without "
                "a file: the page of this program that was written last in this folder or in "
                "results/DEVICE. It prints the page's place.",
            .examples = {"parallax open", "parallax open why.html"},
            .positional = {"file"},
            .options = [](auto add) { add("file", po::value<std::string>(), "a page"); },
            .run = open_page};
}

}  // namespace parallax::cli
