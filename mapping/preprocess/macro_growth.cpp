// Counts from the macros that name no others up to the text.
#include "mapping/preprocess/macro_growth.hpp"

#include <algorithm>
#include <map>
#include <span>
#include <string>

#include <fmt/format.h>

#include "common/error.hpp"
#include "common/text/text.hpp"
#include "mapping/analyze/lexer.hpp"

namespace parallax {
namespace {

using Tokens = std::span<const Token>;

/// The growth of a macro or a call with parameters.
struct Growth {
    double own = 0;    ///< tokens in addition to those of its arguments
    double times = 0;  ///< that an argument's tokens come out, at most

    /// As the sum of many it stays a number.
    void add(double own_more, double times_more) {
        own = std::min(own + own_more, 1e100);
        times = std::min(times + times_more, 1e100);
    }
};

struct Macro {
    std::vector<std::string_view> parameters;
    std::vector<Token> tokens;  ///< of the whole directive
    Tokens body;
    bool is_called = false;  ///< it has a list of parameters
};

/// All definitions of a name.
struct Macros {
    std::vector<Macro> all;
    Growth growth;
    enum class State { unknown, open, known } state = State::unknown;
};

class Counter {
public:
    explicit Counter(std::string_view file) : file_(file) {}

    void define(const Token& directive) {
        Macro macro{.tokens = lex_directive(directive), .body = {}};
        const Tokens all = macro.tokens;
        if (all.size() < 3 || !all[0].is("define")) return;
        std::size_t at = 2;
        // Only a bracket directly after the name opens a list of parameters.
        if (all[at].is("(") && all[at].space.empty()) {
            macro.is_called = true;
            for (++at; at < all.size() && !all[at].is(")"); ++at) {
                if (all[at].kind == TokenKind::identifier) macro.parameters.push_back(all[at].text);
                if (all[at].is("...")) macro.parameters.push_back("__VA_ARGS__");
            }
            ++at;
        }
        const std::string_view name = all[1].text;
        std::vector<Macro>& known = macros_[name].all;
        known.push_back(std::move(macro));
        Macro& kept = known.back();
        const Tokens tokens = kept.tokens;
        kept.body = tokens.subspan(std::min(at, tokens.size()));
        while (!kept.body.empty() && kept.body.back().kind == TokenKind::end) {
            kept.body = kept.body.first(kept.body.size() - 1);
        }
    }

    Growth of(Tokens tokens, const std::vector<std::string_view>& parameters) {
        if (++depth_ > most_macro_depth) {
            throw Refused(
                fmt::format("{}: its macros name each other, or are called within each other, more "
                            "than {} deep",
                            printable(file_), most_macro_depth));
        }
        Growth growth;
        for (std::size_t i = 0; i < tokens.size(); ++i) {
            const Token& one = tokens[i];
            if (std::ranges::find(parameters, one.text) != parameters.end()) {
                growth.add(0, 1);
                continue;
            }
            const auto macro =
                one.kind == TokenKind::identifier ? macros_.find(one.text) : macros_.end();
            if (macro == macros_.end()) {
                growth.add(one.kind == TokenKind::end ? 0 : 1, 0);
                continue;
            }
            const Growth made = of(macro->second);
            growth.add(made.own, 0);
            if (made.times == 0 || i + 1 >= tokens.size() || !tokens[i + 1].is("(")) continue;
            const std::size_t end = end_of_call(tokens, i + 1);
            const Growth given = of(tokens.subspan(i + 2, end - i - 2), parameters);
            growth.add(made.times * given.own, made.times * given.times);
            i = end;
        }
        --depth_;
        return growth;
    }

private:
    Growth of(Macros& macros) {
        // A macro within itself stays a word.
        if (macros.state == Macros::State::open) return {1, 1};
        if (macros.state == Macros::State::known) return macros.growth;
        macros.state = Macros::State::open;
        Growth most;
        for (const Macro& one : macros.all) {
            Growth growth = of(one.body, one.parameters);
            // `#define CALL F`: the brackets after CALL are arguments of F.
            const auto last = one.body.empty() ? macros_.end() : macros_.find(one.body.back().text);
            if (last != macros_.end()) growth.add(0, of(last->second).times);
            most = {std::max(most.own, growth.own), std::max(most.times, growth.times)};
        }
        macros.growth = most;
        macros.state = Macros::State::known;
        return most;
    }

    /// @returns the place of the bracket that closes the one at `open`, or of the last token
    static std::size_t end_of_call(Tokens tokens, std::size_t open) {
        unsigned brackets = 0;
        for (std::size_t i = open; i < tokens.size(); ++i) {
            brackets += tokens[i].is("(");
            if (tokens[i].is(")") && --brackets == 0) return i;
        }
        return tokens.size() - 1;
    }

    std::string_view file_;
    std::map<std::string_view, Macros> macros_;
    unsigned depth_ = 0;
};

}  // namespace

void check_macro_growth(std::string_view file, std::string_view source,
                        const std::vector<Define>& defines) {
    std::string told;
    for (const Define& one : defines) told += fmt::format("#define {} {}\n", one.name, one.value);
    const std::vector<Token> from_outside = lex("-D", told), own = lex(file, source);
    Counter counter(file);
    for (const std::vector<Token>* tokens : {&from_outside, &own}) {
        for (const Token& one : *tokens) {
            if (one.kind == TokenKind::directive) counter.define(one);
        }
    }
    double made = 0;
    std::vector<Token> text;
    for (const Token& one : own) {
        if (one.kind != TokenKind::directive) {
            text.push_back(one);
            continue;
        }
        const std::vector<Token> condition = lex_directive(one);
        if (condition.empty() || !condition.front().is_one_of({"if", "elif", "include"})) continue;
        made += counter.of(condition, {}).own;
    }
    made += counter.of(text, {}).own;
    if (made <= static_cast<double>(most_macro_tokens)) return;
    throw Refused(fmt::format(
        "{}: its macros make up to {:.3g} tokens of it, and {} are the most; do they multiply?",
        printable(file), made, most_macro_tokens));
}

}  // namespace parallax
