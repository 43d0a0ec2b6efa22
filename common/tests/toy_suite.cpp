// A suite that doubles its input, for tests on the fake device.
#include "common/tests/toy_suite.hpp"

#include <algorithm>
#include <cmath>
#include <span>

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

namespace {

float drawn(std::uint64_t seed, std::uint64_t i) {
    return static_cast<float>(-1000 + 2000 * ((uniform(seed, i) + 1) / 2));
}

}  // namespace

Suite drawn_toy(Script& script) {
    script.kernels["twice"] = [](const HostLaunch& l) {
        std::ranges::transform(l.buffer<float>(0), l.buffer<float>(1).begin(),
                               [](float x) { return 2 * x; });
    };
    script.kernels["draw"] = [](const HostLaunch& l) {
        const std::span<float> to = l.buffer<float>(0);
        const auto seed = l.scalar<std::uint64_t>(5);
        for (std::size_t i = 0; i < to.size(); ++i) to[i] = drawn(seed, i);
    };
    script.kernels["digest"] = [](const HostLaunch& l) {
        std::uint64_t sum = 0, i = 0;
        for (const std::uint32_t word : l.buffer<std::uint32_t>(0)) sum += mix(word, i++);
        std::ranges::fill(l.buffer<std::uint64_t>(3), 0);
        l.buffer<std::uint64_t>(3)[0] = sum;
    };
    Suite suite = toy_suite();
    suite.manifest = "toy.json";
    suite.text = [](std::string_view) { return std::string(toy_text); };
    suite.tried_once = {{.name = drawn_again}};
    suite.inputs = [inputs = suite.inputs](const Case& c, const InputPattern& pattern,
                                           std::uint64_t seed) {
        if (pattern.name != "random" && pattern.name != drawn_again)
            return inputs(c, pattern, seed);
        std::vector<HostArray> arrays;
        arrays.emplace_back(ElementType::f32, c.shape[0]);
        const std::uint64_t own = pattern.name == drawn_again ? ~seed : seed;
        fill_by_index(arrays[0].as<float>(), [&](std::uint64_t i) { return drawn(own, i); });
        return arrays;
    };
    suite.drawing = [](const Case& c) {
        const DrawnPart part{
            .kind = DrawnPart::Kind::numbers, .low = -1000, .high = 1000, .count = c.shape[0]};
        return std::vector<DrawnBuffer>{{.parts = {part}}};
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
