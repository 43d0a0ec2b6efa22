// Reads the required members of records, and skips the rest.
#include "records/brief.hpp"

#include <array>
#include <cerrno>
#include <cstring>
#include <fstream>

#include <fmt/format.h>
#include <sys/stat.h>

#include "common/text/text.hpp"
#include "common/version.hpp"
#include "records/line.hpp"
#include "records/record_members.hpp"

namespace parallax {

namespace {

/// Large members that are not needed here.
constexpr std::array<std::string_view, 11> passed_over{"launches",
                                                       "check",
                                                       "log",
                                                       "rate",
                                                       "timing.samples",
                                                       "timing.round",
                                                       "timing.repeats",
                                                       "timing.host_samples",
                                                       "program.options",
                                                       "program.build_seconds",
                                                       "state.before"};

BriefLine no_record(BriefLine::Kind kind, std::string problem) {
    return {.kind = kind, .record = {}, .problem = std::move(problem)};
}

}  // namespace

BriefLine read_brief(std::string_view line) {
    using enum BriefLine::Kind;
    if (line.find_first_not_of(" \t\r") == std::string_view::npos) return {};
    const ParsedLine parsed = parse_line(line, passed_over);
    if (parsed.cut) return no_record(cut, parsed.problem);
    if (!parsed.problem.empty()) return no_record(refused, parsed.problem);
    const Json& json = parsed.json;
    const auto text_at = [&](const char* name) {
        return json.is_object() && json.contains(name) ? json.at(name) : Json();
    };
    const Json schema = text_at("schema"), version = text_at("version");
    if (schema != record_schema) {
        for (const std::string_view ours : {pair_schema, explanation_schema, time_spent_schema}) {
            if (schema == ours) return {};
        }
        return no_record(
            refused, fmt::format("its schema is {}, not {}", kinds::shown(schema), record_schema));
    }
    if (version != record_version) {
        return no_record(newer, fmt::format("its version is {}, and this program reads version {}",
                                            kinds::shown(version), record_version));
    }
    BriefLine made{.kind = record, .record = Record{}, .problem = {}};
    kinds::Problems problems{{}, passed_over};
    members::read_part(json, "", *made.record, problems);
    set_status(*made.record);
    const bool is_ok = made.record->status == Status::ok;
    if (problems.empty() && is_ok != made.record->timing.has_value()) {
        problems.emplace_back(is_ok ? "status is ok, but timing is missing"
                                    : "it has a timing although its status is not ok");
    }
    if (!problems.empty()) return no_record(refused, problems.front());
    return made;
}

std::string read_brief_file(const std::filesystem::path& path,
                            const std::function<void(BriefLine&&, unsigned number)>& take) {
    struct stat status {};
    // A pipe may never end, or block without a writer.
    if (::stat(path.c_str(), &status) == 0 && !S_ISREG(status.st_mode)) return "it is no file";
    std::ifstream file(path, std::ios::binary);
    if (!file) return std::strerror(errno);
    std::string line;
    unsigned number = 0;
    // The length of a line is checked before the line fills the memory.
    std::string block(
        std::min<std::size_t>(std::size_t{1} << 20, static_cast<std::size_t>(status.st_size) + 1),
        '\0');
    while (file) {
        file.read(block.data(), static_cast<std::streamsize>(block.size()));
        std::string_view left(block.data(), static_cast<std::size_t>(file.gcount()));
        while (!left.empty()) {
            const std::size_t end = left.find('\n');
            line += left.substr(0, end);
            if (number == 0) line = without_mark(std::move(line));
            if (line.size() > most_line_bytes) return "a line of it is longer than any record";
            left.remove_prefix(std::min(left.size(), end == left.npos ? end : end + 1));
            if (end == std::string_view::npos) break;
            take(read_brief(line), ++number);
            line.clear();
        }
    }
    if (file.bad()) return std::strerror(errno);
    // A last line without a line feed may be an incomplete one of a killed run.
    if (!line.empty()) take(read_brief(line), ++number);
    return {};
}

}  // namespace parallax
