// Spells ratios, verdicts and the names of cases.
#include "report/wording.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "common/suite/answer.hpp"
#include "common/text/text_lines.hpp"

namespace parallax::report {
namespace {

constexpr std::size_t most_names = 4, longest_head = 12;

}  // namespace

std::vector<std::string> printable_lines(std::string_view text) {
    std::vector<std::string> lines;
    for (const std::string_view line : lines_of(text)) {
        std::string spaced;
        for (const char c : line) spaced += c == '\t' ? std::string("    ") : std::string(1, c);
        lines.push_back(printable(spaced));
    }
    while (!lines.empty() && lines.back().empty()) lines.pop_back();
    return lines;
}

int weight_of(Verdict verdict) {
    if (verdict == Verdict::faster) verdict = Verdict::slower;
    return static_cast<int>(std::ranges::find(weighty_first, verdict) - weighty_first.begin());
}

/// The byte at which a column begins, from 0 on.
static std::size_t byte_of_column(std::string_view text, std::size_t column) {
    std::size_t byte = 0;
    for (; byte < text.size(); ++byte) {
        const bool starts = (static_cast<unsigned char>(text[byte]) & 0xc0) != 0x80;
        if (starts && column-- == 0) break;
    }
    return byte;
}

std::string clipped(std::string_view text, std::size_t columns) {
    if (columns_of(text) <= columns) return std::string(text);
    return std::string(text.substr(0, byte_of_column(text, columns - 1))) + "…";
}

std::string counted(std::size_t count, std::string_view what) {
    return fmt::format("{} {}{}", count, what, count == 1 ? "" : "s");
}

std::string decimal(double ratio) {
    if (std::isnan(ratio)) return "nan";
    if (std::isinf(ratio)) return ratio > 0 ? "inf" : "-inf";
    const double size = std::abs(ratio);
    return size >= 1e4 || (size > 0 && size < 1e-3) ? fmt::format("{:.2e}", ratio)
                                                    : fmt::format("{:.3f}", ratio);
}

std::string ratio_text(const Ratio& ratio) {
    return fmt::format("{} ({}-{})", decimal(ratio.value), decimal(ratio.low), decimal(ratio.high));
}

std::string factor(double ratio) {
    const double size = ratio < 1 ? 1 / ratio : ratio;
    if (!std::isfinite(size) || size >= 1e4) return decimal(size) + "x";
    const int decimals = size >= 99.95 ? 0 : size >= 9.995 ? 1 : size >= 1.0995 ? 2 : 3;
    return fmt::format("{:.{}f}x", size, decimals);
}

std::string time_text(double seconds) {
    return std::isfinite(seconds) && seconds > 0 ? duration(seconds) : "";
}

std::string ulp_text(double ulp) {
    return fmt::format("{:.3g}", ulp);
}

std::string speed_text(double per_second, bool by_operations, const CaseDiff& c) {
    if (!(per_second > 0) || !std::isfinite(per_second)) return "";
    const auto type = element_type_named(c.key.type);
    return rate(per_second, rate_unit(by_operations, type.value_or(ElementType::i32)));
}

Both<std::string> column_names(const Diff& diff) {
    const Both<std::string> names = side_names(diff);
    const bool fit = std::max(columns_of(names.a), columns_of(names.b)) <= longest_head;
    return fit ? names : Both<std::string>{"A", "B"};
}

std::string ratio_name(const Both<std::string>& names) {
    return names.b + " over " + names.a;
}

std::string word_of(Verdict verdict, const Both<std::string>& names) {
    return is_gap(verdict) ? names.of(verdict == Verdict::slower) + " slower"
                           : std::string(word_of(verdict));
}

std::string_view doubtful_suffix(const CaseDiff& c) {
    return is_doubtful(c) ? ", doubtful" : "";
}

bool was_not_reached(const CaseDiff& c) {
    return c.verdict == Verdict::not_comparable &&
           (c.a.status == Status::skipped || c.b.status == Status::skipped);
}

std::string plain_word_of(const CaseDiff& c, const Both<std::string>& names) {
    return was_not_reached(c) ? std::string(not_measured) : word_of(c.verdict, names);
}

std::string word_of(const CaseDiff& c, const Both<std::string>& names) {
    return plain_word_of(c, names).append(doubtful_suffix(c));
}

std::string verdict_text(Verdict verdict, const std::optional<Ratio>& ratio,
                         const Both<std::string>& names) {
    if (!is_gap(verdict) || !ratio || !(ratio->value > 0) || std::isinf(ratio->value)) {
        return word_of(verdict, names);
    }
    return fmt::format("{} {} slower", names.of(verdict == Verdict::slower), factor(ratio->value));
}

std::string verdict_text(const CaseDiff& c, const Both<std::string>& names) {
    return was_not_reached(c) ? word_of(c, names)
                              : verdict_text(c.verdict, c.ratio, names).append(doubtful_suffix(c));
}

std::string_view status_text(const Side& side) {
    return side.status ? status_word(*side.status, side.doubts) : "missing";
}

std::vector<std::string> labels_of(const CaseDiff& c) {
    std::vector<std::string> labels;
    if (c.launching) labels.emplace_back("launching");
    if (c.in_cache) labels.emplace_back("cached");
    return labels;
}

std::string_view word_of(Decision decision) {
    switch (decision) {
        case Decision::none: break;
        case Decision::pass: return "pass";
        case Decision::fail: return "fail";
        case Decision::undecided: return "undecided";
    }
    return "none";
}

std::string title_of(const CaseDiff& c) {
    return printable(c.title.empty() ? c.name() : c.title);
}

std::string range_text(const std::vector<const CaseDiff*>& cases) {
    double low = std::numeric_limits<double>::infinity(), high = 0;
    for (const CaseDiff* c : cases) {
        if (!c->ratio || std::isnan(c->ratio->value)) continue;
        low = std::min(low, c->ratio->value);
        high = std::max(high, c->ratio->value);
    }
    return low > high ? "" : decimal(low) + " to " + decimal(high);
}

double distance_of(const std::optional<Ratio>& ratio) {
    if (!ratio || !(ratio->value > 0)) return 0;
    return std::abs(std::log(ratio->value));
}

std::vector<const CaseDiff*> by_weight(const Diff& diff) {
    std::vector<const CaseDiff*> cases;
    for (const CaseDiff& c : diff.cases) cases.push_back(&c);
    std::ranges::stable_sort(cases, [](const CaseDiff* x, const CaseDiff* y) {
        const auto key = [](const CaseDiff* c) {
            const bool is_left_out = c->a.status == Status::skipped;
            return std::tuple(is_left_out, weight_of(c->verdict), c->launching,
                              -distance_of(c->ratio));
        };
        return key(x) < key(y);
    });
    return cases;
}

Names::Names(const Diff& diff) {
    for (const CaseDiff& c : diff.cases) ++count_[{c.key.suite, c.key.variant}];
}

std::string Names::of(const CaseDiff& c) const {
    const auto found = count_.find({c.key.suite, c.key.variant});
    const bool alone = found != count_.end() && found->second == 1;
    return alone ? printable(c.name()) : title_of(c);
}

std::string Names::of(const std::vector<const CaseDiff*>& cases) const {
    std::vector<std::string> names;
    if (cases.size() <= most_names) {
        for (const CaseDiff* c : cases) names.push_back(of(*c));
        return fmt::format("{}", fmt::join(names, ", "));
    }
    bool all = true;
    for (const CaseDiff* c : cases) {
        std::string name = printable(c->name());
        if (std::ranges::find(names, name) != names.end()) continue;
        all = names.size() < most_names;
        if (!all) break;
        names.push_back(std::move(name));
    }
    return fmt::format("{}{} ({} cases)", fmt::join(names, ", "), all ? "" : ", ...", cases.size());
}

}  // namespace parallax::report
