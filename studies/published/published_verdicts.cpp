// How today's figures are judged by what was published.
#include <algorithm>

#include <fmt/format.h>

#include "studies/published/published_claims.hpp"

namespace parallax {
namespace {

std::string text_of(double factor) {
    return factor < 10 ? fmt::format("{:.2f}x", factor) : fmt::format("{:.1f}x", factor);
}

double faster(const Published& slow, const Published& fast) {
    return slow.unit == Unit::milliseconds ? slow.value / fast.value : fast.value / slow.value;
}

bool has_all(const std::vector<Constant>& constants, const std::vector<Constant>& wanted) {
    return std::ranges::all_of(wanted, [&](const Constant& constant) {
        return std::ranges::find(constants, constant) != constants.end();
    });
}

/// The figures that were published of this case.
std::vector<const Published*> figures_of(const ClaimedCase& c, const std::string& figure) {
    std::vector<const Published*> list;
    for (const Published& p : published()) {
        if (p.suite == c.suite && p.variant == c.variant && p.shape == c.shape &&
            p.figure == figure && has_all(c.constants, p.constants)) {
            list.push_back(&p);
        }
    }
    return list;
}

}  // namespace

std::vector<PublishedFactor> published_factors(const ClaimStep& step) {
    if (step.stated) return {{"in words", step.stated->factor, step.stated->text}};
    std::vector<PublishedFactor> factors;
    const auto slow = figures_of(step.slow, step.figure), fast = figures_of(step.fast, step.figure);
    const auto add = [&](const std::string& source, double factor) {
        factors.push_back({source, factor, text_of(factor)});
    };
    for (const Published* a : slow) {
        // What an access costs that is not as it should be.
        if (a->unit == Unit::times_slower && a->against == step.fast.constants) {
            add(a->device, a->value);
        }
        for (const Published* b : fast) {
            if (a->device == b->device && a->document == b->document && a->unit == b->unit) {
                add(a->device.empty() ? "GPU not named" : a->device, faster(*a, *b));
            }
        }
    }
    // A link and a memory are two devices.
    if (factors.empty() && slow.size() == 1 && fast.size() == 1) {
        add(slow[0]->device + ", " + fast[0]->device, faster(*slow[0], *fast[0]));
    }
    return factors;
}

std::optional<ClaimStep> all_steps(const Claim& claim) {
    const std::vector<ClaimStep>& steps = claim.steps;
    if (steps.size() < 2) return {};
    for (std::size_t i = 1; i < steps.size(); ++i) {
        if (steps[i].slow != steps[i - 1].fast || steps[i].stated) return {};
    }
    return ClaimStep{steps.front().slow, steps.back().fast, {}, steps.front().figure};
}

std::string_view name_of(ShapeVerdict verdict) {
    switch (verdict) {
        case ShapeVerdict::kept: return "kept";
        case ShapeVerdict::smaller: return "kept, smaller";
        case ShapeVerdict::gone: return "gone";
        case ShapeVerdict::reversed: return "reversed";
        case ShapeVerdict::gain: return "new gain";
        case ShapeVerdict::loss: return "new loss";
    }
    return {};
}

ShapeVerdict judge(std::optional<double> published, double today) {
    const auto is_gain = [](double factor) { return factor > no_difference; };
    const auto is_loss = [](double factor) { return factor < 1 / no_difference; };
    if (published && is_loss(*published)) return judge(1 / *published, 1 / today);
    if (published && !is_gain(*published)) {
        return is_gain(today)   ? ShapeVerdict::gain
               : is_loss(today) ? ShapeVerdict::loss
                                : ShapeVerdict::kept;
    }
    if (is_loss(today)) return ShapeVerdict::reversed;
    if (!is_gain(today)) return ShapeVerdict::gone;
    if (!published) return ShapeVerdict::kept;
    return today - 1 >= kept_share * (*published - 1) ? ShapeVerdict::kept : ShapeVerdict::smaller;
}

ShapeVerdict judge(const std::vector<PublishedFactor>& factors, double today) {
    std::optional<double> least;
    for (const PublishedFactor& f : factors) {
        if (f.factor && (!least || *f.factor < *least)) least = f.factor;
    }
    return judge(least, today);
}

}  // namespace parallax
