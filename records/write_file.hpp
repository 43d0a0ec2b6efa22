// Writes a file atomically.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace parallax {

/// Checks that `file` (of -o) can be written, and leaves no trace.
/// @param inputs  input files, which it must not replace
/// @throws UsageError when it cannot be written, or would replace one
void check_writable(const std::filesystem::path& file, const std::vector<std::string>& inputs);

/// Whether a file's first 64 KiB hold no data that is not this program's: it is not there, is
/// empty, or is an earlier report. Text and Markdown are known as reports of a diff only.
bool may_be_replaced(const std::filesystem::path& file);

/// Writes it atomically; an old file stays if that fails. Links are followed, devices and pipes are
/// written to, missing folders are created.
/// @throws UsageError when it cannot be written
void write_file(const std::filesystem::path& file, const std::string& text);

}  // namespace parallax
