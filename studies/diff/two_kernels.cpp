// Checks that two kernels solve one problem, and finds devices for them.
#include "studies/diff/two_kernels.hpp"

#include <algorithm>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "common/error.hpp"
#include "common/suite/suite.hpp"
#include "measure/run_case.hpp"
#include "measure/verification.hpp"
#include "studies/diff/diff_verdicts.hpp"
#include "suites/manifest/manifest.hpp"

namespace parallax {
namespace {

Case smallest(const CasePick& pick) {
    const Suite& suite = *pick.suite;
    const std::vector<Shape>& shapes =
        suite.check_shapes.empty() ? shapes_of(suite, *pick.variant) : suite.check_shapes;
    return make_case(suite, *pick.variant, shapes.front(), default_type(suite, *pick.variant));
}

std::vector<BufferSpec> compared(const Plan& plan) {
    std::vector<BufferSpec> buffers = plan.buffers;
    std::erase_if(buffers, [](const BufferSpec& one) { return !is_compared(one.role); });
    return buffers;
}

std::string words_of(const std::vector<BufferSpec>& buffers) {
    std::vector<std::string> words;
    for (const BufferSpec& one : buffers) {
        words.push_back(fmt::format("'{}' ({} {})", one.name, one.elements, name_of(one.type)));
    }
    return fmt::format("{}", fmt::join(words, ", "));
}

/// The initialised buffers of a case with their contents, by name.
std::vector<std::pair<std::string, HostArray>> inputs_of(const Case& c) {
    std::vector<HostArray> values = c.suite->inputs(c, input_patterns_of(c)[1], 1);
    std::vector<std::pair<std::string, HostArray>> inputs;
    std::size_t next = 0;
    for (const BufferSpec& buffer : plan_of(c).buffers) {
        if (is_loaded(buffer.role)) inputs.emplace_back(buffer.name, std::move(values.at(next++)));
    }
    return inputs;
}

bool can_run(const Entry& entry, const CasePick& pick) {
    return missing_capability(entry.info, smallest(pick)).empty();
}

/// The entries for a kernel, those of that backend first.
std::vector<Entry> entries_for(const Devices& devices, const CasePick& pick,
                               std::string_view backend) {
    std::vector<Entry> found;
    for (const Entry& entry : devices.entries) {
        if (can_run(entry, pick)) found.push_back(entry);
    }
    std::ranges::stable_partition(found,
                                  [&](const Entry& one) { return one.info.backend == backend; });
    std::ranges::stable_partition(found, [](const Entry& one) { return !one.info.only_checks; });
    if (found.empty()) {
        throw NothingToCompare(
            fmt::format("No device runs {}/{}: it is written for {}. 'parallax devices' shows what "
                        "is here.",
                        pick.suite->name, pick.variant->name,
                        pick.variant->natives.empty() ? "OpenCL" : native_backends(*pick.variant)));
    }
    return found;
}

}  // namespace

std::string_view own_backend(const Variant& variant) {
    return variant.natives.empty() || native_source(variant, "opencl") ? "opencl" : "cuda";
}

bool are_of_recordings(const CasePick& a, const CasePick& b) {
    return a.suite != b.suite && is_captured(a.suite->manifest) && is_captured(b.suite->manifest);
}

void check_same_problem(const CasePick& a, const CasePick& b) {
    if (are_of_recordings(a, b)) {
        throw UsageError(fmt::format(
            "{0}/{1} and {2}/{3} are launches of two recordings, each with data of its own. "
            "'parallax diff {0} {2} --pair {1}={3}' compares them, and 'parallax explain {0}/{1} "
            "{2}/{3}' looks for the cause of a gap.",
            word_for(*a.suite), a.variant->name, word_for(*b.suite), b.variant->name));
    }
    if (a.suite != b.suite) {
        throw UsageError(
            fmt::format("{}/{} and {}/{} are of two suites, and kernels are compared within one: "
                        "with the same inputs and outputs. Put both into one manifest.",
                        a.suite->name, a.variant->name, b.suite->name, b.variant->name));
    }
    const Case of_a = smallest(a), of_b = with_kernel(of_a, *b.variant, {});
    const std::vector<BufferSpec> out_a = compared(plan_of(of_a)), out_b = compared(plan_of(of_b));
    if (out_a != out_b) {
        throw UsageError(fmt::format(
            "{0}/{1} and {0}/{2} do not give the same outputs: {3}, and {4}. Outputs of one name, "
            "type and size can be compared.",
            a.suite->name, a.variant->name, b.variant->name, words_of(out_a), words_of(out_b)));
    }
    const auto inputs_a = inputs_of(of_a), inputs_b = inputs_of(of_b);
    for (const auto& [name, values] : inputs_a) {
        const auto other = std::ranges::find(
            inputs_b, name, [](const auto& one) -> auto& { return one.first; });
        if (other == inputs_b.end()) continue;
        if (std::ranges::equal(values.bytes(), other->second.bytes())) continue;
        throw UsageError(
            fmt::format("{0}/{1} and {0}/{2} do not get the same '{3}'. Give it one type, size and "
                        "'fill' in both.",
                        a.suite->name, a.variant->name, b.variant->name, name));
    }
}

std::string_view recorded_backend(const Variant& variant) {
    return variant.for_cuda ? "cuda" : own_backend(variant);
}

std::pair<Entry, Entry> entries_for_kernels(const Devices& devices, const CasePick& a,
                                            const CasePick& b, bool are_recorded) {
    const auto backend = are_recorded ? recorded_backend : own_backend;
    const std::string_view on_a = backend(*a.variant), on_b = backend(*b.variant);
    const std::vector<Entry> of_a = entries_for(devices, a, on_a),
                             of_b = entries_for(devices, b, on_b);
    const bool is_one_api = on_a == on_b;
    const bool is_timed = !of_a.front().info.only_checks && !of_b.front().info.only_checks;
    for (const Entry& one : of_a) {
        for (const Entry& other : of_b) {
            const bool suits = is_one_api ? one.info.id() == other.info.id()
                                          : one.physical == other.physical &&
                                                one.info.backend != other.info.backend;
            const bool checks = one.info.only_checks || other.info.only_checks;
            if (suits && checks != is_timed) return {one, other};
        }
    }
    return {of_a.front(), of_b.front()};
}

}  // namespace parallax
