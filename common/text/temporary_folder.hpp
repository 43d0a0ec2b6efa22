// A temporary folder that is removed automatically.
#pragma once

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>

#include <fmt/format.h>
#include <unistd.h>

#include "common/error.hpp"
#include "common/process/process_folders.hpp"

namespace parallax {

/// A new private folder. It is removed with its content by the destructor, or at the next start of
/// the program if this process is killed.
class TemporaryFolder {
public:
    /// @param start  of its name: `parallax-`, a word and `-`. @throws Error
    explicit TemporaryFolder(std::string_view start) {
        std::string name =
            (place_of_temporary_folders() / (start_of_process_folder(start) + "XXXXXX")).string();
        if (!::mkdtemp(name.data())) {
            throw Error(fmt::format("Cannot make the folder {}: {}. TMPDIR names another place.",
                                    name, std::strerror(errno)));
        }
        path_ = name;
    }
    TemporaryFolder(const TemporaryFolder&) = delete;
    TemporaryFolder& operator=(const TemporaryFolder&) = delete;
    ~TemporaryFolder() {
        std::error_code ignored;
        // A forked child must not remove it.
        if (::getpid() == maker_) std::filesystem::remove_all(path_, ignored);
    }

    const std::filesystem::path& path() const { return path_; }
    std::string file(std::string_view name) const { return (path_ / name).string(); }
    /// Writes a file and returns its path. @throws Error when it cannot be written
    std::string put(std::string_view name, std::string_view text) const {
        std::ofstream stream(file(name), std::ios::binary);
        if (!stream.write(text.data(), static_cast<std::streamsize>(text.size())).flush()) {
            throw Error(file(name) + " cannot be written.");
        }
        return file(name);
    }

private:
    pid_t maker_ = ::getpid();
    std::filesystem::path path_;
};

}  // namespace parallax
