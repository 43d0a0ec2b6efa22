// Expands a request into the list of cases.
#include <algorithm>
#include <map>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "common/error.hpp"
#include "common/suite/suite.hpp"
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

/// Adds the cases of one suite or variant that a request names.
class PickExpansion {
public:
    PickExpansion(const Request::Pick& pick, const Request& request, std::vector<Case>& cases)
        : pick_(pick), suite_(*pick.suite), request_(request), cases_(cases) {}

    void run() {
        std::vector<ElementType> types = request_.types;
        if (types.empty()) types = request_.full ? suite_.types : std::vector{suite_.types.front()};
        std::vector<Constant> defines;
        for (const Constant& define : request_.defines) {
            if (contains(suite_.constants, define.name, &ConstantSpec::name)) {
                defines.push_back(define);
            }
        }
        // A setting for all suites need not suit each of them.
        const bool may_not_suit =
            request_.types.size() > 1 || request_.full || request_.picks.empty();
        bool first = true;
        for (const ElementType type : types) {
            if (may_not_suit && !contains(suite_.types, type)) continue;
            for (const auto& way : choices_of(suite_, request_, defines)) {
                add_variants(type, way);
                if (request_.full && request_.shapes.empty() && first) add_all_shapes(way);
                first = false;
            }
        }
    }

private:
    using Constants = std::vector<Constant>;

    template <class List, class Value, class Of = std::identity>
    static bool contains(const List& list, const Value& value, Of of = {}) {
        return std::ranges::find(list, value, of) != list.end();
    }

    template <class Body>
    void each_variant(Body&& body) const {
        for (const Variant& variant : suite_.variants) {
            if (pick_.variant && pick_.variant != &variant) continue;
            if (variant.by_name_only && !pick_.variant) continue;
            const bool is_left_out =
                request_.is_overview() && contains(suite_.opt_in, variant.name);
            if (!is_left_out) body(variant);
        }
    }

    void add_variants(ElementType type, const Constants& way) {
        const bool is_default_type = request_.types.empty() && !request_.full;
        each_variant([&](const Variant& variant) {
            const ElementType taken = is_default_type ? default_type(suite_, variant) : type;
            if (request_.shapes.empty()) add(variant, taken, way, nullptr);
            for (const Shape& shape : request_.shapes) add(variant, taken, way, &shape);
        });
    }

    void add_all_shapes(const Constants& way) {
        for (const Shape& shape : suite_.shapes) {
            each_variant([&](const Variant& variant) {
                add(variant, default_type(suite_, variant), way, &shape);
            });
        }
    }

    /// @param shape  null: the variant's first, and the case says none
    void add(const Variant& variant, ElementType type, const Constants& way, const Shape* shape) {
        // Without an explicit type, types that the variant is not written for are skipped.
        if (request_.types.empty() && !variant.types.empty() && !contains(variant.types, type)) {
            return;
        }
        const std::vector<Constants> ways = request_.is_overview()
                                                ? std::vector<Constants>{way}
                                                : swept_over(variant, way, request_.full);
        for (const Constants& swept : ways) {
            const Shape& sized = shape ? *shape : shapes_of(suite_, variant).front();
            // Values of a sweep that the shape is too small for are skipped: they were not
            // requested explicitly.
            if (ways.size() > 1 && suite_.refuse &&
                !suite_
                     .refuse(with_shape(
                         {&suite_, &variant, {}, type, constants_of(suite_, variant, swept)},
                         sized))
                     .empty()) {
                continue;
            }
            Case c = make_case(suite_, variant, sized, type, swept);
            if (!shape) c.shape = {};
            if (!contains(cases_, c)) cases_.push_back(std::move(c));
        }
    }

    const Request::Pick& pick_;
    const Suite& suite_;
    const Request& request_;
    std::vector<Case>& cases_;
};

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
            throw UsageError(
                there.empty()
                    ? fmt::format("No suite that was picked has constants, so --define {} sets "
                                  "nothing. Leave it out.",
                                  define.name)
                    : fmt::format("No suite that was picked has a constant '{}'.{} There are: {}. "
                                  "'parallax list SUITE' says what they mean.",
                                  define.name, did_you_mean(define.name, there),
                                  fmt::join(there, ", ")));
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
            PickExpansion(pick, request, cases).run();
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
