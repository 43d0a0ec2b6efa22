// Sums of floats by loops of compare-and-exchange become one atomic addition.
#include <algorithm>
#include <set>

#include <fmt/format.h>

#include "studies/explain/rewrite.hpp"
#include "studies/explain/typed_text.hpp"

namespace parallax {
namespace {

/// The innermost loop around a token: from its keyword to its last `;` or `}`.
struct Loop {
    std::size_t first = 0, last = 0;  ///< last 0: there is none
    std::size_t behind = 0;           ///< the `while` of a `do`
};

/// The `do ... while (...);`, `while (...) ...` or `for (...) ...` whose keyword is the token `i`.
Loop loop_at(const EditedSource& text, std::size_t i) {
    const auto statement_end = [&](std::size_t at) -> std::size_t {
        if (at >= text.size()) return 0;
        if (text[at].is("{")) return text.match(at);
        // A statement without braces ends with its `;` where no other statement is its part.
        if (text[at].is_one_of({"if", "for", "while", "do", "switch"})) return 0;
        while (at < text.size() && !text[at].is_one_of({";", "}"})) {
            at = text[at].is_one_of({"(", "["}) ? text.match(at) + 1 : at + 1;
        }
        return at < text.size() && text[at].is(";") ? at : 0;
    };
    if (text[i].is("do")) {
        const std::size_t body = statement_end(i + 1);
        if (body == 0 || !text[body + 1].is("while") || !text[body + 2].is("(")) return {};
        return {i, text.match(body + 2) + 1, body + 1};
    }
    if (!text[i].is_one_of({"while", "for"}) || !text[i + 1].is("(")) return {};
    return {i, statement_end(text.match(i + 1) + 1)};
}

Loop loop_around(const EditedSource& text, std::size_t at) {
    Loop found;
    for (std::size_t i = 0; i < at; ++i) {
        const Loop loop = loop_at(text, i);
        // Inner ones come later, but for the last line of a `do`.
        if (loop.last >= at && i != found.behind) found = loop;
    }
    return found;
}

/// The node without the parentheses and casts around it.
const Node& bare(const Tree& tree, const Node& node) {
    const Node* inner = &node;
    while (inner->kind == NodeKind::group || inner->kind == NodeKind::cast) {
        inner = &Typed::part(tree, *inner, 0);
    }
    return *inner;
}

/// Whether an address is of global memory: a cast or the declaration of its pointer says so.
bool is_global(const Typed& text, const Tree& tree, const Node& address) {
    for (std::size_t i = address.first; i <= address.last; ++i) {
        if (text.text[i].is_one_of({"__global", "global"})) return true;
    }
    const Node* root = &address;
    while (root->kind != NodeKind::name && !root->parts.empty()) {
        root = &Typed::part(tree, *root, 0);
    }
    return root->type.pointers > 0 && root->type.space == 'g';
}

/// What a loop adds, and how often something of its kind is in the loop.
struct Addend {
    std::string words, type;
    int places = 0;
};

/// Names that the tokens [first, last] have.
std::set<std::string_view> names_in(const EditedSource& text, std::size_t first, std::size_t last) {
    std::set<std::string_view> names;
    for (std::size_t i = first; i <= last; ++i) {
        const char c = text[i].text.front();
        const bool is_name = c == '_' || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
        if (is_name && !text[i - 1].is_one_of({".", "->"})) names.insert(text[i].text);
    }
    return names;
}

}  // namespace

Rewritten sums_at_once(std::string_view source, const TranslateOptions& options) {
    struct Exchange {
        std::size_t at = 0;
        std::string place;
    };
    std::vector<Exchange> exchanges;
    Typed calls(source, options);
    calls.each([&](const Tree& tree, const Node& node) {
        if (node.kind != NodeKind::call || node.parts.size() != 3 ||
            !calls.text[node.first].is_one_of({"atomic_cmpxchg", "atom_cmpxchg"})) {
            return true;
        }
        const Node& place = Typed::part(tree, node, 0);
        if (is_global(calls, tree, place)) {
            exchanges.push_back({node.first, calls.words(bare(tree, place))});
        }
        return true;
    });
    std::set<std::string> types;
    Typed text(source, options);
    for (const Exchange& exchange : exchanges) {
        const Loop loop = loop_around(text.text, exchange.at);
        if (loop.last == 0) continue;
        const auto function = std::ranges::find_if(text.text.items(), [&](const Item& item) {
            return loop.first > item.body && loop.first < item.last && item.is_function();
        });
        if (function == text.text.items().end()) continue;
        const auto before = names_in(text.text, function->first, loop.first - 1);
        // What the loop changes or declares is no part of what it adds.
        std::set<std::string_view> changed;
        Addend added;
        Typed parts(source, options);
        const auto in_loop = [&](const Node& node) {
            return node.first >= loop.first && node.last <= loop.last;
        };
        parts.each([&](const Tree& tree, const Node& node) {
            if (!in_loop(node)) return true;
            if (node.kind == NodeKind::assign || node.kind == NodeKind::postfix) {
                changed.insert(parts.name(Typed::part(tree, node, 0)));
            }
            return true;
        });
        const auto is_of_loop = [&](const Node& node) {
            const auto names = names_in(parts.text, node.first, node.last);
            return std::ranges::any_of(
                names, [&](auto name) { return changed.contains(name) || !before.contains(name); });
        };
        parts.each([&](const Tree& tree, const Node& node) {
            if (!in_loop(node)) return true;
            const bool assigns =
                node.kind == NodeKind::assign && parts.text[node.operator_token].is("+=");
            if (!assigns && !(node.kind == NodeKind::binary &&
                              parts.text[node.operator_token].is_one_of({"+", "-", "*", "/"}))) {
                return true;
            }
            const Node *own = &Typed::part(tree, node, 1), *old = &Typed::part(tree, node, 0);
            if (!assigns && is_of_loop(*own)) std::swap(own, old);
            const std::string type = name_of(own->type.value);
            if (!own->type.is_scalar() || (type != "float" && type != "double")) return true;
            const bool is_sum = assigns || parts.text[node.operator_token].is("+");
            const bool fits = is_sum && is_of_loop(*old) && !is_of_loop(*own) &&
                              bare(tree, *old).kind != NodeKind::binary &&
                              parts.is_pure(tree, *own, false);
            added = {fits ? parts.words(*own) : "", type, added.places + 1};
            return false;
        });
        if (added.places != 1 || added.words.empty()) continue;
        const auto later = names_in(text.text, loop.last + 1, function->last);
        if (std::ranges::any_of(changed, [&](auto name) { return later.contains(name); })) continue;
        types.insert(added.type);
        text.text.replace(
            loop.first, fmt::format("parallax_add_{}((volatile __global {}*)({}), {});", added.type,
                                    added.type, exchange.place, added.words));
        for (std::size_t k = loop.first + 1; k <= loop.last; ++k) text.text.remove(k);
    }
    const Rewritten changed = text.text.result();
    if (!changed) return {};
    std::string helpers;
    for (const std::string& type : types) {
        const bool is_double = type == "double";
        helpers += fmt::format(
            "void parallax_add_{0}(volatile __global {0}* place, {0} value) {{ asm volatile("
            "\"red.global.add.{1} [%0], %1;\" : : \"l\"(place), \"{2}\"(value) : \"memory\"); }}",
            type, is_double ? "f64" : "f32", is_double ? "d" : "f");
    }
    return helpers + "\n#line 1\n" + *changed;
}

}  // namespace parallax
