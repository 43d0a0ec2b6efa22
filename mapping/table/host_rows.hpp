// The parts of the map that are written down here, by topic.
#pragma once

#include <string_view>
#include <vector>

#include "mapping/table/map_row.hpp"

namespace parallax {

std::vector<MapRow> platform_rows();
std::vector<MapRow> execution_rows();
std::vector<MapRow> memory_rows();
std::vector<MapRow> synchronisation_rows();
std::vector<MapRow> program_rows();
std::vector<MapRow> buffer_rows();
std::vector<MapRow> error_rows();
std::vector<MapRow> option_rows();

/// Further words that lead to a row of the translator's table: shuffles, helpers of the prelude.
struct KernelWords {
    std::string_view opencl;  ///< the row's OpenCL spelling
    std::string_view words;   ///< as MapRow::words
};
std::span<const KernelWords> kernel_words();

}  // namespace parallax
