// Expands a request into the list of cases.
#include <algorithm>
#include <map>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "common/error.hpp"
#include "common/suite/default_type.hpp"
#include "common/text/text.hpp"
#include "measure/session.hpp"

namespace parallax {
namespace {

/// All combinations of the named choices that the user left open; only the first unless `full`.
std::vector<std::vector<Constant>> choices_of(const Suite& suite, const Request& request,
                                              const std::vector<Constant>& defines) {
    std::vector<std::vector<Constant>> ways{defines};
    if (!request.full) return ways;
    for (const ConstantSpec& spec : suite.constants) {
        if (spec.choices.empty() ||
            std::ranges::find(defines, spec.name, &Constant::name) != defines.end()) {
            continue;
        }
        std::vector<std::vector<Constant>> more;
        for (const auto& way : ways) {
            for (std::size_t value = 0; value < spec.choices.size(); ++value) {
                more.push_back(way);
                more.back().push_back({spec.name, static_cast<std::int64_t>(value)});
            }
        }
        ways = std::move(more);
    }
    return ways;
}

/// `way` with each value of the variant's sweep, unless the user set one.
std::vector<std::vector<Constant>> swept_over(const Variant& variant,
                                              const std::vector<Constant>& way, bool full) {
    const Sweep& sweep = variant.sweep;
    if (sweep.constant.empty() ||
        std::ranges::find(way, sweep.constant, &Constant::name) != way.end()) {
        return {way};
    }
    std::vector<std::vector<Constant>> ways;
    for (const std::int64_t value : full ? sweep.all_values : sweep.values) {
        ways.push_back(way);
        ways.back().push_back({sweep.constant, value});
    }
    return ways;
}

std::vector<Request::Pick> picks_of(const Request& request) {
    if (!request.picks.empty()) return request.picks;
    std::vector<Request::Pick> picks;
    for (const Suite& suite : suites()) {
        if (!suite.is_ceiling) picks.push_back({&suite, nullptr});
    }
    return picks;
}

void expand_pick(const Request::Pick& pick, const Request& request, std::vector<Case>& cases) {
    const Suite& suite = *pick.suite;
    std::vector<Constant> defines;
    for (const Constant& define : request.defines) {
        if (std::ranges::find(suite.constants, define.name, &ConstantSpec::name) !=
            suite.constants.end()) {
            defines.push_back(define);
        }
    }
    std::vector<ElementType> types = request.types;
    if (types.empty()) types = request.full ? suite.types : std::vector{suite.types.front()};
    const bool is_default_type = request.types.empty() && !request.full;
    const auto add = [&](const Variant& variant, ElementType type, const std::vector<Constant>& way,
                         const Shape* shape) {
        // Without a requested type, types that the variant does not support are skipped.
        if (request.types.empty() && !variant.types.empty() &&
            std::ranges::find(variant.types, type) == variant.types.end()) {
            return;
        }
        const std::vector<std::vector<Constant>> ways =
            request.is_overview() ? std::vector<std::vector<Constant>>{way}
                                  : swept_over(variant, way, request.full);
        for (const auto& swept : ways) {
            const Shape& sized = shape ? *shape : shapes_of(suite, variant).front();
            // A sweep skips values that the shape is too small for: they were not requested.
            if (ways.size() > 1 && suite.refuse &&
                !suite
                     .refuse(with_shape(
                         {&suite, &variant, {}, type, constants_of(suite, variant, swept)}, sized))
                     .empty()) {
                continue;
            }
            Case c = make_case(suite, variant, sized, type, swept);
            if (!shape) c.shape = {};
            if (std::ranges::find(cases, c) == cases.end()) cases.push_back(std::move(c));
        }
    };
    const auto each_variant = [&](auto&& body) {
        for (const Variant& variant : suite.variants) {
            if (pick.variant && pick.variant != &variant) continue;
            const bool is_detail =
                std::ranges::find(suite.opt_in, variant.name) != suite.opt_in.end();
            if (!(request.is_overview() && is_detail)) body(variant);
        }
    };
    bool first = true;
    for (const ElementType type : types) {
        // Options for all suites need not suit each of them.
        if (request.types.size() > 1 || request.full || request.picks.empty()) {
            if (std::ranges::find(suite.types, type) == suite.types.end()) continue;
        }
        for (const auto& way : choices_of(suite, request, defines)) {
            each_variant([&](const Variant& variant) {
                const ElementType taken = is_default_type ? default_type(suite, variant) : type;
                if (request.shapes.empty()) add(variant, taken, way, nullptr);
                for (const Shape& shape : request.shapes) add(variant, taken, way, &shape);
            });
            if (request.full && request.shapes.empty() && first) {
                for (const Shape& shape : suite.shapes) {
                    each_variant([&](const Variant& variant) {
                        add(variant, default_type(suite, variant), way, &shape);
                    });
                }
            }
            first = false;
        }
    }
}

/// Ceilings are always measured, with their own sizes and constants.
void check_ceiling_pick(const Suite& suite, const Request& request) {
    if (!request.shapes.empty() || !request.defines.empty()) {
        throw UsageError(
            fmt::format("The size and the constants of '{}' follow from the device: leave "
                        "out -n and --define, or check it alone with --check.",
                        suite.name));
    }
    for (const ElementType type : request.types) {
        make_case(suite, suite.variants.front(), shapes_of(suite, suite.variants.front()).front(),
                  type);
    }
}

}  // namespace

std::vector<Case> expand(const Request& request) {
    std::vector<Request::Pick> picks = picks_of(request);
    for (const Constant& define : request.defines) {
        const bool known = std::ranges::any_of(picks, [&](const Request::Pick& pick) {
            return std::ranges::find(pick.suite->constants, define.name, &ConstantSpec::name) !=
                   pick.suite->constants.end();
        });
        if (!known) {
            std::vector<std::string> there;
            for (const Request::Pick& pick : picks) {
                for (const std::string& name : names(pick.suite->constants)) {
                    if (std::ranges::find(there, name) == there.end()) there.push_back(name);
                }
            }
            throw UsageError(fmt::format(
                "No suite that was picked has a constant '{}'.{} There are: {}. 'parallax list "
                "SUITE' says what they mean.",
                define.name, did_you_mean(define.name, there), fmt::join(there, ", ")));
        }
    }
    if (request.picks.empty()) {
        // Options for one suite need not suit the others.
        std::erase_if(picks, [&](const Request::Pick& pick) {
            return std::ranges::any_of(request.shapes, [&](const Shape& shape) {
                return shape.extents.size() != pick.suite->dimensions.size();
            });
        });
        if (picks.empty()) {
            throw UsageError(
                fmt::format("No suite has problems like {}. 'parallax list' shows the "
                            "dimensions of each.",
                            to_string(request.shapes.front())));
        }
    }
    std::vector<Case> cases;
    for (const Request::Pick& pick : picks) {
        // In a check-only run ceilings are ordinary cases.
        if (pick.suite->is_ceiling && !request.only_check) {
            check_ceiling_pick(*pick.suite, request);
        } else {
            expand_pick(pick, request, cases);
        }
    }
    return cases;
}

std::vector<Case> by_worth(std::vector<Case> cases) {
    std::map<const Suite*, const Case*> last;
    for (const Case& c : cases) last[c.suite] = &c;
    std::set<const Case*> telling;
    for (const auto& [suite, c] : last) telling.insert(c);
    std::vector<Case> ordered;
    for (const bool first : {true, false}) {
        for (Case& c : cases) {
            if (telling.contains(&c) == first) ordered.push_back(std::move(c));
        }
    }
    return ordered;
}

}  // namespace parallax
