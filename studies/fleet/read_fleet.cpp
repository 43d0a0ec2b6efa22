// Reads folders of record files, a few files at a time on all cores, and lists of what to expect.
#include <algorithm>
#include <charconv>

#include <fmt/format.h>

#include "common/error.hpp"
#include "common/process/parallel.hpp"
#include "common/text/read_file.hpp"
#include "common/text/text.hpp"
#include "common/text/unique_values.hpp"
#include "studies/fleet/fleet.hpp"

namespace parallax {
namespace {

namespace fs = std::filesystem;

/// Number of files that are read concurrently, which limits the memory for their records.
constexpr std::size_t most_at_once = 64;
constexpr std::uintmax_t most_bytes_at_once = std::uintmax_t{16} << 20;

constexpr std::uint64_t most_expectation_bytes = std::uint64_t{64} << 20;

/// In order, each once.
std::vector<fs::path> record_files(const std::vector<fs::path>& folders) {
    std::vector<fs::path> files;
    for (const fs::path& folder : folders) {
        std::error_code error;
        if (!fs::is_directory(folder, error)) {
            if (!fs::exists(folder, error)) {
                throw UsageError(fmt::format(
                    "There is no folder and no file {}. Name the folder that holds the record "
                    "files ('parallax run -o FOLDER/NAME.jsonl' writes them).",
                    printable(folder.string(), 200)));
            }
            files.push_back(folder);
            continue;
        }
        fs::recursive_directory_iterator at(folder, fs::directory_options::skip_permission_denied,
                                            error);
        if (error) {
            throw UsageError(fmt::format("Cannot read the folder {}: {}.",
                                         printable(folder.string(), 200), error.message()));
        }
        for (; !error && at != fs::recursive_directory_iterator(); at.increment(error)) {
            if (at->path().extension() == ".jsonl") files.push_back(at->path());
        }
    }
    std::ranges::sort(files);
    files.erase(std::unique(files.begin(), files.end()), files.end());
    return files;
}

struct FileRead {
    std::vector<std::pair<BriefLine, unsigned>> lines;
    std::string problem;
};

void add_line(FleetReader& reader, const fs::path& file, const BriefLine& line, unsigned number) {
    if (line.record) {
        reader.add(*line.record);
    } else if (line.kind != BriefLine::Kind::other) {
        reader.add_problem(line, fmt::format("{}:{}", file.string(), number));
    }
}

void add_unreadable(FleetReader& reader, const fs::path& file, const std::string& problem) {
    if (problem.empty()) return;
    FleetReading& reading = reader.reading();
    ++reading.unreadable;
    if (reading.problems.size() < FleetReader::most_problems) {
        reading.problems.push_back(
            fmt::format("{}: cannot be read: {}", printable(file.string(), 300), problem));
    }
}

[[noreturn]] void refuse_line(const std::string& name, unsigned number, std::string_view line) {
    throw UsageError(fmt::format(
        "{}:{}: '{}' names no devices. A line is HOST COUNT, HOST UUID ..., or HOST gpu:TYPE:COUNT "
        "as 'sinfo -h -N -o \"%N %G\"' prints it.",
        printable(name, 200), number, printable(line, 80)));
}

std::vector<std::string_view> words_in(std::string_view line) {
    std::vector<std::string_view> words;
    constexpr std::string_view blanks = " \t\r";
    while (true) {
        const std::size_t begin = line.find_first_not_of(blanks);
        if (begin == line.npos) return words;
        line.remove_prefix(begin);
        words.push_back(line.substr(0, line.find_first_of(blanks)));
        line.remove_prefix(words.back().size());
    }
}

std::optional<std::size_t> count_of(std::string_view digits) {
    std::size_t count = 0;
    const char* const end = digits.data() + digits.size();
    const auto read = std::from_chars(digits.data(), end, count);
    if (digits.empty() || read.ec != std::errc{} || read.ptr != end || count > 10'000) return {};
    return count;
}

/// The number of GPUs in `gpu:h100:4(S:0-1),gpu:2`; `(null)` has none.
std::optional<std::size_t> count_of_gres(std::string_view text) {
    if (text == "(null)") return 0;
    if (!text.starts_with("gpu:")) return {};
    std::size_t sum = 0;
    while (!text.empty()) {
        // A comma within brackets belongs to the cores of a socket.
        std::size_t end = 0, depth = 0;
        while (end < text.size() && (depth > 0 || text[end] != ',')) {
            depth += text[end] == '(';
            depth -= depth > 0 && text[end] == ')';
            ++end;
        }
        std::string_view one = text.substr(0, end);
        text.remove_prefix(std::min(text.size(), end + 1));
        if (!one.starts_with("gpu:")) continue;
        one = one.substr(0, one.find('('));
        const auto count = count_of(one.substr(one.rfind(':') + 1));
        if (!count) return {};
        sum += *count;
    }
    return sum;
}

/// `GPU-0f1e2d3c-...` as records have it; empty: it is no UUID.
std::string uuid_digits(std::string_view word) {
    for (const std::string_view kind : {"GPU-", "MIG-"}) {
        if (word.starts_with(kind)) word.remove_prefix(kind.size());
    }
    std::string digits = lower_case(word);
    std::erase(digits, '-');
    const bool hex = digits.find_first_not_of("0123456789abcdef") == std::string::npos;
    return hex && digits.size() == 32 ? digits : std::string();
}

}  // namespace

FleetRecords read_fleet(const std::vector<fs::path>& folders) {
    const std::vector<fs::path> files = record_files(folders);
    FleetReader reader;
    reader.reading().files = files.size();
    for (std::size_t begin = 0; begin < files.size();) {
        std::size_t end = begin;
        std::uintmax_t bytes = 0;
        for (; end < files.size() && end - begin < most_at_once; ++end) {
            std::error_code error;
            const std::uintmax_t size = fs::file_size(files[end], error);
            bytes += error ? 0 : size;
            if (bytes > most_bytes_at_once && end > begin) break;
        }
        if (end - begin == 1) {
            const fs::path& file = files[begin];
            add_unreadable(reader, file, read_brief_file(file, [&](BriefLine&& line, unsigned n) {
                               add_line(reader, file, line, n);
                           }));
        } else {
            std::vector<FileRead> read(end - begin);
            for_chunks(
                read.size(),
                [&](std::uint64_t first, std::uint64_t last, std::size_t) {
                    for (std::uint64_t i = first; i < last; ++i) {
                        read[i].problem = read_brief_file(
                            files[begin + i], [&](BriefLine&& line, unsigned number) {
                                read[i].lines.emplace_back(std::move(line), number);
                            });
                    }
                },
                1);
            for (std::size_t i = 0; i < read.size(); ++i) {
                for (const auto& [line, number] : read[i].lines) {
                    add_line(reader, files[begin + i], line, number);
                }
                add_unreadable(reader, files[begin + i], read[i].problem);
            }
        }
        begin = end;
    }
    return reader.take();
}

void add_expectation(FleetExpectation& made, const FleetExpectation& more) {
    for (const FleetExpectation::Node& node : more.nodes) {
        // A node of several partitions has a line for each.
        const auto known = std::ranges::find(made.nodes, node.host, &FleetExpectation::Node::host);
        if (known == made.nodes.end()) {
            made.nodes.push_back(node);
            continue;
        }
        for (const std::string& uuid : node.uuids) add_once(known->uuids, uuid);
        known->count = std::max({known->count, node.count, known->uuids.size()});
    }
}

FleetExpectation parse_expectation(std::string_view text, const std::string& name) {
    FleetExpectation made;
    unsigned number = 0;
    while (!text.empty()) {
        ++number;
        std::string_view line = text.substr(0, text.find('\n'));
        text.remove_prefix(std::min(text.size(), line.size() + 1));
        line = line.substr(0, line.find('#'));
        const std::vector<std::string_view> words = words_in(line);
        if (words.empty()) continue;
        if (words.size() == 1) refuse_line(name, number, line);
        FleetExpectation::Node node{.host = std::string(words[0])};
        if (const auto count = count_of(words[1]); count && words.size() == 2) {
            node.count = *count;
        } else if (const auto gres = count_of_gres(words[1]); gres && words.size() == 2) {
            node.count = *gres;
        } else {
            for (std::size_t i = 1; i < words.size(); ++i) {
                std::string uuid = uuid_digits(words[i]);
                if (uuid.empty()) refuse_line(name, number, line);
                node.uuids.push_back(std::move(uuid));
            }
            node.count = node.uuids.size();
        }
        add_expectation(made, {{std::move(node)}});
    }
    return made;
}

FleetExpectation read_expectation(const fs::path& path) {
    std::string text;
    try {
        text = without_mark(read_file(path, most_expectation_bytes));
    } catch (const UsageError& problem) {
        throw UsageError(
            fmt::format("The list of what to expect cannot be read: {}. Slurm prints "
                        "one: sinfo -h -N -o '%N %G'.",
                        problem.what()));
    }
    return parse_expectation(text, path.string());
}

}  // namespace parallax
