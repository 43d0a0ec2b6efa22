// A generated kernel as a tree of texts that can be cut: its types, and what values its parts have.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace parallax::generated {

/// `size_t` is an `ulong` of another name: OpenCL C does not tell them apart.
enum class Base : std::uint8_t { i8, u8, i16, u16, i32, u32, i64, u64, f32, f64, boolean };

struct Type {
    Base base = Base::i32;
    unsigned width = 1;  ///< components; 1: a scalar
    bool operator==(const Type&) const = default;

    bool is_float() const { return base == Base::f32 || base == Base::f64; }
    bool is_bool() const { return base == Base::boolean; }
    bool is_signed() const { return base < Base::f32 && static_cast<unsigned>(base) % 2 == 0; }
    bool is_unsigned() const { return base < Base::f32 && !is_signed(); }
    unsigned bits() const;  ///< of a component
    std::string name() const;
    Type element() const { return {base}; }
    Type with(unsigned components) const { return {base, components}; }
    /// What comparisons of vectors of it give; of its bits, with or without a sign.
    Type as_integer(bool has_sign) const;
};

/// The values that an expression, or a component of it, can have. Whole numbers and, of floats,
/// multiples of 2^-places: none is ever rounded.
struct Range {
    double low = 0, high = 0;
    int places = 0;
    bool minus_zero = false;  ///< it can be -0
    double largest() const { return std::max(-low, high); }
    bool is_in(const Range& other) const {
        return low >= other.low && high <= other.high && places <= other.places &&
               minus_zero <= other.minus_zero;
    }
    bool is_exact() const;  ///< a float has all of them
    Range joined(const Range& other) const {
        return {std::min(low, other.low), std::max(high, other.high),
                std::max(places, other.places), minus_zero || other.minus_zero};
    }
};

/// A part of a kernel: a text in which each `$` stands for a part.
struct Node {
    /// Behind `$` is how tightly the part must bind to stand without parentheses, and a letter that
    /// only the grammar reads. The levels are C's: a comma is `a`, a name `p`.
    std::string pattern;
    std::vector<Node> parts = {};
    bool is_expression = false;
    char level = 'p';
    Type type = {};  ///< of an expression
    Range range = {};
    bool in_parentheses = false;
    bool is_enum = false;  ///< it has the type of one, as which it is written
};

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
    std::vector<Item> head;
    std::vector<Node> kernels;  ///< bodies of their functions
};

/// Numbers that each kernel reads and writes for a work-item, and work-items of a group.
inline constexpr std::size_t inputs = 8, probes = 16, items = 16;

/// The text of a file with some of its kernels, and what they use of its head.
std::string text_of(const File&, const std::vector<std::size_t>& kernels);

/// The same draws for the same seed, with every library.
class Random {
public:
    explicit Random(std::uint64_t seed) : state_(seed) {}
    std::uint64_t next();
    unsigned below(std::size_t count) { return static_cast<unsigned>(next() % count); }
    bool chance(unsigned percent) { return below(100) < percent; }
    template <class T>
    const T& pick(const std::vector<T>& all) {
        return all[below(all.size())];
    }

private:
    std::uint64_t state_;
};

}  // namespace parallax::generated
