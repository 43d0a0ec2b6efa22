// PTX taken apart into functions and statements.
#pragma once

#include <algorithm>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace parallax {

/// A statement of a function's body, without comments and without its semicolon.
struct PtxStatement {
    enum class Kind { instruction, label, declaration, directive };
    Kind kind = Kind::instruction;
    std::string_view guard;  ///< `@!%p1`; empty: none
    std::string_view name;   ///< `ld.global.f32`; a label; `.reg`
    std::string_view rest;   ///< operands
    unsigned line = 0;       ///< of the source, as the last `.loc` says; 0: none does
};

struct PtxFunction {
    std::string_view name;
    bool is_entry = false;
    std::vector<std::string_view> results, parameters;  ///< their declarations
    std::vector<PtxStatement> body;
    std::string_view braces;  ///< the body, with its braces
};

/// Parsed PTX. Accepts any bytes: unknown constructs are skipped, and so is a function whose body
/// does not end. Takes linear time.
class PtxText {
public:
    explicit PtxText(std::string_view ptx);
    PtxText(const PtxText&) = delete;
    PtxText& operator=(const PtxText&) = delete;

    /// The kernel, then the functions of this text that it calls, directly or not, in the order in
    /// which they are named. Empty: there is no such kernel.
    std::vector<const PtxFunction*> with_callees(std::string_view kernel) const;
    /// The whole text, without comments: the functions' views refer to it.
    std::string_view text() const { return text_; }
    /// All functions, each name once, in order.
    const std::vector<PtxFunction>& functions() const { return functions_; }
    /// Function of that name, or null.
    const PtxFunction* function(std::string_view name) const;
    /// `.shared` declarations outside functions, by the names of what they declare.
    const std::unordered_map<std::string_view, std::string_view>& shared() const { return shared_; }

private:
    void parse();
    bool parse_body(std::size_t& at, PtxFunction& into) const;

    std::string text_;  ///< without comments; all views are of it
    std::vector<PtxFunction> functions_;
    std::unordered_map<std::string_view, std::size_t> places_;
    std::unordered_map<std::string_view, std::string_view> shared_;
};

/// Words of PTX: letters, digits, `_`, `$`, `%`. `visit(word, begin)` is called for each that is
/// not a number; strings are passed over.
template <class Visit>
void for_each_word(std::string_view text, Visit visit);

bool is_word(char c);
/// The word that a declaration declares: `.shared .align 4 .b8 tile[64]` declares `tile`.
std::string_view declared_word(std::string_view declaration);

template <class Visit>
void for_each_word(std::string_view text, Visit visit) {
    for (std::size_t at = 0; at < text.size();) {
        if (text[at] == '"') {
            at = std::min(text.find('"', at + 1), text.size() - 1) + 1;
            continue;
        }
        if (!is_word(text[at])) {
            ++at;
            continue;
        }
        const std::size_t begin = at;
        while (at < text.size() && is_word(text[at])) ++at;
        const char first = text[begin];
        if (first < '0' || first > '9') visit(text.substr(begin, at - begin), begin);
    }
}

}  // namespace parallax
