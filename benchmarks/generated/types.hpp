// The types of generated kernels, what values an expression of one can have, and chance.
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
    bool is_signed() const {
        return base == Base::i8 || base == Base::i16 || base == Base::i32 || base == Base::i64;
    }
    bool is_unsigned() const { return !is_float() && !is_signed() && base != Base::boolean; }
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
    /// Whether a float has all of them.
    bool is_exact() const;
    Range joined(const Range& other) const {
        return {std::min(low, other.low), std::max(high, other.high),
                std::max(places, other.places), minus_zero || other.minus_zero};
    }
};

/// All values of an integer; of floats those that variables have.
Range limits(Type);
/// What variables have that change: enough room for a step or two.
Range usual_range(Type);
/// The type in which C computes with both; scalars alone.
Type common_type(Type, Type);

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
    std::string_view word(std::initializer_list<std::string_view> all) {
        return all.begin()[below(all.size())];
    }

private:
    std::uint64_t state_;
};

}  // namespace parallax::generated
