// A kernel's source whose expressions are typed and can be changed.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>
#include <utility>

#include "mapping/analyze/edited_source.hpp"
#include "mapping/analyze/options.hpp"
#include "mapping/analyze/parser.hpp"

namespace parallax {

using NodeKind = Node::Kind;

/// A source with typed expressions.
class Typed : private ExpressionSink {
public:
    Typed(std::string_view source, const TranslateOptions& options)
        : text(source), options_(options) {}

    EditedSource text;

    /// Hands over every node of the functions' expressions, the outer ones first.
    /// @param look  whether its parts are to be looked at as well
    void each(std::function<bool(const Tree&, const Node&)> look) {
        look_ = std::move(look);
        Parser(text.outline(), options_.type, options_.constants).run(*this);
    }

    static const Node& part(const Tree& tree, const Node& node, std::size_t p) {
        return tree[static_cast<std::size_t>(node.parts.at(p))];
    }
    std::string words(const Node& node) const { return text.between(node.first, node.last + 1); }
    std::string_view name(const Node& node) const { return text[node.first].text; }

    /// Replaces the node and its parts by this.
    void write(const Node& node, std::string instead) {
        text.replace(node.first, std::move(instead));
        for (std::size_t i = node.first + 1; i <= node.last; ++i) text.remove(i);
    }

    /// Whether it may be calculated twice, or where it was not: it changes nothing.
    /// @param anywhere  where it was not: it reads no memory and cannot trap either
    bool is_pure(const Tree& tree, const Node& node, bool anywhere) const;

private:
    void expression(const Tree& tree, int root, Place place) override {
        if (place == Place::statement) visit(tree, tree[static_cast<std::size_t>(root)]);
    }
    void not_understood(std::size_t, std::size_t) override {}
    void visit(const Tree& tree, const Node& node) {
        if (node.last >= text.size() || !look_(tree, node)) return;
        for (const int one : node.parts) visit(tree, tree[static_cast<std::size_t>(one)]);
    }

    const TranslateOptions& options_;
    std::function<bool(const Tree&, const Node&)> look_;
};

}  // namespace parallax
