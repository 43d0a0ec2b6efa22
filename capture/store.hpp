// The folder of a capture: contents once by their hash, packed, and files that are whole or not
// there.
#pragma once

#include <csignal>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace parallax::capture {

/// While it lives, a file that grows beyond the process' limit is an error of a call, and no signal
/// that ends the program.
class NoFileSizeSignal {
public:
    NoFileSizeSignal() {
        sigemptyset(&signal_);
        sigaddset(&signal_, SIGXFSZ);
        sigset_t waiting;
        sigpending(&waiting);
        is_waiting_ = sigismember(&waiting, SIGXFSZ) == 1;
        pthread_sigmask(SIG_BLOCK, &signal_, &before_);
    }
    NoFileSizeSignal(const NoFileSizeSignal&) = delete;
    NoFileSizeSignal& operator=(const NoFileSizeSignal&) = delete;
    ~NoFileSizeSignal() {
        const timespec now{};
        if (!is_waiting_) sigtimedwait(&signal_, nullptr, &now);
        pthread_sigmask(SIG_SETMASK, &before_, nullptr);
    }

private:
    sigset_t signal_{}, before_{};
    bool is_waiting_ = false;
};

/// Writes one folder. Not thread-safe.
class Store {
public:
    /// @param most_bytes  of contents, as they are packed
    Store(std::filesystem::path folder, std::uint64_t most_bytes)
        : folder_(std::move(folder)), most_bytes_(most_bytes) {}
    static constexpr const char* too_much = "more contents than --max-bytes";

    /// Fills a span with the next bytes of a content; false: they cannot be had.
    using Reader = std::function<bool(std::span<std::byte>)>;
    /// Keeps `bytes` bytes, piece by piece, and gives the name of their file within the folder.
    /// @throws std::exception when they cannot be read or written; nothing stays then
    std::string keep(std::uint64_t bytes, const Reader&);
    /// Whether the content is the one of that name, which was kept before.
    /// @throws std::exception when it cannot be read
    static bool is_still(const std::string& name, std::uint64_t bytes, const Reader&);
    /// A case names these contents.
    void hold(const std::vector<std::string>& names);
    /// A case that named them is gone. @returns those that no case names any more: they go as well,
    /// unless other processes write to the folder
    std::vector<std::string> drop(const std::vector<std::string>& names);
    /// Keeps a text as it is, once. @param folder within the folder; @param ending with its dot
    std::string keep_text(std::string_view text, std::string_view ending);
    /// Writes a file in one step.
    /// @throws std::exception
    void write(const std::string& name, std::string_view text) const;
    /// A name `WANTED`, or with `divider` and a number from 2 on behind it, that no file NAME.json
    /// had: an empty one has it now, also where several processes of a program look for names.
    /// @throws std::exception
    std::string claim(const std::string& wanted, char divider);

    const std::filesystem::path& folder() const { return folder_; }
    std::uint64_t bytes_kept() const { return bytes_kept_; }  ///< of contents, each once

private:
    std::filesystem::path folder_;
    std::uint64_t most_bytes_, bytes_kept_ = 0;
    std::map<std::string, unsigned> holders_;  ///< how many cases name a content
};

}  // namespace parallax::capture
