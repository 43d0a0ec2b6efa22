// Builds sections, and tells whether they are empty.
#include "report/document.hpp"

#include <algorithm>

namespace parallax::report {
namespace {

struct IsEmpty {
    bool operator()(const List& list) const { return list.items.empty(); }
    bool operator()(const Warnings& warnings) const { return warnings.items.empty(); }
    bool operator()(const Grid& grid) const { return grid.rows.empty() && grid.below.empty(); }
    bool operator()(const Texts& texts) const { return texts.items.empty(); }
    bool operator()(const Section& section) const { return section.empty(); }
    bool operator()(const auto&) const { return false; }
};

}  // namespace

void Section::say(std::string sentence) {
    List* const last = blocks.empty() ? nullptr : std::get_if<List>(&blocks.back());
    List& list = last ? *last : std::get<List>(blocks.emplace_back(List{}));
    list.items.push_back(std::move(sentence));
}

bool Section::empty() const {
    return std::ranges::all_of(blocks,
                               [](const Block& block) { return std::visit(IsEmpty{}, block); });
}

}  // namespace parallax::report
