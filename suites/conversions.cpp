// Unintended conversions: the cost of a constant without the suffix f.
#include "suites/chains.hpp"
#include "suites/parts.hpp"

namespace parallax::conversions_suite {
namespace {

Plan plan(const Case& c) {
    return chains_plan(c, ElementType::f32, {}, {});
}

std::vector<HostArray> inputs(const Case& c, const InputPattern& pattern, std::uint64_t seed) {
    return one_array(in_periods<float>(ElementType::f32, c.shape[0], [&](std::uint64_t i) {
        return pattern.exact ? static_cast<float>(mix(seed, i) % 4096)
                             // So large that the result still depends on it.
                             : static_cast<float>(0x1p40 * uniform(seed, i));
    }));
}

/// One step in the kernel's arithmetic, each operation rounded on its own: the product is in
/// memory, so that a compiler cannot fuse it with the sum.
float float_step(float x, float sum) {
    volatile float product = x * 0.9F;
    return product + sum;
}
float double_step(float x, float sum) {
    volatile double product = static_cast<double>(x) * 0.9;
    return static_cast<float>(product + static_cast<double>(sum));
}

std::vector<Expected> reference(const Case& c, const std::vector<HostArray>& in) {
    const std::span<const float> first = in[0].as<float>();
    const auto step = c["STRAY"] ? double_step : float_step;
    return one_answer(in_periods<float>(ElementType::f32, first.size(), [&](std::uint64_t i) {
        float x = first[i];
        for (std::int64_t k = 1; k <= c["REPEAT"]; ++k) x = step(x, static_cast<float>(k));
        return x;
    }));
}

std::vector<ConstantSpec> constants() {
    std::vector<ConstantSpec> list{
        {"STRAY", 0, 0, 1, "whether the constant is a double", {}, true}};
    std::ranges::copy(chain_constants(), std::back_inserter(list));
    return list;
}

}  // namespace

Suite suite() {
    return {
        .name = "conversions",
        .question = "What does one constant of double cost in arithmetic of float?",
        .source = "conversions.cl",
        .dimensions = {"n"},
        .types = {ElementType::f32},
        .constants = constants(),
        .variants =
            {
                {.name = "float_only",
                 .description = "x * 0.9f: a product and a sum of float",
                 .constants = {{"STRAY", 0}},
                 .plan = plan},
                {.name = "stray_double",
                 .description = "x * 0.9: two conversions, and product and sum of double",
                 .constants = {{"STRAY", 1}},
                 .plan = plan,
                 .feature = "double"},
            },
        .shapes = chain_shapes(),
        .check_shapes = chain_check_shapes(),
        .inputs = inputs,
        .reference = reference,
        .tolerance = [](const Case&) { return Tolerance::bits(); },
        // A product and a sum; conversions are not useful work.
        .work = [](const Case& c) { return chains_work(c, 2); },
    };
}

}  // namespace parallax::conversions_suite
