// Tells the host's declarations of a CUDA C++ source from the device's, without a compiler.
#pragma once

#include <algorithm>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "common/device/program.hpp"
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

/// First and last line of a source, from 0.
using Lines = std::pair<std::size_t, std::size_t>;

/// The host's own declarations of a source. An unknown word may be a macro for `__device__`: the
/// function then does not count as the host's.
struct SourceParts {
    /// Functions, prototypes and variables of the host that share their lines with nothing else.
    std::vector<Lines> host;
    /// The first line of each variable of `__constant__` or `__device__`.
    std::vector<std::size_t> variables;
    struct Kernel {
        std::string name;
        Lines lines;  ///< with its template's head
    };
    std::vector<Kernel> kernels;
};

/// Expands the source's macros first, where a preprocessor is available and accepts it.
/// @throws Refused when the source does not lex
SourceParts parts_of_source(std::string_view file, std::string_view source,
                            const std::vector<Define>& defines);

}  // namespace parallax::cuda_reading
