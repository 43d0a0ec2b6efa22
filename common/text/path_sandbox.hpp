// Restricts the files that an untrusted manifest or source may refer to.
#pragma once

#include <filesystem>
#include <vector>

namespace parallax {

/// Folders that such a file may read, with everything below them.
class PathSandbox {
public:
    /// @param folders  given by the user; an empty one is the current folder
    explicit PathSandbox(const std::vector<std::filesystem::path>& folders);

    bool holds(const std::filesystem::path& file) const;
    /// @throws Error, a part of a sentence, when the file, links resolved, is outside all of them
    void check(const std::filesystem::path& file) const;

    const std::vector<std::filesystem::path>& folders() const { return folders_; }
    bool operator==(const PathSandbox&) const = default;

private:
    std::vector<std::filesystem::path> folders_;  ///< with links resolved
};

}  // namespace parallax
