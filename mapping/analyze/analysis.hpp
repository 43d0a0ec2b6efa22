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

/// The parts of an initializer, sorted by the position that they initialise.
struct Reordered {
    std::vector<ParameterRange> parts;  ///< empty: the position has no initializer
    std::string filler;                 ///< value of such a position
};

/// The parsed file, and the results of analyze().
struct Analysis {
    /// Parses declarations only. `written` is as Declarations has it. The arguments must outlive
    /// this object.
    /// @throws Refused as outline_of() and Declarations do
    Analysis(std::string_view file, std::string_view source, const TranslateOptions& options,
             const Declarations::Words& written)
        : outline(outline_of(file, source)),
          problems(outline),
          declared(outline, options, written, problems),
          parser(outline, options.type, options.constants) {}

    Outline outline;
    Problems problems;
    Declarations declared;
    Parser parser;
    PreludeNeeds prelude;
    TokenEdits edits;
    std::unordered_map<std::size_t, RowList> notes;         ///< for unchanged tokens
    std::unordered_map<std::size_t, ValueType> call_types;  ///< by the name's token
    std::set<std::size_t> formats;                          ///< format strings of printf
    std::set<std::size_t> strings;                          ///< other strings that are allowed
    bool samples = false;  ///< images are read with samplers or written, or tell their sizes
    std::set<int> volatile_copies;  ///< structs whose volatile objects are copied
    /// Types that are moved in front of the declaration in which they are defined.
    std::map<std::size_t, std::vector<std::size_t>> inner_types;  ///< by declarations
    std::set<std::size_t> moved;                                  ///< all of those types
    std::map<std::size_t, std::size_t> enum_declarations;  ///< words before an enum, by the first
    std::map<std::size_t, Reordered> reordered;            ///< initializers, by their `{`
    std::map<std::string_view, std::string> tags;          ///< of structs that get another name

    /// The struct's name in CUDA C++; empty: it has no name.
    std::string record_name(int number) const {
        const std::string name = parser.record_name(number);
        const auto tag = tags.find(name);
        return tag != tags.end() ? tag->second : name.empty() ? "" : declared.own_word(name);
    }
    /// The name of an image's type or function; sources that use samplers get different ones.
    std::string image_word(std::string_view word) const;
    /// The first token of the declaration to which the word `i` belongs.
    std::size_t declaration_of(std::size_t i) const;
    /// The `{` of the struct, union or enum whose keyword is at `i`, or 0.
    std::size_t brace_of(std::size_t i) const;
};

/// Goes through all expressions and types, once.
void analyze(Analysis& analysis);

}  // namespace parallax
