// Groups changed lines into hunks.
#include "mapping/sidebyside/changes.hpp"

#include <algorithm>

#include "common/line_difference.hpp"
#include "common/text_lines.hpp"

namespace parallax {
namespace {

using Kind = ChangedLine::Kind;

std::string with_plain_ends(std::string_view text) {
    std::string all;
    for (const std::string_view line : lines_of(text)) all += std::string(line) + '\n';
    return all;
}

/// All lines of both texts: those that go before those that come in their place.
std::vector<ChangedLine> all_lines(std::string_view old_text, std::string_view new_text) {
    std::vector<ChangedLine> lines;
    std::vector<ChangedLine> waiting;  // that came
    unsigned old_line = 0, new_line = 0;
    const auto settle = [&] {
        std::ranges::move(waiting, std::back_inserter(lines));
        waiting.clear();
    };
    for (const LineChange& change :
         line_difference(with_plain_ends(old_text), with_plain_ends(new_text))) {
        if (change.kind == LineChange::same) {
            settle();
            lines.push_back({Kind::both, change.a, ++old_line, ++new_line});
            continue;
        }
        if (change.kind != LineChange::only_b) {
            lines.push_back({Kind::removed, change.a, ++old_line, 0});
        }
        if (change.kind != LineChange::only_a) {
            waiting.push_back({Kind::added, change.b, 0, ++new_line});
        }
    }
    settle();
    return lines;
}

std::size_t count_of(const Changes& all, Kind kind) {
    std::size_t count = 0;
    for (const Hunk& hunk : all.hunks) {
        count += static_cast<std::size_t>(std::ranges::count(hunk.lines, kind, &ChangedLine::kind));
    }
    return count;
}

}  // namespace

std::size_t Changes::added() const {
    return count_of(*this, Kind::added);
}

std::size_t Changes::removed() const {
    return count_of(*this, Kind::removed);
}

Changes changes(std::string_view old_text, std::string_view new_text, std::size_t context) {
    const std::vector<ChangedLine> lines = all_lines(old_text, new_text);
    Changes all;
    std::size_t shown = 0;  // lines before it are in a hunk, or in none
    unsigned old_before = 0, new_before = 0;
    const auto is_same = [&](std::size_t i) { return lines[i].kind == Kind::both; };
    const auto take = [&](std::size_t i, Hunk& hunk) {
        const ChangedLine& line = lines[i];
        hunk.old_count += line.old_line != 0;
        hunk.new_count += line.new_line != 0;
        hunk.lines.push_back(line);
    };
    while (true) {
        std::size_t begin = shown;
        while (begin < lines.size() && is_same(begin)) ++begin;
        if (begin == lines.size()) return all;
        // Up to where more lines are the same than stand after one change and before the next.
        std::size_t end = begin, same = 0;
        for (std::size_t i = begin; i < lines.size() && same <= 2 * context; ++i) {
            same = is_same(i) ? same + 1 : 0;
            if (same == 0) end = i + 1;
        }
        const std::size_t first = begin - std::min(context, begin - shown);
        for (; shown < first; ++shown) {
            ++old_before;
            ++new_before;
        }
        Hunk hunk;
        const std::size_t last = std::min(end + context, lines.size());
        for (; shown < last; ++shown) take(shown, hunk);
        hunk.old_first = old_before + (hunk.old_count > 0);
        hunk.new_first = new_before + (hunk.new_count > 0);
        old_before += hunk.old_count;
        new_before += hunk.new_count;
        all.hunks.push_back(std::move(hunk));
    }
}

}  // namespace parallax
