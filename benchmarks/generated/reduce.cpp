// Shrinks trees: first statements, then expressions, until nothing more can be removed.
#include "benchmarks/generated/reduce.hpp"

#include <cmath>
#include <utility>

#include <fmt/format.h>

namespace parallax::generated {
namespace {

/// Replacements of a node: nothing or a part of a statement; a part or a number of an expression's
/// type and range.
std::vector<Node> simpler(const Node& node, bool is_of_expressions) {
    std::vector<Node> all;
    if (!node.is_expression) {
        if (!is_of_expressions) all.push_back({});
        for (const Node& part : node.parts) {
            if (!part.is_expression && !is_of_expressions) all.push_back(part);
        }
        return all;
    }
    if (!is_of_expressions) return all;
    const double number = node.range.low <= 1 && node.range.high >= 1 ? 1 : node.range.low;
    if (number == std::floor(number) && std::abs(number) < 1000) {
        const std::string of = node.type.width == 0 ? "uint" : node.type.name();
        all.push_back({.pattern = fmt::format("({})({})", of, number),
                       .is_expression = true,
                       .level = 'n',
                       .type = node.type,
                       .range = {number, number}});
    }
    for (const Node& part : node.parts) {
        if (part.is_expression && part.type == node.type && part.range.is_in(node.range))
            all.push_back(part);
    }
    return all;
}

}  // namespace

File reduced(File file, const std::function<bool(const File&)>& shows, unsigned tries) {
    bool is_changed = true, is_of_expressions = false;
    const std::function<void(Node&)> cut = [&](Node& node) {
        for (Node& one : simpler(node, is_of_expressions)) {
            const std::string before = text_of(file, {0});
            std::swap(node, one);
            if (text_of(file, {0}).size() < before.size() && tries > 0 && (--tries, shows(file))) {
                is_changed = true;
                return cut(node);
            }
            std::swap(node, one);
        }
        for (Node& part : node.parts) cut(part);
    };
    while (std::exchange(is_changed, false)) {
        for (const bool one : {false, true}) {
            is_of_expressions = one;
            for (Node& part : file.kernels.front().parts) cut(part);
            for (Item& item : file.head) cut(item.node);
        }
    }
    return file;
}

}  // namespace parallax::generated
