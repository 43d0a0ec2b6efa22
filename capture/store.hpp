// The folder of a capture: contents stored once by hash, compressed; files appear atomically.
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

/// While it lives, exceeding the process' file size limit is an error of a call, and no signal that
/// ends the program.
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
    /// @param most_bytes  of contents, compressed
    /// @param only_hashes  contents have names, and no files
    Store(std::filesystem::path folder, std::uint64_t most_bytes, bool only_hashes = false)
        : folder_(std::move(folder)), most_bytes_(most_bytes), only_hashes_(only_hashes) {}
    static constexpr const char* too_much = "more contents than --max-bytes";

    /// Fills a span with the next bytes of a content; false: they are unavailable.
    using Reader = std::function<bool(std::span<std::byte>)>;
    /// Stores `bytes` bytes, piece by piece, and returns the name of their file within the folder.
    /// @throws std::exception when they cannot be read or written; nothing remains then
    std::string keep(std::uint64_t bytes, const Reader&);
    /// Whether the content equals the stored one of that name; none has an empty name. To see that
    /// takes less time than to store it again.
    /// @throws std::exception when it cannot be read
    bool is_still(const std::string& name, std::uint64_t bytes, const Reader&) const;
    /// A case refers to these contents.
    void hold(const std::vector<std::string>& names);
    /// A case that referred to them was dropped: contents that no other one has are removed, unless
    /// other processes write to the folder.
    void drop(const std::vector<std::string>& names);
    /// Stores an uncompressed text, once. @param folder within the folder; @param ending  with dot
    std::string keep_text(std::string_view text, std::string_view ending);
    /// Writes a file atomically.
    /// @throws std::exception
    void write(const std::string& name, std::string_view text) const;
    /// Claims an unused name `WANTED`, or with `divider` and a number from 2 on appended, by
    /// creating an empty file NAME.json; safe with several processes.
    /// @throws std::exception
    std::string claim(const std::string& wanted, char divider);

    const std::filesystem::path& folder() const { return folder_; }
    std::uint64_t bytes_kept() const { return bytes_kept_; }  ///< of contents, each once

private:
    std::filesystem::path folder_;
    std::uint64_t most_bytes_, bytes_kept_ = 0;
    bool only_hashes_;
    std::map<std::string, unsigned> holders_;  ///< number of cases per content
};

/// The content that memory had when it was last read.
struct LastContent {
    std::string name = {};  ///< empty: it was not read
    /// It was seen to change: to look whether it stayed would cost more than it saves.
    bool changes = false;

    /// The name, where the memory still has that content; empty: it has to be stored.
    std::string kept_again(const Store& store, std::uint64_t bytes, const Store::Reader& read) {
        if (changes || name.empty()) return {};
        changes = !store.is_still(name, bytes, read);
        return changes ? std::string() : name;
    }
};

}  // namespace parallax::capture
