// Reads the directives of the corpus, strictly.
#include "mapping/tests/corpus.hpp"

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <map>
#include <optional>
#include <sstream>

#include <fmt/format.h>

#include "common/error.hpp"
#include "common/text/characters.hpp"
#include "mapping/preprocess/expand.hpp"
#include "mapping/tests/support.hpp"

namespace parallax::corpus {
namespace {

using Words = std::vector<std::string>;

/// A line of a file, for what is said about it.
struct Place {
    std::string file;
    unsigned line = 0;
    [[noreturn]] void complain(std::string_view what) const {
        throw Error(fmt::format("{}:{}: {}", file, line, what));
    }
};

Words words_of(const std::string& text) {
    std::istringstream stream(text);
    Words words;
    for (std::string word; stream >> word;) words.push_back(word);
    return words;
}

template <class T>
T number(const Place& place, const std::string& word) {
    T value{};
    const auto [end, code] = std::from_chars(word.data(), word.data() + word.size(), value);
    if (code != std::errc() || end != word.data() + word.size()) {
        place.complain(fmt::format("'{}' is not the number that is wanted here", word));
    }
    return value;
}

template <class T>
T positive(const Place& place, const std::string& word) {
    const T value = number<T>(place, word);
    if (value <= 0) place.complain(fmt::format("'{}' must be above 0", word));
    return value;
}

void want(const Place& place, const Words& words, std::size_t count, std::string_view form) {
    if (words.size() != count) place.complain(fmt::format("write it as '{}'", form));
}

Buffer buffer(const Place& place, Buffer::Way way, const Words& words) {
    if (way == Buffer::Way::out) {
        want(place, words, 2, "out: TYPE ELEMENTS");
    } else {
        want(place, words, 3, "in: TYPE ELEMENTS FILLING");
    }
    const auto type = value_type_named(words[0]);
    if (!type || type->element == "bool" || type->element == "void") {
        place.complain(fmt::format("'{}' is no type that a buffer can have", words[0]));
    }
    Buffer made{.way = way, .type = *type, .elements = positive<std::size_t>(place, words[1])};
    if (way == Buffer::Way::out) return made;
    using enum Buffer::InputPattern;
    static const std::map<std::string, Buffer::InputPattern, std::less<>> fillings{
        {"zero", zero}, {"small", small}, {"unit", unit},
        {"bits", bits}, {"iota", iota},   {"special", special}};
    const auto found = fillings.find(words[2]);
    if (found == fillings.end()) {
        place.complain(
            fmt::format("'{}' is no filling; there are zero, small, unit, bits, iota "
                        "and special",
                        words[2]));
    }
    made.filling = found->second;
    if (made.filling == unit && !is_float_element(made.type.element)) {
        place.complain("only floating-point buffers can be filled with 'unit'");
    }
    return made;
}

Scalar value(const Place& place, const Words& words) {
    want(place, words, 2, "value: TYPE NUMBER");
    if (words[0] == "int") return number<std::int32_t>(place, words[1]);
    if (words[0] == "uint") return number<std::uint32_t>(place, words[1]);
    if (words[0] == "long") return number<std::int64_t>(place, words[1]);
    if (words[0] == "ulong") return number<std::uint64_t>(place, words[1]);
    if (words[0] == "float") return number<float>(place, words[1]);
    if (words[0] == "double") return number<double>(place, words[1]);
    place.complain(fmt::format("a launch cannot pass a '{}' by value", words[0]));
}

Size size(const Place& place, const std::string& word) {
    std::vector<std::uint64_t> extents;
    std::istringstream stream(word);
    for (std::string part; std::getline(stream, part, 'x');) {
        extents.push_back(positive<std::uint64_t>(place, part));
    }
    if (extents.empty() || extents.size() > 3 || word.back() == 'x') {
        place.complain(fmt::format("'{}' is no size; write 64, 64x4 or 8x4x2", word));
    }
    extents.resize(3, 1);
    return {extents[0], extents[1], extents[2]};
}

void launch(const Place& place, const Words& words, Kernel& kernel) {
    want(place, words, 3, "launch: ITEMS by GROUP");
    if (words[1] != "by") place.complain("write it as 'launch: ITEMS by GROUP'");
    kernel.items = size(place, words[0]);
    kernel.group = size(place, words[2]);
    const auto [x, y, z] = kernel.items;
    if (x % kernel.group.x || y % kernel.group.y || z % kernel.group.z) {
        place.complain("the items are no whole number of groups");
    }
}

void needs(const Place& place, const Words& words, Kernel& kernel) {
    static const std::set<std::string, std::less<>> known{"double", "half", "CL2.0", "subgroups",
                                                          "work_group_functions"};
    if (words.empty()) place.complain("'needs' names nothing");
    for (const std::string& word : words) {
        if (!known.contains(word)) {
            place.complain(fmt::format("'{}' is nothing that a kernel can need", word));
        }
        kernel.needs.insert(word);
    }
}

Define define(const Place& place, const Words& words) {
    want(place, words, 1, "define: NAME=VALUE");
    const std::size_t mark = words[0].find('=');
    if (mark == 0 || mark == std::string::npos || mark + 1 == words[0].size()) {
        place.complain("write it as 'define: NAME=VALUE'");
    }
    return {words[0].substr(0, mark), words[0].substr(mark + 1)};
}

/// What the directives of one kernel have said so far.
struct Draft {
    Kernel kernel;
    std::set<std::string> seen;
    bool any() const { return !seen.empty(); }
};

void directive(const Place& place, std::string_view line, Draft& draft) {
    const std::size_t colon = line.find(':');
    if (!line.starts_with("//! ") || colon == line.npos) {
        place.complain("a directive is written as '//! name: words'");
    }
    const std::string name(line.substr(4, colon - 4)), rest(line.substr(colon + 1));
    const Words words = words_of(rest);
    static const std::set<std::string> repeatable{"in", "out", "inout", "value", "local", "define"};
    if (!draft.seen.insert(name).second && !repeatable.contains(name)) {
        place.complain(fmt::format("'{}' stands here a second time", name));
    }
    Kernel& kernel = draft.kernel;
    if (name == "in") {
        kernel.parameters.emplace_back(buffer(place, Buffer::Way::in, words));
    } else if (name == "out") {
        kernel.parameters.emplace_back(buffer(place, Buffer::Way::out, words));
    } else if (name == "inout") {
        kernel.parameters.emplace_back(buffer(place, Buffer::Way::inout, words));
    } else if (name == "value") {
        kernel.parameters.emplace_back(value(place, words));
    } else if (name == "local") {
        want(place, words, 1, "local: BYTES");
        kernel.parameters.emplace_back(LocalBytes{positive<std::uint32_t>(place, words[0])});
    } else if (name == "launch") {
        launch(place, words, kernel);
    } else if (name == "ulp") {
        want(place, words, 1, "ulp: NUMBER");
        kernel.ulp = positive<double>(place, words[0]);
    } else if (name == "needs") {
        needs(place, words, kernel);
    } else if (name == "like") {
        want(place, words, 1, "like: KERNEL");
        kernel.like = words[0];
    } else if (name == "define") {
        kernel.defines.push_back(define(place, words));
    } else if (name == "wrong") {
        if (words.size() < 2) place.complain("write it as 'wrong: PLATFORM REASON'");
        kernel.wrong_on = words[0];
        kernel.wrong_because = rest.substr(rest.find(words[0]) + words[0].size() + 1);
    } else {
        place.complain(fmt::format("'{}' is no directive", name));
    }
}

bool is_letter(char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
}

bool begins_kernel(std::string_view line) {
    if (line.starts_with("#") || line.starts_with("//")) return false;
    return has_word(line, "__kernel") || has_word(line, "kernel") || has_word(line, "KERNEL");
}

/// Behind the parenthesis that opens at `open`.
std::size_t behind(std::string_view text, std::size_t open) {
    int depth = 0;
    for (std::size_t i = open; i < text.size(); ++i) {
        if (text[i] == '(') ++depth;
        if (text[i] == ')' && --depth == 0) return i + 1;
    }
    return text.size();
}

/// Name and parameters of the kernel that is declared at the start of `text`.
std::pair<std::string, Words> declaration(const Place& place, std::string_view text) {
    for (std::size_t i = 0; i < text.size() && text[i] != '{';) {
        std::size_t end = i;
        while (end < text.size() && is_letter(text[end])) ++end;
        const std::string word(text.substr(i, end - i));
        if (word.empty()) {
            ++i;
        } else if (text[end] != '(') {
            i = end;
        } else if (word == "__attribute__") {
            i = behind(text, end);
        } else {
            Words parameters{""};
            const std::size_t close = behind(text, end) - 1;
            for (const char c : text.substr(end + 1, close - end - 1)) {
                if (c == ',') {
                    parameters.emplace_back();
                } else {
                    parameters.back() += c;
                }
            }
            if (words_of(parameters[0]).empty() || parameters[0] == "void") parameters.clear();
            return {word, parameters};
        }
    }
    place.complain("no kernel is declared behind these directives");
}

void check_parameters(const Place& place, const Kernel& kernel, const Words& declared) {
    if (kernel.parameters.size() != declared.size()) {
        place.complain(fmt::format("'{}' has {} parameters and {} directives for them", kernel.name,
                                   declared.size(), kernel.parameters.size()));
    }
    for (std::size_t i = 0; i < declared.size(); ++i) {
        const bool pointer = declared[i].find('*') != std::string::npos;
        const bool local = has_word(declared[i], "__local") || has_word(declared[i], "local");
        const Parameter& parameter = kernel.parameters[i];
        const bool fits = std::holds_alternative<LocalBytes>(parameter) ? pointer && local
                          : std::holds_alternative<Buffer>(parameter)   ? pointer && !local
                                                                        : !pointer;
        if (!fits) {
            place.complain(fmt::format("directive {} of '{}' does not fit its parameter '{}'",
                                       i + 1, kernel.name, declared[i]));
        }
    }
}

void finish(const Place& place, std::string_view rest, Draft& draft, File& file) {
    Kernel& kernel = draft.kernel;
    Words declared;
    std::tie(kernel.name, declared) = declaration(place, rest);
    kernel.file = file.name;
    kernel.line = place.line;
    if (!draft.seen.contains("launch")) place.complain("the kernel has no '//! launch:'");
    check_parameters(place, kernel, declared);
    const bool writes = std::ranges::any_of(kernel.parameters, [](const Parameter& p) {
        const auto* buffer = std::get_if<Buffer>(&p);
        return buffer && buffer->is_output();
    });
    if (!writes)
        place.complain(fmt::format("'{}' writes nothing that can be compared", kernel.name));
    file.kernels.push_back(std::move(kernel));
    draft = {};
}

std::vector<std::pair<std::string, std::string>> texts_in(const std::filesystem::path& folder) {
    std::vector<std::pair<std::string, std::string>> texts;
    for (const auto& entry : std::filesystem::directory_iterator(folder)) {
        if (entry.path().extension() == ".cl") {
            texts.emplace_back(entry.path().filename(), testing::file_text(entry.path()));
        }
    }
    std::ranges::sort(texts);
    if (texts.empty()) throw Error(fmt::format("{} holds no kernels", folder.string()));
    return texts;
}

}  // namespace

std::size_t Buffer::bytes() const {
    return elements * element_bytes(type.element) * (type.width == 3 ? 4 : type.width);
}

Geometry Kernel::geometry() const {
    return {.groups = {items.x / group.x, items.y / group.y, items.z / group.z}, .items = group};
}

File read_kernels(std::string_view name, std::string_view source) {
    File file{std::string(name), std::string(source), {}};
    Place place{file.name, 0};
    Draft draft;
    for (std::size_t at = 0; at < source.size();) {
        ++place.line;
        const std::size_t end = std::min(source.find('\n', at), source.size());
        const std::string_view line = source.substr(at, end - at);
        if (line.starts_with("//!")) {
            directive(place, line, draft);
        } else if (begins_kernel(line)) {
            if (!draft.any()) place.complain("the kernel has no directives");
            finish(place, source.substr(at), draft, file);
        } else if (draft.any()) {
            place.complain("the kernel must follow its directives");
        }
        at = end + 1;
    }
    if (draft.any()) place.complain("no kernel follows these directives");
    if (file.kernels.empty()) place.complain("there is no kernel in this file");
    return file;
}

const std::vector<File>& files() {
    static const std::vector<File> all = [] {
        std::vector<File> made;
        for (auto& [name, text] : texts_in(SOURCE_ROOT "/kernels/corpus")) {
            // A file for the preprocessor says so in a line of its own.
            constexpr std::string_view mark = "\n//! expand\n";
            const std::size_t at = text.find(mark);
            if (at == text.npos) {
                made.push_back(read_kernels(name, text));
            } else if (can_expand()) {
                text.replace(at + 1, mark.size() - 2, "//");
                made.push_back(read_kernels(name, text));
                made.back().source = expanded(name, text, {}, {}, PathSandbox({}));
            }
        }
        return made;
    }();
    return all;
}

Found find(std::string_view name) {
    for (const File& file : files()) {
        for (const Kernel& kernel : file.kernels) {
            if (kernel.name == name) return {&file, &kernel};
        }
    }
    throw Error(fmt::format("the corpus has no kernel '{}'", name));
}

RefusedText read_refused(std::string_view name, std::string_view source) {
    constexpr std::string_view mark = "\n//! refused: ";
    const std::size_t at = source.find(mark);
    if (at == source.npos || source.find("//!", at + mark.size()) != source.npos) {
        throw Error(fmt::format("{}: one line must say '//! refused: LINE WORD'", name));
    }
    const std::size_t start = at + mark.size(), end = source.find('\n', start);
    const std::string rest(source.substr(start, end - start));
    const std::size_t blank = rest.find(' ');
    const Place place{std::string(name), 2};
    if (blank == std::string::npos || blank + 1 == rest.size()) {
        place.complain("write it as 'refused: LINE WORD'");
    }
    return {std::string(name), std::string(source),
            positive<unsigned>(place, rest.substr(0, blank)), rest.substr(blank + 1)};
}

const std::vector<RefusedText>& refused_files() {
    static const std::vector<RefusedText> all = [] {
        std::vector<RefusedText> made;
        for (const auto& [name, text] :
             texts_in(std::filesystem::path(SOURCE_ROOT "/kernels/corpus") / "refused")) {
            made.push_back(read_refused(name, text));
        }
        return made;
    }();
    return all;
}

}  // namespace parallax::corpus
