// Tests every suite: its data are consistent, its reference is right, and every variant passes
// verification on every device, with all types and operations.
#include <iterator>

#include "common/tests/portable_sources.hpp"
#include "common/tests/thorough.hpp"
#include "mapping/translate/translate.hpp"
#include "measure/session.hpp"
#include "suites/case_words.hpp"
#include "suites/planted.hpp"
#include "suites/tests/opened.hpp"

namespace parallax {

// Found by argument-dependent lookup: GoogleTest would print bytes.
static void PrintTo(const Case& c, std::ostream* out) {
    *out << c.title();
}

namespace suites_test {
namespace {

/// Whether it has the default type and constants.
bool is_by_itself(const Case& c) {
    const ElementType type = default_type(*c.suite, *c.variant);
    return c.type == type &&
           c.constants == make_case(*c.suite, *c.variant, c.shape, type).constants;
}

/// Every variant with every type and named choice, on a small shape; with all values of its sweep
/// for the first type only, since a sweep does not depend on the type. Unless thorough, the first
/// of these and a sixth of the others per variant, a different one for each variant of a suite.
std::vector<Case> all_cases() {
    std::vector<Case> cases;
    for (const Suite& suite : suites()) {
        Request request;
        request.full = true;
        request.picks = {{&suite, nullptr}};
        std::set<std::string> known;
        for (const Case& c : expand(request)) {
            if (!c.shape.extents.empty()) continue;
            // CLBlast compiles its kernels for each type, which takes seconds.
            const bool is_library = c.variant->name == "library";
            if (is_library && c.type != suite.types.front()) continue;
            std::string what = fmt::format("{} {}", c.variant->name, name_of(c.type));
            for (const ConstantSpec& spec : suite.constants) {
                if (spec.changes_answer) what += fmt::format(" {}", c[spec.name]);
            }
            const bool is_new = known.insert(what).second;
            if (is_new || c.type == suite.types.front()) cases.push_back(c);
        }
        if (!suite.is_ceiling) continue;
        for (const Variant& variant : suite.variants) {
            for (const ElementType type : suite.types) {
                cases.push_back(make_case(suite, variant, {{1}}, type));
            }
        }
    }
    for (Case& c : cases) c = with_shape(c, c.suite->check_shapes.back());
    if (test::is_thorough()) return cases;
    std::map<const Variant*, std::size_t> seen;
    std::erase_if(cases, [&](const Case& c) {
        const std::size_t nth = seen[c.variant]++;
        const auto place = static_cast<std::size_t>(c.variant - c.suite->variants.data());
        return nth > 0 && (nth + place) % 6 != 0 && !is_by_itself(c);
    });
    return cases;
}

/// Without optimisation, an algorithm of the library takes ten times as long.
bool are_same(const HostArray& a, const HostArray& b) {
    return a.bytes().size() == b.bytes().size() &&
           std::memcmp(a.bytes().data(), b.bytes().data(), a.bytes().size()) == 0;
}

std::string test_name(const Case& c) {
    std::string name = c.title();
    for (char& letter : name) {
        if (!std::isalnum(static_cast<unsigned char>(letter))) letter = '_';
    }
    return name;
}

class EveryCase : public testing::TestWithParam<Case> {};

TEST_P(EveryCase, PlanFitsItsKernels) {
    const Case& c = GetParam();
    const Plan plan = plan_of(c);
    const Program program = program_of(c);
    if (program.language == Language::library) GTEST_SKIP() << "a library has no kernels to show";
    if (!c.variant->natives.empty() && !native_source(*c.variant, "opencl")) {
        GTEST_SKIP() << "it has no text in OpenCL C";
    }
    const auto kernels = signatures(program.name, program.source, c.type);
    std::set<std::size_t> written;
    for (const auto& step : plan.steps) {
        const Launch* launch = step.launch();
        if (!launch) continue;
        const auto kernel = std::ranges::find(kernels, launch->kernel, &Signature::kernel);
        ASSERT_NE(kernel, kernels.end()) << launch->kernel;
        EXPECT_EQ(kernel->parameters.size(), launch->arguments.size());
        for (const auto& argument : launch->arguments) {
            if (const auto* buffer = std::get_if<BufferIndex>(&argument)) {
                ASSERT_LT(buffer->index, plan.buffers.size());
            }
        }
    }
    EXPECT_TRUE(std::ranges::any_of(plan.buffers,
                                    [](const BufferSpec& b) { return b.role == Role::output; }));
    for (const BufferSpec& buffer : plan.buffers) EXPECT_GT(buffer.elements, 0u) << buffer.name;
    // A launch on its own is no work: its time is the result.
    const bool is_launch = c.suite->is_ceiling && c.variant->name == "launch";
    EXPECT_EQ(c.suite->work(c).bytes > 0, !is_launch);
}

TEST_P(EveryCase, InputsAreTheSameForTheSameSeed) {
    const Case& c = GetParam();
    for (const InputPattern& pattern : input_patterns_of(c)) {
        const auto a = c.suite->inputs(c, pattern, 1), b = c.suite->inputs(c, pattern, 1);
        const Plan plan = plan_of(c);
        std::size_t next = 0;
        for (const BufferSpec& buffer : plan.buffers) {
            if (buffer.role != Role::input) continue;
            ASSERT_LT(next, a.size());
            EXPECT_EQ(a[next].size(), buffer.elements);
            EXPECT_TRUE(are_same(a[next], b[next])) << pattern.name;
            ++next;
        }
        EXPECT_EQ(next, a.size());
        const auto other = c.suite->inputs(c, pattern, 2);
        const bool constant = pattern.name.starts_with("all ");
        EXPECT_EQ(constant, are_same(a[0], other[0])) << pattern.name;
    }
}

/// Whether the sample runs it on the host. Native sources run only there without a GPU.
bool is_for_host(const Case& c) {
    const auto place = c.variant - c.suite->variants.data();
    return !c.variant->natives.empty() || (place % 4 == 0 && is_by_itself(c));
}

TEST_P(EveryCase, PassesTheGateOnEveryDevice) {
    const Case& c = GetParam();
    // Variants of a suite share their references.
    static ReferenceCache references(std::uint64_t{1} << 28);
    const bool is_brief = !test::is_thorough();
    unsigned ran = 0;
    std::string lack = "no device here takes it";
    for (Opened& one : opened_devices()) {
        const DeviceInfo& info = one.entry.info;
        if (!missing_capability(info, c).empty()) continue;
        // Features that the compiler accepts although the device does not report them may be wrong.
        if (info.unclaimed.contains(feature_for(*c.variant, info.backend))) continue;
        // One type is enough without timing: the source differs in one word only. Unless thorough,
        // so are the default constants, and every fourth variant: the host is slow, and the planted
        // tests verify the original kernels there.
        if (info.only_checks && c.type != default_type(*c.suite, *c.variant)) continue;
        if (info.only_checks && is_brief && !is_for_host(c)) continue;
        const Plan plan = plan_of(c);
        const Program program = program_of(c, info.backend);
        VerificationResult checked;
        try {
            const Codes& codes = one.built(program, plan);
            checked = Verifier{*one.device, references, 1, {}, is_brief}.verify(c, program, codes);
        } catch (const Unsupported& error) {
            lack = error.what();  // a kind of memory or queue, or a library
            continue;
        } catch (const UsageError& error) {
            // A tile may be too large for a GPU's work-groups.
            EXPECT_TRUE(info.is_gpu) << error.what();
            EXPECT_THAT(error.what(), testing::HasSubstr("local memory"));
            continue;
        } catch (const BuildFailed& error) {
            EXPECT_TRUE(info.is_gpu) << error.what();
            EXPECT_THAT(error.what(), testing::HasSubstr("too much shared data"));
            continue;
        }
        EXPECT_TRUE(checked.right())
            << info.id() << ": " << checked.failure->what << " " << checked.failure->pattern << " "
            << to_string(Shape{checked.failure->shape});
        EXPECT_LT(checked.worst_share, 1.0) << "the bound is met, but only just";
        ++ran;
    }
    if (ran == 0) GTEST_SKIP() << lack;
}

/// The bytes of the expected results.
std::string bytes_of(const Expected& expected) {
    return std::visit(
        [](const auto& values) {
            if constexpr (std::is_same_v<std::decay_t<decltype(values)>, HostArray>) {
                const auto bytes = values.bytes();
                return std::string(reinterpret_cast<const char*>(bytes.data()), bytes.size());
            } else {
                std::string text;
                for (const auto value : values) text += fmt::format("{} ", value);
                return text;
            }
        },
        expected.values);
}

std::vector<std::string> inputs_and_answers(const Case& c) {
    std::vector<std::string> all;
    const InputPattern pattern = input_patterns_of(c).front();
    const std::vector<HostArray> inputs = c.suite->inputs(c, pattern, 1);
    for (const HostArray& one : inputs) all.push_back(bytes_of(Expected{one.copy(), {}}));
    for (const Expected& one : c.suite->reference(c, inputs)) all.push_back(bytes_of(one));
    return all;
}

// Cases that differ in other constants share inputs and results.
TEST(Suites, SayWhichConstantsChangeTheAnswer) {
    unsigned tried = 0;
    for (const Suite& suite : suites()) {
        for (const Variant& variant : suite.variants) {
            const auto type = variant.types.empty() ? suite.types.front() : variant.types.front();
            const Case own = make_case(suite, variant, suite.check_shapes.back(), type);
            std::optional<std::vector<std::string>> right;
            for (const ConstantSpec& spec : suite.constants) {
                if (spec.changes_answer) continue;
                for (const std::int64_t value : {own[spec.name] * 2, own[spec.name] / 2}) {
                    Case other = own;
                    try {
                        other = with_constants(own, {{spec.name, value}});
                        if (suite.refuse && !suite.refuse(other).empty()) continue;
                    } catch (const UsageError&) {
                        continue;
                    }
                    if (!right) right = inputs_and_answers(own);
                    EXPECT_TRUE(inputs_and_answers(other) == *right)
                        << own.title() << " with " << spec.name << "=" << value;
                    ++tried;
                    break;
                }
            }
        }
    }
    EXPECT_GT(tried, 100u);
}

INSTANTIATE_TEST_SUITE_P(Suites, EveryCase, testing::ValuesIn(all_cases()),
                         [](const auto& one) { return test_name(one.param); });

TEST(Suites, NamesAreUniqueAndSayable) {
    std::set<std::string> suite_names;
    for (const Suite& suite : suites()) {
        EXPECT_TRUE(suite_names.insert(suite.name).second);
        for (const std::string& name : suite.opt_in) {
            EXPECT_NO_THROW(variant_named(suite, name));
        }
        EXPECT_LT(suite.opt_in.size(), suite.variants.size()) << suite.name;
        EXPECT_FALSE(suite.question.empty());
        std::set<std::string> variant_names;
        for (const Variant& variant : suite.variants) {
            EXPECT_TRUE(variant_names.insert(variant.name).second);
            EXPECT_FALSE(variant.description.empty());
            for (const Constant& constant : variant.constants) {
                EXPECT_NE(std::ranges::find(suite.constants, constant.name, &ConstantSpec::name),
                          suite.constants.end());
            }
        }
        EXPECT_EQ(suite_named(suite.name).name, suite.name);
        for (const Shape& shape : suite.check_shapes) {
            EXPECT_EQ(shape.extents.size(), suite.dimensions.size());
        }
    }
    EXPECT_THROW(suite_named("nothing"), UsageError);
    EXPECT_THROW(variant_named(suite_named("reduction"), "nothing"), UsageError);
}

TEST(Suites, AVariantIsTakenWithATypeThatItIsWrittenFor) {
    for (const Suite& suite : suites()) {
        if (suite.is_ceiling) continue;
        for (const Variant& variant : suite.variants) {
            for (const bool full : {false, true}) {
                Request request;
                request.picks = {{&suite, &variant}};
                request.full = full;
                const auto cases = expand(request);
                EXPECT_FALSE(cases.empty()) << suite.name << "/" << variant.name;
                for (const Case& c : cases) {
                    if (variant.types.empty()) continue;
                    EXPECT_NE(std::ranges::find(variant.types, c.type), variant.types.end())
                        << suite.name << "/" << variant.name;
                }
            }
        }
    }
}

TEST(Suites, CommittedCudaTextsAreFresh) {
    for (const Suite& suite : suites()) {
        for (const std::string& source : portable_sources(suite)) {
            const std::string name = source.substr(0, source.rfind('.')) + ".cu";
            std::ifstream file(SOURCE_ROOT "/kernels/cuda/" + name);
            std::string opening;
            ASSERT_TRUE(std::getline(file, opening)) << name << " is missing";
            EXPECT_TRUE(opening.starts_with("// Generated from kernels/" + source)) << opening;
            const std::string committed{std::istreambuf_iterator<char>(file), {}};
            EXPECT_EQ(committed, to_cuda(source, kernel_source(source),
                                         {suite.types.front(), names(suite.constants)})
                                     .text())
                << name << " is stale: 'meson compile -C build cuda-sources' refreshes it";
        }
    }
}

Case reduction(std::uint64_t n, ElementType type, std::int64_t operation) {
    const Suite& suite = suite_named("reduction");
    return make_case(suite, suite.variants[0], {{n}}, type, {{"OP", operation}});
}

TEST(Reduction, ReferenceOfHandWrittenInputs) {
    HostArray in(ElementType::f32, 4);
    const float values[] = {3, -1, std::nanf(""), 7};
    std::copy(std::begin(values), std::end(values), in.as<float>().begin());
    const auto value = [&](std::int64_t operation) {
        const Case c = reduction(4, ElementType::f32, operation);
        std::vector<HostArray> inputs;
        inputs.push_back(in.copy());
        return std::move(c.suite->reference(c, inputs)[0]);
    };
    EXPECT_TRUE(std::isnan(std::get<std::vector<double>>(value(0).values)[0])) << "a sum keeps NaN";
    EXPECT_EQ(std::get<HostArray>(value(1).values).as<float>()[0], -1)
        << "a minimum passes over it";
    EXPECT_EQ(std::get<HostArray>(value(2).values).as<float>()[0], 7);
    in.as<float>()[2] = 5;
    EXPECT_EQ(std::get<std::vector<double>>(value(0).values)[0], 14);
    EXPECT_EQ(value(0).magnitudes[0], 16);
    std::fill(in.as<float>().begin(), in.as<float>().end(), std::nanf(""));
    EXPECT_EQ(std::get<HostArray>(value(1).values).as<float>()[0], INFINITY) << "nothing but NaN";
}

TEST(Reduction, IntegerSumsDoNotWrap) {
    for (const std::uint64_t n : {1ull, 2ull, 1000ull, 1ull << 20}) {
        const Case c = reduction(n, ElementType::i32, 0);
        for (const InputPattern& pattern : input_patterns_of(c)) {
            const auto in = c.suite->inputs(c, pattern, 5);
            std::int64_t magnitude = 0;
            for (const std::int32_t value : in[0].as<std::int32_t>())
                magnitude += std::abs(std::int64_t{value});
            EXPECT_LE(magnitude, 2147483647) << n << pattern.name;
        }
    }
}

TEST(Reduction, DepthGrowsWithLevelsAndItems) {
    const Suite& suite = suite_named("reduction");
    const auto depth = [&](const char* name, std::uint64_t n) {
        const Variant& variant = variant_named(suite, name);
        return variant.depth(make_case(suite, variant, {{n}}, ElementType::f32));
    };
    EXPECT_EQ(depth("sequential", 256), 8);
    EXPECT_EQ(depth("sequential", 257), 16);
    EXPECT_EQ(depth("sequential", 1 << 24), 24);
    EXPECT_EQ(depth("first_add", 512), 9);
    EXPECT_EQ(depth("items", std::uint64_t{256} * 64), 72);
}

TEST(Reduction, ConstantsThatCannotBe) {
    const Suite& suite = suite_named("reduction");
    const auto make = [&](const Constant& constant, ElementType type = ElementType::f32) {
        return make_case(suite, suite.variants[0], {{100}}, type, {constant});
    };
    EXPECT_THROW(make({"GROUP", 1}), UsageError);
    EXPECT_THROW(make({"GROUP", 0}), UsageError);
    EXPECT_THROW(make({"ITEMS", 6}), UsageError);
    EXPECT_THROW(make({"ALIGN", 12}), UsageError);
    EXPECT_THROW(make({"ALIGN", 4}, ElementType::f64), UsageError);
    EXPECT_THROW(make({"OP", 3}), UsageError);
    EXPECT_NO_THROW(make({"GROUP", 96}));
}

TEST(Stencil, IntegersStayExactWhateverTheRadius) {
    const Suite& suite = suite_named("stencil1d");
    for (const std::int64_t radius : {0, 1, 3, 127, 128, 256}) {
        const Case c =
            make_case(suite, suite.variants[0], {{2000}}, ElementType::f32, {{"RADIUS", radius}});
        const auto in = c.suite->inputs(c, input_patterns_of(c)[0], 5);
        const auto expected = c.suite->reference(c, in);
        for (const double sum : std::get<std::vector<double>>(expected[0].values)) {
            EXPECT_LE(sum, 0x1p24) << radius;
        }
    }
}

TEST(Transpose, ReferenceTurnsRowsIntoColumns) {
    const Suite& suite = suite_named("transpose");
    const Case c = make_case(suite, suite.variants[0], {{67, 41}}, ElementType::i32);
    const auto in = c.suite->inputs(c, input_patterns_of(c)[1], 3);
    const auto expected = c.suite->reference(c, in);
    const auto out = std::get<HostArray>(expected[0].values).as<std::int32_t>();
    for (std::uint64_t y = 0; y < 41; ++y) {
        for (std::uint64_t x = 0; x < 67; ++x) {
            ASSERT_EQ(out[x * 41 + y], in[0].as<std::int32_t>()[y * 67 + x]);
        }
    }
}

TEST(Transpose, IntegersTellElementsApart) {
    const Suite& suite = suite_named("transpose");
    const Case c = make_case(suite, suite.variants[0], {{512, 512}}, ElementType::f32);
    const auto in = c.suite->inputs(c, input_patterns_of(c)[0], 3);
    const auto values = in[0].as<float>();
    EXPECT_EQ(std::set<float>(values.begin(), values.end()).size(), values.size());
}

TEST(Groups, OddSizesOfGroupsAreRightToo) {
    ReferenceCache references(std::uint64_t{1} << 28);
    for (Opened& one : opened_devices()) {
        for (const std::int64_t group : test::every_nth<std::int64_t>({2, 3, 250, 96}, 2)) {
            for (const char* name : {"interleaved", "sequential", "first_add", "vector"}) {
                const Suite& suite = suite_named("reduction");
                const Case c = make_case(suite, variant_named(suite, name), {{10007}},
                                         ElementType::f32, {{"GROUP", group}, {"ITEMS", 4}});
                const Codes& codes = one.built(program_of(c), plan_of(c));
                VerificationResult checked;
                Verifier{*one.device, references}.launch(c, codes, input_patterns_of(c)[0],
                                                         checked);
                EXPECT_TRUE(checked.right()) << name << group << checked.failure->what;
            }
        }
    }
}

}  // namespace
}  // namespace suites_test
}  // namespace parallax
