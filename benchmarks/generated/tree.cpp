// Writes trees as OpenCL C, and shrinks them: first statements, then expressions, until nothing
// more can be removed.
#include "benchmarks/generated/tree.hpp"

#include <cmath>
#include <utility>

#include <fmt/format.h>

#include "common/text/characters.hpp"

namespace parallax::generated {

unsigned Type::bits() const {
    static constexpr unsigned all[]{8, 8, 16, 16, 32, 32, 64, 64, 32, 64, 8};
    return all[static_cast<std::size_t>(base)];
}

std::string Type::name() const {
    static constexpr std::string_view all[]{"char", "uchar", "short", "ushort", "int", "uint",
                                            "long", "ulong", "float", "double", "bool"};
    return std::string(all[static_cast<std::size_t>(base)]) +
           (width == 1 ? "" : std::to_string(width));
}

Type Type::as_integer(bool has_sign) const {
    const unsigned number = bits() == 8 ? 0 : bits() == 16 ? 2 : bits() == 32 ? 4 : 6;
    return {static_cast<Base>(number + (has_sign ? 0 : 1)), width};
}

bool Range::is_exact() const {
    return std::ldexp(largest(), places) <= 0x1p24;
}

namespace {

void write(const Node& node, std::string& out) {
    std::size_t at = 0;
    for (const Node& part : node.parts) {
        const std::size_t dollar = node.pattern.find('$', at);
        out.append(node.pattern, at, dollar - at);
        const bool needs =
            part.is_expression && (part.in_parentheses || part.level < node.pattern[dollar + 1]);
        if (needs) out += '(';
        write(part, out);
        if (needs) out += ')';
        at = dollar + 3;
    }
    out.append(node.pattern, at);
}

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

Node block(std::vector<Node> parts) {
    Node node;
    for (std::size_t i = 0; i < parts.size(); ++i) node.pattern += "$a-";
    node.parts = std::move(parts);
    return node;
}

std::string text_of(const Node& node) {
    std::string out;
    write(node, out);
    return out;
}

std::string text_of(const File& file, const std::vector<std::size_t>& kernels) {
    constexpr std::string_view parameters =
        "__global const uint* in, __global uint* out, __local uint* shared";
    std::string text, calls;
    std::size_t first = 0;
    for (const std::size_t k : kernels) {
        calls += fmt::format("    kernel_{}(in + {} * item, out + {} * item + {}, shared);\n", k,
                             inputs, kernels.size() * probes, first);
        first += probes;
        text +=
            fmt::format("void kernel_{}({}) {{\n{}}}\n", k, parameters, text_of(file.kernels[k]));
    }
    for (auto item = file.head.rbegin(); item != file.head.rend(); ++item) {
        if (std::ranges::any_of(item->names, [&](const auto& one) { return has_word(text, one); }))
            text.insert(0, text_of(item->node));
    }
    return text + fmt::format(
                      "__kernel void k(__global const uint* in, __global uint* out) {{\n"
                      "    __local uint shared[{}];\n"
                      "    const size_t item = get_global_id(0);\n{}}}\n",
                      items, calls);
}

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

std::uint64_t Random::next() {
    // splitmix64
    std::uint64_t z = (state_ += 0x9e3779b97f4a7c15);
    z = (z ^ z >> 30U) * 0xbf58476d1ce4e5b9;
    z = (z ^ z >> 27U) * 0x94d049bb133111eb;
    return z ^ z >> 31U;
}

}  // namespace parallax::generated
