// Where the names in a text of somebody else's may lead.
#pragma once

#include <filesystem>
#include <vector>

namespace parallax {

/// Folders that such a text may read, with all that is below them.
class PathSandbox {
public:
    /// @param folders  that a person named; an empty one is the current one
    explicit PathSandbox(const std::vector<std::filesystem::path>& folders);

    /// @throws Error, a part of a sentence, when the file, links followed, lies in none of them
    void check(const std::filesystem::path& file) const;

private:
    std::vector<std::filesystem::path> folders_;  ///< without links
};

}  // namespace parallax
