// Contents that a capture's layer packed.
#pragma once

#include <cstddef>
#include <filesystem>
#include <span>

namespace parallax::manifest {

/// Fills `bytes` with what a file holds that zstd has packed. One that ends with a seek table (the
/// "Zstandard Seekable Format", version 0.1.0) is unpacked by all cores.
/// @throws Error when it is not exactly so much
void unpack(const std::filesystem::path& file, std::span<std::byte> bytes);

}  // namespace parallax::manifest
