// The result of analysing a kernel file: edits by tokens, and facts about tokens.
#pragma once

#include <cstddef>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "mapping/analyze/declarations.hpp"
#include "mapping/analyze/outline.hpp"
#include "mapping/analyze/parser.hpp"
#include "mapping/analyze/prelude_needs.hpp"
#include "mapping/analyze/problems.hpp"
#include "mapping/analyze/token_edits.hpp"

namespace parallax {

/// The parts of an initializer in the order of their places.
struct Reordered {
    std::vector<ParameterRange> parts;  ///< empty: nothing is said of that place
    std::string filler;                 ///< what stands there
};

/// A file, taken apart, and what analyze() finds of it.
struct Analysis {
    /// Declarations only. All that is given must live as long.
    /// @throws Refused as outline_of() and Declarations do
    Analysis(std::string_view file, std::string_view source, const TranslateOptions& options)
        : outline(outline_of(file, source)),
          problems(outline),
          declared(outline, options, problems),
          parser(outline, options.type, options.constants) {}

    Outline outline;
    Problems problems;
    Declarations declared;
    Parser parser;
    PreludeNeeds prelude;
    TokenEdits edits;
    std::unordered_map<std::size_t, RowList> notes;         ///< of tokens that stay as they are
    std::unordered_map<std::size_t, ValueType> call_types;  ///< by the name's token
    std::set<std::size_t> formats;                          ///< strings that printf takes
    std::set<std::size_t> strings;                          ///< other strings that may stand
    bool samples = false;  ///< images are read with samplers or written, or tell their sizes
    std::set<int> volatile_copies;  ///< structs that are copied where they are volatile
    /// Types that are written in front of the declaration within which they are defined.
    std::map<std::size_t, std::vector<std::size_t>> inner_types;  ///< by declarations
    std::set<std::size_t> moved;                                  ///< all of those
    std::map<std::size_t, std::size_t> enum_declarations;  ///< words before an enum, by the first
    std::map<std::size_t, Reordered> reordered;            ///< initializers, by their `{`

    /// What CUDA C++ calls the struct; empty: it has no name.
    std::string record_name(int number) const {
        return std::string(declared.written_name(parser.record_name(number)));
    }
    /// What an image's type or function is called: that of a text with samplers is another.
    std::string image_word(std::string_view word) const;
    /// The first token of the declaration to which the word `i` belongs.
    std::size_t declaration_of(std::size_t i) const;
    /// The `{` of the struct, union or enum whose word stands at `i`, or 0.
    std::size_t brace_of(std::size_t i) const;
};

/// Goes through all expressions and types, once.
void analyze(Analysis& analysis);

}  // namespace parallax
