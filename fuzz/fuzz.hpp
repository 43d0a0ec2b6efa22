// What is fuzzed: one function for each, named as its file.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdlib>

namespace parallax::fuzz {

/// What holds for any input; an abort is a find.
inline void demand(bool holds) {
    if (!holds) std::abort();
}

/// They take any bytes. @returns 0
using Target = int(const std::uint8_t* data, std::size_t size);
Target capture, commandline, exchange, image, lesson, manifest, map, results, texts, translator;

}  // namespace parallax::fuzz
