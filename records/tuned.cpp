// Reads and replaces lines of the file of tuned constants.
#include "records/tuned.hpp"

#include <bit>
#include <optional>

#include <fmt/format.h>

#include "common/error.hpp"
#include "common/text/read_file.hpp"
#include "common/text/text.hpp"
#include "common/text/text_lines.hpp"
#include "records/file_lock.hpp"
#include "records/line.hpp"
#include "records/tuned_members.hpp"
#include "records/write_file.hpp"

namespace parallax {
namespace {

namespace fs = std::filesystem;

/// A larger file was not written by this program.
constexpr std::uint64_t most_tuned_bytes = std::uint64_t{16} << 20;

/// A line of the file.
struct TunedLine {
    std::string_view text;
    std::optional<Tuned> entry;
    std::string problem;  ///< why it is invalid
};

TunedLine tuned_line(std::string_view text) {
    TunedLine line{.text = text, .entry = {}, .problem = {}};
    const ParsedLine parsed = parse_line(text);
    line.problem = parsed.problem;
    if (!line.problem.empty()) return line;
    const Json& json = parsed.json;
    if (!json.is_object() || !json.contains("schema") || json["schema"] != tuned_schema) {
        line.problem = "it holds no tuned constants";
    } else if (!json.contains("version") || json["version"] != tuned_version) {
        line.problem = fmt::format("its version is not {}", tuned_version);
    } else {
        Tuned entry;
        kinds::Problems problems;
        members::read_part(json, "", entry, problems);
        if (problems.empty()) {
            line.entry = std::move(entry);
        } else {
            line.problem = problems.front();
        }
    }
    return line;
}

std::string whole_text(const fs::path& file) {
    std::error_code error;
    if (!fs::exists(file, error)) return {};
    try {
        return read_file(file, most_tuned_bytes);
    } catch (const UsageError& problem) {
        throw UsageError(fmt::format("{} {}", printable(file.string(), 200), problem.what()));
    }
}

}  // namespace

std::vector<unsigned> shape_class(const std::vector<std::uint64_t>& shape) {
    std::vector<unsigned> exponents;
    for (const std::uint64_t extent : shape) {
        exponents.push_back(static_cast<unsigned>(std::bit_width(extent)) - 1);
    }
    return exponents;
}

bool is_for_the_same(const Tuned& a, const Tuned& b) {
    return a.key.name() == b.key.name() && a.key.type == b.key.type && a.device == b.device &&
           a.backend == b.backend && shape_class(a.key.shape) == shape_class(b.key.shape);
}

TunedFile read_tuned(const fs::path& path) {
    TunedFile file;
    const std::string text = whole_text(path);
    unsigned number = 0;
    for (const std::string_view one : lines_of(text)) {
        ++number;
        if (one.empty()) continue;
        TunedLine line = tuned_line(one);
        if (line.entry) {
            file.entries.push_back(std::move(*line.entry));
        } else {
            file.problems.push_back(fmt::format("{}:{}: {}. The line was left out.",
                                                printable(path.string(), 200), number,
                                                printable(line.problem, 300)));
        }
    }
    return file;
}

void keep_tuned(const fs::path& path, const Tuned& entry) {
    const FileLock lock(path);
    const std::string before = whole_text(path);
    std::string text;
    for (const std::string_view one : lines_of(before)) {
        const TunedLine line = tuned_line(one);
        if (one.empty() || (line.entry && is_for_the_same(*line.entry, entry))) continue;
        text += std::string(one) + "\n";
    }
    Json json{{"schema", tuned_schema}, {"version", tuned_version}};
    json.update(members::write_part(entry));
    text += json.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n";
    write_file(path, text);
}

}  // namespace parallax
