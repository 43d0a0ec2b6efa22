// Finds the functions of a text, and the places in their bodies that a change can be made at.
#include "benchmarks/mutate.hpp"

#include <algorithm>
#include <cctype>
#include <functional>
#include <map>
#include <optional>

#include <fmt/format.h>

#include "mapping/translate/lexer.hpp"

namespace parallax {
namespace {

using Tokens = std::vector<Token>;
using Words = std::map<std::string_view, std::string_view>;

/// What stands for the tokens from `first` to before `last`.
struct Edit {
    std::size_t first = 0, last = 0;
    std::string is;
};

/// A kind of change. `at` gives the edit that begins with that token; nothing: it has no place
/// there.
struct Kind {
    std::string name;
    std::function<std::optional<Edit>(const Tokens&, std::size_t)> at;
};

/// Behind the bracket that belongs to the one at `open`.
std::size_t behind(const Tokens& tokens, std::size_t open) {
    int depth = 0;
    for (std::size_t i = open; i < tokens.size(); ++i) {
        if (tokens[i].is_one_of({"(", "[", "{"})) ++depth;
        if (tokens[i].is_one_of({")", "]", "}"}) && --depth == 0) return i + 1;
    }
    return tokens.size();
}

/// Behind the next `;` outside of brackets; nothing: the block ends before.
std::optional<std::size_t> behind_statement(const Tokens& tokens, std::size_t i) {
    while (i < tokens.size() && !tokens[i].is_one_of({"}", "{"})) {
        if (tokens[i].is(";")) return i + 1;
        i = tokens[i].is_one_of({"(", "["}) ? behind(tokens, i) : i + 1;
    }
    return {};
}

std::string text_of(const Tokens& tokens, std::size_t first, std::size_t last) {
    std::string text;
    for (std::size_t i = first; i < last; ++i) {
        if (i > first) text += tokens[i].space;
        text += tokens[i].text;
    }
    return text;
}

/// Between two operands, and no sign or star of a type.
bool joins_two(const Tokens& tokens, std::size_t i) {
    const Token& before = tokens[i - 1];
    return before.kind == TokenKind::word || before.kind == TokenKind::number ||
           before.is_one_of({")", "]"});
}

/// One word or mark for another. @param binary  only between two operands
Kind swap(std::string name, Words words, bool binary = false) {
    return {std::move(name), [=](const Tokens& tokens, std::size_t i) -> std::optional<Edit> {
                const auto found = words.find(tokens[i].text);
                if (found == words.end() || (binary && !joins_two(tokens, i))) return {};
                return Edit{i, i + 1, std::string(found->second)};
            }};
}

/// A literal, made of its digits and its suffix. @param change  the text for its value; empty: none
Kind literal(std::string name, bool of_floats, std::function<std::string(double)> change) {
    return {std::move(name), [=](const Tokens& tokens, std::size_t i) -> std::optional<Edit> {
                const Token& token = tokens[i];
                if (token.kind != TokenKind::number || token.text.starts_with("0x")) return {};
                const bool is_float = token.text.find('.') != std::string_view::npos;
                if (is_float != of_floats) return {};
                std::size_t digits = 0;
                const double value = std::stod(std::string(token.text), &digits);
                std::string is = change(value);
                if (is.empty()) return {};
                return Edit{i, i + 1, is + std::string(token.text.substr(digits))};
            }};
}

/// What is put before and behind the condition of an `if`.
Kind guard(std::string name, std::string before) {
    return {std::move(name), [=](const Tokens& tokens, std::size_t i) -> std::optional<Edit> {
                if (!tokens[i].is("if") || !tokens[i + 1].is("(")) return {};
                const std::size_t end = behind(tokens, i + 1);
                return Edit{i, end, fmt::format("if ({}{})", before, text_of(tokens, i + 1, end))};
            }};
}

bool is_barrier(const Tokens& tokens, std::size_t i) {
    return tokens[i].is_one_of({"barrier", "work_group_barrier", "sub_group_barrier"}) &&
           tokens[i + 1].is("(");
}

/// An index, and not the extent of an array that is declared.
bool opens_index(const Tokens& tokens, std::size_t i) {
    if (!tokens[i].is("[") || i < 2) return false;
    if (tokens[i - 1].is_one_of({"]", ")"})) return true;
    const Token& before = tokens[i - 2];
    return before.is("return") ||
           (before.kind == TokenKind::mark && !before.is_one_of({"*", ")", ">"}));
}

Kind index(std::string name, std::string before) {
    return {std::move(name), [=](const Tokens& tokens, std::size_t i) -> std::optional<Edit> {
                if (!opens_index(tokens, i)) return {};
                return Edit{i, i + 1, "[" + before};
            }};
}

std::optional<Edit> barrier_moved(const Tokens& tokens, std::size_t i) {
    if (!is_barrier(tokens, i)) return {};
    const std::size_t end = behind(tokens, i + 1) + 1;
    const auto next = behind_statement(tokens, end);
    if (!next) return {};
    return Edit{i, *next, text_of(tokens, end, *next) + " " + text_of(tokens, i, end)};
}

std::optional<Edit> statement_removed(const Tokens& tokens, std::size_t i) {
    if (!tokens[i - 1].is_one_of({";", "{", "}", ")"}) || tokens[i].kind != TokenKind::word)
        return {};
    if (!tokens[i + 1].is_one_of({"=", "[", ".", "+=", "-=", "*=", "/=", "|=", "^=", "<<=", ">>="}))
        return {};
    const auto end = behind_statement(tokens, i);
    if (!end) return {};
    return Edit{i, *end, ";"};
}

const std::vector<Kind>& kinds() {
    using Found = std::optional<Edit>;
    static const std::vector<Kind> all{
        swap("edge of a comparison", {{"<", "<="}, {"<=", "<"}, {">", ">="}, {">=", ">"}}),
        swap("comparison turned round",
             {{"<", ">="}, {"<=", ">"}, {">", "<="}, {">=", "<"}, {"==", "!="}, {"!=", "=="}}),
        swap("sum or difference", {{"+", "-"}, {"-", "+"}}, true),
        swap("product", {{"*", "+"}}, true),
        swap("quotient or remainder", {{"/", "*"}, {"%", "/"}}, true),
        swap("assignment",
             {{"+=", "="}, {"-=", "+="}, {"*=", "+="}, {"/=", "*="}, {"|=", "&="}, {"^=", "="}}),
        swap("bits", {{"&", "|"}, {"|", "&"}, {"^", "&"}, {"<<", ">>"}, {">>", "<<"}}, true),
        swap("and, or", {{"&&", "||"}, {"||", "&&"}}),
        swap("another work-item function", {{"get_global_id", "get_local_id"},
                                            {"get_local_id", "get_group_id"},
                                            {"get_group_id", "get_local_id"},
                                            {"get_local_size", "get_num_groups"},
                                            {"get_num_groups", "get_local_size"},
                                            {"get_global_size", "get_local_size"}}),
        swap("another function", {{"min", "max"},
                                  {"max", "min"},
                                  {"fmin", "fmax"},
                                  {"fmax", "fmin"},
                                  {"floor", "ceil"},
                                  {"ceil", "floor"},
                                  {"sin", "cos"},
                                  {"cos", "sin"},
                                  {"log", "exp"},
                                  {"exp", "log"},
                                  {"sqrt", "fabs"},
                                  {"rsqrt", "sqrt"}}),
        swap("narrower integers", {{"size_t", "uchar"},
                                   {"ulong", "uchar"},
                                   {"long", "char"},
                                   {"uint", "uchar"},
                                   {"int", "char"}}),
        literal("integer one more", false, [](double v) { return fmt::format("{:.0f}", v + 1); }),
        literal("integer one less", false,
                [](double v) { return v < 1 ? "" : fmt::format("{:.0f}", v - 1); }),
        literal("another number", true,
                [](double v) { return fmt::format("{:.9f}", v == 0 ? 0.01 : 1.01 * v); }),
        guard("guard removed", "1 || "),
        guard("guard turned round", "!"),
        index("index one more", "1 + "),
        index("index one less", "-1 + "),
        {"another dimension",
         [](const Tokens& tokens, std::size_t i) -> Found {
             if (!tokens[i].text.starts_with("get_") || !tokens[i + 1].is("(") ||
                 !tokens[i + 3].is(")"))
                 return {};
             if (!tokens[i + 2].is_one_of({"0", "1"})) return {};
             return Edit{i + 2, i + 3, tokens[i + 2].is("0") ? "1" : "0"};
         }},
        {"constant one more",
         [](const Tokens& tokens, std::size_t i) -> Found {
             const std::string_view word = tokens[i].text;
             if (tokens[i].kind != TokenKind::word || word.size() < 2 || word.starts_with("CLK_") ||
                 tokens[i + 1].is("("))
                 return {};
             if (std::ranges::any_of(
                     word, [](char c) { return std::islower(static_cast<unsigned char>(c)) != 0; }))
                 return {};
             return Edit{i, i + 1, fmt::format("({} + 1)", word)};
         }},
        {"barrier removed",
         [](const Tokens& tokens, std::size_t i) -> Found {
             if (!is_barrier(tokens, i)) return {};
             return Edit{i, behind(tokens, i + 1), ""};
         }},
        {"barrier moved", barrier_moved},
        {"statement removed", statement_removed},
        {"step of two",
         [](const Tokens& tokens, std::size_t i) -> Found {
             if (!tokens[i].is("++") || tokens[i + 1].kind != TokenKind::word) return {};
             return Edit{i, i + 2, fmt::format("{} += 2", tokens[i + 1].text)};
         }},
        {"another component",
         [](const Tokens& tokens, std::size_t i) -> Found {
             if (!tokens[i].is(".") || !tokens[i + 1].is_one_of({"x", "y", "z", "w"})) return {};
             return Edit{i + 1, i + 2, tokens[i + 1].is("x") ? "y" : "x"};
         }},
    };
    return all;
}

}  // namespace

const std::vector<std::string>& kinds_of_changes() {
    static const std::vector<std::string> names = [] {
        std::vector<std::string> all;
        for (const Kind& kind : kinds()) all.push_back(kind.name);
        return all;
    }();
    return names;
}

std::vector<Mutant> mutants_of(std::string_view file, std::string_view source) {
    const Tokens tokens = lex(file, source);
    std::vector<Mutant> mutants;
    std::size_t body_end = 0;
    std::string function;
    for (std::size_t i = 1; i + 4 < tokens.size(); ++i) {
        if (i >= body_end) {
            if (tokens[i].kind == TokenKind::word && tokens[i + 1].is("(")) {
                const std::size_t end = behind(tokens, i + 1);
                if (end < tokens.size() && tokens[end].is("{")) {
                    function = tokens[i].text;
                    body_end = behind(tokens, end);
                    i = end;
                }
            }
            continue;
        }
        for (const Kind& kind : kinds()) {
            const std::optional<Edit> edit = kind.at(tokens, i);
            if (!edit || edit->last > body_end) continue;
            std::string text;
            for (std::size_t at = 0; at < tokens.size(); ++at) {
                if (at == edit->first) text += std::string(tokens[at].space) + edit->is;
                if (at >= edit->first && at < edit->last) continue;
                text += tokens[at].space;
                text += tokens[at].text;
            }
            mutants.push_back({function, kind.name, tokens[edit->first].line,
                               text_of(tokens, edit->first, edit->last), edit->is,
                               std::move(text)});
        }
    }
    return mutants;
}

}  // namespace parallax
