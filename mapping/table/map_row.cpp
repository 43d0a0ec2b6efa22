// Joins the rows written down here with those of the translator's table.
#include "mapping/table/map_row.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "mapping/table/host_rows.hpp"

namespace parallax {
namespace {

/// Rows of the kernel language as rows of the map, topics together.
std::vector<MapRow> kernel_rows() {
    std::vector<MapRow> rows;
    for (const Row& row : mapping_table()) {
        MapRow one{row.topic, row.opencl, row.cuda, row.equivalence, row.because};
        one.kernel_language = true;
        const auto more = std::ranges::find(kernel_words(), row.opencl, &KernelWords::opencl);
        if (more != kernel_words().end()) one.words = more->words;
        rows.push_back(std::move(one));
    }
    return rows;
}

}  // namespace

std::span<const MapRow> whole_map() {
    static const std::vector<MapRow> all = [] {
        std::vector<MapRow> joined;
        for (const auto part : {platform_rows, execution_rows, memory_rows, synchronisation_rows,
                                program_rows, buffer_rows, error_rows, option_rows, kernel_rows}) {
            std::ranges::move(part(), std::back_inserter(joined));
        }
        return joined;
    }();
    return all;
}

bool is_about_translator(const MapRow& row) {
    return row.kernel_language && row.topic == "names";
}

std::string topic_of(const MapRow& row) {
    return row.kernel_language ? fmt::format("kernel language: {}", row.topic)
                               : std::string(row.topic);
}

}  // namespace parallax
