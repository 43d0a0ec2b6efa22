// A report for CI with places in sources, in SARIF's JSON.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "report/junit.hpp"

namespace parallax::report {

/// The places in files of the folder that messages name, such as `saxpy.cl:4:27: error: ...`.
std::vector<SourcePlace> places_in(const std::filesystem::path& folder, std::string_view messages);

/// The same in a manifest's sources, else where the kernel begins. Empty: the suite is no manifest
/// of this run.
/// @param file  of the kernel, as its record has it
std::vector<SourcePlace> source_places(std::string_view suite, const std::string& file,
                                       std::string_view kernel, std::string_view messages);

/// SARIF 2.1.0: a result for each place of a test that did not pass. Tests that say the same of a
/// place share a result.
std::string sarif_text(const TestReport&);

}  // namespace parallax::report
