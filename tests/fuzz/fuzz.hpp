// The fuzz targets: one function each, named like its file.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdlib>

namespace parallax::fuzz {

/// A condition that must hold for any input; an abort is a finding.
inline void demand(bool holds) {
    if (!holds) std::abort();
}

/// Targets accept any bytes. @returns 0
using Target = int(const std::uint8_t* data, std::size_t size);
Target capture, commandline, exchange, from_cuda, lesson, manifest, map, results, texts, translator;

}  // namespace parallax::fuzz
