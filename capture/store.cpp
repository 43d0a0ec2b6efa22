// Compresses contents with zstd into files that appear only when they are complete.
#include "capture/store.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <fstream>
#include <memory>
#include <stdexcept>
#include <thread>
#include <vector>

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>
#include <zstd.h>

#include "common/text/hash.hpp"

namespace parallax::capture {
namespace {

namespace fs = std::filesystem;

/// Size of one read.
constexpr std::size_t piece_bytes = std::size_t{8} << 20;
/// Size of independent frames, which can be decompressed in parallel.
constexpr std::uint64_t frame_bytes = 4 * std::uint64_t{piece_bytes};
/// Threads for compressing a large content.
constexpr unsigned most_workers = 8;

constexpr const char* unreadable = "its content cannot be read";

std::string name_of_content(const Hasher& hasher) {
    return fmt::format("data/{}.zst", hasher.digits());
}

[[noreturn]] void cannot_write() {
    throw std::runtime_error("the folder cannot be written");
}

/// A skippable frame with the positions of the others: the table of the "Zstandard Seekable
/// Format", version 0.1.0, little-endian.
/// @param frames  compressed and uncompressed bytes of each
std::string seek_table(const std::vector<std::array<std::uint32_t, 2>>& frames) {
    std::string table;
    const auto add = [&](std::uint32_t word) {
        for (int shift = 0; shift < 32; shift += 8) table += static_cast<char>(word >> shift);
    };
    add(0x184D2A5E);
    add(static_cast<std::uint32_t>(8 * frames.size() + 9));
    for (const auto& [packed, whole] : frames) {
        add(packed);
        add(whole);
    }
    add(static_cast<std::uint32_t>(frames.size()));
    table += '\0';  // no checksums
    add(0x8F92EAB1);
    return table;
}

/// A file with a temporary name until it is complete; removed if that fails.
class Unfinished {
public:
    explicit Unfinished(const fs::path& folder)
        : path_(folder / fmt::format(".new-{}-{}", ::getpid(), next_++)) {
        fs::create_directories(folder);
        out_.open(path_, std::ios::binary | std::ios::trunc);
        if (!out_) cannot_write();
    }
    Unfinished(const Unfinished&) = delete;
    Unfinished& operator=(const Unfinished&) = delete;
    ~Unfinished() {
        std::error_code error;
        if (!path_.empty()) fs::remove(path_, error);
    }

    void write(const void* data, std::size_t bytes) {
        out_.write(static_cast<const char*>(data), static_cast<std::streamsize>(bytes));
        if (!out_) cannot_write();
    }
    void become(const fs::path& name) {
        out_.close();
        if (!out_) cannot_write();
        fs::rename(path_, name);
        path_.clear();
    }

private:
    static inline unsigned next_ = 0;
    NoFileSizeSignal no_signal_;
    fs::path path_;
    std::ofstream out_;
};

}  // namespace

namespace {

/// @param piece  for what is read
std::string hashed(std::uint64_t bytes, const Store::Reader& read, std::vector<std::byte>& piece) {
    Hasher hasher;
    for (std::uint64_t done = 0; done < bytes;) {
        const std::span<std::byte> now(piece.data(),
                                       std::min<std::uint64_t>(bytes - done, piece.size()));
        if (!read(now)) throw std::runtime_error(unreadable);
        hasher.add(now);
        done += now.size();
    }
    return name_of_content(hasher);
}

}  // namespace

std::string Store::keep(std::uint64_t bytes, const Reader& read) {
    std::vector<std::byte> piece(std::min<std::uint64_t>(bytes, piece_bytes));
    if (only_hashes_) return hashed(bytes, read, piece);
    const fs::path data = folder_ / "data";
    Unfinished file(data);
    const std::unique_ptr<ZSTD_CCtx, decltype(&ZSTD_freeCCtx)> context(ZSTD_createCCtx(),
                                                                       ZSTD_freeCCtx);
    const bool is_large = bytes > 2 * piece_bytes;
    // The fast levels give up sooner on numbers that do not shrink.
    ZSTD_CCtx_setParameter(context.get(), ZSTD_c_compressionLevel, is_large ? -1 : 1);
    if (is_large) {
        // The program waits meanwhile. A library without threads refuses, and compresses alone.
        const unsigned workers = std::min(most_workers, std::thread::hardware_concurrency());
        ZSTD_CCtx_setParameter(context.get(), ZSTD_c_nbWorkers, static_cast<int>(workers));
    }
    std::vector<std::byte> packed(ZSTD_CStreamOutSize());
    Hasher hasher;
    std::uint64_t written = 0;
    const auto add = [&](const void* some, std::size_t count) {
        written += count;
        if (bytes_kept_ + written > most_bytes_) throw std::runtime_error(too_much);
        file.write(some, count);
    };
    std::vector<std::array<std::uint32_t, 2>> frames;
    for (std::uint64_t done = 0; done < bytes;) {
        const std::uint64_t frame_end = std::min(bytes, done + frame_bytes);
        const std::uint64_t begin = done, packed_begin = written;
        while (done < frame_end) {
            const std::span<std::byte> now(piece.data(),
                                           std::min<std::uint64_t>(frame_end - done, piece_bytes));
            if (!read(now)) throw std::runtime_error(unreadable);
            hasher.add(now);
            done += now.size();
            ZSTD_inBuffer in{now.data(), now.size(), 0};
            const ZSTD_EndDirective mode = done == frame_end ? ZSTD_e_end : ZSTD_e_continue;
            for (bool more = true; more;) {
                ZSTD_outBuffer out{packed.data(), packed.size(), 0};
                const std::size_t left = ZSTD_compressStream2(context.get(), &out, &in, mode);
                if (ZSTD_isError(left)) throw std::runtime_error("its content cannot be packed");
                add(packed.data(), out.pos);
                more = mode == ZSTD_e_end ? left != 0 : in.pos < in.size;
            }
        }
        frames.push_back({static_cast<std::uint32_t>(written - packed_begin),
                          static_cast<std::uint32_t>(done - begin)});
    }
    if (frames.size() > 1) {
        const std::string table = seek_table(frames);
        add(table.data(), table.size());
    }
    std::string name = name_of_content(hasher);
    if (!fs::exists(folder_ / name)) {
        file.become(folder_ / name);
        bytes_kept_ += written;
    }
    return name;
}

bool Store::is_still(const std::string& name, std::uint64_t bytes, const Reader& read) const {
    // A case that was dropped took its contents along.
    if (name.empty() || (!only_hashes_ && !fs::exists(folder_ / name))) return false;
    std::vector<std::byte> piece(std::min<std::uint64_t>(bytes, piece_bytes));
    return name == hashed(bytes, read, piece);
}

void Store::hold(const std::vector<std::string>& names) {
    for (const std::string& name : names) ++holders_[name];
}

void Store::drop(const std::vector<std::string>& names) {
    for (const std::string& name : names) {
        if (--holders_[name] > 0 || fs::exists(folder_ / "capture.2.json")) continue;
        holders_.erase(name);
        std::error_code error;
        const std::uintmax_t bytes = fs::file_size(folder_ / name, error);
        if (!error && fs::remove(folder_ / name, error)) bytes_kept_ -= bytes;
    }
}

std::string Store::keep_text(std::string_view text, std::string_view ending) {
    std::string name = fmt::format("texts/{}{}", hash_of(text), ending);
    if (!fs::exists(folder_ / name)) write(name, text);
    return name;
}

void Store::write(const std::string& name, std::string_view text) const {
    const fs::path whole = folder_ / name;
    Unfinished file(whole.parent_path());
    file.write(text.data(), text.size());
    file.become(whole);
}

std::string Store::claim(const std::string& wanted, char divider) {
    constexpr unsigned most = 10'000;
    fs::create_directories(folder_);
    for (unsigned number = 1; number < most; ++number) {
        std::string name = number == 1 ? wanted : fmt::format("{}{}{}", wanted, divider, number);
        const fs::path file = folder_ / (name + ".json");
        const int made = ::open(file.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
        if (made < 0 && errno != EEXIST) cannot_write();
        if (made < 0) continue;
        ::close(made);
        return name;
    }
    throw std::runtime_error("more cases of one name than can be told apart");
}

}  // namespace parallax::capture
