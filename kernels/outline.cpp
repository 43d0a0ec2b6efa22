// Finds brackets and declarations in the tokens of a kernel file.
#include "kernels/outline.hpp"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "common/error.hpp"

namespace parallax {
namespace {

// Everything that walks into brackets is recursive: this bounds its depth.
constexpr std::size_t deepest = 200;

template <std::size_t N>
bool one_of(const std::array<std::string_view, N>& words, std::string_view word) {
    return std::find(words.begin(), words.end(), word) != words.end();
}

char closing(std::string_view open) {
    return open == "(" ? ')' : open == "[" ? ']' : '}';
}

void match_brackets(Outline& outline) {
    outline.match.assign(outline.tokens.size(), 0);
    std::vector<std::size_t> open;
    for (std::size_t i = 0; i < outline.tokens.size(); ++i) {
        const Token& token = outline[i];
        if (token.kind != TokenKind::mark) continue;
        if (token.is("(") || token.is("[") || token.is("{")) {
            if (open.size() == deepest) {
                throw Refused(outline.complaint(
                    i, fmt::format("brackets nest deeper than {}; use variables", deepest)));
            }
            open.push_back(i);
        } else if (token.is(")") || token.is("]") || token.is("}")) {
            if (open.empty() || closing(outline[open.back()].text) != token.text[0]) {
                throw Refused(outline.complaint(i,
                                                "closes a bracket that is not open; remove it, or "
                                                "close the one before"));
            }
            outline.match[i] = open.back();
            outline.match[open.back()] = i;
            open.pop_back();
        }
    }
    if (!open.empty()) {
        throw Refused(outline.complaint(open.back(), "a bracket that is never closed; close it"));
    }
}

bool is_record(const Token& word) {
    return word.is("struct") || word.is("union") || word.is("enum");
}

/// Whether a struct, union or enum is declared without an object of it.
bool declares_only(const Outline& outline, const Item& item, std::size_t brace) {
    if (brace == 0) return item.last == item.first + 2;
    return brace + 1 == item.last || outline[brace + 1].is("__attribute__");
}

/// Reads one declaration that begins at `first`.
Item item_from(const Outline& outline, std::size_t first) {
    Item item{.first = first};
    bool kernel = false, assigned = false, ended = false;
    std::size_t brace = 0;
    for (std::size_t i = first; outline[i].kind != TokenKind::end; ++i) {
        const Token& token = outline[i];
        if (token.is("__kernel") || token.is("kernel")) kernel = true;
        if (token.is("=")) assigned = true;
        if (token.is("(") || token.is("[")) {
            const Token& before = outline[i > 0 ? i - 1 : 0];
            if (token.is("(") && item.open == 0 && !assigned && i > first &&
                before.kind == TokenKind::word && !before.is("__attribute__")) {
                item.open = i;
                item.close = outline.match[i];
                item.name = i - 1;
            }
            i = outline.match[i];
        } else if (token.is("{")) {
            item.last = outline.match[i];
            if (item.open != 0 && !assigned) {
                item.body = i;
                ended = true;
                break;
            }
            brace = i = item.last;
        } else if (token.is(";")) {
            item.last = i;
            ended = true;
            break;
        }
    }
    if (!ended) {
        throw Refused(outline.complaint(first, "a declaration that does not end; close it with ;"));
    }
    const Token& word = outline[first];
    if (word.is("typedef")) {
        item.kind = Item::Kind::alias;
        item.open = 0;
    } else if (item.open != 0) {
        item.kind = kernel ? Item::Kind::kernel : Item::Kind::helper;
    } else if (word.is(";") || (is_record(word) && declares_only(outline, item, brace))) {
        item.kind = Item::Kind::type;
    }
    return item;
}

}  // namespace

std::string Outline::complaint(std::size_t token, std::string_view what) const {
    std::string_view text = tokens[token].text;
    if (text.size() > 60) text = text.substr(0, 60);
    return fmt::format("{}:{}: '{}': {}", file, tokens[token].line, text, what);
}

std::vector<ParameterRange> Outline::parameters(const Item& function) const {
    std::vector<ParameterRange> ranges;
    std::size_t from = function.open + 1;
    if (from == function.close) return ranges;
    if (from + 1 == function.close && tokens[from].is("void")) return ranges;
    for (std::size_t i = from; i <= function.close; ++i) {
        if (i == function.close || tokens[i].is(",")) {
            ranges.push_back({from, i});
            from = i + 1;
        } else if (match[i] > i) {
            i = match[i];
        }
    }
    return ranges;
}

Outline outline_of(std::string_view file, std::string_view source) {
    Outline outline;
    outline.file = file;
    outline.tokens = lex(file, source);
    match_brackets(outline);
    for (std::size_t i = 0; outline[i].kind != TokenKind::end;) {
        if (outline[i].kind == TokenKind::directive) {
            ++i;
            continue;
        }
        outline.items.push_back(item_from(outline, i));
        i = outline.items.back().last + 1;
    }
    return outline;
}

std::string_view spelled(std::string_view word, std::optional<ElementType> type) {
    if (!type) return word;
    static constexpr std::array<std::array<std::string_view, 3>, 3> names{
        {{"float", "float2", "float4"}, {"double", "double2", "double4"}, {"int", "int2", "int4"}}};
    const auto& row = names[type == ElementType::f32 ? 0U : type == ElementType::f64 ? 1U : 2U];
    return word == "T" ? row[0] : word == "T2" ? row[1] : word == "T4" ? row[2] : word;
}

std::optional<VectorType> vector_type(std::string_view word) {
    if (word.size() < 4) return {};
    const std::string_view element = word.substr(0, word.size() - 1);
    const char width = word.back();
    static constexpr std::array<std::string_view, 4> elements{"float", "double", "int", "uint"};
    if ((width != '2' && width != '4') || !one_of(elements, element)) return {};
    return VectorType{element, width == '2' ? 2U : 4U};
}

bool is_shared_keyword(std::string_view word) {
    static constexpr std::array<std::string_view, 22> words{
        "break",  "case",   "const", "continue", "default", "do",     "else",   "enum",
        "false",  "for",    "goto",  "if",       "inline",  "return", "sizeof", "static",
        "struct", "switch", "true",  "typedef",  "union",   "void"};
    return one_of(words, word) || word == "volatile" || word == "while";
}

bool is_address_space(std::string_view word) {
    static constexpr std::array<std::string_view, 8> words{
        "__global", "global", "__local", "local", "__constant", "constant", "__private", "private"};
    return one_of(words, word);
}

bool is_qualifier(std::string_view word) {
    static constexpr std::array<std::string_view, 4> words{"const", "volatile", "restrict",
                                                           "__restrict"};
    return one_of(words, word);
}

}  // namespace parallax
