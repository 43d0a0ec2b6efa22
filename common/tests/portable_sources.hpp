// The files of a suite's kernels.
#pragma once

#include <string>
#include <vector>

#include "common/suite/suite.hpp"
#include "common/text/unique_values.hpp"

namespace parallax {

/// The files of the suite's portable sources, its own first.
inline std::vector<std::string> portable_sources(const Suite& suite) {
    std::vector<std::string> files{suite.source};
    for (const Variant& variant : suite.variants) add_once(files, portable_source(suite, variant));
    return files;
}

}  // namespace parallax
