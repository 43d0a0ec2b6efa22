// Whether explanations name the causes that were planted.
#pragma once

#include <string>
#include <vector>

#include "records/explanation.hpp"
#include "studies/explain/planted_gaps.hpp"

namespace parallax {

/// Counts the planted gaps whose cause was named.
class PlantedTally {
public:
    void add(const PlantedGap&, const Explanation&);
    /// @param problem  why there is no explanation
    void add(const PlantedGap&, const std::string& problem);

    std::size_t planted() const { return rows_.size(); }
    std::size_t missed() const;
    std::string text() const;

private:
    struct Row {
        std::string name, what, gap, named, took;
        bool found = false;
    };
    std::vector<Row> rows_;
};

}  // namespace parallax
