// Applies every change to the functions of a source, and names the mutants.
#include "studies/mutation/mutate.hpp"

#include <map>
#include <set>
#include <utility>

#include <fmt/format.h>

#include "common/text/hash.hpp"

namespace parallax {
namespace {

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
