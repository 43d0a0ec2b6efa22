// Reads the directives of the corpus.
#include "mapping/tests/corpus.hpp"

#include <algorithm>
#include <filesystem>
#include <map>
#include <regex>
#include <sstream>
#include <utility>

#include <fmt/format.h>

#include "common/error.hpp"
#include "mapping/preprocess/expand.hpp"
#include "mapping/tests/support.hpp"

namespace parallax::corpus {
namespace {

bool is_at_end(std::istream& words) {
    return words.eof() || (words >> std::ws).eof();
}

/// Buffers are `TYPE ELEMENTS [FILLING]`.
Buffer read_buffer(const std::string& way, std::istream& words) {
    using enum Buffer::InputPattern;
    static const std::map<std::string, Buffer::InputPattern> fillings{
        {"zero", zero}, {"small", small}, {"unit", unit},
        {"bits", bits}, {"iota", iota},   {"special", special}};
    std::string type, filling;
    Buffer made{.way = way == "in"    ? Buffer::Way::in
                       : way == "out" ? Buffer::Way::out
                                      : Buffer::Way::inout};
    words >> type >> made.elements;
    made.type = value_type_named(type).value();
    if (made.way != Buffer::Way::out && words >> filling) made.filling = fillings.at(filling);
    if (made.filling == unit && !is_float_element(made.type.element)) words.setstate(words.failbit);
    return made;
}

Scalar read_value(std::istream& words) {
    std::string type;
    words >> type;
    const auto read = [&]<class T>(T value) -> Scalar { return words >> value, value; };
    if (type == "int") return read(std::int32_t{});
    if (type == "uint") return read(std::uint32_t{});
    if (type == "long") return read(std::int64_t{});
    if (type == "float") return read(float{});
    words.setstate(words.failbit);
    return {};
}

/// `64`, `64x4` or `8x4x2`.
Size read_size(std::istream& words) {
    Size size{1, 1, 1};
    words >> size.x;
    for (std::uint64_t* extent : {&size.y, &size.z}) {
        if (!words.eof() && words.peek() == 'x') words.ignore() >> *extent;
    }
    return size;
}

void read_directive(const std::string& line, Kernel& kernel) {
    std::istringstream words(line);
    std::string name, word;
    words >> word >> name;
    words.exceptions(words.failbit);
    if (name == "in:" || name == "out:" || name == "inout:") {
        kernel.parameters.emplace_back(read_buffer(name.substr(0, name.size() - 1), words));
    } else if (name == "value:") {
        kernel.parameters.emplace_back(read_value(words));
    } else if (name == "local:") {
        LocalBytes local;
        words >> local.bytes;
        kernel.parameters.emplace_back(local);
    } else if (name == "launch:") {
        kernel.items = read_size(words);
        words >> word;
        kernel.group = read_size(words);
    } else if (name == "ulp:") {
        words >> kernel.ulp;
    } else if (name == "needs:") {
        while (!is_at_end(words)) {
            words >> word;
            kernel.needs.insert(word);
        }
    } else if (name == "like:") {
        words >> kernel.like;
    } else if (name == "define:") {
        words >> word;
        const std::size_t mark = word.find('=');
        kernel.defines.push_back({word.substr(0, mark), word.substr(mark + 1)});
    } else if (name == "wrong:") {
        words >> kernel.wrong_on >> std::ws;
        std::getline(words, kernel.wrong_because);
    } else {
        throw Error("it is unknown");
    }
    if (!is_at_end(words)) throw Error("there is more of it");
}

/// The name of the kernel that is declared at the start of `text`; empty: none is.
std::string kernel_at(const std::string& text) {
    static const std::regex start("^[^#/\n]*\\b(__kernel|kernel|KERNEL)\\b"), call("(\\w+)\\(");
    static const std::set<std::string> attributes{"__attribute__", "reqd_work_group_size",
                                                  "work_group_size_hint", "vec_type_hint"};
    if (!std::regex_search(text.substr(0, text.find('\n')), start)) return {};
    for (auto at = std::sregex_iterator(text.begin(), text.end(), call);
         at != std::sregex_iterator(); ++at) {
        if (!attributes.contains((*at)[1])) return (*at)[1];
    }
    return {};
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
    Kernel kernel;
    bool has_directives = false;
    unsigned number = 0;
    for (std::size_t at = 0; at < source.size();) {
        ++number;
        const std::size_t end = std::min(source.find('\n', at), source.size());
        const std::string line(source.substr(at, end - at));
        const bool is_directive = line.starts_with("//!");
        try {
            if (is_directive) read_directive(line, kernel);
            kernel.name = is_directive ? "" : kernel_at(std::string(source.substr(at)));
            if (!is_directive && kernel.name.empty() == has_directives)
                throw Error("directives and kernels stand together");
        } catch (const std::exception& error) {
            throw Error(fmt::format("{}:{}: '{}': {}", name, number, line, error.what()));
        }
        has_directives = is_directive;
        if (!kernel.name.empty()) file.kernels.push_back(std::exchange(kernel, {}));
        at = end + 1;
    }
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

const std::vector<RefusedText>& refused_files() {
    static const std::vector<RefusedText> all = [] {
        std::vector<RefusedText> made;
        for (const auto& [name, text] :
             texts_in(std::filesystem::path(SOURCE_ROOT "/kernels/corpus") / "refused")) {
            RefusedText& one = made.emplace_back(RefusedText{.name = name, .source = text});
            constexpr std::string_view mark = "\n//! refused: ";
            std::istringstream words(text.substr(text.find(mark) + mark.size()));
            words.exceptions(words.failbit);
            words >> one.line >> std::ws;
            std::getline(words, one.word);
        }
        return made;
    }();
    return all;
}

}  // namespace parallax::corpus
