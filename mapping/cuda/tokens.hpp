// Tokens of CUDA C++ with the counterparts of their brackets, whatever is wrong with these.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "mapping/analyze/lexer.hpp"

namespace parallax::cuda_reading {

/// The tokens [first, last).
struct Range {
    std::size_t first = 0, last = 0;
    bool empty() const { return first >= last; }
};

/// Tokens that end with an `end`; one past it is that `end`, too.
class Tokens {
public:
    Tokens() = default;
    explicit Tokens(std::vector<Token> all);

    const Token& operator[](std::size_t i) const { return all_[std::min(i, size())]; }
    /// Without the `end`.
    std::size_t size() const { return all_.size() - 1; }
    /// The counterpart of the bracket at `i`; of an open one without, the `end`.
    std::size_t match(std::size_t i) const { return i < match_.size() ? match_[i] : size(); }
    /// The `>` of the `<` at `i`, as template arguments have it; nothing: it is a comparison.
    /// `closes_two` receives whether that token is a `>>` whose second half is the one.
    std::optional<std::size_t> angle(std::size_t i) const;
    /// What commas part, brackets and template arguments passed over.
    std::vector<Range> parts(Range range) const;
    /// As written, with one blank for whatever was between.
    std::string text(Range range) const;
    /// Whether `::` is at `i`.
    bool is_scope(std::size_t i) const {
        return (*this)[i].is(":") && (*this)[i + 1].is(":") && (*this)[i + 1].space.empty();
    }

private:
    std::vector<Token> all_ = {Token{}};
    std::vector<std::size_t> match_ = {0};
};

/// The text as the lexer of OpenCL C takes it, each line where it was: without includes, raw
/// strings, digits in groups, binary numbers, suffixes of the user's own.
std::string lexable(std::string_view source);

/// The value of a constant whole number; nothing: it is not one, or not known.
/// @param value  of a name
std::optional<std::int64_t> constant_value(
    const Tokens& tokens, Range range,
    const std::function<std::optional<std::int64_t>(std::string_view)>& value);

}  // namespace parallax::cuda_reading
