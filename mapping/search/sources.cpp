// Looks up lines of the embedded sources.
#include "mapping/search/sources.hpp"

#include <algorithm>
#include <charconv>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "common/characters.hpp"
#include "common/error.hpp"
#include "common/text.hpp"
#include "mapping/search/embedded_sources.hpp"

namespace parallax {
namespace {

constexpr std::size_t longest_name = 100;  // of a file, in messages

/// A file's name with what stands behind its colon.
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

std::size_t line_number(std::string_view digits) {
    std::size_t number = 0;
    const auto end = digits.data() + digits.size();
    const auto result = std::from_chars(digits.data(), end, number);
    return result.ec == std::errc{} ? number : std::string_view::npos;
}

/// The number of the line `#line 1` in a committed translation, behind which the kernel's own text
/// begins; 0: it has none.
std::size_t opening_lines(std::string_view text) {
    std::size_t number = 0;
    while (const auto line = line_of(text, ++number)) {
        if (line->starts_with("#line 1 ")) return number;
    }
    return 0;
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
    const auto found = std::ranges::find(mapped_sources(), other, &EmbeddedFile::name);
    if (found == mapped_sources().end()) return;
    const std::size_t opening = opening_lines(is_cuda ? text : found->text);
    if (is_cuda && named.line.number <= opening) {
        named.is_prelude = true;
        return;
    }
    const std::size_t number = is_cuda ? named.line.number - opening : named.line.number + opening;
    if (const auto line = line_of(found->text, number)) {
        named.other = SourceLine{found->name, number, *line};
    }
}

}  // namespace

std::span<const EmbeddedFile> mapped_sources() {
    static const std::vector<EmbeddedFile> all = [] {
        // The kernels' texts are in the program already, without their folder.
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
    const auto found = std::ranges::find(mapped_sources(), file, &EmbeddedFile::name);
    if (found == mapped_sources().end()) return {};
    return found->text;
}

std::optional<std::string_view> line_of(std::string_view text, std::size_t number) {
    for (std::size_t start = 0, at = 1; start < text.size(); ++at) {
        const std::size_t end = std::min(text.find('\n', start), text.size());
        if (at == number) return text.substr(start, end - start);
        start = end + 1;
    }
    return {};
}

std::size_t count_lines(std::string_view text) {
    const auto ends = static_cast<std::size_t>(std::ranges::count(text, '\n'));
    return ends + (text.empty() || text.ends_with('\n') ? 0 : 1);
}

std::optional<NamedLine> named_line(std::string_view word) {
    if (const auto files = files_named(word); !word.empty() && files.size() == 1) {
        throw UsageError(fmt::format("Say which line of it: {0}:1 to {0}:{1}.", files[0]->name,
                                     count_lines(files[0]->text)));
    }
    const auto reference = reference_in(word);
    if (!reference) return {};
    const auto files = files_named(reference->file);
    if (files.empty()) {
        throw UsageError(
            fmt::format("The map knows no file '{}': it knows those of backends/opencl, "
                        "backends/cuda, docs/examples/host, kernels (*.cl) and kernels/cuda. A "
                        "line of another file "
                        "can be given itself: parallax map 'cudaFree(p);'",
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
    const std::size_t number = line_number(reference->number);
    const auto line = line_of(file.text, number);
    if (!line) {
        throw UsageError(fmt::format("{} has no line {}: its lines are 1 to {}.", file.name,
                                     printable(reference->number, 20), count_lines(file.text)));
    }
    NamedLine named{{file.name, number, *line}, {}, false, !file.name.starts_with("kernels/")};
    set_other(named, file.text);
    return named;
}

std::vector<SourceLine> lines_of(const Place& place) {
    constexpr std::size_t most = 4;
    std::vector<SourceLine> lines;
    const auto file = std::ranges::find(mapped_sources(), place.file, &EmbeddedFile::name);
    if (file == mapped_sources().end()) return lines;
    const std::size_t at = file->text.find(place.text);
    if (at == std::string_view::npos) return lines;
    auto number = static_cast<std::size_t>(std::ranges::count(file->text.substr(0, at), '\n') + 1);
    int open = 0;  // brackets
    while (lines.size() < most) {
        const auto line = line_of(file->text, number);
        if (!line || (line->empty() && !lines.empty())) break;
        lines.push_back({file->name, number++, *line});
        for (const char c : *line) {
            if (c == '(' || c == '[' || c == '{') ++open;
            if (c == ')' || c == ']' || c == '}') --open;
        }
        const std::size_t last = line->find_last_not_of(' ');
        const char end = last == line->npos ? ' ' : (*line)[last];
        if (end == ';' || end == '{' || end == '}' || (open <= 0 && (end == ',' || end == ':'))) {
            break;
        }
        if (line->find("//") != line->npos) break;
    }
    return lines;
}

}  // namespace parallax
