// Decompresses zstd files: frame by frame on all cores, or as a stream.
#include "suites/manifest/unpack.hpp"

#include <bit>
#include <cstdint>
#include <cstring>
#include <fstream>
#include <memory>
#include <vector>

#include <fmt/format.h>
#include <zstd.h>

#include "common/error.hpp"
#include "common/process/parallel.hpp"

namespace parallax::manifest {
namespace {

namespace fs = std::filesystem;

static_assert(std::endian::native == std::endian::little,
              "the table's numbers are read as they lie");

/// The end of the table: number of frames, flags, and a magic number.
constexpr std::uint64_t footer_bytes = 9, head_bytes = 8, entry_bytes = 8;
constexpr std::uint32_t seekable = 0x8F92EAB1;

/// The position of a frame, compressed and uncompressed.
struct Frame {
    std::uint64_t packed_at = 0, packed = 0, at = 0, size = 0;
};

std::uint32_t word_at(const char* bytes) {
    std::uint32_t word = 0;
    std::memcpy(&word, bytes, sizeof(word));
    return word;
}

/// The frames in the file's table; none if it has no table, or one that does not match the file and
/// its size: decompression as a stream then finds the error.
std::vector<Frame> frames_of(const fs::path& file, std::uint64_t bytes) {
    std::error_code error;
    const std::uint64_t all = fs::file_size(file, error);
    std::ifstream in(file, std::ios::binary);
    char footer[footer_bytes];
    if (error || all < footer_bytes + head_bytes) return {};
    if (!in.seekg(static_cast<std::streamoff>(all - footer_bytes)).read(footer, footer_bytes) ||
        footer[4] != 0 || word_at(footer + 5) != seekable) {
        return {};
    }
    const std::uint64_t count = word_at(footer);
    const std::uint64_t table = count * entry_bytes;
    if (table > all - footer_bytes - head_bytes) return {};
    const std::uint64_t frames_end = all - footer_bytes - table - head_bytes;
    std::vector<char> entries(table);
    in.seekg(static_cast<std::streamoff>(frames_end + head_bytes));
    if (!in.read(entries.data(), static_cast<std::streamsize>(table))) return {};
    std::vector<Frame> frames;
    Frame next;
    for (std::uint64_t i = 0; i < count; ++i) {
        next.packed_at += next.packed;
        next.at += next.size;
        next.packed = word_at(entries.data() + i * entry_bytes);
        next.size = word_at(entries.data() + i * entry_bytes + 4);
        if (next.packed > ZSTD_compressBound(next.size)) return {};
        frames.push_back(next);
    }
    const bool fits = next.packed_at + next.packed == frames_end && next.at + next.size == bytes;
    return fits ? frames : std::vector<Frame>();
}

void unpack_frames(const fs::path& file, std::span<std::byte> bytes,
                   const std::vector<Frame>& frames) {
    for_chunks(
        frames.size(),
        [&](std::uint64_t begin, std::uint64_t end, std::size_t) {
            std::ifstream in(file, std::ios::binary);
            std::vector<char> packed;
            for (std::uint64_t i = begin; i < end; ++i) {
                const Frame& one = frames[i];
                packed.resize(one.packed);
                in.seekg(static_cast<std::streamoff>(one.packed_at));
                if (!in.read(packed.data(), static_cast<std::streamsize>(one.packed))) {
                    throw Error("cannot be read");
                }
                if (ZSTD_decompress(bytes.data() + one.at, one.size, packed.data(), one.packed) !=
                    one.size) {
                    throw Error("is no content that zstd packed");
                }
            }
        },
        1);
}

void unpack_stream(const fs::path& file, std::span<std::byte> bytes) {
    std::ifstream in(file, std::ios::binary);
    if (!in || fs::is_directory(file)) throw Error("cannot be read");
    const std::unique_ptr<ZSTD_DCtx, decltype(&ZSTD_freeDCtx)> context(ZSTD_createDCtx(),
                                                                       ZSTD_freeDCtx);
    std::vector<char> packed(ZSTD_DStreamInSize());
    std::byte beyond{};  // detects excess data
    std::size_t done = 0, state = 1;
    while (in.read(packed.data(), static_cast<std::streamsize>(packed.size())), in.gcount() > 0) {
        ZSTD_inBuffer from{packed.data(), static_cast<std::size_t>(in.gcount()), 0};
        while (from.pos < from.size) {
            const bool full = done == bytes.size();
            ZSTD_outBuffer to{full ? &beyond : bytes.data() + done, full ? 1 : bytes.size() - done,
                              0};
            state = ZSTD_decompressStream(context.get(), &to, &from);
            if (ZSTD_isError(state)) throw Error("is no content that zstd packed");
            if (full && to.pos > 0) {
                throw Error(
                    fmt::format("holds more than the {} bytes of the buffer", bytes.size()));
            }
            done += full ? 0 : to.pos;
        }
    }
    if (done == bytes.size() && state == 0) return;
    throw Error(fmt::format("is damaged: unpacked it has {} bytes, and the buffer has {}", done,
                            bytes.size()));
}

}  // namespace

void unpack(const fs::path& file, std::span<std::byte> bytes) {
    // Reading a pipe would block.
    if (!fs::exists(file)) throw Error("does not exist");
    if (!fs::is_regular_file(file)) throw Error("is no plain file");
    const std::vector<Frame> frames = frames_of(file, bytes.size());
    if (frames.empty()) return unpack_stream(file, bytes);
    unpack_frames(file, bytes, frames);
}

}  // namespace parallax::manifest
