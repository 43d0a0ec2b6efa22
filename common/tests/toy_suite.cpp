// A suite that doubles its input, for tests on the fake device.
#include "common/tests/toy_suite.hpp"

#include <cmath>

#include "common/suite/inputs.hpp"

namespace parallax {
namespace fake {
namespace {

Suite make_toy() {
    Variant plain{
        .name = "plain", .description = "nothing", .plan = [](const Case& c) {
            Plan plan;
            plan.buffers = {{"x", Role::input, c.type, c.shape[0]},
                            {"y", Role::output, c.type, c.shape[0]}};
            const auto group = static_cast<std::uint64_t>(c["GROUP"]);
            plan.steps.push_back(Launch{"twice",
                                        {{divide_up(c.shape[0], group), 1, 1}, {group, 1, 1}},
                                        {BufferIndex{0}, BufferIndex{1}, c.shape[0]}});
            return plan;
        }};
    Variant elsewhere = plain;
    elsewhere.name = "elsewhere";
    elsewhere.natives = {{.backend = "another", .source = "toy.cl"}};
    Variant special = plain;
    special.name = "special";
    special.feature = "wings";
    Suite suite;
    suite.name = "toy";
    suite.question = "What is twice as much?";
    suite.source = "toy.cl";
    suite.dimensions = {"n"};
    suite.types = {ElementType::f32, ElementType::f64, ElementType::i32};
    suite.constants = {{"GROUP", 4, 1, 2048, "items of a group"},
                       {"WAY", 0, 0, 1, "to do it", {"this", "that"}, true}};
    suite.variants = {plain, elsewhere, special};
    suite.shapes = {{{100}}, {{1000}}, {{100000}}};
    suite.check_shapes = {{{1}}, {{5}}, {{17}}};
    suite.edge_cases = {{"nan", false, true}};
    suite.inputs = [](const Case& c, const InputPattern& pattern, std::uint64_t seed) {
        std::vector<HostArray> arrays;
        arrays.emplace_back(c.type, c.shape[0]);
        visit_type(c.type, [&](auto zero) {
            fill_by_index(arrays[0].as<decltype(zero)>(), [&](std::uint64_t i) {
                if (pattern.name == "nan") return std::nan("");
                return pattern.exact ? double{1} * small_integer(seed, i) : 1000 * uniform(seed, i);
            });
        });
        return arrays;
    };
    suite.reference = [](const Case& c, const std::vector<HostArray>& in) {
        HostArray out(c.type, in[0].size());
        visit_type(c.type, [&](auto zero) {
            using T = decltype(zero);
            for (std::size_t i = 0; i < out.size(); ++i) out.as<T>()[i] = 2 * in[0].as<T>()[i];
        });
        std::vector<Expected> expected(1);
        expected[0].values = std::move(out);
        return expected;
    };
    suite.tolerance = [](const Case&) { return Tolerance::exact(); };
    suite.work = [](const Case& c) {
        return Work{.bytes = 2.0 * static_cast<double>(c.shape[0] * size_of(c.type))};
    };
    return suite;
}

}  // namespace

const Suite& toy_suite() {
    static const Suite suite = make_toy();
    return suite;
}

std::vector<Suite>& toy_suites() {
    static std::vector<Suite> all = [] {
        std::vector<Suite> list;
        list.reserve(4);  // cases point into it
        list.push_back(toy_suite());
        return list;
    }();
    return all;
}

Suite toy_ceilings() {
    Suite suite = toy_suite();
    suite.name = "ceiling";
    suite.is_ceiling = true;
    suite.variants = {suite.variants[0], suite.variants[0], suite.variants[0]};
    suite.variants[0].name = "copy";
    suite.variants[1].name = "launch";
    suite.variants[2].name = "fma";
    suite.work = [](const Case& c) {
        if (c.variant->name == "launch") return Work{};
        return Work{.bytes = 2.0 * static_cast<double>(c.shape[0] * size_of(c.type))};
    };
    return suite;
}

void twice(const HostLaunch& launch) {
    const auto n = launch.scalar<std::uint64_t>(2);
    visit_type(launch.program->type.value(), [&](auto zero) {
        using T = decltype(zero);
        const auto x = launch.buffer<T>(0), y = launch.buffer<T>(1);
        for (std::uint64_t i = 0; i < n; ++i) y[i] = 2 * x[i];
    });
}

std::shared_ptr<Script> toy_script() {
    auto script = std::make_shared<Script>();
    script->kernels["twice"] = twice;
    return script;
}

}  // namespace fake

// The tests of common/ link no suites: this replaces suites().
const std::vector<Suite>& suites() {
    return fake::toy_suites();
}

}  // namespace parallax
