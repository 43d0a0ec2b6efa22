// The mapping table as token patterns.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "mapping/table/table.hpp"

namespace parallax {

/// One spelling of a rule with a counterpart: the pattern and its replacement.
struct Pattern {
    const MappingRule* row = nullptr;
    std::string opencl;              ///< one of the row's spellings
    std::string cuda;                ///< the same, with `$` where the arguments go
    std::vector<std::string> words;  ///< the tokens of `opencl`; `$` is an argument
    bool index = false;              ///< its argument is a dimension
    bool call = false;               ///< a word and its arguments
};

/// All rows by what they begin with.
class Patterns {
public:
    /// The patterns of the mapping table; built once.
    static const Patterns& of_table();

    /// Rows that begin with this token, the longest first.
    const std::vector<Pattern>& beginning_with(std::string_view word) const;
    /// Whether `word` begins a row of a function.
    bool is_function(std::string_view word) const;
    /// The row that refuses `word`, or null; `called` tells whether it is called or defined.
    const MappingRule* refusal(std::string_view word, bool called) const;
    /// The row that has `key` among its spellings, or null.
    static const MappingRule* find(std::string_view key);
    /// The row of a key that is known to have one.
    static const MappingRule& row(std::string_view key);

private:
    Patterns();
    /// Adds one spelling of a row; of one with `(T2)` or `(T4)`, one for each type of element.
    void add_for_vectors(const MappingRule& row, const Spelling&);
    void add(const MappingRule& row, std::string_view opencl, std::string_view cuda);

    struct Family {
        std::string begin, end;
        bool called = false;
        const MappingRule* row = nullptr;
    };
    std::map<std::string, std::vector<Pattern>, std::less<>> patterns_;
    std::map<std::string, Family, std::less<>> words_;  // refused, without a star
    std::vector<Family> families_;                      // with one
};

/// The single words of a row that refuses: `half`, `mad()`, ...
std::vector<std::string_view> words_of(const MappingRule& refusal);

}  // namespace parallax
