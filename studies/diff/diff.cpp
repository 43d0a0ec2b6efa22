// Names the sides of a diff, counts verdicts, and computes the summary numbers.
#include "studies/diff/diff.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "common/statistics/interval.hpp"
#include "common/statistics/statistics.hpp"
#include "common/text/text.hpp"

namespace parallax {
namespace {

/// With linear interpolation between neighbours. @param sorted  at least one
double quantile(const std::vector<double>& sorted, double share) {
    const double place = share * static_cast<double>(sorted.size() - 1);
    const auto below = static_cast<std::size_t>(place);
    const std::size_t above = std::min(below + 1, sorted.size() - 1);
    return std::lerp(sorted[below], sorted[above], place - static_cast<double>(below));
}

RatioSpread spread_of(std::vector<double> ratios) {
    if (ratios.empty()) return {};
    std::ranges::sort(ratios);
    RatioSpread spread{.cases = ratios.size(), .median = median_of(ratios)};
    const double edge = spread.is_whole() ? 0 : 0.1;
    spread.low = quantile(ratios, edge);
    spread.high = quantile(ratios, 1 - edge);
    return spread;
}

}  // namespace

bool is_doubtful(const Side& side) {
    return side.status && is_doubtful(*side.status, side.doubts);
}

bool is_doubtful(const CaseDiff& c) {
    return is_doubtful(c.a) || is_doubtful(c.b);
}

std::string_view strict_failure(const CaseDiff& c) {
    // Of two kernels the first is what the second's answers were compared with.
    const bool is_base = !c.other_variant.empty() && c.a.strict_failure == "not compared";
    return c.a.strict_failure.empty() || is_base ? c.b.strict_failure : c.a.strict_failure;
}

Summary summary_of(const Diff& diff) {
    Summary summary;
    std::vector<Ratio> ratios;
    std::vector<double> kernels, launching, in_cache;
    for (const CaseDiff& c : diff.cases) {
        ++summary.count[static_cast<std::size_t>(c.verdict)];
        summary.doubtful += is_doubtful(c);
        if (!c.ratio) continue;
        ++summary.measured;
        summary.decided += c.verdict != Verdict::undecided;
        ratios.push_back(*c.ratio);
        if (!std::isfinite(c.ratio->value)) continue;
        (c.launching ? launching : c.in_cache ? in_cache : kernels).push_back(c.ratio->value);
    }
    if (!ratios.empty()) summary.mean = mean_ratio(ratios);
    summary.kernels = spread_of(std::move(kernels));
    summary.launching = spread_of(std::move(launching));
    summary.in_cache = spread_of(std::move(in_cache));
    return summary;
}

namespace {

constexpr std::size_t longest_name = 40;

/// Facts of several devices are one text, which equals that of the same devices.
bool is_one_device(const Diff& diff) {
    return std::ranges::any_of(std::array{"uuid", "pci"}, [&](const char* name) {
        const std::string a = fact_of(diff.a, name);
        return !a.empty() && a != "unknown" && a == fact_of(diff.b, name);
    });
}

}  // namespace

std::string api_of(std::string_view device) {
    const std::string_view backend = device.substr(0, device.find(':'));
    return backend == "opencl" ? "OpenCL" : backend == "cuda" ? "CUDA" : std::string(backend);
}

std::string fact_of(const Environment& side, std::string_view name) {
    const auto found =
        std::ranges::find(side.facts, name, [](const auto& one) { return one.first; });
    return found == side.facts.end() ? std::string() : found->second;
}

bool are_apis(const Both<std::string>& names) {
    return (names.a == "OpenCL" && names.b == "CUDA") || (names.a == "CUDA" && names.b == "OpenCL");
}

Both<std::string> side_names(const Diff& diff) {
    const Both<std::string> apis{api_of(fact_of(diff.a, "entry")),
                                 api_of(fact_of(diff.b, "entry"))};
    if (is_one_device(diff) && are_apis(apis)) return apis;
    const auto last = [](const std::string& path) { return path.substr(path.rfind('/') + 1); };
    Both<std::string> names{last(diff.a.name), last(diff.b.name)};
    if (names.a == names.b || names.a.empty() || names.b.empty())
        names = {diff.a.name, diff.b.name};
    names = {printable(names.a, longest_name), printable(names.b, longest_name)};
    return names.a == names.b ? Both<std::string>{"A", "B"} : names;
}

}  // namespace parallax
