// Spells numbers, bars and tables for a terminal.
#include "common/text.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/format.h>

namespace parallax {
namespace {

/// Three significant digits, or all of the whole part.
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
    // Giga where it can be: so figures of one table compare at a glance.
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

std::string Table::text(std::size_t indent) const {
    std::vector<std::size_t> widths;
    for (const auto& row : rows_) {
        widths.resize(std::max(widths.size(), row.size()));
        for (std::size_t i = 0; i < row.size(); ++i) {
            widths[i] = std::max(widths[i], columns_of(row[i]));
        }
    }
    std::string out;
    for (const auto& row : rows_) {
        std::string line(indent, ' ');
        for (std::size_t i = 0; i < row.size(); ++i) {
            const std::string space(widths[i] - columns_of(row[i]), ' ');
            const bool right = i < align_.size() && align_[i] == Align::right;
            line += (i ? "  " : "") + (right ? space + row[i] : row[i] + space);
        }
        line.erase(line.find_last_not_of(' ') + 1);
        out += line + "\n";
    }
    return out;
}

std::string percent(double share) {
    return fmt::format("{:.3g} %", 100 * share);
}

}  // namespace parallax
