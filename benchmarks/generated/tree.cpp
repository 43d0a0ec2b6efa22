// Writes trees as OpenCL C.
#include "benchmarks/generated/tree.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "common/characters.hpp"

namespace parallax::generated {
namespace {

Node made_of(std::string_view pattern, std::vector<Node> parts) {
    Node node;
    std::size_t at = 0;
    for (std::size_t dollar = pattern.find('$'); dollar != pattern.npos;
         dollar = pattern.find('$', at)) {
        node.words.emplace_back(pattern.substr(at, dollar - at));
        node.levels += pattern[dollar + 1];
        at = dollar + 2;
    }
    node.words.emplace_back(pattern.substr(at));
    node.parts = std::move(parts);
    return node;
}

void write(const Node& node, std::string& out) {
    out += node.words.front();
    for (std::size_t i = 0; i < node.parts.size(); ++i) {
        const Node& part = node.parts[i];
        const bool needs =
            part.is_expression && (part.in_parentheses || (part.level < node.levels[i]));
        if (needs) out += '(';
        write(part, out);
        if (needs) out += ')';
        out += node.words[i + 1];
    }
}

}  // namespace

Node expression(Type type, const Range& range, char level, std::string_view pattern,
                std::vector<Node> parts) {
    Node node = made_of(pattern, std::move(parts));
    node.is_expression = true;
    node.type = type;
    node.range = range;
    node.level = level;
    return node;
}

Node statement(std::string_view pattern, std::vector<Node> parts) {
    Node node = made_of(pattern, std::move(parts));
    node.is_optional = true;
    return node;
}

Node block(std::vector<Node> parts) {
    Node node;
    node.words.resize(parts.size() + 1);
    node.levels.assign(parts.size(), level::comma);
    node.parts = std::move(parts);
    return node;
}

std::string text_of(const Node& node) {
    std::string out;
    write(node, out);
    return out;
}

Text text_of(const File& file, const std::vector<std::size_t>& kernels) {
    std::vector<std::string> bodies;
    std::string used;
    for (const std::size_t k : kernels) {
        bodies.push_back(text_of(file.kernels[k]));
        used += bodies.back();
    }
    std::vector<std::string> items;
    for (auto item = file.head.rbegin(); item != file.head.rend(); ++item) {
        if (std::ranges::none_of(item->names, [&](const auto& one) { return has_word(used, one); }))
            continue;
        items.push_back(text_of(item->node));
        used += items.back();
    }
    Text made;
    std::size_t line = 1;
    const auto add = [&](const std::string& more) {
        made.text += more;
        line += static_cast<std::size_t>(std::ranges::count(more, '\n'));
    };
    for (auto item = items.rbegin(); item != items.rend(); ++item) add(*item);
    for (std::size_t i = 0; i < bodies.size(); ++i) {
        made.first_lines.push_back(line);
        add(fmt::format("void kernel_{}(__global const uint* in, __global uint* out) {{\n{}}}\n",
                        kernels[i], bodies[i]));
    }
    made.first_lines.push_back(line);
    add("__kernel void k(__global const uint* in, __global uint* out) {\n"
        "    const size_t item = get_global_id(0);\n");
    for (std::size_t i = 0; i < bodies.size(); ++i) {
        add(fmt::format("    kernel_{}(in + {} * item, out + {} * item + {});\n", kernels[i],
                        inputs, bodies.size() * probes, i * probes));
    }
    add("}\n");
    return made;
}

}  // namespace parallax::generated
