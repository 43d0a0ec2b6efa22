// Reads files whole.
#include "common/text/read_file.hpp"

#include <fstream>

#include <fmt/format.h>

#include "common/error.hpp"

namespace parallax {

std::string read_file(const std::filesystem::path& file, std::uint64_t most_bytes) {
    namespace fs = std::filesystem;
    std::error_code error;
    if (!fs::exists(file, error)) {
        throw UsageError(error
                             ? fmt::format("{} cannot be read: {}", file.string(), error.message())
                             : fmt::format("there is no file {}", file.string()));
    }
    if (!fs::is_regular_file(file, error)) {
        throw UsageError(fmt::format("{} is no plain file", file.string()));
    }
    const std::uint64_t bytes = fs::file_size(file, error);
    if (!error && bytes > most_bytes) {
        throw UsageError(
            fmt::format("{} has {} bytes, and {} are the most", file.string(), bytes, most_bytes));
    }
    std::ifstream in(file, std::ios::binary);
    std::string text(error ? 0 : bytes, '\0');
    in.read(text.data(), static_cast<std::streamsize>(text.size()));
    if (error || !in) throw UsageError(fmt::format("{} cannot be read", file.string()));
    return text;
}

}  // namespace parallax
