// The kinds of changes, which resemble programmers' mistakes, applied to the functions of a source.
#include "studies/mutation/mutate.hpp"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <limits>
#include <map>
#include <set>
#include <sstream>
#include <utility>

#include <fmt/format.h>

#include "common/text/hash.hpp"

namespace parallax {

namespace {

/// The position after the bracket that matches the one at `open`; the end, if there is none.
std::size_t behind(const Tokens& tokens, std::size_t open) {
    int depth = 0;
    for (std::size_t i = open; i < tokens.size(); ++i) {
        if (tokens[i].is_one_of({"(", "[", "{"})) ++depth;
        if (tokens[i].is_one_of({")", "]", "}"}) && --depth == 0) return i + 1;
    }
    return tokens.size();
}

using Kind = KindOfChange;
using Found = std::optional<TokenEdits>;

/// This in the place of the tokens [first, last).
TokenEdits replaced(std::size_t first, std::size_t last, std::string_view text) {
    TokenEdits edits;
    edits.replace(first, last, text);
    return edits;
}

/// The position after the next `;` outside of brackets; nothing: the block ends before.
std::optional<std::size_t> behind_statement(const Tokens& tokens, std::size_t i) {
    while (i < tokens.size() && !tokens[i].is_one_of({"}", "{"})) {
        if (tokens[i].is(";")) return i + 1;
        i = tokens[i].is_one_of({"(", "["}) ? behind(tokens, i) : i + 1;
    }
    return {};
}

/// A binary operator, and not a sign or a pointer's star.
bool joins_two(const Tokens& tokens, std::size_t i) {
    const Token& before = tokens[i - 1];
    return before.kind == TokenKind::identifier || before.kind == TokenKind::number ||
           before.is_one_of({")", "]"});
}

/// Replaces one token by another. @param words  each with the other behind it
/// @param binary  only between two operands
Kind swap(std::string name, std::string_view words, bool binary = false) {
    std::map<std::string, std::string, std::less<>> others;
    std::istringstream pairs{std::string(words)};
    for (std::string word, other; pairs >> word >> other;) others[word] = other;
    return {std::move(name), [=](const Tokens& tokens, std::size_t i) -> Found {
                const auto found = others.find(tokens[i].text);
                if (found == others.end() || (binary && !joins_two(tokens, i))) return {};
                return replaced(i, i + 1, found->second);
            }};
}

bool is_hexadecimal(std::string_view number) {
    return number.starts_with("0x") || number.starts_with("0X");
}

bool is_real(std::string_view number) {
    return number.find_first_of(is_hexadecimal(number) ? "pP" : ".eE") != number.npos;
}

/// A literal in floating point that is one hundredth more, with its suffix; empty: none is another.
std::string changed_real(std::string_view number) {
    if (!is_real(number)) return {};
    const bool is_hex = is_hexadecimal(number);
    const std::string_view digits = number.substr(is_hex ? 2 : 0);
    const char* const last = digits.data() + digits.size();
    double value = 0;
    const auto [end, error] = std::from_chars(
        digits.data(), last, value, is_hex ? std::chars_format::hex : std::chars_format::general);
    const double other = value == 0 ? 0.01 : 1.01 * value;
    if (error != std::errc{} || !std::isfinite(other)) return {};
    const bool is_short = end != last;
    if (is_short && (std::abs(other) > std::numeric_limits<float>::max() ||
                     static_cast<float>(other) == static_cast<float>(value)))
        return {};
    std::string text = fmt::format("{:.9g}", other);
    if (!is_real(text)) text += ".0";
    return text.append(end, last);
}

/// A decimal or octal literal plus 1 or -1, with its suffix; empty: none.
std::string changed_integer(std::string_view number, bool is_more) {
    if (is_hexadecimal(number) || is_real(number)) return {};
    const bool is_octal =
        number.size() > 1 && number[0] == '0' && number[1] >= '0' && number[1] < '8';
    const char* const last = number.data() + number.size();
    std::uint64_t value = 0;
    const auto [end, error] = std::from_chars(number.data(), last, value, is_octal ? 8 : 10);
    const std::uint64_t edge = is_more ? std::numeric_limits<std::uint64_t>::max() : 0;
    if (error != std::errc{} || value == edge) return {};
    return fmt::format("{}", is_more ? value + 1 : value - 1).append(end, last);
}

/// Replaces a literal. @param change  the text for its text; empty: none
Kind literal(std::string name, const std::function<std::string(std::string_view)>& change) {
    return {std::move(name), [=](const Tokens& tokens, std::size_t i) -> Found {
                if (tokens[i].kind != TokenKind::number) return {};
                const std::string is = change(tokens[i].text);
                return is.empty() ? Found() : replaced(i, i + 1, is);
            }};
}

/// Adds text before and after the condition of an `if`.
Kind guard(std::string name, const std::string& before) {
    return {std::move(name), [=](const Tokens& tokens, std::size_t i) -> Found {
                if (!tokens[i].is("if") || !tokens[i + 1].is("(")) return {};
                const std::size_t end = behind(tokens, i + 1);
                return replaced(i, end,
                                fmt::format("if ({}{})", before, text_of(tokens, i + 1, end)));
            }};
}

bool is_barrier(const Tokens& tokens, std::size_t i) {
    return tokens[i].is_one_of({"barrier", "work_group_barrier", "sub_group_barrier",
                                "__syncthreads", "__syncwarp"}) &&
           tokens[i + 1].is("(");
}

/// An index, and not the extent in an array's declaration.
bool opens_index(const Tokens& tokens, std::size_t i) {
    if (!tokens[i].is("[") || i < 2) return false;
    if (tokens[i - 1].is_one_of({"]", ")"})) return true;
    const Token& before = tokens[i - 2];
    return before.is("return") ||
           (before.kind == TokenKind::punctuator && !before.is_one_of({"*", ")", ">"}));
}

Kind index(std::string name, const std::string& before) {
    return {std::move(name), [=](const Tokens& tokens, std::size_t i) -> Found {
                if (!opens_index(tokens, i)) return {};
                return replaced(i, i + 1, "[" + before);
            }};
}

Found barrier_moved(const Tokens& tokens, std::size_t i) {
    if (!is_barrier(tokens, i)) return {};
    const std::size_t end = behind(tokens, i + 1) + 1;
    const auto next = behind_statement(tokens, end);
    if (!next) return {};
    return replaced(i, *next, text_of(tokens, end, *next) + " " + text_of(tokens, i, end));
}

Found statement_removed(const Tokens& tokens, std::size_t i) {
    if (!tokens[i - 1].is_one_of({";", "{", "}", ")"}) || tokens[i].kind != TokenKind::identifier)
        return {};
    if (!tokens[i + 1].is_one_of({"=", "[", ".", "+=", "-=", "*=", "/=", "|=", "^=", "<<=", ">>="}))
        return {};
    const auto end = behind_statement(tokens, i);
    if (!end) return {};
    return replaced(i, *end, ";");
}

/// The value that an assignment stores in an element of an array.
std::optional<ParameterRange> stored_value(const Tokens& tokens, std::size_t i) {
    if (!tokens[i].is("=") || !tokens[i - 1].is("]") || tokens[i + 1].is("{")) return {};
    const auto end = behind_statement(tokens, i);
    if (!end) return {};
    return ParameterRange{i + 1, *end - 1};
}

Found zero_stored(const Tokens& tokens, std::size_t i) {
    const auto value = stored_value(tokens, i);
    if (!value) return {};
    const Token& first = tokens[value->first];
    const bool is_zero = value->last - value->first == 1 && first.kind == TokenKind::number &&
                         first.text.find_first_of("123456789") == first.text.npos;
    return is_zero ? Found() : replaced(value->first, value->last, "0");
}

/// Stores the first element that the value is computed from.
Found operand_stored(const Tokens& tokens, std::size_t i) {
    const auto value = stored_value(tokens, i);
    if (!value) return {};
    for (std::size_t at = value->first; at < value->last; ++at) {
        if (tokens[at].kind != TokenKind::identifier || !tokens[at + 1].is("[")) continue;
        std::size_t end = behind(tokens, at + 1);
        while (tokens[end].is(".") || tokens[end].is("["))
            end = tokens[end].is("[") ? behind(tokens, end) : end + 2;
        return replaced(value->first, value->last, text_of(tokens, at, end));
    }
    return {};
}

/// Swaps the last two arguments of a call.
Found arguments_exchanged(const Tokens& tokens, std::size_t i) {
    if (tokens[i].kind != TokenKind::identifier || !tokens[i + 1].is("(") || tokens[i].is("for"))
        return {};
    std::vector<std::size_t> commas;
    const std::size_t end = behind(tokens, i + 1) - 1;
    for (std::size_t at = i + 2; at < end;) {
        if (tokens[at].is(",")) commas.push_back(at);
        at = tokens[at].is_one_of({"(", "[", "{"}) ? behind(tokens, at) : at + 1;
    }
    if (commas.empty()) return {};
    const std::size_t last = commas.back() + 1;
    const std::size_t before = commas.size() > 1 ? commas[commas.size() - 2] + 1 : i + 2;
    return replaced(
        before, end,
        fmt::format("{}, {}", text_of(tokens, last, end), text_of(tokens, before, last - 1)));
}

/// Makes a work-group's array private to each work-item.
Found local_removed(const Tokens& tokens, std::size_t i) {
    if (!tokens[i].is_one_of({"__local", "__shared__"}) || tokens[i - 1].is_one_of({"(", ","}))
        return {};
    for (std::size_t at = i; !tokens[at].is_one_of({";", "["}); ++at) {
        if (tokens[at].is("*") || at + 1 == tokens.size()) return {};  // a pointer
    }
    return replaced(i, i + 1, "");
}

/// Removes inline assembly: an asynchronous copy or its wait, a fence, a product.
Found assembly_removed(const Tokens& tokens, std::size_t i) {
    if (!tokens[i].is("asm")) return {};
    const auto end = behind_statement(tokens, i);
    if (!end) return {};
    return replaced(i, *end, ";");
}

/// A function's body, from its `{` to after its `}`.
struct Body {
    std::string function;
    bool is_kernel = false;
    std::size_t first = 0, last = 0;
};

std::vector<Body> bodies_of(const Tokens& tokens) {
    std::vector<Body> bodies;
    bool is_kernel = false;
    for (std::size_t i = 0; i + 1 < tokens.size();) {
        is_kernel = is_kernel || tokens[i].is_one_of({"__kernel", "kernel", "__global__"});
        if (tokens[i].kind == TokenKind::identifier && tokens[i + 1].is("(")) {
            const std::size_t end = behind(tokens, i + 1);
            if (end < tokens.size() && tokens[end].is("{")) {
                bodies.push_back(
                    {std::string(tokens[i].text), is_kernel, end, behind(tokens, end)});
                is_kernel = false;
                i = bodies.back().last;
                continue;
            }
        }
        ++i;
    }
    return bodies;
}

/// Hash of everything that may affect this function.
std::string digest_of(const Tokens& tokens, const std::vector<Body>& bodies, const Body& own) {
    std::string all;
    auto next = bodies.begin();
    for (std::size_t i = 0; i < tokens.size(); ++i) {
        if (next != bodies.end() && i == next->first) {
            const Body& body = *next++;
            if (body.is_kernel && &body != &own) {
                i = body.last - 1;
                continue;
            }
        }
        all += tokens[i].text;
        all += ' ';
    }
    return hash_of(all).substr(0, 8);
}

/// Without comments, and with single blanks for all whitespace.
std::string in_one_line(const Tokens& tokens, std::size_t first, std::size_t last) {
    std::string text;
    for (std::size_t i = first; i < last; ++i) {
        if (i > first && !tokens[i].space.empty()) text += ' ';
        text += tokens[i].text;
    }
    return text;
}

std::string line_at(const Tokens& tokens, std::size_t at) {
    std::size_t first = at, last = at;
    while (first > 0 && tokens[first - 1].line == tokens[at].line) --first;
    while (last < tokens.size() && tokens[last].line == tokens[at].line) ++last;
    return in_one_line(tokens, first, last);
}

std::string squeezed(std::string_view text) {
    const Tokens tokens = lex("change", text);
    return in_one_line(tokens, 0, tokens.size() - 1);
}

}  // namespace

const std::vector<KindOfChange>& kinds_of_changes() {
    static const std::vector<Kind> all{
        swap("edge of a comparison", "< <= <= < > >= >= >"),
        swap("comparison turned round", "< >= <= > > <= >= < == != != =="),
        swap("sum or difference", "+ - - +", true),
        swap("product", "* +", true),
        swap("quotient or remainder", "/ * % /", true),
        swap("assignment", "+= = -= += *= += /= *= |= &= ^= ="),
        swap("bits", "& | | & ^ & << >> >> <<", true),
        swap("and, or", "&& || || &&"),
        swap("another work-item function",
             "get_global_id get_local_id get_local_id get_group_id get_group_id get_local_id "
             "get_local_size get_num_groups get_num_groups get_local_size "
             "get_global_size get_local_size threadIdx blockIdx blockIdx threadIdx "
             "blockDim gridDim gridDim blockDim"),
        swap("another function",
             "min max max min fmin fmax fmax fmin floor ceil ceil floor sin cos cos sin "
             "log exp exp log sqrt fabs rsqrt sqrt"),
        swap("narrower integers", "size_t uchar ulong uchar long char uint uchar int char"),
        swap("number made whole", "float int double float T int"),
        literal("integer one more", [](std::string_view n) { return changed_integer(n, true); }),
        literal("integer one less", [](std::string_view n) { return changed_integer(n, false); }),
        literal("another number", changed_real),
        guard("guard removed", "1 || "),
        guard("guard turned round", "!"),
        index("index one more", "1 + "),
        index("index one less", "-1 + "),
        {"constant one more",
         [](const Tokens& tokens, std::size_t i) -> Found {
             const std::string_view word = tokens[i].text;
             if (tokens[i].kind != TokenKind::identifier || word.size() < 2 ||
                 word.starts_with("CLK_") || tokens[i + 1].is("("))
                 return {};
             if (std::ranges::any_of(
                     word, [](char c) { return std::islower(static_cast<unsigned char>(c)) != 0; }))
                 return {};
             return replaced(i, i + 1, fmt::format("({} + 1)", word));
         }},
        {"barrier removed",
         [](const Tokens& tokens, std::size_t i) -> Found {
             if (!is_barrier(tokens, i)) return {};
             return replaced(i, behind(tokens, i + 1), "");
         }},
        {"barrier moved", barrier_moved},
        {"statement removed", statement_removed},
        {"zero stored", zero_stored},
        {"operand stored", operand_stored},
        {"assembly removed", assembly_removed},
        {"step of two",
         [](const Tokens& tokens, std::size_t i) -> Found {
             if (!tokens[i].is("++") || tokens[i + 1].kind != TokenKind::identifier) return {};
             return replaced(i, i + 2, fmt::format("{} += 2", tokens[i + 1].text));
         }},
        {"arguments exchanged", arguments_exchanged},
        {"local memory made private", local_removed},
        {"another component",
         [](const Tokens& tokens, std::size_t i) -> Found {
             if (!tokens[i].is(".") || !tokens[i + 1].is_one_of({"x", "y", "z", "w"})) return {};
             return replaced(i + 1, i + 2, tokens[i + 1].is("x") ? "y" : "x");
         }},
    };
    return all;
}

std::vector<Mutant> mutants_of(std::string_view file, std::string_view source) {
    const Tokens tokens = lex(file, source);
    const std::vector<Body> bodies = bodies_of(tokens);
    Tokens with_ends = tokens;  // a change may look beyond the last one
    with_ends.resize(tokens.size() + 4);
    std::vector<Mutant> mutants;
    std::map<std::string, unsigned> known;
    std::set<std::string> made_texts{hash_of(source)};
    for (const Body& body : bodies) {
        const std::string digest = digest_of(tokens, bodies, body);
        for (std::size_t i = body.first + 1; i < body.last; ++i) {
            for (const KindOfChange& kind : kinds_of_changes()) {
                const std::optional<TokenEdits> edits = kind.at(with_ends, i);
                if (!edits || edits->range().last > body.last) continue;
                const auto [first, last] = edits->range();
                std::string text = edited_source(tokens, *edits);
                if (!made_texts.insert(hash_of(text)).second) continue;
                Mutant made{std::string(file),
                            body.function,
                            body.is_kernel,
                            kind.name,
                            tokens[first].line,
                            tokens[first].column,
                            in_one_line(tokens, first, last),
                            squeezed(edits->find(first)->instead.value()),
                            std::move(text),
                            {}};
                made.name =
                    fmt::format("{} {} {} {}: '{}' -> '{}' in: {}", made.file, made.function,
                                digest, made.change, made.was, made.is, line_at(tokens, first));
                if (const unsigned count = ++known[made.name]; count > 1) {
                    made.name += fmt::format(" ({})", count);
                }
                mutants.push_back(std::move(made));
            }
        }
    }
    return mutants;
}

}  // namespace parallax
