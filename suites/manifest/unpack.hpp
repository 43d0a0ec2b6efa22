// Reads contents that a capture's layer compressed.
#pragma once

#include <cstddef>
#include <filesystem>
#include <span>

namespace parallax::manifest {

/// Fills `bytes` with the decompressed content of a zstd file. With a seek table (the "Zstandard
/// Seekable Format", version 0.1.0) all cores are used.
/// @throws Error when the size differs
void unpack(const std::filesystem::path& file, std::span<std::byte> bytes);

}  // namespace parallax::manifest
