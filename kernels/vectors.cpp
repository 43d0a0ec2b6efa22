// Looks at the operands of every operator: does one name a vector?
#include "kernels/vectors.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <string_view>

namespace parallax {
namespace {

/// Binding strength of a binary operator, 0 for other tokens.
int precedence(std::string_view mark) {
    static const std::map<std::string_view, int, std::less<>> strengths{
        {"*", 12}, {"/", 12}, {"%", 12}, {"+", 11}, {"-", 11}, {"<<", 10}, {">>", 10},
        {"<", 9},  {">", 9},  {"<=", 9}, {">=", 9}, {"==", 8}, {"!=", 8},  {"&", 7},
        {"^", 6},  {"|", 5},  {"&&", 4}, {"||", 3}, {"+=", 1}, {"-=", 1},  {"*=", 1},
        {"/=", 1}, {"%=", 1}, {"&=", 1}, {"|=", 1}, {"^=", 1}, {"<<=", 1}, {">>=", 1}};
    const auto found = strengths.find(mark);
    return found == strengths.end() ? 0 : found->second;
}

bool is_arithmetic(std::string_view mark) {
    static constexpr std::array<std::string_view, 8> marks{"+",  "-",  "*",  "/",
                                                           "+=", "-=", "*=", "/="};
    return std::find(marks.begin(), marks.end(), mark) != marks.end();
}

struct Name {
    std::string type;
    bool indexed = false;  ///< a pointer to vectors or an array of them
};
using Names = std::map<std::string_view, Name, std::less<>>;

class Scan {
public:
    Scan(const Outline& outline, std::optional<ElementType> type)
        : outline_(outline), type_(type) {}

    VectorUse run() {
        for (const Item& item : outline_.items) {
            if (item.is_function()) note_result(item);
            if (item.kind == Item::Kind::type || item.kind == Item::Kind::alias) {
                collect(item.first, item.last, members_);
            }
            if (item.kind == Item::Kind::data) collect(item.first, item.last, globals_);
        }
        for (const Item& item : outline_.items) {
            if (!item.is_function() || item.body == 0) continue;
            names_ = globals_;
            collect(item.open, item.last, names_);
            // Most kernels have no vectors, and then there is nothing to look for.
            if (names_.empty() && members_.empty() && results_.empty() &&
                !mentions_vector(item.body, item.last)) {
                continue;
            }
            for (std::size_t i = item.body; i < item.last; ++i) look_at(i);
        }
        return std::move(use_);
    }

private:
    const Token& at(std::size_t i) const { return outline_[i]; }
    bool is_word(std::size_t i) const { return at(i).kind == TokenKind::word; }
    std::string_view word(std::size_t i) const { return spelled(at(i).text, type_); }
    bool is_vector_type(std::size_t i) const {
        return is_word(i) && vector_type(word(i)).has_value();
    }
    bool mentions_vector(std::size_t from, std::size_t to) const {
        for (std::size_t i = from; i < to; ++i) {
            if (is_vector_type(i)) return true;
        }
        return false;
    }

    void note_result(const Item& item) {
        for (std::size_t i = item.first; i < item.name; ++i) {
            if (is_vector_type(i)) results_[at(item.name).text] = word(i);
        }
    }

    /// Notes the names that are declared with a vector type.
    void collect(std::size_t from, std::size_t to, Names& names) {
        for (std::size_t i = from; i < to; ++i) {
            if (is_vector_type(i)) collect_declarators(i, to, names);
        }
    }

    void collect_declarators(std::size_t type, std::size_t to, Names& names) {
        std::size_t i = type + 1;
        while (i < to) {
            bool pointer = false;
            for (; i < to &&
                   (at(i).is("*") || is_qualifier(at(i).text) || is_address_space(at(i).text));
                 ++i) {
                pointer = pointer || at(i).is("*");
            }
            if (!is_word(i) || vector_type(word(i)) || is_shared_keyword(word(i))) return;
            const Token& after = at(i + 1);
            // `float4 a, float b`: the word after the comma is a type, not another name.
            if (!after.is("=") && !after.is(",") && !after.is(";") && !after.is("[") &&
                !after.is(")")) {
                return;
            }
            names[at(i).text] = {std::string(word(type)), pointer || after.is("[")};
            while (i < to && !at(i).is(",") && !at(i).is(";") && !at(i).is(")")) {
                i = std::max(i, outline_.match[i]) + 1;
            }
            if (!at(i).is(",")) return;
            ++i;
        }
    }

    bool ends_operand(std::size_t i) const {
        if (at(i).is(")") || at(i).is("]") || at(i).kind == TokenKind::number) return true;
        return is_word(i) && !is_shared_keyword(at(i).text) && !is_vector_type(i) &&
               !is_qualifier(at(i).text);
    }

    /// The vector type inside a cast's parentheses, `scalar` for another cast, or nothing.
    std::string cast_type(std::size_t open) const {
        static const std::array<std::string_view, 11> scalars{"float", "double", "int",   "uint",
                                                              "long",  "ulong",  "short", "ushort",
                                                              "char",  "uchar",  "size_t"};
        std::size_t i = open + 1;
        while (is_qualifier(at(i).text) || is_address_space(at(i).text)) ++i;
        if (i + 1 != outline_.match[open] || !is_word(i)) return {};
        if (is_vector_type(i)) return std::string(word(i));
        const bool scalar = std::find(scalars.begin(), scalars.end(), word(i)) != scalars.end();
        return scalar ? "scalar" : "";
    }

    /// The first vector named between two brackets.
    std::string vector_within(std::size_t open) const {
        const std::size_t close = outline_.match[open];
        for (std::size_t i = open + 1; i < close; ++i) {
            if (is_vector_type(i) && at(i + 1).is(")") && at(i + 2).is("(")) {
                const std::size_t end = outline_.match[i + 2];
                if (!at(end + 1).is(".")) return std::string(word(i));
                i = end;
            }
            if (!is_word(i) || at(i - 1).is(".") || at(i - 1).is("->")) continue;
            std::size_t past = 0;
            std::string type = named(i, past);
            if (!type.empty()) return type;
        }
        return {};
    }

    /// What follows a primary: indices, calls and members. Leaves `past` behind them.
    std::string postfix(std::string type, bool indexed, std::size_t i, std::size_t& past) const {
        for (;; ++i) {
            if (at(i).is("[")) {
                indexed = false;
                i = outline_.match[i];
            } else if (at(i).is(".") || at(i).is("->")) {
                const auto member = members_.find(at(i + 1).text);
                type = member == members_.end() ? "" : member->second.type;
                indexed = member != members_.end() && member->second.indexed;
                ++i;
            } else {
                break;
            }
        }
        past = i;
        return indexed ? "" : type;
    }

    /// The vector type of the word here with all that follows it.
    std::string named(std::size_t i, std::size_t& past) const {
        const auto name = names_.find(at(i).text);
        if (at(i + 1).is("(")) {
            const auto result = results_.find(at(i).text);
            return postfix(result == results_.end() ? "" : result->second, false,
                           outline_.match[i + 1] + 1, past);
        }
        if (name == names_.end()) return postfix("", false, i + 1, past);
        const bool dereferenced =
            i > 1 && at(i - 1).is("*") && !ends_operand(i - 2) && name->second.indexed;
        return postfix(name->second.type, name->second.indexed && !dereferenced, i + 1, past);
    }

    /// The vector type of the operand that begins here.
    std::string operand(std::size_t i, std::size_t& past) const {
        bool scalar = false;
        // Bounds the work on endless signs and casts.
        for (int steps = 0; steps < 64; ++steps) {
            if (at(i).is("(") && cast_type(i) == "scalar") {
                scalar = true;
                i = outline_.match[i] + 1;
            } else if (at(i).is("-") || at(i).is("+") || at(i).is("!") || at(i).is("~") ||
                       at(i).is("*") || at(i).is("++") || at(i).is("--") || at(i).is("&")) {
                ++i;
            } else {
                break;
            }
        }
        past = i + 1;
        std::string type;
        if (is_word(i)) {
            type = named(i, past);
        } else if (at(i).is("(")) {
            const std::size_t close = outline_.match[i];
            const std::string cast = cast_type(i);
            type = !cast.empty() && at(close + 1).is("(")
                       ? postfix(cast, false, outline_.match[close + 1] + 1, past)
                       : postfix(vector_within(i), false, close + 1, past);
        }
        return scalar ? "" : type;
    }

    /// Where the operand that ends here begins.
    std::size_t operand_start(std::size_t i) const {
        for (;;) {
            if (at(i).is(")") || at(i).is("]")) {
                i = outline_.match[i];
                if (i > 0 && (ends_operand(i - 1))) {
                    --i;
                    continue;
                }
                return i;
            }
            if (i > 1 && (at(i - 1).is(".") || at(i - 1).is("->"))) {
                i -= 2;
                continue;
            }
            return i;
        }
    }

    /// The first vector among the operands on the left that bind at least as strongly.
    std::string left_of(std::size_t mark, int strength) const {
        std::size_t i = mark - 1;
        // Bounds the work on endless chains; what is missed is a message of the CUDA compiler.
        for (int steps = 0; steps < 256; ++steps) {
            const std::size_t start = operand_start(i);
            std::size_t past = 0;
            std::string type = operand(start, past);
            if (!type.empty()) return type;
            if (start < 2 || precedence(at(start - 1).text) < strength ||
                !ends_operand(start - 2)) {
                return {};
            }
            i = start - 2;
        }
        return {};
    }

    /// The first vector among the operands on the right that bind more strongly.
    std::string right_of(std::size_t mark, int strength) const {
        std::size_t i = mark + 1;
        for (int steps = 0; steps < 256; ++steps) {
            std::size_t past = 0;
            std::string type = operand(i, past);
            if (!type.empty()) return type;
            if (precedence(at(past).text) <= strength) return {};
            i = past + 1;
        }
        return {};
    }

    void look_at(std::size_t i) {
        if (at(i).kind != TokenKind::mark) return;
        const std::string_view mark = at(i).text;
        const int strength = precedence(mark);
        const bool binary = strength > 0 && ends_operand(i - 1);
        if (binary) {
            std::string type = left_of(i, strength);
            if (type.empty()) type = right_of(i, strength);
            if (type.empty()) return;
            if (is_arithmetic(mark)) {
                use_.operators.insert(type + " " + std::string(mark));
            } else {
                use_.impossible.push_back(i);
            }
        } else if (mark == "-" || mark == "!" || mark == "~") {
            std::size_t past = 0;
            const std::string type = operand(i + 1, past);
            if (type.empty()) return;
            // Of unsigned vectors there is no sign to change.
            if (mark == "-" && !type.starts_with('u')) {
                use_.operators.insert(type + " neg");
            } else {
                use_.impossible.push_back(i);
            }
        }
    }

    const Outline& outline_;
    std::optional<ElementType> type_;
    Names names_, globals_, members_;
    std::map<std::string_view, std::string, std::less<>> results_;
    VectorUse use_;
};

}  // namespace

VectorUse vector_use(const Outline& outline, std::optional<ElementType> type) {
    return Scan(outline, type).run();
}

}  // namespace parallax
