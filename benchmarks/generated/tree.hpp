// A kernel as a tree of texts, which can be cut.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "benchmarks/generated/types.hpp"

namespace parallax::generated {

/// How tightly an operator binds: a comma is `a`, a name `p`. The levels are C's.
namespace level {
inline constexpr char comma = 'a', assignment = 'b', choice = 'c', logical_or = 'd',
                      logical_and = 'e', either = 'f', exclusive = 'g', both = 'h', equality = 'i',
                      relation = 'j', shift = 'k', sum = 'l', product = 'm', unary = 'n',
                      postfix = 'o', primary = 'p';
}

/// A part of a kernel: `words` with `parts` between them.
struct Node {
    std::vector<std::string> words;  ///< one more than parts
    std::vector<Node> parts;
    std::string levels;  ///< that parts need, to stand without parentheses
    char level = level::primary;
    bool is_expression = false;
    bool is_optional = false;  ///< a statement, or what else can be left out
    bool in_parentheses = false;
    bool is_enum = false;  ///< it has the type of one, as which it is written
    Type type;             ///< of an expression
    Range range;
};

/// @param pattern  `$l + $m`: each `$` and the level behind it stand for a part
Node expression(Type, const Range&, char level, std::string_view pattern,
                std::vector<Node> parts = {});
/// Something to leave out; parts that are statements are written as they are.
Node statement(std::string_view pattern, std::vector<Node> parts = {});
/// One after the other.
Node block(std::vector<Node> parts);

std::string text_of(const Node&);

/// A declaration of the file, before its kernels.
struct Item {
    std::vector<std::string> names;  ///< it is written where one of them is used
    Node node;
};

/// A file of kernels: functions that write 16 numbers each, and one kernel that calls them.
struct File {
    std::uint64_t seed = 0;
    std::vector<std::string> defines;  ///< `NAME` or `NAME=VALUE`, as -D gives them
    std::vector<Item> head;
    std::vector<Node> kernels;  ///< bodies of their functions
};

/// Numbers that each kernel reads and writes for a work-item.
inline constexpr std::size_t inputs = 8, probes = 16;

struct Text {
    std::string text;
    std::vector<std::size_t> first_lines;  ///< of the functions, and of the kernel behind them
};
/// The text of a file with some of its kernels, and what they use of its head.
Text text_of(const File&, const std::vector<std::size_t>& kernels);

}  // namespace parallax::generated
