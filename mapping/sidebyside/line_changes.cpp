// Collects changed lines into hunks.
#include "mapping/sidebyside/line_changes.hpp"

#include <algorithm>

#include "common/text/line_difference.hpp"
#include "common/text/text_lines.hpp"

namespace parallax {
namespace {

using Kind = ChangedLine::Kind;

std::string with_plain_ends(std::string_view text) {
    std::string all;
    for (const std::string_view line : lines_of(text)) all += std::string(line) + '\n';
    return all;
}

/// All lines of both sources: removed lines before the lines that replace them.
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
    std::vector<bool> shown(lines.size());
    for (std::size_t i = 0; i < lines.size(); ++i) {
        if (lines[i].kind == Kind::both) continue;
        const std::size_t last = std::min(i + context + 1, lines.size());
        for (std::size_t k = i - std::min(context, i); k < last; ++k) shown[k] = true;
    }
    Changes all;
    unsigned old_before = 0, new_before = 0;
    for (std::size_t i = 0; i < lines.size(); ++i) {
        const bool of_old = lines[i].old_line != 0, of_new = lines[i].new_line != 0;
        if (shown[i]) {
            if (i == 0 || !shown[i - 1]) {
                all.hunks.push_back({.old_first = old_before, .new_first = new_before});
            }
            Hunk& hunk = all.hunks.back();
            hunk.old_count += of_old;
            hunk.new_count += of_new;
            hunk.lines.push_back(lines[i]);
        }
        old_before += of_old;
        new_before += of_new;
    }
    for (Hunk& hunk : all.hunks) {
        hunk.old_first += hunk.old_count > 0;
        hunk.new_first += hunk.new_count > 0;
    }
    return all;
}

}  // namespace parallax
