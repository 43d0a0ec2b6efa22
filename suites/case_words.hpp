// Parses command-line words about cases, and loads the kernel sources that they name.
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
/// @throws UsageError for anything else, a negative number, or one above 64 bits.
Shape parse_shape(std::string_view word);

/// `NAME=VALUE`; VALUE is an integer, or the name of a choice of a selected suite's constant.
/// @throws UsageError
Constant parse_define(std::string_view word, const std::vector<CasePick>& picks);

/// `float`, `double`, `int`, or another type that a suite has. @throws UsageError
ElementType parse_type(std::string_view word);

/// `SUITE` or `SUITE/VARIANT`; SUITE may be a manifest file, which ends with .json.
/// @throws UsageError
CasePick parse_pick(std::string_view word, const ManifestPermissions& = {});

/// `SUITE/VARIANT`, or the file of a manifest that has one variant only.
/// @throws UsageError for no word, and for one that names no variant
CasePick parse_variant(const std::optional<std::string>& word, const ManifestPermissions& = {});

/// The type of `--type`, or the variant's default_type(). @throws UsageError where the type cannot
/// be chosen
ElementType type_for(const CasePick&, const std::optional<std::string>& word);
/// @throws UsageError for a manifest's suite: its kernels have fixed types
void refuse_type(const Suite&);

/// An integer from `least` to `most`. @throws UsageError with option and range
std::uint64_t parse_number(std::string_view option, std::string_view word, std::uint64_t least,
                           std::uint64_t most);

/// One of `known`. @throws UsageError with option and known words
std::string parse_choice(std::string_view option, const std::string& word,
                         const std::vector<std::string>& known);

/// The source of a kernel file: from `folder` if given, else the program's own.
/// @throws UsageError when there is none of that name, or it cannot be read.
std::string kernel_source(std::string_view file, const std::optional<std::string>& folder = {});

}  // namespace parallax
