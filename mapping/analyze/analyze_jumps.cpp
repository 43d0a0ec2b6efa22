// Rejects jumps over the initialization of a vector or struct, which C allows and C++ does not.
#include <algorithm>
#include <map>

#include "mapping/analyze/analyzer.hpp"

namespace parallax {
namespace {

/// A block that is open at the current position.
struct Block {
    bool is_switch = false;
    std::vector<std::size_t> initialized = {};  // where its vectors and structs get their values
};

bool begins_switch(const Outline& outline, std::size_t brace) {
    if (brace == 0 || !outline[brace - 1].is(")")) return false;
    const std::size_t open = outline.match[brace - 1];
    return open > 0 && outline[open - 1].is("switch");
}

bool is_label(const Outline& outline, std::size_t i) {
    return i > 0 && outline[i].kind == TokenKind::identifier && outline[i + 1].is(":") &&
           !outline[i].is("default") &&
           outline[i - 1].is_one_of({";", "{", "}", ":", ")", "else", "do"});
}

}  // namespace

void Analyzer::note_initializer(const Node& whole) {
    const bool is_array = whole.kind == Node::Kind::braces && whole.wanted.pointers > 0;
    const bool is_class = (whole.wanted.value.is_vector() || whole.wanted.record != 0) &&
                          (whole.wanted.pointers == 0 || is_array);
    if (place_ == Place::statement && is_class && whole.first > 0 && at(whole.first - 1).is("=")) {
        initialized_.insert(whole.first);
    }
}

void Analyzer::check_jumps() {
    for (const Item& item : outline_.items) {
        if (!item.is_function() || item.body == 0) continue;
        std::vector<Block> blocks;
        std::map<std::string_view, std::size_t> jumps;  // the first for each label
        const auto pass = [&](std::size_t block, std::size_t from) {
            for (; block < blocks.size(); ++block) {
                std::vector<std::size_t>& passed = blocks[block].initialized;
                const auto first = std::ranges::lower_bound(passed, from);
                for (auto one = first; one != passed.end(); ++one) {
                    complain(*one - 2,
                             "a jump passes over its first value, which C++ does not take of a "
                             "vector or struct; declare it before the jump, and assign the value "
                             "here");
                }
                passed.erase(first, passed.end());
            }
        };
        for (std::size_t i = item.body; i < outline_.match[item.body]; ++i) {
            const Token& token = at(i);
            if (initialized_.contains(i) && !blocks.empty()) blocks.back().initialized.push_back(i);
            if (token.is("{")) {
                blocks.push_back({begins_switch(outline_, i)});
            } else if (token.is("}")) {
                if (!blocks.empty()) blocks.pop_back();
            } else if (token.is("goto")) {
                jumps.emplace(at(i + 1).text, i);
            } else if (token.is_one_of({"case", "default"})) {
                std::size_t around = blocks.size();
                while (around > 0 && !blocks[around - 1].is_switch) --around;
                if (around > 0) pass(around - 1, 0);
            } else if (is_label(outline_, i)) {
                if (const auto jump = jumps.find(token.text); jump != jumps.end()) {
                    pass(0, jump->second);
                    jumps.erase(jump);
                }
            }
        }
    }
}

}  // namespace parallax
