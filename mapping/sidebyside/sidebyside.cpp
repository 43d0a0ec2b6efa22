// Pairs the lines of two sources, and splits them where they differ.
#include "mapping/sidebyside/sidebyside.hpp"

#include <algorithm>
#include <cctype>
#include <map>

#include <dtl/dtl.hpp>
#include <fmt/format.h>

#include "common/text/line_difference.hpp"
#include "common/text/text_lines.hpp"
#include "mapping/analyze/word_lists.hpp"

namespace parallax {
namespace {

/// A text without line ends, and where its lines begin and end in the text.
struct Line {
    std::size_t begin = 0, end = 0;
};

std::vector<Line> places_of_lines(std::string_view text) {
    std::vector<Line> lines;
    for (const std::string_view line : lines_of(text)) {
        const auto begin = static_cast<std::size_t>(line.data() - text.data());
        lines.push_back({begin, begin + line.size()});
    }
    return lines;
}

std::string bare(std::string_view line) {
    std::string text;
    for (const char c : line) {
        if (c != ' ' && c != '\t' && c != '\r') text += c;
    }
    return text;
}

/// The part of [from, to) within the line.
std::string_view within(std::string_view text, Line line, std::size_t from, std::size_t to) {
    from = std::clamp(from, line.begin, line.end);
    to = std::clamp(to, line.begin, line.end);
    return text.substr(from, to - from);
}

/// Words, blanks and single marks.
std::vector<std::string> tokens_of(std::string_view line) {
    const auto kind = [](char c) {
        const auto u = static_cast<unsigned char>(c);
        return std::isalnum(u) || c == '_' || u >= 0x80 ? 1 : std::isspace(u) ? 2 : 0;
    };
    std::vector<std::string> tokens;
    int last = 0;
    for (const char c : line) {
        const int now = kind(c);
        if (now == 0 || now != last) tokens.emplace_back();
        tokens.back() += c;
        last = now;
    }
    return tokens;
}

/// The lines of a translation, filled piece by piece.
class Pairing {
public:
    Pairing(std::string_view opencl, const Translation& made)
        : left_(opencl),
          right_(made.body),
          left_lines_(places_of_lines(left_)),
          right_lines_(places_of_lines(right_)) {
        const std::size_t count = std::max(left_lines_.size(), right_lines_.size());
        lines_.resize(count);
        for (std::size_t i = 0; i < count; ++i) {
            if (i < left_lines_.size()) lines_[i].left = static_cast<unsigned>(i + 1);
            if (i < right_lines_.size()) lines_[i].right = static_cast<unsigned>(i + 1);
        }
    }

    /// Adds the equal text of both sources up to there.
    void add(std::size_t from, std::size_t from_end, std::size_t to, std::size_t to_end,
             const RowList& rows) {
        const std::size_t count = lines_.size();
        while (at_ + 1 < count && left(at_ + 1).begin <= from && right(at_ + 1).begin <= to) ++at_;
        for (std::size_t i = at_; i < count; ++i) {
            if (left(i).begin > from_end || right(i).begin > to_end) break;
            LinePart part{std::string(within(left_, left(i), from, from_end)),
                          std::string(within(right_, right(i), to, to_end)),
                          {}};
            if (part.left.empty() && part.right.empty()) continue;
            for (const MappingRule* row : rows) part.reasons.push_back(index_of(*row, part.left));
            lines_[i].parts.push_back(std::move(part));
        }
    }

    SideBySide take(unsigned first, unsigned last) {
        SideBySide view;
        std::vector<Reason> met;                                   // in the order of the lines
        std::vector<std::size_t> index(applied_.size(), nowhere);  // in it, of each row
        for (std::size_t i = std::max(first, 1U) - 1; i < lines_.size() && i < last; ++i) {
            for (const LinePart& part : lines_[i].parts) {
                for (const std::size_t one : part.reasons) {
                    if (index[one] == nowhere) {
                        index[one] = met.size();
                        met.push_back(applied_[one]);
                    }
                    note(met[index[one]], part, static_cast<unsigned>(i + 1));
                }
            }
            view.lines.push_back(std::move(lines_[i]));
        }
        std::vector<std::size_t> number(met.size());
        for (const bool changes : {true, false}) {
            for (std::size_t i = 0; i < met.size(); ++i) {
                if (met[i].changes != changes) continue;
                number[i] = view.reasons.size();
                view.reasons.push_back(met[i]);
            }
        }
        for (LinePair& line : view.lines) {
            for (LinePart& part : line.parts) {
                for (std::size_t& one : part.reasons) one = number[index[one]];
            }
        }
        return view;
    }

private:
    static constexpr std::size_t nowhere = static_cast<std::size_t>(-1);

    /// The index in `applied_` of the rule, with its spelling for this text.
    std::size_t index_of(const MappingRule& row, std::string_view text) {
        Spelling spelling = spelling_with(row, tokens_of(text));
        std::vector<std::size_t>& known = indices_[&row];
        const auto found = std::ranges::find_if(
            known, [&](std::size_t one) { return applied_[one].spelling == spelling; });
        if (found != known.end()) {
            std::rotate(found, found + 1, known.end());
            return known.back();
        }
        // A further part of what the row was applied to last: a call's closing parenthesis.
        if (!known.empty() && spelling.opencl == row.opencl) return known.back();
        known.push_back(applied_.size());
        applied_.push_back({.row = &row, .spelling = std::move(spelling)});
        return known.back();
    }

    static void note(Reason& reason, const LinePart& part, unsigned line) {
        if (part.differs() && !reason.changes) {
            reason.changes = true;
            reason.first = part;
        }
        if (reason.lines.empty() || reason.lines.back() != line) reason.lines.push_back(line);
    }
    Line left(std::size_t i) const { return place(left_lines_, i, left_.size()); }
    Line right(std::size_t i) const { return place(right_lines_, i, right_.size()); }
    static Line place(const std::vector<Line>& lines, std::size_t i, std::size_t size) {
        return i < lines.size() ? lines[i] : Line{size, size};
    }

    std::string_view left_, right_;
    std::vector<Line> left_lines_, right_lines_;
    std::vector<LinePair> lines_;
    std::vector<Reason> applied_;  // rows, without lines
    std::map<const MappingRule*, std::vector<std::size_t>> indices_;
    std::size_t at_ = 0;  // the first line that is not behind
};

std::vector<LinePart> parts_of(const std::string& left, const std::string& right) {
    if (left == right) return {{left, right}};
    std::vector<LinePart> parts;
    dtl::Diff<std::string> diff(tokens_of(left), tokens_of(right));
    diff.compose();
    bool same = true;
    for (const auto& [token, what] : diff.getSes().getSequence()) {
        const bool is_same = what.type == dtl::SES_COMMON;
        if (parts.empty() || is_same != same) parts.emplace_back();
        if (what.type != dtl::SES_ADD) parts.back().left += token;
        if (what.type != dtl::SES_DELETE) parts.back().right += token;
        same = is_same;
    }
    return parts;
}

/// Each line without its layout, which is what is compared.
std::string without_layout(std::string_view text) {
    std::string all;
    for (const std::string_view line : lines_of(text)) all += bare(line) + '\n';
    return all;
}

}  // namespace

std::string LinePair::left_text() const {
    std::string text;
    for (const LinePart& part : parts) text += part.left;
    return text;
}

std::string LinePair::right_text() const {
    std::string text;
    for (const LinePart& part : parts) text += part.right;
    return text;
}

bool LinePair::differs() const {
    return left == 0 || right == 0 || bare(left_text()) != bare(right_text());
}

SideBySide side_by_side(std::string_view opencl, const Translation& made, unsigned first_line,
                        unsigned last_line) {
    Pairing pairing(opencl, made);
    std::size_t from = 0, to = 0;
    for (const Piece& piece : made.pieces) {
        pairing.add(from, piece.from, to, piece.to, {});
        pairing.add(piece.from, piece.from_end, piece.to, piece.to_end, piece.rows);
        from = piece.from_end;
        to = piece.to_end;
    }
    pairing.add(from, opencl.size(), to, made.body.size(), {});
    SideBySide view = pairing.take(first_line, last_line);
    view.left_title = "OpenCL C: " + made.file;
    view.right_title = "CUDA C++";
    return view;
}

SideBySide side_by_side(std::string_view left_title, std::string_view left,
                        std::string_view right_title, std::string_view right) {
    SideBySide view{std::string(left_title), std::string(right_title), {}, {}};
    const auto a = lines_of(left), b = lines_of(right);
    std::size_t next_a = 0, next_b = 0;
    for (const LineChange& change : line_difference(without_layout(left), without_layout(right))) {
        LinePair line;
        std::string one, other;
        if (change.kind != LineChange::only_b) {
            one = a[next_a++];
            line.left = static_cast<unsigned>(next_a);
        }
        if (change.kind != LineChange::only_a) {
            other = b[next_b++];
            line.right = static_cast<unsigned>(next_b);
        }
        line.parts = parts_of(one, other);
        view.lines.push_back(std::move(line));
    }
    return view;
}

SideBySide with_cuda_first(SideBySide view) {
    std::swap(view.left_title, view.right_title);
    for (LinePair& line : view.lines) {
        std::swap(line.left, line.right);
        for (LinePart& part : line.parts) std::swap(part.left, part.right);
    }
    for (Reason& one : view.reasons) {
        one.is_from_cuda = true;
        std::swap(one.first.left, one.first.right);
    }
    return view;
}

SideBySide side_by_side(std::string_view file, std::string_view cuda,
                        const OpenClTranslation& made) {
    SideBySide view = side_by_side(fmt::format("CUDA C++: {}", file), cuda, "OpenCL C", made.text);
    // Where the host's code stood.
    std::erase_if(view.lines, [](const LinePair& line) {
        return line.right == 0 && trimmed(line.left_text()).empty();
    });
    for (const AppliedRow& one : made.applied) {
        const auto is_it = [&](const Reason& other) {
            return other.row == one.row && other.first.left == one.cuda &&
                   other.first.right == one.opencl;
        };
        auto found = std::ranges::find_if(view.reasons, is_it);
        if (found == view.reasons.end()) {
            view.reasons.push_back({.row = one.row,
                                    .spelling = {one.opencl, one.cuda},
                                    .changes = true,
                                    .first = {one.cuda, one.opencl},
                                    .is_from_cuda = true});
            found = std::prev(view.reasons.end());
        }
        if (found->lines.empty() || found->lines.back() != one.line) {
            found->lines.push_back(one.line);
        }
    }
    return view;
}

LinePart words_of(const Reason& reason) {
    const Spelling& spelling = reason.spelling;
    if (reason.changes && spelling.opencl == spelling.cuda) return reason.first;
    if (reason.is_from_cuda) return {spelling.cuda, spelling.opencl};
    return {spelling.opencl, spelling.cuda};
}

std::string lines_in_words(const std::vector<unsigned>& lines) {
    std::string text = lines.size() == 1 ? "line " : "lines ";
    for (std::size_t i = 0; i < lines.size();) {
        std::size_t last = i;
        while (last + 1 < lines.size() && lines[last + 1] == lines[last] + 1) ++last;
        if (i > 0) text += ", ";
        text += std::to_string(lines[i]);
        if (last == i + 1) last = i;  // two are listed
        if (last > i) text += fmt::format(" to {}", lines[last]);
        i = last + 1;
    }
    return text;
}

}  // namespace parallax
