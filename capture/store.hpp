// The folder of a capture: contents once by their hash, packed, and files that are whole or not
// there.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <span>
#include <string>
#include <string_view>

namespace parallax::capture {

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
};

}  // namespace parallax::capture
