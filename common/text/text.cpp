// Formats numbers, bars and tables for a terminal.
#include "common/text/text.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

#include <fmt/format.h>

namespace parallax {
namespace {

/// Three significant digits, or the whole integer part.
std::string three_digits(double value) {
    const int decimals = value >= 99.95 ? 0 : value >= 9.995 ? 1 : 2;
    return fmt::format("{:.{}f}", value, decimals);
}

}  // namespace

std::string lower_case(std::string_view text) {
    std::string lower(text);
    for (char& letter : lower) {
        if (letter >= 'A' && letter <= 'Z') letter = static_cast<char>(letter - 'A' + 'a');
    }
    return lower;
}

std::string binary_size(std::uint64_t bytes) {
    constexpr std::array units{"B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
    auto value = static_cast<double>(bytes);
    std::size_t unit = 0;
    for (; value >= 1024 && unit + 1 < units.size(); ++unit) value /= 1024;
    const bool whole = value == std::floor(value);
    return whole ? fmt::format("{:.0f} {}", value, units[unit])
                 : fmt::format("{} {}", three_digits(value), units[unit]);
}

std::string duration(double seconds) {
    constexpr std::array units{std::pair{1.0, "s"}, std::pair{1e-3, "ms"}, std::pair{1e-6, "us"},
                               std::pair{1e-9, "ns"}};
    for (const auto& [size, name] : units) {
        if (seconds >= size * 0.9995 || size == 1e-9) {
            return fmt::format("{} {}", three_digits(seconds / size), name);
        }
    }
    return {};
}

std::string rate(double per_second, std::string_view unit) {
    // Prefers giga, so that the numbers of a table compare easily.
    if (unit == "B" || per_second < 1e13) {
        return fmt::format("{} G{}/s", three_digits(per_second / 1e9), unit);
    }
    return fmt::format("{} T{}/s", three_digits(per_second / 1e12), unit);
}

std::string bar(double share, unsigned width) {
    constexpr std::array eighths{"", "▏", "▎", "▍", "▌", "▋", "▊", "▉"};
    const double clamped = std::clamp(std::isfinite(share) ? share : 0.0, 0.0, 1.0);
    const auto count = static_cast<unsigned>(std::lround(clamped * width * 8));
    std::string text;
    for (unsigned i = 0; i < count / 8; ++i) text += "█";
    return text + eighths[count % 8];
}

std::size_t columns_of(std::string_view text) {
    return static_cast<std::size_t>(std::ranges::count_if(
        text, [](char c) { return (static_cast<unsigned char>(c) & 0xc0) != 0x80; }));
}

std::string wrapped(std::string_view text, std::size_t width, std::size_t indent,
                    std::size_t taken) {
    std::string out;
    std::size_t column = taken;
    while (true) {
        const std::size_t start = text.find_first_not_of(" \n");
        if (start == std::string_view::npos) return out;
        text.remove_prefix(start);
        const std::string_view word = text.substr(0, text.find_first_of(" \n"));
        text.remove_prefix(word.size());
        const std::size_t columns = columns_of(word);
        if (!out.empty() && column + 1 + columns > width) {
            out += "\n" + std::string(indent, ' ');
            column = indent;
        } else if (!out.empty()) {
            out += ' ';
            ++column;
        }
        out += word;
        column += columns;
    }
}

namespace {

/// Optimal string alignment distance.
std::size_t slips_between(std::string_view a, std::string_view b) {
    std::vector<std::vector<std::size_t>> d(a.size() + 1, std::vector<std::size_t>(b.size() + 1));
    for (std::size_t i = 0; i <= a.size(); ++i) d[i][0] = i;
    for (std::size_t j = 0; j <= b.size(); ++j) d[0][j] = j;
    for (std::size_t i = 1; i <= a.size(); ++i) {
        for (std::size_t j = 1; j <= b.size(); ++j) {
            d[i][j] = std::min(
                {d[i - 1][j] + 1, d[i][j - 1] + 1, d[i - 1][j - 1] + (a[i - 1] != b[j - 1])});
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) {
                d[i][j] = std::min(d[i][j], d[i - 2][j - 2] + 1);
            }
        }
    }
    return d[a.size()][b.size()];
}

std::size_t longest_word(std::string_view text) {
    std::size_t longest = 0, word = 0;
    for (const char c : text) {
        word = c == ' ' ? 0 : word + columns_of({&c, 1});
        longest = std::max(longest, word);
    }
    return longest;
}

/// Width of columns with two blanks in between.
std::size_t taken_by(const std::vector<std::size_t>& widths) {
    return std::accumulate(widths.begin(), widths.end(), std::size_t{0}) +
           2 * (std::max<std::size_t>(widths.size(), 1) - 1);
}

}  // namespace

std::string did_you_mean(std::string_view word, const std::vector<std::string>& names) {
    constexpr std::size_t longest = 100;  // longer words are not mistyped names
    if (word.size() > longest) return {};
    std::size_t least = std::max<std::size_t>(1, word.size() / 3) + 1;
    std::string nearest;
    for (const std::string& name : names) {
        if (name.size() > longest) continue;
        const std::size_t slips = slips_between(word, name);
        if (slips == least) nearest.clear();
        if (slips >= least) continue;
        least = slips;
        nearest = name;
    }
    return nearest.empty() ? "" : " Did you mean '" + nearest + "'?";
}

std::vector<std::size_t> Table::widths() const {
    std::vector<std::size_t> widths;
    for (const auto& [row, note, look] : rows_) {
        widths.resize(std::max(widths.size(), row.size()));
        for (std::size_t i = 0; i < row.size(); ++i) {
            widths[i] = std::max(widths[i], columns_of(row[i]));
        }
    }
    return widths;
}

std::size_t Table::columns(std::size_t indent, std::size_t width) const {
    return taken_by(widths_within(width - std::min(indent, width))) + indent;
}

/// Narrows the widest column first, down to its longest word; columns of numbers come last.
std::vector<std::size_t> Table::widths_within(std::size_t room) const {
    std::vector<std::size_t> wide = widths(), least(wide.size());
    for (const auto& [row, note, look] : rows_) {
        for (std::size_t i = 0; i < row.size(); ++i) {
            least[i] = std::max(least[i], longest_word(row[i]));
        }
    }
    for (const bool is_last : {false, true}) {
        while (taken_by(wide) > room) {
            std::size_t widest = wide.size();
            for (std::size_t i = 0; i < wide.size(); ++i) {
                const bool may = wide[i] > least[i] && is_right(i) == is_last;
                if (may && (widest == wide.size() || wide[i] > wide[widest])) widest = i;
            }
            if (widest == wide.size()) break;
            wide[widest] -= std::min(taken_by(wide) - room, wide[widest] - least[widest]);
        }
    }
    return wide;
}

std::string Table::text(std::size_t indent, std::size_t width) const {
    const std::vector<std::size_t> widths = widths_within(width - std::min(indent, width));
    std::string out;
    for (const auto& [row, note, look] : rows_) {
        std::vector<std::string> cells;
        for (std::size_t i = 0; i < row.size(); ++i) {
            const bool fits = columns_of(row[i]) <= widths[i];
            cells.push_back(fits ? row[i] : wrapped(row[i], widths[i], 0));
        }
        do {
            std::string line(indent, ' ');
            for (std::size_t i = 0; i < cells.size(); ++i) {
                const std::string cell = cells[i].substr(0, cells[i].find('\n'));
                cells[i].erase(0, cell.size() + 1);
                const std::string space(widths[i] - columns_of(cell), ' ');
                const std::string shown = look ? look(i, cell) : cell;
                line += (i ? "  " : "") + (is_right(i) ? space + shown : shown + space);
            }
            line.erase(line.find_last_not_of(' ') + 1);
            out += line + "\n";
        } while (!std::ranges::all_of(cells, &std::string::empty));
        if (!note.empty()) {
            out +=
                std::string(indent + 4, ' ') + wrapped(note, width, indent + 4, indent + 4) + "\n";
        }
    }
    return out;
}

std::string percent(double share) {
    return fmt::format("{:.3g} %", 100 * share);
}

std::string_view beyond_text(double share, bool in_cache) {
    constexpr double noise = 0.02;
    if (share <= 1 + noise) return "";
    return in_cache ? " (cached)" : " (beyond it)";
}

}  // namespace parallax
