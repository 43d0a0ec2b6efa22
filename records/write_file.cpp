// Checks and writes the files that -o names.
#include "records/write_file.hpp"

#include <fstream>

#include <fmt/format.h>

#include "common/error.hpp"
#include "records/results.hpp"

namespace parallax {

namespace fs = std::filesystem;

void check_writable(const fs::path& file, const std::vector<std::string>& inputs) {
    std::error_code error;
    if (fs::is_directory(file, error)) {
        throw UsageError(fmt::format("Cannot write {}: it is a folder.", file.string()));
    }
    for (const std::string& input : inputs) {
        // A pipe or a terminal may be read and written.
        const bool same = fs::equivalent(file, input, error) && fs::is_regular_file(file, error);
        if (!same && file != fs::path(input)) continue;
        throw UsageError(
            fmt::format("-o {} would replace the data in {}. Choose another file with -o.",
                        file.string(), input));
    }
    if (fs::exists(file, error) && !fs::is_regular_file(file, error)) return;
    const ResultWriter leaves_no_trace(file);
}

void write_file(const fs::path& named, const std::string& text) {
    std::error_code error;
    if (fs::exists(named, error) && !fs::is_regular_file(named, error)) {
        // A device file or a pipe: nothing may take its place.
        std::ofstream out(named, std::ios::binary | std::ios::app);
        out << text << std::flush;
        if (!out) throw UsageError(fmt::format("Cannot write {}. Is it full?", named.string()));
        return;
    }
    // A reader never sees half of it, and an old one stays when the disk is full. A link stays one.
    const fs::path target = fs::weakly_canonical(named, error);
    const fs::path file = error ? named : target;
    if (file.has_parent_path()) fs::create_directories(file.parent_path(), error);
    const fs::path part = file.string() + ".part";
    std::ofstream out(part, std::ios::binary | std::ios::trunc);
    out << text;
    out.close();
    error.clear();
    if (out) fs::rename(part, file, error);
    if (!out || error) {
        fs::remove(part, error);
        throw UsageError(fmt::format("Cannot write {}. Is the disk full?", named.string()));
    }
}

}  // namespace parallax
