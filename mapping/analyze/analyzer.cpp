// Analyses a kernel file: its names and expressions, then its macros, jumps and types.
#include "mapping/analyze/analyzer.hpp"

#include <fmt/format.h>

#include "mapping/analyze/word_lists.hpp"

namespace parallax {

std::string Analysis::image_word(std::string_view word) const {
    if (word == "image2d_t") return samples ? "Image2d" : "cudaTextureObject_t";
    if (word == "image1d_buffer_t") return samples ? "Image1dBuffer" : "cudaTextureObject_t";
    if (!samples || !word.starts_with("read_")) return std::string(word);
    return "sampled_" + std::string(word.substr(5));
}

void analyze(Analysis& analysis) {
    Analyzer(analysis).run();
}

void Analyzer::run() {
    for (std::size_t i = 0; i + 1 < outline_.tokens.size(); ++i) {
        if (at(i).kind != TokenKind::identifier) continue;
        made_.samples = made_.samples || has_sampler(i);
        note_plain_strings(i);
        // A vector type that occurs only in the source, for example in a declaration, is used as
        // well.
        if (const auto type = value_type_named(resolved(i))) prelude_.mention(*type);
    }
    parser_.run(*this);
    check_macros();
    check_type_macros();
    check_types();
    check_jumps();
    find_moved_types();
    rename_tags();
}

void Analyzer::check_types() {
    for (std::size_t i = 0; i + 1 < outline_.end; ++i) {
        // A word and a word that it declares.
        if (at(i + 1).kind != TokenKind::identifier || is_shared_keyword(at(i + 1).text) ||
            is_address_space(at(i).text) || resolved(i) != at(i).text || !is_undeclared(i) ||
            !parser_.is_declared(at(i + 1).text) ||
            (i > 0 && at(i - 1).is_one_of({"struct", "union", "enum"}))) {
            continue;
        }
        complain(i,
                 "neither a type of OpenCL C nor one of this file; declare it, or give what the "
                 "program that builds the file gives, with -D NAME=VALUE");
    }
}

/// Its strings are for the assembler or the compiler, and stay.
void Analyzer::note_plain_strings(std::size_t i) {
    if (at(i).is("_Pragma") && at(i + 1).is("(") && at(i + 2).text.starts_with("\"unroll")) {
        made_.strings.insert(i + 2);
    }
    if (!is_assembly(at(i).text)) return;
    std::size_t open = i + 1;
    while (at(open).is_one_of({"volatile", "__volatile__"})) ++open;
    for (std::size_t k = open; k < outline_.match[open]; ++k) {
        if (at(k).kind == TokenKind::string) made_.strings.insert(k);
    }
}

bool Analyzer::has_sampler(std::size_t i) const {
    const std::string_view text = at(i).text;
    if (text.starts_with("read_image") && at(i + 1).is("(") && outline_.match[i + 1] != 0) {
        const std::size_t close = outline_.match[i + 1];
        if (outline_.parts(i + 2, close).size() > 2) return true;
        // A fourth component that the format has not is 1 in OpenCL and 0 of a texture.
        if (!at(close + 1).is(".")) return true;
        const std::string_view components = at(close + 2).text;
        const std::string_view but_the_fourth = components.starts_with('s') ? "s012" : "xyzrgb";
        return components.find_first_not_of(but_the_fourth) != components.npos;
    }
    return starts_with_any(text, {"write_image", "get_image_"}) ||
           is_one_of(text,
                     {"sampler_t", "image3d_t", "image2d_array_t", "write_only", "__write_only"});
}

void Analyzer::expression(const Tree& tree, int root, Place place) {
    // The body of a macro comes here while the expression that uses it is read.
    const Place back = place_;
    place_ = place;
    // A macro may expand to an lvalue: the expression that uses it determines whether it is read.
    const Node& whole = tree[static_cast<std::size_t>(root)];
    const bool is_body = place == Place::macro || place == Place::use;
    unread_ = is_body ? &whole : nullptr;
    const bool is_statement = whole.first > 0 && at(whole.last + 1).is_one_of({";", ")"}) &&
                              at(whole.first - 1).is_one_of({";", "{", "}", ")", ":", "else"});
    unused_ = whole.kind == Node::Kind::postfix && is_statement ? whole.first : 0;
    TokenEdits of_use;
    if (place == Place::use) edits_ = &of_use;
    if (whole.first > 0 && at(whole.first - 1).is("case") && whole.wanted.is_scalar()) {
        enclose(whole, fmt::format("({})(", cuda_name(whole.wanted.value)), ")", "case $:");
    }
    note_initializer(whole);
    visit(tree, root);
    if (place == Place::use) {
        edits_ = &made_.edits;
        open_.read.insert(whole.first);
        open_.uses.insert({whole.first, whole.last, words_of(of_use, whole.first, whole.last)});
    }
    place_ = back;
}

void Analyzer::not_understood(std::size_t first, std::size_t last) {
    for (std::size_t i = first; i < last; ++i) {
        if (is_macro(at(i).text)) open_.unread.insert(at(i).text);
    }
    for (std::size_t i = first; i < last; ++i) {
        const Token& token = at(i);
        const bool literal = i + 3 < last && token.is("(") && at(i + 2).is(")") &&
                             at(i + 3).is("(") &&
                             value_type_named(resolved(i + 1)).value_or(ValueType{}).is_vector();
        const bool selects = i > first && (at(i - 1).is_one_of({".", "->"})) &&
                             token.text.size() > 1 && !parser_.is_member(token.text) &&
                             (components_of(token.text, 16) || components_of(token.text, 4));
        const bool designates =
            i > 0 && token.is_one_of({".", "["}) && at(i - 1).is_one_of({"{", ","});
        if (!literal && !selects && !designates && !is_shift(token) &&
            !token.is_one_of({"##", "#"}) && !(token.is("?") && at(i + 1).is(":"))) {
            continue;
        }
        // Code that is no macro's and contains none has no known cause.
        bool is_cut = first >= outline_.end;
        for (std::size_t k = first; k < last; ++k) {
            is_cut = is_cut || at(k).kind == TokenKind::directive || is_macro(at(k).text);
        }
        complain(i, is_cut ? "stands in a piece of text that cannot be read by itself, because "
                             "macros or #if cut it; run the preprocessor first (--expand)"
                           : "stands in a statement that is not understood; write it as several "
                             "plain ones");
        return;
    }
}

void Analyzer::differs_in_space(std::size_t name) {
    complain(name,
             "one of several functions of this name that differ in the address space of a pointer, "
             "and CUDA's pointers have none; give each a name of its own");
}

void Analyzer::loop_variable_hidden(std::size_t open, std::size_t close) {
    after(open, "{", by("for (T i = $;;) { T i; }"));
    before(close, "}", by("for (T i = $;;) { T i; }"));
}

}  // namespace parallax
