// Tokens of CUDA C++ with the counterparts of their brackets, whatever is wrong with these.
#pragma once

#include <algorithm>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "mapping/analyze/lexer.hpp"

namespace parallax::cuda_reading {

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
    std::optional<std::size_t> angle(std::size_t i) const;
    /// Whether `::` is at `i`.
    bool is_scope(std::size_t i) const {
        return (*this)[i].is(":") && (*this)[i + 1].is(":") && (*this)[i + 1].space.empty();
    }

private:
    std::vector<Token> all_ = {Token{}};
    std::vector<std::size_t> match_ = {0};
};

/// The source in a form that the lexer of OpenCL C accepts, with the same lines: without includes,
/// raw strings, digit separators, binary numbers and user-defined suffixes.
std::string lexable(std::string_view source);

}  // namespace parallax::cuda_reading
