// Compares strings line by line with the dtl library.
#include "common/text/line_difference.hpp"

#include <algorithm>
#include <unordered_map>

#include <dtl/dtl.hpp>
#include <fmt/format.h>

namespace parallax {
namespace {

/// A text's lines, each as the number of the first equal line.
class Lines {
public:
    std::vector<std::size_t> numbered(std::string_view text) {
        std::vector<std::size_t> numbers;
        while (!text.empty()) {
            const std::size_t end = std::min(text.find('\n'), text.size());
            const auto [found, is_new] = numbers_.emplace(text.substr(0, end), lines_.size());
            if (is_new) lines_.push_back(found->first);
            numbers.push_back(found->second);
            text.remove_prefix(std::min(end + 1, text.size()));
        }
        return numbers;
    }
    std::string text(std::size_t number) const { return std::string(lines_[number]); }

private:
    std::unordered_map<std::string_view, std::size_t> numbers_;
    std::vector<std::string_view> lines_;
};

/// Lines that replace each other, in reading order.
struct Replacement {
    std::vector<std::size_t> a, b;

    void move_to(std::vector<LineChange>& changes, const Lines& lines) {
        for (std::size_t i = 0; i < std::max(a.size(), b.size()); ++i) {
            LineChange change{LineChange::changed, {}, {}};
            if (i < a.size()) change.a = lines.text(a[i]);
            if (i < b.size()) change.b = lines.text(b[i]);
            if (i >= a.size()) change.kind = LineChange::only_b;
            if (i >= b.size()) change.kind = LineChange::only_a;
            changes.push_back(std::move(change));
        }
        a.clear();
        b.clear();
    }
};

}  // namespace

std::vector<LineChange> line_difference(std::string_view a, std::string_view b) {
    Lines lines;
    dtl::Diff<std::size_t> diff(lines.numbered(a), lines.numbered(b));
    // dtl works on one part of the inputs at a time when they differ so much that its buffer
    // (dtl::MAX_CORDINATES_SIZE) is full.
    diff.compose();
    std::vector<LineChange> changes;
    Replacement replacement;
    for (const auto& [line, what] : diff.getSes().getSequence()) {
        if (what.type == dtl::SES_DELETE) {
            replacement.a.push_back(line);
        } else if (what.type == dtl::SES_ADD) {
            replacement.b.push_back(line);
        } else {
            replacement.move_to(changes, lines);
            changes.push_back({LineChange::same, lines.text(line), lines.text(line)});
        }
    }
    replacement.move_to(changes, lines);
    return changes;
}

std::string differing_lines(const std::vector<LineChange>& changes, std::size_t context,
                            std::size_t most_lines) {
    std::string text;
    std::size_t written = 0, left_out = 0;
    const auto add = [&](std::string_view mark, std::string_view line, bool differs) {
        if (written < most_lines) {
            text += fmt::format("{}{}\n", mark, line);
            ++written;
        } else if (differs) {
            ++left_out;
        }
    };
    const auto is_same = [](const LineChange& c) { return c.kind == LineChange::same; };
    auto shown = changes.begin();  // position up to which lines were printed
    while (true) {
        const auto begin = std::find_if_not(shown, changes.end(), is_same);
        if (begin == changes.end()) break;
        const auto end = std::find_if(begin, changes.end(), is_same);
        const auto before = begin - static_cast<std::ptrdiff_t>(
                                        std::min(context, static_cast<std::size_t>(begin - shown)));
        if (before != shown) add("...", "", false);
        for (auto c = before; c != begin; ++c) add("  ", c->a, false);
        for (auto c = begin; c != end; ++c) {
            if (c->kind != LineChange::only_b) add("- ", c->a, true);
        }
        for (auto c = begin; c != end; ++c) {
            if (c->kind != LineChange::only_a) add("+ ", c->b, true);
        }
        const auto next = std::find_if_not(end, changes.end(), is_same);
        shown = end + static_cast<std::ptrdiff_t>(
                          std::min(context, static_cast<std::size_t>(next - end)));
        for (auto c = end; c != shown; ++c) add("  ", c->a, false);
    }
    if (!text.empty() && shown != changes.end()) add("...", "", false);
    if (left_out > 0) text += fmt::format("... and {} more lines that differ\n", left_out);
    return text;
}

}  // namespace parallax
