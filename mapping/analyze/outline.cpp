// Finds brackets and declarations in the tokens of a kernel file.
#include "mapping/analyze/outline.hpp"

#include <algorithm>
#include <array>
#include <set>

#include <fmt/format.h>

#include "common/error.hpp"
#include "mapping/analyze/word_lists.hpp"

namespace parallax {
namespace {

// Everything that walks into brackets is recursive: this bounds its depth.
constexpr std::size_t most_open_brackets = 200;

char closing(std::string_view open) {
    return open == "(" ? ')' : open == "[" ? ']' : '}';
}

constexpr std::string_view expand_advice =
    "; if macros or #if make it so, run the preprocessor first (--expand)";

/// The brackets that are open at the #ifs around a place.
struct Branches {
    std::vector<std::size_t> before;  ///< at the #if
    std::vector<std::size_t> after;   ///< of the branch that was read first
    bool has_after = false;
};

/// Notes which brackets belong together, from `first` to the next `end`.
class Brackets {
public:
    explicit Brackets(Outline& outline) : outline_(outline) {}

    void match_file() {
        auto directive = outline_.directives.begin();
        for (std::size_t i = 0; i < outline_.end; ++i) {
            if (outline_[i].kind == TokenKind::directive) {
                at_directive(*directive++);
            } else if (!take(i, open_)) {
                throw Refused(outline_.complaint(
                    i, fmt::format("closes a bracket that is not open; remove it, or close the one "
                                   "before{}",
                                   expand_advice)));
            }
        }
        if (!open_.empty()) {
            throw Refused(outline_.complaint(
                open_.back(),
                fmt::format("a bracket that is never closed; close it{}", expand_advice)));
        }
    }

    /// @returns whether they match
    bool match_region(std::size_t first) {
        std::vector<std::size_t> open;
        bool balanced = true;
        for (std::size_t i = first; outline_[i].kind != TokenKind::end; ++i) {
            balanced = take(i, open) && balanced;
        }
        return balanced && open.empty();
    }

private:
    bool take(std::size_t i, std::vector<std::size_t>& open) {
        const Token& token = outline_[i];
        if (token.kind != TokenKind::punctuator) return true;
        if (token.is_one_of({"(", "[", "{"})) {
            if (open.size() == most_open_brackets) {
                throw Refused(
                    outline_.complaint(i, fmt::format("brackets nest deeper than {}; use variables",
                                                      most_open_brackets)));
            }
            open.push_back(i);
        } else if (token.is_one_of({")", "]", "}"})) {
            if (open.empty() || closing(outline_[open.back()].text) != token.text[0]) return false;
            outline_.match[i] = open.back();
            outline_.match[open.back()] = i;
            open.pop_back();
        }
        return true;
    }

    void at_directive(const Directive& directive) {
        if (directive.word.starts_with("if")) {
            if (branches_.size() == most_open_brackets) {
                throw Refused(outline_.complaint(directive.token, "#ifs nest too deep"));
            }
            branches_.push_back({open_, {}, false});
            return;
        }
        const bool ends = directive.word == "endif";
        if (branches_.empty() || (!ends && !directive.word.starts_with("el"))) return;
        Branches& branches = branches_.back();
        if (!branches.has_after) {
            branches.after = open_;
            branches.has_after = true;
        } else if (branches.after.size() != open_.size()) {
            refuse(directive);
        }
        if (!ends) {
            // A bracket that one branch opens and another one closes has no single counterpart.
            if (open_ != branches.before) refuse(directive);
            open_ = branches.before;
            return;
        }
        branches_.pop_back();
    }

    [[noreturn]] void refuse(const Directive& directive) const {
        throw Refused(outline_.complaint(
            directive.token,
            "the branches of an #if open or close different brackets; run the preprocessor first "
            "(--expand), or give every branch whole statements"));
    }

    Outline& outline_;
    std::vector<std::size_t> open_;
    std::vector<Branches> branches_;
};

void read_define(const Outline& outline, Directive& directive) {
    std::size_t i = directive.first;
    if (outline[i].kind != TokenKind::identifier) {
        throw Refused(outline.complaint(directive.token, "a #define without a name; name it"));
    }
    directive.name = outline[i].text;
    ++i;
    if (outline[i].is("(") && outline[i].space.empty()) {
        directive.has_parameters = true;
        for (++i; !outline[i].is(")"); ++i) {
            if (outline[i].kind == TokenKind::end) {
                throw Refused(
                    outline.complaint(directive.token, "a macro's parameters without their )"));
            }
            if (outline[i].kind == TokenKind::identifier || outline[i].is("...")) {
                directive.parameters.push_back(outline[i].text);
            }
        }
        ++i;
    }
    directive.body = i;
}

/// Puts the words of all directives behind the tokens of the file.
void read_directives(Outline& outline) {
    for (std::size_t i = 0; i < outline.end; ++i) {
        if (outline[i].kind != TokenKind::directive) continue;
        Directive directive{.token = i};
        std::vector<Token> words;
        const std::string_view text = outline[i].text;
        // An #error may hold anything.
        const std::size_t start = std::min(text.find_first_not_of(" \t", 1), text.size());
        if (text.substr(start, 5) == "error" || text.substr(start, 7) == "warning") {
            directive.word = text.substr(start, text[start] == 'e' ? 5 : 7);
            words.push_back({.kind = TokenKind::end, .file = outline[i].file});
        } else {
            words = lex_directive(outline[i]);
            if (words.front().kind == TokenKind::identifier) directive.word = words.front().text;
        }
        directive.first = outline.tokens.size();
        outline.tokens.insert(outline.tokens.end(),
                              words.begin() + (words.front().kind == TokenKind::end ? 0 : 1),
                              words.end());
        directive.last = outline.tokens.size() - 1;
        directive.body = directive.last;
        if (directive.word == "define") read_define(outline, directive);
        outline.directives.push_back(std::move(directive));
    }
}

bool is_record(const Token& word) {
    return word.is_one_of({"struct", "union", "enum"});
}

/// Whether a struct, union or enum is declared without an object of it.
bool declares_only(const Outline& outline, const Item& item, std::size_t brace) {
    if (brace == 0) return item.last == item.first + 2;
    return brace + 1 == item.last || outline[brace + 1].is("__attribute__");
}

/// Reads one declaration that begins at `first`.
Item item_from(const Outline& outline, std::size_t first,
               const std::set<std::string_view>& kernel_words) {
    const auto makes_kernel = [&](const Token& token) {
        return token.kind == TokenKind::identifier && kernel_words.contains(token.text);
    };
    Item item{.first = first};
    bool kernel = false, assigned = false, ended = false;
    std::size_t brace = 0;
    for (std::size_t i = first; outline[i].kind != TokenKind::end; ++i) {
        const Token& token = outline[i];
        if (makes_kernel(token)) kernel = true;
        if (token.is("=")) assigned = true;
        if (token.is_one_of({"(", "["})) {
            const Token& before = outline[i > 0 ? i - 1 : 0];
            if (token.is("(") && item.open == 0 && !assigned && i > first &&
                before.kind == TokenKind::identifier &&
                !before.is_one_of({"__attribute__", "__launch_bounds__", "__align__"})) {
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
        throw Refused(outline.complaint(
            first,
            "a declaration that does not end; close it with ; or, if a macro makes "
            "it, run the preprocessor first (--expand)"));
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

/// The place behind the `{` of a namespace or of `extern "C"` that begins at `i`, or behind a `}`
/// that ends one; 0: there is none.
std::size_t inside_of_scope(const Outline& outline, std::size_t i) {
    if (outline[i].is("}")) return i + 1;
    if (outline[i].is("extern") && outline[i + 1].kind == TokenKind::string) {
        return outline[i + 2].is("{") ? i + 3 : 0;
    }
    if (!outline[i].is("namespace")) return 0;
    while (i < outline.end && !outline[i].is_one_of({"{", ";", "="})) ++i;
    return outline[i].is("{") ? i + 1 : 0;
}

}  // namespace

const Directive* Outline::define_at(std::size_t i) const {
    if (i <= end) return nullptr;
    for (const Directive& one : directives) {
        if (one.word == "define" && i >= one.body && i < one.last) return &one;
    }
    return nullptr;
}

bool Outline::has(const Item& item, std::initializer_list<std::string_view> words) const {
    const auto first = tokens.begin() + static_cast<std::ptrdiff_t>(item.first);
    const auto past = tokens.begin() + static_cast<std::ptrdiff_t>(item.last) + 1;
    return std::any_of(first, past, [&](const Token& one) { return one.is_one_of(words); });
}

std::string Outline::complaint(std::size_t token, std::string_view what) const {
    std::string_view text = tokens[token].text;
    if (text.size() > 60) text = text.substr(0, 60);
    return fmt::format("{}:{}: '{}': {}", tokens[token].file, tokens[token].line, text, what);
}

const Directive& Outline::directive(std::size_t i) const {
    return *std::ranges::lower_bound(directives, i, {}, &Directive::token);
}

std::vector<ParameterRange> Outline::parts(std::size_t first, std::size_t last) const {
    std::vector<ParameterRange> ranges;
    if (first == last) return ranges;
    for (std::size_t i = first; i <= last; ++i) {
        if (i == last || tokens[i].is(",")) {
            ranges.push_back({first, i});
            first = i + 1;
        } else {
            i = std::max(i, match[i]);
        }
    }
    return ranges;
}

std::vector<ParameterRange> Outline::parameters(const Item& function) const {
    const std::size_t first = function.open + 1;
    if (first + 1 == function.close && tokens[first].is("void")) return {};
    return parts(first, function.close);
}

std::map<std::string_view, PointerAlias> pointer_aliases(const Outline& outline) {
    std::map<std::string_view, PointerAlias> found;
    std::set<std::string_view> several;
    for (const Item& item : outline.items) {
        if (item.kind != Item::Kind::alias) continue;
        PointerAlias one{.first = item.first + 1, .last = item.last};
        bool points = false, is_plain = true;
        for (std::size_t i = one.first; i < one.last; ++i) {
            const Token& token = outline[i];
            const bool is_declarator = token.is("(") && outline[i + 1].is("*");
            one.has_star = one.has_star || token.is("*");
            points = points || token.is_one_of({"*", "["});
            is_plain = is_plain && !token.is(",") && token.kind != TokenKind::directive;
            if (token.kind == TokenKind::identifier && outline[i + 1].is_one_of({";", "[", ")"}))
                one.name = i;
            if (token.is_one_of({"(", "[", "{"}) && !is_declarator)
                i = std::max(i, outline.match[i]);
        }
        const std::string_view name = outline[one.name].text;
        if (one.name == 0) continue;
        if (!found.try_emplace(name, one).second || !points || !is_plain) several.insert(name);
    }
    for (const std::string_view name : several) found.erase(name);
    return found;
}

Outline outline_of(std::string_view file, std::string_view source, SourceLanguage language) {
    Outline outline;
    outline.file = file;
    outline.tokens = lex(file, source);
    outline.end = outline.tokens.size() - 1;
    read_directives(outline);
    outline.match.assign(outline.tokens.size(), 0);
    Brackets brackets(outline);
    brackets.match_file();
    std::set<std::string_view> kernel_words{"__kernel", "kernel"};
    if (language == SourceLanguage::cuda) kernel_words = {"__global__"};
    for (Directive& directive : outline.directives) {
        directive.balanced = brackets.match_region(directive.body);
        for (std::size_t i = directive.body; i < directive.last; ++i) {
            if (!directive.name.empty() && !directive.has_parameters &&
                outline[i].kind == TokenKind::identifier &&
                kernel_words.contains(outline[i].text)) {
                kernel_words.insert(directive.name);
                break;
            }
        }
    }
    for (std::size_t i = 0; i < outline.end;) {
        if (outline[i].kind == TokenKind::directive) {
            ++i;
            continue;
        }
        if (outline[i].is("_Pragma") && outline[i + 1].is("(")) {
            i = outline.match[i + 1] + 1;
            continue;
        }
        if (language == SourceLanguage::cuda) {
            if (const std::size_t inside = inside_of_scope(outline, i)) {
                i = inside;
                continue;
            }
        }
        outline.items.push_back(item_from(outline, i, kernel_words));
        i = outline.items.back().last + 1;
    }
    return outline;
}

std::string_view resolved(std::string_view word, std::optional<ElementType> type) {
    if (!type) return word;
    static constexpr std::array<std::array<std::string_view, 3>, 3> names{
        {{"float", "float2", "float4"}, {"double", "double2", "double4"}, {"int", "int2", "int4"}}};
    const auto& row = names[type == ElementType::f32 ? 0U : type == ElementType::f64 ? 1U : 2U];
    return word == "T" ? row[0] : word == "T2" ? row[1] : word == "T4" ? row[2] : word;
}

bool is_shared_keyword(std::string_view word) {
    return is_one_of(word,
                     {"break",  "case",   "const",    "continue", "default", "do",   "else",
                      "enum",   "extern", "false",    "for",      "goto",    "if",   "inline",
                      "return", "sizeof", "static",   "struct",   "switch",  "true", "typedef",
                      "union",  "void",   "volatile", "while"});
}

bool is_address_space(std::string_view word) {
    return is_one_of(word, {"__global", "global", "__local", "local", "__constant", "constant",
                            "__private", "private"});
}

bool is_qualifier(std::string_view word) {
    return is_one_of(word, {"const", "volatile", "restrict", "__restrict", "__restrict__",
                            "__const", "__const__"});
}

bool is_assembly(std::string_view word) {
    return is_one_of(word, {"asm", "__asm", "__asm__"});
}

}  // namespace parallax
