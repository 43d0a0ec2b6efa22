// Ratios of what was kept, by runs where there are runs.
#include "studies/diff/stored_ratio.hpp"

#include <algorithm>
#include <cmath>

#include "common/statistics/interval.hpp"
#include "common/statistics/statistics.hpp"

namespace parallax {
namespace {

constexpr std::size_t least_cases = 5;
constexpr std::string_view one_run = "rounds of one run";

std::vector<double> medians_of(const std::vector<const Record*>& records) {
    std::vector<double> medians;
    for (const Record* record : records) {
        if (record->status == Status::ok) medians.push_back(record->seconds());
    }
    return medians;
}

/// Round medians of all runs of a side: the unit where there are no runs to be one.
std::vector<double> rounds_of(const std::vector<const Record*>& records) {
    std::vector<double> rounds;
    for (const Record* record : records) {
        if (!record->timing) continue;
        const std::vector<double> medians = record->timing->round_medians();
        rounds.insert(rounds.end(), medians.begin(), medians.end());
    }
    return rounds;
}

StoredRatio of_pairs(const std::vector<const Pair*>& pairs, double error) {
    StoredRatio result;
    if (pairs.size() == 1) {
        result.ratio = pairs.front()->timing.ratio(error);
        result.doubt = pairs.front()->timing.doubt();
        return result;
    }
    std::vector<double> logs;
    for (const Pair* pair : pairs) {
        if (const auto ratio = pair->timing.ratio(); ratio && pair->timing.doubt().empty()) {
            logs.push_back(std::log(ratio->value));
        }
    }
    if (logs.size() < 2) {
        // The ratio is still reported, but decides nothing.
        for (const Pair* pair : pairs) {
            if (const auto ratio = pair->timing.ratio()) result.ratio = ratio;
        }
        result.doubt = "Fewer than two of its runs were measured undisturbed.";
        return result;
    }
    result.ratio = paired_ratio(logs, error, 1 - error);
    result.ratio->basis = "paired runs";
    return result;
}

}  // namespace

StoredRatio stored_ratio(const std::vector<const Record*>& a, const std::vector<const Record*>& b,
                         const std::vector<const Pair*>& pairs, double error) {
    if (!pairs.empty()) return of_pairs(pairs, error);
    StoredRatio result;
    const std::vector<double> runs_a = medians_of(a), runs_b = medians_of(b);
    if (runs_a.empty() || runs_b.empty()) return result;
    if (runs_a.size() >= 2 && runs_b.size() >= 2) {
        result.ratio = unpaired_ratio(runs_a, runs_b, error);
        return result;
    }
    // The side that has several runs keeps them as its units.
    const std::vector<double> units_a = runs_a.size() >= 2 ? runs_a : rounds_of(a);
    const std::vector<double> units_b = runs_b.size() >= 2 ? runs_b : rounds_of(b);
    if (units_a.size() < 2 || units_b.size() < 2) {
        result.doubt =
            "One run of one round on a side shows nothing of how runs differ. 'parallax run "
            "--processes 5' gives runs to compare.";
        return result;
    }
    result.ratio = unpaired_ratio(units_a, units_b, error);
    result.ratio->basis = one_run;
    result.ratio->units_a = runs_a.size();
    result.ratio->units_b = runs_b.size();
    return result;
}

void widen_by_spread(std::vector<StoredRatio>& ratios, double error) {
    std::vector<StoredRatio*> single;
    std::vector<double> logs;
    for (StoredRatio& one : ratios) {
        if (!one.ratio || one.ratio->basis != one_run) continue;
        single.push_back(&one);
        logs.push_back(std::log(one.ratio->value));
    }
    double spread = 0;
    if (single.size() >= least_cases) {
        const double middle = estimate_median(logs).median;
        for (double& value : logs) value = std::fabs(value - middle);
        spread = 1.4826 * estimate_median(logs).median;
    }
    const auto degrees = static_cast<double>(std::max<std::size_t>(1, single.size()) - 1);
    for (StoredRatio* one : single) {
        Ratio& ratio = *one->ratio;
        // Few rounds have few degrees of freedom and reach far: that is not to be lost.
        const double reach = spread > 0 ? student_quantile(1 - error / 2, degrees) * spread : 0;
        if (reach > std::log(ratio.high / ratio.low) / 2) {
            ratio.log_error = spread;
            ratio.degrees = degrees;
            ratio.low = ratio.value * std::exp(-reach);
            ratio.high = ratio.value * std::exp(reach);
        }
        one->least_visible = std::sqrt(ratio.high / ratio.low);
        one->doubt =
            "One run on a side: nothing shows how runs of this case differ, neither the rounds of "
            "one run nor the other cases. 'parallax run --processes 5 -o FILE' for each side, or "
            "a live diff, can decide it.";
    }
}

}  // namespace parallax
