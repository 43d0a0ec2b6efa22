// Finds the indices in a source, and changes their width. Data keep their types.
#include <algorithm>
#include <set>

#include <fmt/format.h>

#include "mapping/analyze/edited_source.hpp"
#include "studies/explain/rewrite.hpp"

namespace parallax {
namespace {

/// The words of one integer type, the tokens [first, last).
struct IntegerType {
    std::size_t first = 0, last = 0;
    bool is_wide = false;  ///< 64 bits
    bool is_unsigned = false;
    bool is_small = false;  ///< fewer than 32 bits: data
};

/// The type that begins at `i`; empty: none does.
IntegerType integer_type(const EditedSource& text, std::size_t i) {
    IntegerType type{.first = i, .last = i};
    for (; type.last < text.size(); ++type.last) {
        const Token& word = text[type.last];
        const bool is_size = word.is_one_of({"size_t", "uint64_t"});
        const bool is_wide = is_size || word.is_one_of({"long", "ulong", "int64_t"});
        const bool is_unsigned =
            is_size || word.is_one_of({"ulong", "uint", "unsigned", "uint32_t"});
        const bool is_small = word.is_one_of({"char", "short"});
        if (!is_wide && !is_unsigned && !is_small && !word.is_one_of({"int", "signed", "int32_t"}))
            break;
        type.is_wide = type.is_wide || is_wide;
        type.is_unsigned = type.is_unsigned || is_unsigned;
        type.is_small = type.is_small || is_small;
    }
    return type;
}

/// The name of such a type with 64 bits or 32.
std::string_view name_of(const EditedSource& text, const IntegerType& type, bool wide) {
    if (!text.is_cuda()) {
        return type.is_unsigned ? (wide ? "ulong" : "uint") : (wide ? "long" : "int");
    }
    if (type.is_unsigned) return wide ? "unsigned long long" : "unsigned int";
    return wide ? "long long" : "int";
}

bool is_comparison(const Token& token) {
    return token.is_one_of({"<", "<=", ">", ">=", "==", "!="});
}
bool is_assignment(const Token& token) {
    return token.is_one_of({"=", "+=", "-=", "*=", "/=", "%=", "<<=", ">>=", "|=", "&=", "^="});
}

/// The names in a source that are indices: they occur in a subscript, are added to a pointer, count
/// a loop, are compared with such a name, or are used to calculate one. Equal names count as one
/// variable in the whole source.
class Indices {
public:
    explicit Indices(const SourceToChange& given)
        : text_(given.source, given.language), within_(text_.size()) {
        for (const Item& item : text_.items()) {
            if (!item.is_function()) continue;
            for (const ParameterRange& range : text_.parameters(item)) {
                for (std::size_t i = range.first; i < range.last; ++i) {
                    if (text_[i].is("*")) pointers_.insert(text_[range.last - 1].text);
                }
            }
        }
        for (std::size_t known = 0;;) {
            for (std::size_t i = 0; i < text_.size(); ++i) look_at(i);
            if (names_.size() == known) break;
            known = names_.size();
        }
    }

    /// Gives the indices 64 bits or 32, but for the kernels' parameters and members: the host gives
    /// both.
    EditedSource& set_width(bool wide) {
        for (std::size_t i = 0; i < text_.size(); ++i) {
            const IntegerType type = integer_type(text_, i);
            if (type.last == i) continue;
            i = type.last - 1;
            if (type.is_small || type.is_wide == wide || !is_of_an_index(type)) continue;
            text_.replace(type.first, name_of(text_, type, wide));
            for (std::size_t k = type.first + 1; k < type.last; ++k) text_.remove(k);
        }
        return text_;
    }

    /// Casts all arguments of functions that take several of one type, where one is an index.
    void cast_arguments(std::string_view type) {
        for (std::size_t i = 0; i + 1 < text_.size(); ++i) {
            if (!text_[i].is_one_of({"min", "max", "clamp"}) || !text_[i + 1].is("(")) continue;
            // A source may define them.
            const auto is_name = [&](const Item& item) {
                return item.is_function() && item.name == i;
            };
            if (std::ranges::any_of(text_.items(), is_name)) continue;
            const std::size_t close = text_.match(i + 1);
            bool is_index = false;
            // An array that is subscripted by an index holds data.
            for (std::size_t k = i + 2; k < close; k = text_[k].is("[") ? text_.match(k) : k + 1) {
                is_index = is_index || (has(text_[k].text) && !text_[k + 1].is("["));
            }
            if (!is_index) continue;
            text_.insert_after(i + 1, fmt::format("({})(", type));
            for (std::size_t k = i + 2; k < close; ++k) {
                if (text_[k].is(",")) {
                    text_.insert_after(k - 1, ")");
                    text_.insert_after(k, fmt::format(" ({})(", type));
                }
                if (text_[k].is_one_of({"(", "["})) k = text_.match(k);
            }
            text_.insert_after(close - 1, ")");
        }
    }

    bool has(std::string_view name) const { return names_.contains(name); }

private:
    /// Marks the names that are related to the index, or to the subscript, at token `i`.
    void look_at(std::size_t i) {
        const Token& token = text_[i];
        if (token.is("[") && i > 0) {
            take(i + 1, text_.match(i));
        } else if (token.is("for") && text_[i + 1].is("(")) {
            count(i + 1);
        } else if (token.kind != TokenKind::identifier || i + 1 >= text_.size()) {
            return;
        } else if (pointers_.contains(token.text) && text_[i + 1].is_one_of({"+", "-"})) {
            take(i + 2, end_of_expression(i + 2));
        } else if (has(token.text)) {
            const Token& next = text_[i + 1];
            if (is_assignment(next)) take(i + 2, end_of_expression(i + 2));
            if (is_comparison(next) && text_[i + 2].kind == TokenKind::identifier)
                take(i + 2, i + 3);
            if (i > 1 && is_comparison(text_[i - 1]) &&
                text_[i - 2].kind == TokenKind::identifier) {
                take(i - 2, i - 1);
            }
            if (next.is("(")) take_returned(token.text);
        }
    }

    /// The variable of a loop is an index.
    void count(std::size_t open) {
        for (std::size_t i = open + 1; i < text_.match(open) && !text_[i].is(";"); ++i) {
            if (text_[i + 1].is("=") && text_[i].kind == TokenKind::identifier) take(i, i + 1);
        }
    }

    /// Marks the return values of a function whose result is an index.
    void take_returned(std::string_view function) {
        for (const Item& item : text_.items()) {
            if (!item.is_function() || item.body == 0 || text_[item.name].text != function)
                continue;
            for (std::size_t i = item.body; i < item.last; ++i) {
                if (text_[i].is("return")) take(i + 1, end_of_expression(i + 1));
            }
        }
    }

    void take(std::size_t first, std::size_t last) {
        for (std::size_t i = first; i < last; ++i) {
            within_[i] = true;
            if (text_[i].kind == TokenKind::identifier) names_.insert(text_[i].text);
        }
    }

    std::size_t end_of_expression(std::size_t i) const {
        while (i < text_.size() && !text_[i].is_one_of({";", ",", ")", "]", "}"})) {
            i = text_[i].is_one_of({"(", "["}) ? text_.match(i) + 1 : i + 1;
        }
        return i;
    }

    /// Whether the type is that of indices alone, or of a cast within an index.
    bool is_of_an_index(const IntegerType& type) const {
        if (type.last >= text_.size()) return false;
        // In `std::size_t` the word cannot be exchanged.
        if (type.first > 0 && text_[type.first - 1].is(":")) return false;
        if (text_[type.last].is(")")) return within_[type.first];
        const Item* function = parameters_at(type.first);
        if ((function && function->kind == Item::Kind::kernel) || text_.is_member(type.first)) {
            return false;
        }
        for (std::size_t at = type.last;;) {
            while (text_[at].is("const")) ++at;
            if (at >= text_.size() || !has(text_[at].text)) return false;
            const std::size_t next = at + 1;
            if (text_[next].is_one_of({"(", ";", ")"})) return true;
            if (function) return text_[next].is(",");
            if (text_[next].is("[")) return false;
            at = text_[next].is("=") ? end_of_expression(next + 1) : next;
            if (!text_[at].is(",")) return text_[at].is(";");
            ++at;
        }
    }

    /// The function whose parameter list contains the token, or null.
    const Item* parameters_at(std::size_t i) const {
        for (const Item& item : text_.items()) {
            if (item.is_function() && i > item.open && i < item.close) return &item;
        }
        return nullptr;
    }

    EditedSource text_;
    std::vector<char> within_;  ///< whether the token is part of an index
    std::set<std::string_view> names_, pointers_;
};

}  // namespace

Rewritten narrow_indices(const SourceToChange& given) {
    Indices indices(given);
    EditedSource& text = indices.set_width(false);
    for (const Item& item : text.items()) {
        if (item.kind != Item::Kind::kernel || item.body == 0) continue;
        for (const ParameterRange& range : text.parameters(item)) {
            IntegerType type;
            bool pointer = false;
            for (std::size_t i = range.first; i < range.last; ++i) {
                if (const IntegerType one = integer_type(text, i); one.is_wide) type = one;
                pointer = pointer || text[i].is_one_of({"*", "&", "<"});
            }
            const std::size_t at = range.last - 1;
            if (!type.is_wide || pointer || text[at].kind != TokenKind::identifier) continue;
            const std::string name(text[at].text);
            if (!indices.has(name)) continue;
            text.replace(at, name + "_wide");
            text.insert_after(item.body, fmt::format(" const {0} {1} = ({0}){1}_wide;",
                                                     name_of(text, type, false), name));
        }
    }
    return text.result();
}

Rewritten widen_indices(const SourceToChange& given) {
    Indices indices(given);
    EditedSource& text = indices.set_width(true);
    if (text.result()) indices.cast_arguments(text.is_cuda() ? "long long" : "long");
    return text.result();
}

}  // namespace parallax
