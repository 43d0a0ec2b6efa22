// Splits loads of vectors into those of their elements, and joins such loads.
#include <optional>
#include <set>
#include <tuple>

#include <fmt/format.h>

#include "studies/explain/rewrite.hpp"
#include "studies/explain/typed_text.hpp"

namespace parallax {
namespace {

/// A kernel's parameter that points to global memory.
struct GlobalPointer {
    bool is_const = false;
    bool is_moved = false;  ///< something is assigned to the pointer itself
};

/// The parameter that the token `at` names, or nothing.
std::optional<GlobalPointer> global_pointer(const EditedSource& text, std::size_t at) {
    for (const Item& item : text.items()) {
        if (item.kind != Item::Kind::kernel || at <= item.body || at >= item.last) continue;
        for (const ParameterRange& range : text.parameters(item)) {
            if (!text[range.last - 1].is(text[at].text)) continue;
            GlobalPointer found;
            bool global = false;
            for (std::size_t i = range.first; i < range.last; ++i) {
                global = global || text[i].is_one_of({"__global", "global"});
                found.is_const = found.is_const || text[i].is("const");
            }
            if (!global) return {};
            for (std::size_t i = item.body; i < item.last; ++i) {
                if (!text[i].is(text[at].text) || text[i - 1].is_one_of({".", "->"})) continue;
                found.is_moved = found.is_moved ||
                                 text[i + 1].is_one_of({"=", "+=", "-=", "++", "--"}) ||
                                 text[i - 1].is_one_of({"++", "--", "&"});
            }
            return found;
        }
    }
    return {};
}

std::string pointer_cast(const GlobalPointer& pointer, const std::string& type,
                         std::string_view name) {
    return fmt::format("((__global {}{}*){})", pointer.is_const ? "const " : "", type, name);
}

/// Four elements one by one. @param base  what is subscripted
std::string one_by_one(ValueType vector, const std::string& base, const std::string& place) {
    std::string parts;
    for (int i = 0; i < 4; ++i) {
        parts += fmt::format("{}{}[4 * ({}){}]", i ? ", " : "", base, place,
                             i ? fmt::format(" + {}", i) : "");
    }
    return fmt::format("({})({})", name_of(vector), parts);
}

/// For four neighbours from a multiple of four on, `p[4 * i], ..., p[4 * i + 3]`: the source of
/// `i`, and the node of `p`. Otherwise nothing.
std::optional<std::pair<std::string, const Node*>> four_neighbours(const Typed& text,
                                                                   const Tree& tree,
                                                                   const Node& vector) {
    if (vector.kind != NodeKind::literal || vector.parts.size() != 4) return {};
    std::string start, quarter;
    for (std::size_t i = 0; i < 4; ++i) {
        const Node& one = Typed::part(tree, vector, i);
        if (one.kind != NodeKind::index) return {};
        if (text.words(Typed::part(tree, one, 0)) !=
            text.words(Typed::part(tree, Typed::part(tree, vector, 0), 0))) {
            return {};
        }
        const Node& place = Typed::part(tree, one, 1);
        if (place.kind != NodeKind::binary || !text.is_pure(tree, place, false)) return {};
        const Node &left = Typed::part(tree, place, 0), &right = Typed::part(tree, place, 1);
        if (i == 0) {
            if (!text.text[place.operator_token].is("*")) return {};
            start = text.words(place);
            const bool first = text.words(left) == "4";
            quarter = text.words(first ? right : left);
            if (!first && text.words(right) != "4") return {};
        } else if (!text.text[place.operator_token].is("+") || text.words(left) != start ||
                   text.words(right) != std::to_string(i)) {
            return {};
        }
    }
    return std::pair{quarter, &Typed::part(tree, Typed::part(tree, vector, 0), 0)};
}

}  // namespace

Rewritten split_vector_loads(std::string_view source, const TranslateOptions& options) {
    Typed text(source, options);
    std::set<std::size_t> written;  // where what is assigned to begins
    text.each([&](const Tree& tree, const Node& node) {
        if (node.kind == NodeKind::assign || node.kind == NodeKind::postfix) {
            written.insert(Typed::part(tree, node, 0).first);
        }
        if (node.kind == NodeKind::prefix &&
            text.text[node.operator_token].is_one_of({"&", "++", "--"})) {
            written.insert(Typed::part(tree, node, 0).first);
        }
        if (node.type.pointers != 0 || node.type.value.width != 4) return true;
        const ValueType element{node.type.value.element, 1};
        if (node.kind == NodeKind::index && !written.contains(node.first)) {
            const Node &base = Typed::part(tree, node, 0), &place = Typed::part(tree, node, 1);
            if (base.kind != NodeKind::name || !text.is_pure(tree, place, false)) return true;
            const auto pointer = global_pointer(text.text, base.first);
            if (!pointer) return true;
            text.write(node, one_by_one(node.type.value,
                                        pointer_cast(*pointer, name_of(element), text.name(base)),
                                        text.words(place)));
            return false;
        }
        if (node.kind == NodeKind::call && text.name(node) == "vload4" && node.parts.size() == 2) {
            const Node &place = Typed::part(tree, node, 0), &base = Typed::part(tree, node, 1);
            if (!text.is_pure(tree, place, false) || !text.is_pure(tree, base, false)) return true;
            text.write(node, one_by_one(node.type.value, fmt::format("({})", text.words(base)),
                                        text.words(place)));
            return false;
        }
        return true;
    });
    return text.text.result();
}

Rewritten join_vector_loads(std::string_view source, const TranslateOptions& options) {
    Typed text(source, options);
    text.each([&](const Tree& tree, const Node& node) {
        if (node.type.pointers != 0 || node.type.value.width != 4) return true;
        const Node* base = nullptr;
        std::string place;
        if (node.kind == NodeKind::call && text.name(node) == "vload4" && node.parts.size() == 2) {
            base = &Typed::part(tree, node, 1);
            place = text.words(Typed::part(tree, node, 0));
        } else if (const auto four = four_neighbours(text, tree, node)) {
            std::tie(place, base) = *four;
        }
        // A buffer begins at a multiple of every vector's size; what points into it may not.
        if (!base || base->kind != NodeKind::name) return true;
        const auto pointer = global_pointer(text.text, base->first);
        const bool same = base->type.pointers == 1 && !base->type.value.is_vector() &&
                          base->type.value.element == node.type.value.element;
        if (!pointer || pointer->is_moved || !same) return true;
        text.write(
            node,
            fmt::format("{}[{}]",
                        pointer_cast(*pointer, name_of(node.type.value), text.name(*base)), place));
        return false;
    });
    return text.text.result();
}

}  // namespace parallax
