// All rows of the map between OpenCL and CUDA: words of kernels and of host programs.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "mapping/table/mapping_rule.hpp"

namespace parallax {

/// `same`, `nearly` or `none`.
std::string_view name_of(Equivalence);

/// All rows, by topic, in the order in which they are taught; those of the kernel language come
/// last, and of these the ones that are read from CUDA alone.
std::span<const MappingRule> whole_map();

/// The rows of the kernel language, which the translator to CUDA goes by, and which the one from
/// CUDA reads from right to left.
std::span<const MappingRule> mapping_table();

/// Further rules of the kernel language, for the translator from CUDA only: the last part of
/// whole_map(). For a word of CUDA they precede those of mapping_table().
std::span<const MappingRule> reverse_table();

/// The heading of a rule: `memory model`, `kernel language: memory`.
std::string topic_of(const MappingRule&);

/// Whether the rule writes a function of the prelude.
bool is_by_prelude(const MappingRule&);

/// CUDA's own names (`__popc`) for what the rule writes as a function of the prelude.
std::vector<std::string_view> names_in_cuda(const MappingRule&);

/// Whether a rule is about names that the translator makes or avoids, and about no word of either
/// language. A search shows other rules first.
bool is_about_translator(const MappingRule&);

/// Rules of the table, each once.
using RowList = std::vector<const MappingRule*>;

/// Appends the rules that `to` does not have yet.
void add_rows(RowList& to, const RowList& rows);

/// A rule's translation of one word of OpenCL.
struct Spelling {
    std::string opencl, cuda;
    bool operator==(const Spelling&) const = default;
};

/// All spellings of a rule, one for each combination of its choices. A rule without choices has
/// one.
std::vector<Spelling> spellings_of(const MappingRule&);

/// The first spelling that contains one of `words`; the rule's own where none does.
Spelling spelling_with(const MappingRule&, std::span<const std::string> words);

}  // namespace parallax
