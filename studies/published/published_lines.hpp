// The lines of a row of what was published: variants under the circumstances of the figures.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "studies/published/published.hpp"
#include "studies/published/published_records.hpp"

namespace parallax::cli {

/// A line with what was published of it.
struct PublishedLine {
    Circumstances what;
    std::vector<const Published*> published;
};

std::vector<PublishedLine> lines_of(const PublishedRow&);

/// `offset OFFSET=1`, `transpose/naive 4096x4096`
std::string label_of(const PublishedLine&, bool with_suite);

/// The line that this one is a step beyond, among those above for which `has` holds: the nearest
/// of another variant with the same shape; else the nearest with another shape, as when a document
/// tries one variant on a transposed image.
std::optional<std::size_t> step_before(const std::vector<PublishedLine>&, std::size_t at,
                                       const std::function<bool(std::size_t)>& has);

}  // namespace parallax::cli
