// Finds lines of the embedded sources.
#include "mapping/search/sources.hpp"

#include <algorithm>
#include <charconv>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "common/error.hpp"
#include "common/text/characters.hpp"
#include "common/text/text.hpp"
#include "common/text/text_lines.hpp"
#include "mapping/analyze/word_lists.hpp"
#include "mapping/search/search_words.hpp"

namespace parallax {

/// Both backends, and the translated kernels, by their paths from the root.
std::span<const EmbeddedFile> embedded_sources();

namespace {

constexpr std::size_t longest_name = 100;  // of a file, in messages

/// A file's name, and the number after its colon.
struct Reference {
    std::string_view file, number;
};

/// `FILE:LINE`, `FILE:LINE:COLUMN`, each perhaps with a colon behind it.
std::optional<Reference> reference_in(std::string_view word) {
    if (word.find_first_of(" \t\n;(){}<>\"'=") != word.npos) return {};
    if (word.ends_with(':')) word.remove_suffix(1);
    const auto split = [](std::string_view text) -> std::optional<Reference> {
        const std::size_t colon = text.rfind(':');
        if (colon == text.npos || colon == 0 || colon + 1 == text.size()) return {};
        const Reference parts{text.substr(0, colon), text.substr(colon + 1)};
        if (!std::ranges::all_of(parts.number, is_digit)) return {};
        return parts;
    };
    auto found = split(word);
    if (!found) return {};
    if (const auto without_column = split(found->file)) found = without_column;
    // A file's name has a dot in its last part.
    const std::size_t slash = found->file.rfind('/');
    const std::string_view last = slash == word.npos ? found->file : found->file.substr(slash + 1);
    const std::size_t dot = last.rfind('.');
    if (dot == last.npos || dot + 1 == last.size()) return {};
    return found;
}

bool is_end_of(std::string_view part, std::string_view path) {
    return path == part || (path.size() > part.size() && path.ends_with(part) &&
                            path[path.size() - part.size() - 1] == '/');
}

std::vector<const EmbeddedFile*> files_named(std::string_view name) {
    while (name.starts_with("./")) name.remove_prefix(2);
    std::vector<const EmbeddedFile*> found;
    for (const EmbeddedFile& file : mapped_sources()) {
        if (file.name == name) return {&file};
        if (is_end_of(name, file.name) || is_end_of(file.name, name)) found.push_back(&file);
    }
    return found;
}

const EmbeddedFile* file_of(std::string_view name) {
    const auto found = std::ranges::find(mapped_sources(), name, &EmbeddedFile::name);
    return found == mapped_sources().end() ? nullptr : &*found;
}

std::size_t line_number(std::string_view digits) {
    std::size_t number = 0;
    const auto result = std::from_chars(digits.data(), digits.data() + digits.size(), number);
    return result.ec == std::errc{} ? number : 0;
}

/// The number of the line `#line 1` in a committed translation, after which the kernel's own source
/// begins; 0: it has none.
std::size_t opening_lines(const std::vector<std::string_view>& lines) {
    const auto at = std::ranges::find_if(
        lines, [](std::string_view line) { return line.starts_with("#line 1 "); });
    return at == lines.end() ? 0 : static_cast<std::size_t>(at - lines.begin()) + 1;
}

constexpr std::string_view opencl_folder = "kernels/", cuda_folder = "kernels/cuda/";

/// The line of the other language that has the same number, where there is one.
void set_other(NamedLine& named, std::string_view text) {
    const std::string_view file = named.line.file;
    const bool is_cuda = file.starts_with(cuda_folder);
    const std::string_view folder = is_cuda ? cuda_folder : opencl_folder;
    if (!file.starts_with(folder)) return;
    const std::string_view stem = file.substr(folder.size(), file.rfind('.') - folder.size());
    const std::string other = is_cuda ? fmt::format("{}{}.cl", opencl_folder, stem)
                                      : fmt::format("{}{}.cu", cuda_folder, stem);
    const EmbeddedFile* found = file_of(other);
    if (!found) return;
    const auto lines = lines_of(found->text);
    const std::size_t opening = opening_lines(is_cuda ? lines_of(text) : lines);
    if (is_cuda && named.line.number <= opening) {
        named.is_prelude = true;
        return;
    }
    const std::size_t number = is_cuda ? named.line.number - opening : named.line.number + opening;
    if (number <= lines.size()) named.other = SourceLine{found->name, number, lines[number - 1]};
}

/// The statements of a file, without comments and blank lines.
std::vector<std::vector<SourceLine>> statements_of(const EmbeddedFile& file) {
    std::vector<std::vector<SourceLine>> all(1);
    std::size_t number = 0;
    for (const std::string_view line : lines_of(file.text)) {
        ++number;
        const std::string_view shown = trimmed(line);
        if (shown.empty() || shown.starts_with("//") || shown.starts_with('#')) continue;
        all.back().push_back({file.name, number, line});
        if (ends_with_any(shown, {";", "{", "}"})) all.emplace_back();
    }
    return all;
}

/// The first statement that has all the names of one spelling; empty: there is none.
/// @param spellings  `clCreateBuffer, clCreateImage` or `cudaMemcpyAsync with cudaMemcpyDefault`
std::vector<SourceLine> statement_with(std::string_view spellings, std::string_view name) {
    const EmbeddedFile* file = file_of(name);
    if (!file) return {};
    for (const std::string_view spelling : split(spellings, ",")) {
        const std::vector<std::string> words = words_in_code(spelling);
        std::vector<std::string_view> names;
        for (const std::string& word : words) {
            if (looks_like_api(word)) names.push_back(word);
        }
        if (names.empty()) continue;
        for (std::vector<SourceLine>& statement : statements_of(*file)) {
            std::string text;
            for (const SourceLine& line : statement) text += std::string(line.text) + "\n";
            const auto has = [&](std::string_view one) { return has_word(text, one); };
            if (std::ranges::all_of(names, has)) return std::move(statement);
        }
    }
    return {};
}

}  // namespace

std::span<const EmbeddedFile> mapped_sources() {
    static const std::vector<EmbeddedFile> all = [] {
        // The kernels' sources are embedded already, without their folder.
        static std::vector<std::string> names;
        for (const EmbeddedFile& file : embedded_kernels()) {
            names.push_back(std::string(opencl_folder) + std::string(file.name));
        }
        const auto sources = embedded_sources();
        std::vector<EmbeddedFile> files(sources.begin(), sources.end());
        for (std::size_t i = 0; i < names.size(); ++i) {
            files.push_back({names[i], embedded_kernels()[i].text});
        }
        return files;
    }();
    return all;
}

std::optional<std::string_view> source_text(std::string_view file) {
    const EmbeddedFile* found = file_of(file);
    return found ? std::optional(found->text) : std::nullopt;
}

std::optional<NamedLine> named_line(std::string_view word) {
    if (const auto files = files_named(word); !word.empty() && files.size() == 1) {
        throw UsageError(fmt::format("Say which line of it: {0}:1 to {0}:{1}.", files[0]->name,
                                     lines_of(files[0]->text).size()));
    }
    const auto reference = reference_in(word);
    if (!reference) return {};
    const auto files = files_named(reference->file);
    if (files.empty()) {
        throw UsageError(
            fmt::format("The map knows no file '{}': it knows those of backends/opencl, "
                        "backends/cuda, docs/examples/host, kernels (*.cl) and kernels/cuda. A "
                        "line of another file can be given itself: parallax map 'cudaFree(p);'",
                        printable(reference->file, longest_name)));
    }
    if (files.size() > 1) {
        std::vector<std::string_view> names;
        for (const EmbeddedFile* file : files) names.push_back(file->name);
        throw UsageError(fmt::format("'{}' may be {}. Say which.",
                                     printable(reference->file, longest_name),
                                     fmt::join(names, " or ")));
    }
    const EmbeddedFile& file = *files.front();
    const auto lines = lines_of(file.text);
    const std::size_t number = line_number(reference->number);
    if (number == 0 || number > lines.size()) {
        throw UsageError(fmt::format("{} has no line {}: its lines are 1 to {}.", file.name,
                                     printable(reference->number, 20), lines.size()));
    }
    NamedLine named{
        {file.name, number, lines[number - 1]}, {}, false, !file.name.starts_with("kernels/")};
    set_other(named, file.text);
    return named;
}

std::vector<SourceLine> lines_of(const Place& place) {
    constexpr std::size_t most = 4;
    std::vector<SourceLine> found;
    const EmbeddedFile* file = file_of(place.file);
    const std::size_t at = file ? file->text.find(place.text) : std::string_view::npos;
    if (at == std::string_view::npos) return found;
    const auto lines = lines_of(file->text);
    auto number = static_cast<std::size_t>(std::ranges::count(file->text.substr(0, at), '\n'));
    int open = 0;  // brackets
    for (; found.size() < most && number < lines.size(); ++number) {
        const std::string_view line = lines[number];
        if (line.empty() && !found.empty()) break;
        found.push_back({file->name, number + 1, line});
        for (const char c : line) {
            if (c == '(' || c == '[' || c == '{') ++open;
            if (c == ')' || c == ']' || c == '}') --open;
        }
        const std::string_view shown = trimmed(line);
        if (ends_with_any(shown, {";", "{", "}"}) ||
            (open <= 0 && ends_with_any(shown, {",", ":"})) || line.find("//") != line.npos) {
            break;
        }
    }
    return found;
}

Example example_of(const MappingRule& row) {
    if (row.kernel_language) return {};
    return {statement_with(row.opencl, "docs/examples/host/saxpy_opencl.cpp"),
            statement_with(row.cuda, "docs/examples/host/saxpy_cuda.cpp")};
}

}  // namespace parallax
