// Reads the parameter lists of the kernels of a file.
#include <utility>

#include <fmt/format.h>

#include "common/error.hpp"
#include "kernels/outline.hpp"
#include "kernels/translate.hpp"

namespace parallax {
namespace {

/// OpenCL's short name of a type that is written in several words.
std::string short_name(const std::vector<std::string_view>& words) {
    std::string joined;
    for (const std::string_view word : words) {
        if (word == "struct" || word == "union" || word == "enum") continue;
        if (!joined.empty()) joined += ' ';
        joined += word;
    }
    static constexpr std::pair<std::string_view, std::string_view> names[] = {
        {"unsigned", "uint"},         {"unsigned int", "uint"},      {"unsigned char", "uchar"},
        {"unsigned short", "ushort"}, {"unsigned long", "ulong"},    {"signed char", "char"},
        {"long int", "long"},         {"unsigned long int", "ulong"}};
    for (const auto& [longer, shorter] : names) {
        if (joined == longer) return std::string(shorter);
    }
    return joined;
}

Parameter parameter_from(const Outline& outline, ParameterRange range,
                         std::optional<ElementType> type) {
    Parameter parameter;
    bool pointer = false, is_const = false;
    std::vector<std::string_view> type_words;
    for (std::size_t i = range.first; i < range.last; ++i) {
        const Token& token = outline[i];
        const std::string_view word = token.text;
        if (token.is("__attribute__") && outline[i + 1].is("(")) {
            i = outline.match[i + 1];
        } else if (token.is("*") || token.is("[")) {
            if (pointer) {
                throw Refused(outline.complaint(i,
                                                "a pointer to a pointer as a kernel's parameter, "
                                                "which OpenCL does not allow; pass one pointer"));
            }
            pointer = true;
            if (token.is("[")) i = outline.match[i];
        } else if (token.kind != TokenKind::word) {
            throw Refused(outline.complaint(i,
                                            "not understood in a kernel's parameter; write type "
                                            "and name"));
        } else if (word == "const") {
            // Behind the star it is the pointer that is constant.
            is_const = is_const || !pointer;
        } else if (is_address_space(word)) {
            if (word.ends_with("global")) parameter.kind = Parameter::Kind::global;
            if (word.ends_with("local")) parameter.kind = Parameter::Kind::local;
            if (word.ends_with("constant")) parameter.kind = Parameter::Kind::constant;
        } else if (!is_qualifier(word)) {
            type_words.push_back(word);
        }
    }
    if (type_words.size() < 2) {
        throw Refused(
            outline.complaint(range.first, "a kernel's parameter needs a type and a name"));
    }
    parameter.name = type_words.back();
    type_words.pop_back();
    for (std::string_view& word : type_words) word = spelled(word, type);
    parameter.type = short_name(type_words);
    if (pointer != (parameter.kind != Parameter::Kind::scalar)) {
        throw Refused(outline.complaint(
            range.first, pointer ? "a pointer that does not say where it points; write __global, "
                                   "__local or __constant"
                                 : "an address space without a pointer; add the *"));
    }
    parameter.read_only = pointer && (is_const || parameter.kind == Parameter::Kind::constant);
    return parameter;
}

}  // namespace

std::vector<Signature> signatures(std::string_view file, std::string_view source,
                                  std::optional<ElementType> type) {
    const Outline outline = outline_of(file, source);
    std::vector<Signature> found;
    for (const Item& item : outline.items) {
        if (item.kind != Item::Kind::kernel || item.body == 0) continue;
        Signature signature{.kernel = std::string(outline[item.name].text),
                            .line = outline[item.first].line,
                            .last_line = outline[item.last].line};
        for (const ParameterRange& range : outline.parameters(item)) {
            if (range.first == range.last) {
                throw Refused(
                    outline.complaint(range.first, "an empty parameter; remove the comma"));
            }
            signature.parameters.push_back(parameter_from(outline, range, type));
        }
        found.push_back(std::move(signature));
    }
    return found;
}

}  // namespace parallax
