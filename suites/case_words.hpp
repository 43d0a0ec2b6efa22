// Words that people write about cases, as values; and the kernel sources that they name.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "common/suite/pick.hpp"
#include "common/suite/suite.hpp"
#include "suites/manifest/permissions.hpp"

namespace parallax {

/// `1024x777`, `2^20`, `64M` (K, M, G: powers of 1024), in each dimension.
/// @throws UsageError for anything else, a negative number, or one that no 64 bits hold.
Shape parse_shape(std::string_view word);

/// `NAME=VALUE`; VALUE a whole number, or the name of a choice of a picked suite's constant.
/// @throws UsageError
Constant parse_define(std::string_view word, const std::vector<CasePick>& picks);

/// `float`, `double`, `int`, or another type that a suite has. @throws UsageError
ElementType parse_type(std::string_view word);

/// `SUITE` or `SUITE/VARIANT`; SUITE may be a manifest's file, which ends with .json.
/// @throws UsageError
CasePick parse_pick(std::string_view word, const ManifestPermissions& = {});

/// `SUITE/VARIANT`, or the file of a manifest that has one variant only.
/// @throws UsageError for no word, and for one that names no variant
CasePick parse_variant(const std::optional<std::string>& word, const ManifestPermissions& = {});

/// What `--type` says, or default_type() of the variant, which is named. @throws UsageError where
/// it cannot be said
ElementType type_for(const CasePick&, const std::optional<std::string>& word);
/// @throws UsageError when the suite is a manifest's: its kernels have no type that could change
void refuse_type(const Suite&);

/// A whole number from `least` to `most`. @throws UsageError naming option and range
std::uint64_t parse_number(std::string_view option, std::string_view word, std::uint64_t least,
                           std::uint64_t most);

/// One of `known`. @throws UsageError naming option and known words
std::string parse_choice(std::string_view option, const std::string& word,
                         const std::vector<std::string>& known);

/// The text of a kernel file: from `folder` when there is one, else the program's own.
/// @throws UsageError when there is none of that name, or it cannot be read.
std::string kernel_source(std::string_view file, const std::optional<std::string>& folder = {});

}  // namespace parallax
