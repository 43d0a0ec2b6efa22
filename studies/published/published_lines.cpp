// Makes the lines of a row of its figures, and of the values that its variants are tried with.
#include "studies/published/published_lines.hpp"

#include <algorithm>

#include "studies/published/published_cases.hpp"

namespace parallax::cli {
namespace {

using Line = PublishedLine;

std::vector<Line> lines_of(const Suite& suite, const Variant& variant) {
    std::vector<Line> lines;
    const auto line_for = [&](const std::vector<std::uint64_t>& shape,
                              const std::vector<Constant>& constants) -> Line& {
        const auto found = std::ranges::find_if(lines, [&](const Line& line) {
            return line.what.shape == shape && line.what.constants == constants;
        });
        if (found != lines.end()) return *found;
        return lines.emplace_back(Line{{&suite, &variant, shape, constants}, {}});
    };
    for (const std::int64_t value : variant.sweep.values) {
        const std::vector<Constant> constants{{variant.sweep.constant, value}};
        // Of a published size, the value has a line of its own below.
        if (std::ranges::none_of(published(), [&](const Published& p) {
                return p.suite == suite.name && p.variant == variant.name &&
                       p.constants == constants && !p.shape.empty();
            })) {
            line_for({}, constants);
        }
    }
    for (const Published& p : published()) {
        if (p.suite == suite.name && p.variant == variant.name) {
            line_for(p.shape, p.constants).published.push_back(&p);
        }
    }
    if (lines.empty()) line_for({}, {});
    return lines;
}

}  // namespace

std::vector<Line> lines_of(const PublishedRow& row) {
    std::vector<Line> lines;
    for (const RowMember& member : row.members) {
        const auto suite = std::ranges::find(suites(), member.suite, &Suite::name);
        if (suite == suites().end()) continue;
        for (const Variant& variant : suite->variants) {
            const auto& wanted = member.variants;
            if (!wanted.empty() && std::ranges::find(wanted, variant.name) == wanted.end()) {
                continue;
            }
            for (Line& line : lines_of(*suite, variant)) lines.push_back(std::move(line));
        }
    }
    return lines;
}

std::string label_of(const Line& line, bool with_suite) {
    std::string label = with_suite ? line.what.suite->name + "/" : "";
    label += line.what.variant->name;
    if (!line.what.constants.empty()) label += " " + in_words(line.what.constants);
    if (!line.what.shape.empty()) label += " " + to_string(Shape{line.what.shape});
    return label;
}

std::optional<std::size_t> step_before(const std::vector<Line>& lines, std::size_t at,
                                       const std::function<bool(std::size_t)>& has) {
    const Circumstances& here = lines[at].what;
    std::optional<std::size_t> otherwise;
    for (std::size_t i = at; i-- > 0;) {
        const Circumstances& there = lines[i].what;
        if (there.suite != here.suite) break;
        if (!agrees(there.constants, here.constants) || !has(i)) continue;
        if (there.shape != here.shape) {
            if (!otherwise) otherwise = i;
        } else if (there.variant != here.variant) {
            return i;
        }
    }
    return otherwise;
}

}  // namespace parallax::cli
