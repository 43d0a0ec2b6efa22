// Reads result files block by block, and parses each block's lines on all cores.
#include <algorithm>
#include <cerrno>
#include <cstring>
#include <utility>

#include <fcntl.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <linux/magic.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

#include "common/error.hpp"
#include "common/process/parallel.hpp"
#include "common/text/install_paths.hpp"
#include "common/text/text.hpp"
#include "common/version.hpp"
#include "records/json.hpp"
#include "records/line.hpp"
#include "records/result_store.hpp"
#include "records/results.hpp"

namespace parallax {
namespace {

namespace fs = std::filesystem;

/// Some five hundred records: enough for all cores, while their JSON fits in the caches.
constexpr std::size_t block_bytes = std::size_t{2} << 20;
/// With fewer lines another thread does not pay off.
constexpr std::uint64_t least_lines = 8;

constexpr std::string_view how_made =
    "Result files are written by 'parallax run -o FILE', 'lesson -o FILE', and 'diff' and "
    "'explain' with '--data FILE'.";

[[noreturn]] void refuse(const fs::path& path, std::string_view why, std::string_view advice) {
    throw UsageError(
        fmt::format("Cannot read {}: {}. {}", printable(path.string(), 200), why, advice));
}

[[noreturn]] void refuse_folder(const fs::path& path) {
    std::vector<std::string> files;
    for (const fs::path& file : result_files(path)) {
        files.push_back(printable(file.string(), 200));
    }
    const bool more = files.size() > 3;
    if (more) files.resize(3);
    refuse(path, "it is a folder",
           files.empty() ? "Name a file. " + std::string(how_made)
                         : fmt::format("Name one of its files: {}{}.", fmt::join(files, ", "),
                                       more ? ", ..." : ""));
}

/// A pipe of the shell has a writer; a named one may never get one.
bool has_no_name(int pipe) {
    struct statfs system {};
    return ::fstatfs(pipe, &system) == 0 && system.f_type == PIPEFS_MAGIC;
}

/// An open file, read sequentially.
class Source {
public:
    explicit Source(fs::path path) : path_(std::move(path)) {
        file_ = ::open(here_or_installed(path_).c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
        if (file_ < 0) refuse_error(errno);
        struct stat status {};
        ::fstat(file_, &status);
        const bool is_folder = S_ISDIR(status.st_mode);
        if (S_ISREG(status.st_mode) || (S_ISFIFO(status.st_mode) && has_no_name(file_))) {
            ::fcntl(file_, F_SETFL, 0);
            return;
        }
        ::close(file_);
        if (is_folder) refuse_folder(path_);
        refuse(path_, "it is no plain file", "Name a file. " + std::string(how_made));
    }
    ~Source() { ::close(file_); }
    Source(const Source&) = delete;
    Source& operator=(const Source&) = delete;

    /// Appends the file's next block. @return whether there is more
    bool append_to(std::string& text) {
        const std::size_t before = text.size();
        text.resize(before + block_bytes);
        std::size_t got = 0;
        ssize_t count = 1;
        while (got < block_bytes && count != 0) {
            count = ::read(file_, text.data() + before + got, block_bytes - got);
            if (count < 0 && errno != EINTR) refuse_error(errno);
            if (count > 0) got += static_cast<std::size_t>(count);
        }
        text.resize(before + got);
        return count != 0;
    }

private:
    [[noreturn]] void refuse_error(int error) const {
        const bool absent = error == ENOENT || error == ENOTDIR;
        refuse(path_, std::strerror(error),
               absent            ? how_made
               : error == EACCES ? "Ask its owner for the right to read it, or take a copy."
                                 : "Take another copy of the file.");
    }

    fs::path path_;
    int file_ = -1;
};

/// Reports a file of another kind as such, rather than as broken JSON.
void refuse_binary(const fs::path& path, std::string_view text) {
    const std::string_view first_line = text.substr(0, text.find('\n'));
    if (!first_line.starts_with('{') && first_line.find('\0') != std::string_view::npos) {
        refuse(path, "it is a binary file", how_made);
    }
}

/// Advice about an invalid line.
std::string advice_for(std::string_view line, const Json& json) {
    if (json.is_object() && json.contains("schema")) {
        const Json& schema = json["schema"];
        if (schema == diff_schema) {
            return "It is the report of a diff; the records are in the files that were compared.";
        }
        for (const auto& [ours, known] : {std::pair{record_schema, record_version},
                                          {pair_schema, pair_version},
                                          {explanation_schema, explanation_version},
                                          {time_spent_schema, time_spent_version}}) {
            if (schema != ours) continue;
            const auto version = json.find("version");
            if (version != json.end() && version->is_number() && *version > known) {
                return "A newer parallax wrote it: read it with that one.";
            }
            return "Leave the line out, or measure again.";
        }
    }
    if (json.is_null() && line.starts_with('{')) return "Leave the line out, or measure again.";
    return std::string(how_made);
}

/// A line's text and its parsed content.
struct TextLine {
    std::string_view text;
    bool blank = true;
    ResultEntry line = {};
    std::string problem = {}, advice = {};
    bool cut = false;
};

void check(TextLine& line) {
    if (line.text.find_first_not_of(" \t\r") == std::string_view::npos) return;  // blank
    line.blank = false;
    ParsedLine parsed = parse_line(line.text);
    line.problem = std::move(parsed.problem);
    line.cut = parsed.cut;
    if (line.problem.empty()) {
        ReadLine read = read_line(parsed.json);
        line.line = std::move(read.line);
        if (!read.problems.empty()) line.problem = std::move(read.problems.front());
    }
    if (!line.problem.empty()) line.advice = advice_for(line.text, parsed.json);
}

/// A part of the file that ends with a complete line.
struct Block {
    std::string text;
    std::vector<TextLine> lines;  ///< views of the text
};

/// Reads the next block: `rest` from the previous one, and more; an incomplete last line goes to
/// `rest`. Empty: the file has ended.
Block next_block(Source& source, std::string& rest) {
    Block block{std::exchange(rest, {}), {}};
    while (true) {
        const std::size_t before = block.text.size();
        if (!source.append_to(block.text)) return block;
        const std::size_t last = block.text.find_last_of('\n');
        if (last != std::string::npos && last >= before) {
            rest = block.text.substr(last + 1);
            block.text.resize(last + 1);
            return block;
        }
        // An overlong line is rejected before it fills the memory.
        if (block.text.size() > most_line_bytes) return block;
    }
}

/// Splits the block into lines, and checks them on all cores.
void check(Block& block) {
    for (std::string_view left = block.text; !left.empty();) {
        const std::size_t end = std::min(left.find('\n'), left.size());
        block.lines.push_back({.text = left.substr(0, end)});
        left.remove_prefix(std::min(end + 1, left.size()));
    }
    for_chunks(
        block.lines.size(),
        [&](std::uint64_t begin, std::uint64_t end, std::size_t) {
            for (std::uint64_t i = begin; i < end; ++i) check(block.lines[i]);
        },
        least_lines);
}

void deliver(const fs::path& path, Block& block, unsigned& number, ReadSummary& summary,
             const TakeLine& take) {
    for (TextLine& line : block.lines) {
        ++number;
        if (line.cut) {
            // Another run may have continued after a truncated line of a killed one.
            summary.cut_short = true;
            ++summary.left_out;
        } else if (!line.problem.empty()) {
            throw UsageError(fmt::format("{}:{}: not a record: {}{} {}",
                                         printable(path.string(), 200), number, line.problem,
                                         line.problem.ends_with('?') ? "" : ".", line.advice));
        } else if (!line.blank) {
            ++summary.records;
            take(std::move(line.line), number);
            line.line = {};
        }
    }
}

}  // namespace

ReadSummary read_results(const fs::path& path, const TakeLine& take) {
    Source source(path);
    ReadSummary summary;
    unsigned number = 0;
    std::string rest;
    for (bool first = true;; first = false) {
        Block block = next_block(source, rest);
        if (first) {
            refuse_binary(path, block.text);
            block.text = without_mark(std::move(block.text));
        }
        if (block.text.empty()) break;
        check(block);
        deliver(path, block, number, summary, take);
    }
    return summary;
}

void ResultFile::add(ResultEntry&& line) {
    if (auto* record = std::get_if<Record>(&line)) {
        records.push_back(std::move(*record));
    } else if (auto* pair = std::get_if<Pair>(&line)) {
        pairs.push_back(std::move(*pair));
    } else if (auto* explanation = std::get_if<Explanation>(&line)) {
        explanations.push_back(std::move(*explanation));
    } else {
        times_spent.push_back(std::get<TimeSpent>(std::move(line)));
    }
}

ResultFile read_results(const fs::path& path) {
    ResultFile file;
    file.cut_short = read_results(path, [&](ResultEntry&& line, unsigned) {
                         file.add(std::move(line));
                     }).cut_short;
    return file;
}

}  // namespace parallax
