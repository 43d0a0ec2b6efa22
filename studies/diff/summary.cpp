// Counts verdicts, and computes the two summary numbers.
#include "studies/diff/summary.hpp"

#include <algorithm>
#include <array>

#include "common/statistics/interval.hpp"

namespace parallax {
namespace {

/// Harmonic mean of efficiencies; 0 as soon as one is 0.
class Harmonic {
public:
    void add(double efficiency) {
        zero_ = zero_ || !(efficiency > 0);
        if (efficiency > 0) sum_ += 1 / efficiency;
        ++count_;
    }
    std::optional<double> mean() const {
        if (count_ == 0) return {};
        return zero_ ? 0 : static_cast<double>(count_) / sum_;
    }

private:
    double sum_ = 0;
    std::size_t count_ = 0;
    bool zero_ = false;
};

}  // namespace

bool is_doubtful(const CaseDiff& c) {
    return std::ranges::any_of(std::array{&c.a, &c.b}, [](const Side* side) {
        return side->status && is_doubtful(*side->status, side->doubts);
    });
}

Summary summary_of(const Diff& diff) {
    Summary summary;
    std::vector<Ratio> ratios;
    Harmonic all, supported;
    for (const CaseDiff& c : diff.cases) {
        ++summary.count[static_cast<std::size_t>(c.verdict)];
        summary.doubtful += is_doubtful(c);
        if (c.ratio) {
            ++summary.measured;
            summary.decided += c.verdict != Verdict::undecided;
            ratios.push_back(*c.ratio);
        }
        // A variant in one API's own language is not meant for the other, and what was not tried
        // says nothing.
        const auto tried = [](const Side& side) {
            return side.status && *side.status != Status::skipped &&
                   *side.status != Status::checked;
        };
        if (c.native || !tried(c.a) || !tried(c.b)) continue;
        const auto efficiency = [](const Side& side) {
            return side.status == Status::ok ? side.share : 0;
        };
        const bool known = (c.a.status != Status::ok || c.a.share > 0) &&
                           (c.b.status != Status::ok || c.b.share > 0);
        if (!known) continue;
        ++summary.portability_cases;
        all.add(efficiency(c.a));
        all.add(efficiency(c.b));
        if (c.a.status == Status::ok && c.b.status == Status::ok) {
            supported.add(c.a.share);
            supported.add(c.b.share);
        }
    }
    if (!ratios.empty()) summary.mean = mean_ratio(ratios);
    summary.portability = all.mean();
    summary.portability_supported = supported.mean();
    if (summary.portability_cases == 0) summary.portability = summary.portability_supported = {};
    return summary;
}

}  // namespace parallax
