// Resolves symbolic links before a path is allowed.
#include "common/text/path_sandbox.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "common/error.hpp"
#include "common/text/text.hpp"

namespace parallax {
namespace {

namespace fs = std::filesystem;

constexpr int most_links = 40;

/// The first part of a path that is a link; empty: none is.
fs::path first_link(const fs::path& place) {
    fs::path link;
    std::error_code unknown;
    for (const fs::path& part : place) {
        if (fs::is_symlink(link /= part, unknown)) return link;
    }
    return {};
}

/// @throws Error
fs::path without_links(const fs::path& path) {
    std::error_code error;
    const fs::path whole = fs::absolute(path.empty() ? "." : path, error);
    fs::path place = error ? fs::path() : fs::weakly_canonical(whole, error);
    // A link to nothing leads somewhere, too, and is left.
    fs::path link = error ? fs::path() : first_link(place);
    for (int links = 0; !error && !link.empty() && links < most_links; ++links) {
        fs::path to = link.parent_path() / fs::read_symlink(link, error);
        if (link != place) to /= place.lexically_relative(link);
        if (!error) place = fs::weakly_canonical(to, error);
        link = first_link(place);
    }
    if (!error) return place;
    throw Error(fmt::format("it cannot be told where {} leads: {}", printable(path.string(), 200),
                            error.message()));
}

bool lies_in(const fs::path& place, const fs::path& folder) {
    const auto [end, rest] = std::ranges::mismatch(folder, place);
    // A folder given with a trailing slash has an empty last component.
    return end == folder.end() || end->empty();
}

}  // namespace

PathSandbox::PathSandbox(const std::vector<fs::path>& folders) {
    for (const fs::path& folder : folders) folders_.push_back(without_links(folder));
}

bool PathSandbox::holds(const fs::path& file) const {
    const fs::path place = without_links(file);
    return std::ranges::any_of(folders_,
                               [&](const fs::path& folder) { return lies_in(place, folder); });
}

void PathSandbox::check(const fs::path& file) const {
    if (holds(file)) return;
    const fs::path place = without_links(file);
    std::error_code error;
    const fs::path folder = fs::is_directory(place, error) ? place : place.parent_path();
    const std::string advice =
        folder == folder.root_path()
            ? "copy what is needed from there into that folder"
            : fmt::format("where that is meant, --allow {} opens the other one",
                          printable(folder.string(), 200));
    throw Error(fmt::format("{} leads to {}, outside the folder that may be read; {}",
                            printable(file.string(), 200), printable(place.string(), 200), advice));
}

}  // namespace parallax
