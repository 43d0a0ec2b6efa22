// Writes a file so that no reader sees half of it.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace parallax {

/// Finds out whether `file` (of -o) can be written, and leaves no trace.
/// @param inputs  files that are read, which it must not replace
/// @throws UsageError when it cannot, or would replace one
void check_writable(const std::filesystem::path& file, const std::vector<std::string>& inputs);

/// The first folder on the way to `file` that is not there; empty: they all are.
std::filesystem::path missing_folder(const std::filesystem::path& file);

/// Writes it in one step; an old file stays when it cannot. A link stays one, a device or a pipe is
/// written to, folders above it are made.
/// @throws UsageError when it cannot be written
void write_file(const std::filesystem::path& file, const std::string& text);

}  // namespace parallax
