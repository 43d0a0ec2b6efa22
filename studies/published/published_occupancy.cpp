// The documents' examples of occupancy, worked out again.
#include "studies/published/published_occupancy.hpp"

#include <fmt/format.h>

#include "studies/occupancy/occupancy_calculator.hpp"
#include "studies/published/published.hpp"

namespace parallax::cli {

std::vector<std::string> occupancy_examples_today() {
    std::vector<std::string> sentences;
    for (const OccupancyExample& example : occupancy_examples()) {
        const auto limits = limits_of(example.compute_capability);
        if (!limits) continue;
        const Occupancy today =
            occupancy_of(*limits, example.registers, example.local_bytes, example.items);
        const double share = 100 * today.share();
        // 66 for two thirds.
        const bool is_kept = share >= example.percent && share < example.percent + 1;
        sentences.push_back(fmt::format(
            "groups of {} work-items with {} registers each and {} bytes of local memory on "
            "compute capability {}: {} %. 'parallax occupancy' works out {}: {}",
            example.items, example.registers, example.local_bytes, example.compute_capability,
            example.percent, in_words(today), is_kept ? "kept" : "not the same"));
    }
    return sentences;
}

}  // namespace parallax::cli
