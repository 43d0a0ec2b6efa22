// Reads a file that the user named.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

namespace parallax {

/// All bytes of a plain file.
/// @throws UsageError when it is missing, no plain file, larger than `most_bytes`, or unreadable;
/// its message is the rest of a sentence
std::string read_file(const std::filesystem::path& file, std::uint64_t most_bytes);

}  // namespace parallax
