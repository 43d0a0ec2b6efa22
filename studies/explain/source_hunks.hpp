// In what the bodies of two sources of one language differ, each part as a change of the first.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "studies/explain/rewrite.hpp"

namespace parallax {

/// One difference: tokens of the own source, and those of the other one in their place. Equal
/// differences are one.
struct SourceHunk {
    unsigned line = 0;       ///< of the first place in the own source
    std::size_t places = 1;  ///< in the own source
    std::string own, other;  ///< the tokens; one of them may be empty
    std::string changed;     ///< the own source with the other's tokens in all of these places
};

/// In what two sources differ.
struct SourceDifferences {
    std::vector<SourceHunk> hunks;  ///< those within most loops first
    Rewritten all;  ///< the own source with all of them taken over; nothing where there are none
};

/// The differences between the bodies of launched kernels, and of functions of equal names. Names
/// that differ throughout, as those of parameters, are none.
/// @param kernels, others  the launched kernels of both, in one order
/// @param most  hunks that are returned
/// @throws Refused for a source that does not lex or whose brackets do not match
SourceDifferences source_differences(const SourceToChange& own,
                                     const std::vector<std::string>& kernels,
                                     const SourceToChange& other,
                                     const std::vector<std::string>& others, std::size_t most);

/// The name of a kernel without namespaces and template arguments: `saxpy` of `blas::saxpy<float>`.
std::string_view plain_name(std::string_view kernel);

}  // namespace parallax
