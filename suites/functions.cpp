// The cost of accurate mathematical functions, and the savings of less accurate ones.
#include <bit>
#include <cmath>
#include <numbers>

#include "suites/chains.hpp"
#include "suites/parts.hpp"

namespace parallax::functions_suite {
namespace {

enum Function : std::int64_t {
    sine,
    cosine,
    exponential,
    logarithm,
    root,
    inverse_root,
    quotient,
    power
};

Function function_of(const Case& c) {
    return static_cast<Function>(c["FUNCTION"]);
}

/// The difference between the bits of successive arguments: all steps together are less than 2^22,
/// so that the last argument has the first one's sign and is less than 1.5 times as large.
std::uint32_t step_of(const Case& c) {
    return (1u << 22) / static_cast<std::uint32_t>(c["REPEAT"]);
}

Plan plan(const Case& c) {
    return chains_plan(c, ElementType::f32, {{"with", Role::input, ElementType::f32, c.shape[0]}},
                       {std::uint32_t{0}, step_of(c)});
}

/// The range of first arguments: magnitudes from 2^low to 2^high, with both signs where the
/// function is defined for them.
struct Range {
    double low, high;
    bool with_sign;
};

// Less than 1.5 times as large stays below pi, and below 12.
Range range_of(Function function) {
    switch (function) {
        case sine:
        case cosine: return {-8, 1, true};
        case exponential: return {-8, 3, true};
        case quotient: return {-16, 16, true};
        case power: return {-2, 2, false};
        case logarithm:
        case root:
        case inverse_root: break;
    }
    return {-16, 16, false};
}

std::vector<HostArray> inputs(const Case& c, const InputPattern& pattern, std::uint64_t seed) {
    const Range range = range_of(function_of(c));
    const auto sign = [&](std::uint64_t i) {
        return range.with_sign && mix(seed, i) % 2 ? -1.0F : 1.0F;
    };
    std::vector<HostArray> arrays;
    arrays.push_back(in_periods<float>(ElementType::f32, c.shape[0], [&](std::uint64_t i) {
        if (pattern.exact) return sign(i) * static_cast<float>(1 + mix(seed + 1, i) % 2);
        const double share = (uniform(seed + 1, i) + 1) / 2;
        return sign(i) *
               static_cast<float>(std::exp2(range.low + (range.high - range.low) * share));
    }));
    // The divisor, of magnitude 1/2 to 4; the exponent, from -4 to 4.
    arrays.push_back(in_periods<float>(ElementType::f32, c.shape[0], [&](std::uint64_t i) {
        if (pattern.exact) return static_cast<float>(1 + mix(seed + 2, i) % 3);
        const double u = uniform(seed + 2, i);
        return static_cast<float>(function_of(c) == power ? 4 * u : std::exp2(0.5 + 1.5 * u));
    }));
    return arrays;
}

/// In a type so much wider that its own errors are negligible.
long double right(Function function, long double x, long double y) {
    switch (function) {
        case sine: return std::sin(x);
        case cosine: return std::cos(x);
        case exponential: return std::exp(x);
        case logarithm: return std::log(x);
        case root: return std::sqrt(x);
        case inverse_root: return 1 / std::sqrt(x);
        case quotient: return x / y;
        case power: break;
    }
    return std::pow(x, y);
}

std::vector<Expected> reference(const Case& c, const std::vector<HostArray>& in) {
    const std::span<const float> first = in[0].as<float>(), with = in[1].as<float>();
    const std::uint32_t steps = step_of(c) * static_cast<std::uint32_t>(c["REPEAT"] - 1);
    std::vector<double> once(std::min<std::uint64_t>(first.size(), chain_period));
    for (std::size_t i = 0; i < once.size(); ++i) {
        const auto last = std::bit_cast<float>(std::bit_cast<std::uint32_t>(first[i]) + steps);
        once[i] = static_cast<double>(right(function_of(c), static_cast<long double>(last),
                                            static_cast<long double>(with[i])));
    }
    std::vector<double> values(first.size());
    fill_by_index(std::span(values), [&](std::uint64_t i) { return once[i % chain_period]; });
    return one_answer(std::move(values));
}

// The documented bounds of both APIs, the larger of each. CUDA's errors are relative to the
// correctly rounded result and not to the exact one, which is half a unit more.
constexpr double half_unit = 0.5, unit = 0x1p-23;

/// OpenCL 3.0, full profile, single precision. CUDA's functions are at least as accurate.
Tolerance precise_tolerance(Function function) {
    switch (function) {
        case sine:
        case cosine: return Tolerance::within_ulp(4);
        case exponential:
        case logarithm:
        case root: return Tolerance::within_ulp(3);
        case inverse_root: return Tolerance::within_ulp(2 + half_unit);  // CUDA's: OpenCL says 2
        case quotient: return Tolerance::within_ulp(2.5);
        case power: break;
    }
    return Tolerance::within_ulp(16);
}

/// x^y as exp2(y * log2(x)), x from 1/4 to 6 and y from -4 to 4. An absolute error of `logarithm`
/// is multiplied by 4, and the product, less than 16, is rounded; both are exponents, which count
/// ln(2) fold; exp2 has its own relative error, and its result is rounded.
Tolerance power_tolerance(double logarithm_error, double exponential_error) {
    const double exponent = 4 * logarithm_error + 0x1p-21;
    return Tolerance::difference(std::numbers::ln2 * exponent + exponential_error + 0x1p-24, 0);
}

/// CUDA's programming guide, intrinsic functions, and PTX's sqrt.approx. OpenCL does not specify
/// native functions: the same bounds apply.
Tolerance native_tolerance(Function function) {
    switch (function) {
        case sine: return Tolerance::difference(0, std::exp2(-21.41) + 0x1p-25);  // in [-pi, pi]
        case cosine: return Tolerance::difference(0, std::exp2(-21.19) + 0x1p-25);
        // 2 + floor(|1.173 x|), |x| < 12
        case exponential: return Tolerance::within_ulp(2 + 14 + half_unit);
        // 3 units; in [1/2, 2] the absolute error
        case logarithm: return Tolerance::difference((3 + half_unit) * unit, std::exp2(-21.41));
        case root: return Tolerance::difference(0x1p-23, 0);
        case inverse_root:
        case quotient: return Tolerance::within_ulp(2 + half_unit);
        case power: break;
    }
    // For log2 2^-22 in [1/2, 2], else 2 units: below 4 those are 2^-21. For exp2 2 units.
    return power_tolerance(0x1p-21, 2 * unit);
}

/// OpenCL 3.0, -cl-fast-relaxed-math; CUDA uses the intrinsic functions.
Tolerance relaxed_tolerance(Function function) {
    switch (function) {
        case sine:
        case cosine:
            return Tolerance::difference(0, 0x1p-11);  // in [-pi, pi]
        // 3 + floor(|2 x|), |x| < 12
        case exponential: return Tolerance::within_ulp(3 + 23 + half_unit);
        case logarithm: return Tolerance::difference((3 + half_unit) * unit, 0x1p-21);
        case root:
        case inverse_root:
        case quotient: return precise_tolerance(function);
        case power: break;
    }
    // For log2 2^-21 in [1/2, 2], else 3 units; for exp2 3 + floor(|2 x|), |x| < 11.
    return power_tolerance(3 * 0x1p-22, (3 + 21) * unit);
}

Tolerance tolerance(const Case& c) {
    const Function function = function_of(c);
    if (c["NATIVE"]) return native_tolerance(function);
    return c.variant->floats && c.variant->floats->relaxed ? relaxed_tolerance(function)
                                                           : precise_tolerance(function);
}

std::vector<ConstantSpec> constants() {
    std::vector<ConstantSpec> list{{"FUNCTION",
                                    sine,
                                    0,
                                    7,
                                    "the function",
                                    {"sin", "cos", "exp", "log", "sqrt", "rsqrt", "divide", "powr"},
                                    true},
                                   {"NATIVE", 0, 0, 1, "whether the native_ function is called"}};
    std::ranges::copy(chain_constants(), std::back_inserter(list));
    return list;
}

Variant variant(const char* name, const char* description, std::int64_t native) {
    const std::vector<std::int64_t> usual{sine, exponential, logarithm, root, quotient};
    const std::vector<std::int64_t> all{sine, cosine,       exponential, logarithm,
                                        root, inverse_root, quotient,    power};
    return {.name = name,
            .description = description,
            .constants = {{"NATIVE", native}},
            .plan = plan,
            .sweep = {"FUNCTION", usual, all}};
}

std::vector<Variant> variants() {
    std::vector<Variant> list{
        variant("precise", "sin(x) and the like: right to a few units in the last place", 0),
        variant("native", "native_sin(x) and the like (__sinf): what the hardware has", 1),
        variant("relaxed", "sin(x) under -cl-fast-relaxed-math and --use_fast_math", 0)};
    list.back().floats = FloatRules::fast();
    return list;
}

}  // namespace

Suite suite() {
    return {
        .name = "functions",
        .question = "What do mathematical functions cost, and how wrong are the fast ones?",
        .source = "functions.cl",
        .dimensions = {"n"},
        .types = {ElementType::f32},
        .constants = constants(),
        .variants = variants(),
        // One function call takes a CPU much longer than the single operation that it counts as: no
        // size suits both a CPU and a GPU.
        .shapes = powers_of_two({7, 10, 12, 14, 22, 24}),
        .check_shapes = chain_check_shapes(),
        .opt_in = {"relaxed"},
        .inputs = inputs,
        .reference = reference,
        .tolerance = tolerance,
        // One function call counts as one operation.
        .work = [](const Case& c) { return chains_work(c, 1); },
    };
}

}  // namespace parallax::functions_suite
