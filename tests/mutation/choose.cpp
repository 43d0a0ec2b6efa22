// Creates the mutants of all suites, and selects the cases that test each.
#include "tests/mutation/choose.hpp"

#include <algorithm>
#include <functional>
#include <numeric>
#include <optional>
#include <set>

#include "common/error.hpp"
#include "common/tests/portable_sources.hpp"
#include "measure/verification.hpp"
#include "suites/case_words.hpp"
#include "suites/planted.hpp"

namespace parallax {
namespace {

/// A timed shape with more elements is skipped: a CPU takes too long.
constexpr double most_elements = 1 << 23;

double elements_of(const Shape& shape) {
    return std::accumulate(shape.extents.begin(), shape.extents.end(), 1.0, std::multiplies());
}

Shape shape_for(const Suite& suite) {
    std::optional<Shape> largest;
    for (const Shape& shape : suite.shapes) {
        if (elements_of(shape) > most_elements) continue;
        if (!largest || elements_of(shape) > elements_of(*largest)) largest = shape;
    }
    return largest.value_or(suite.check_shapes.back());
}

/// Larger values make launches slow.
std::int64_t large_value_of(const ConstantSpec& constant) {
    return std::min<std::int64_t>(constant.most, 4096);
}

/// The smallest values, half and three quarters of the default (the latter is often no power of
/// two), and those for `tune`.
std::vector<std::int64_t> values_of(const ConstantSpec& constant) {
    std::vector<std::int64_t> values{constant.least, constant.least + 1, constant.least + 2,
                                     constant.value / 2, constant.value * 3 / 4};
    values.insert(values.end(), constant.tuning_values.begin(), constant.tuning_values.end());
    std::ranges::sort(values);
    const auto [same, end] = std::ranges::unique(values);
    values.erase(same, end);
    std::erase_if(values, [&](std::int64_t value) {
        return value == constant.value || value < constant.least || value > constant.most;
    });
    return values;
}

/// Whether one of the cases of its verification, also with other shapes, launches the kernel.
bool is_tried(const Case& c, const std::string& kernel) {
    return std::ranges::any_of(trials_of(c, false, false), [&](const VerificationTrial& trial) {
        const Plan plan = plan_of(trial.the_case);
        return std::ranges::any_of(launches_of(plan),
                                   [&](const Launch* launch) { return launch->kernel == kernel; });
    });
}

/// Whether it is the variant's native source for OpenCL only.
bool is_of_opencl(const Variant& variant, std::string_view file) {
    const NativeSource* const native = native_source(variant, "opencl");
    return native && native->source == file;
}

/// Whether the variant has the mutant's source, and the device can run it.
bool is_of(const Suite& suite, const Variant& variant, const Mutant& mutant,
           const DeviceInfo& info) {
    if (info.backend == "host" && is_of_opencl(variant, mutant.file)) return true;
    const NativeSource* native = native_source(variant, info.backend);
    if (!native && !variant.natives.empty()) return false;
    const std::string_view feature = feature_for(variant, info.backend);
    return (native ? native->source : portable_source(suite, variant)) == mutant.file &&
           (feature.empty() || info.has(feature));
}

/// The unmodified program that a backend builds. The host translates native OpenCL sources like
/// others.
Program program_for(const Case& c, const Mutant& mutant, std::string_view backend) {
    if (backend != "host" || !is_of_opencl(*c.variant, mutant.file)) return program_of(c, backend);
    Program program = program_of(c, "opencl");
    program.language = Language::portable;
    return program;
}

}  // namespace

std::vector<Tried> all_mutants() {
    std::vector<Tried> all;
    std::set<std::string> known;
    for (const Suite& suite : suites()) {
        const auto add = [&](const std::string& file) {
            if (!known.insert(file).second) return;
            for (Mutant& one : mutants_of(file, kernel_source(file)))
                all.push_back({suite.name, std::move(one)});
        };
        for (const std::string& file : portable_sources(suite)) add(file);
        for (const Variant& variant : suite.variants) {
            for (const NativeSource& native : variant.natives) {
                if (native.library.empty()) add(native.source);
            }
        }
    }
    return all;
}

std::vector<JudgedCase> judged_cases(const Suite& suite, const Mutant& mutant,
                                     const DeviceInfo& info) {
    const Shape shape = info.only_checks ? suite.check_shapes.back() : shape_for(suite);
    std::vector<JudgedCase> own, all;
    const auto add = [&](const Variant& variant, ElementType type,
                         const std::vector<Constant>& constants, const Shape& at) {
        try {
            Case c = make_case(suite, variant, at, type, constants);
            if (suite.refuse && !suite.refuse(c).empty()) return false;
            Program program = program_for(c, mutant, info.backend);
            (is_tried(c, mutant.function) ? own : all)
                .push_back({std::move(c), std::move(program)});
            return true;
        } catch (const UsageError&) {
            return false;  // the suite has no such case
        }
    };
    for (const Variant& variant : suite.variants) {
        if (!is_of(suite, variant, mutant, info)) continue;
        const std::vector<ElementType>& types = variant.types.empty() ? suite.types : variant.types;
        for (const ElementType type : types) add(variant, type, {}, shape);
        for (const ConstantSpec& constant : suite.constants) {
            for (std::size_t value = 0; value < constant.choices.size(); ++value) {
                add(variant, types.front(), {{constant.name, static_cast<std::int64_t>(value)}},
                    shape);
            }
            if (!constant.choices.empty()) continue;
            const auto add_values = [&](const std::vector<Constant>& values) {
                return add(variant, types.front(), values, suite.check_shapes.back());
            };
            for (const std::int64_t value : values_of(constant))
                add_values({{constant.name, value}});
            // The largest value may require larger work-groups: adds the largest one that the
            // default work-group size allows, and both at their largest.
            const ConstantSpec& first = suite.constants.front();
            const std::int64_t most = large_value_of(constant);
            std::int64_t large = most;
            while (large > constant.value && !add_values({{constant.name, large}})) large /= 2;
            if (large == most) continue;
            if (constant.name != first.name)
                add_values({{first.name, large_value_of(first)}, {constant.name, most}});
            // Or with all others as small as possible.
            std::vector<Constant> apart{{constant.name, most}};
            for (const ConstantSpec& other : suite.constants) {
                if (other.name != constant.name && other.choices.empty() && !other.follows)
                    apart.push_back({other.name, other.least});
            }
            add_values(apart);
        }
    }
    return own.empty() ? all : own;
}

}  // namespace parallax
