// Lists in what two sides of a case differ.
#include "studies/diff/same_kernel.hpp"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace parallax {
namespace {

std::string geometry_of(const Json& launches) {
    std::string text;
    for (const Json& launch : launches) {
        if (!text.empty()) text += "; ";
        const auto part = [&](const char* name) {
            const auto found = launch.find(name);
            return found == launch.end() ? std::string("?") : found->dump();
        };
        text += fmt::format("{} groups {} items {} local bytes {}",
                            launch.value("name", std::string("?")), part("groups"), part("items"),
                            part("local_bytes"));
    }
    return text.empty() ? "the runtime's own copy" : text;
}

/// The options of one side that the other has not, in their order.
std::string options_beyond(const std::vector<std::string>& mine,
                           const std::vector<std::string>& other) {
    std::vector<std::string> rest;
    for (const std::string& option : mine) {
        if (std::ranges::find(other, option) == other.end()) rest.push_back(option);
    }
    return fmt::format("{}", fmt::join(rest, " "));
}

}  // namespace

KernelAnswer same_kernel(const StoredRecord& a, const StoredRecord& b) {
    const bool two_backends = a.backend != b.backend;
    KernelAnswer answer;
    const auto look = [&](std::string what, const std::string& left, const std::string& right,
                          bool forbids) {
        if (left != right) {
            answer.differences.push_back({std::move(what), left, right, forbids});
        }
    };
    look("kernel file", a.file, b.file, two_backends);
    look("language", a.language, b.language, two_backends);
    look("kernel text", a.source_hash, b.source_hash, two_backends);
    look("edits of the text", a.edits, b.edits, two_backends);
    look("float rules", a.floats, b.floats, two_backends);
    if (!a.options.empty() && !b.options.empty()) {
        look("geometry", geometry_of(a.launches), geometry_of(b.launches), two_backends);
    }
    const auto work_of = [](const StoredRecord& record) {
        return fmt::format("{} bytes, {} operations", record.work.bytes, record.work.operations);
    };
    if (a.median > 0 && b.median > 0) {
        look("timer scope", a.scope, b.scope, true);
        look("work model", work_of(a), work_of(b), true);
    }
    if (!a.options.empty() && !b.options.empty()) {
        look("build options", options_beyond(a.options, b.options),
             options_beyond(b.options, a.options), false);
    }
    look("seed of the inputs", std::to_string(a.seed), std::to_string(b.seed), false);
    if (a.median > 0 && b.median > 0) {
        look("working set in the last-level cache", a.in_cache ? "yes" : "no",
             b.in_cache ? "yes" : "no", false);
    }
    answer.same = std::ranges::none_of(answer.differences, &Difference::forbids);
    return answer;
}

std::vector<std::string> never_equal(const StoredRecord& a, const StoredRecord& b) {
    if (a.backend == b.backend) return {};
    std::vector<std::string> list{
        fmt::format("Front ends: {}'s own compiler ({}) and {}'s ({}) read the kernel; the two "
                    "texts are one by the mapping table.",
                    a.backend, a.fact("compiler"), b.backend, b.fact("compiler")),
        fmt::format("Clocks: each side is timed by its own API's markers, with ticks of {} and {}.",
                    a.fact("timer tick"), b.fact("timer tick")),
        "Contexts: each side has its own; where both are on one card they share it by time slices, "
        "so one is drained before the other starts."};
    const bool cuda = a.backend == "cuda" || b.backend == "cuda";
    const bool opencl = a.backend == "opencl" || b.backend == "opencl";
    if (cuda && opencl) {
        list.emplace_back(
            "Machine code: CUDA's comes from NVRTC's own assembler, OpenCL's from the driver's.");
        list.emplace_back(
            "Queues: OpenCL's has profiling on, since its clock needs it; CUDA's stream has no "
            "such "
            "switch.");
    }
    return list;
}

std::vector<Difference> environment_differences(const Environment& a, const Environment& b) {
    std::vector<Difference> differences;
    const auto value_in = [](const Environment& in, const std::string& name) {
        const auto found =
            std::ranges::find(in.facts, name, [](const auto& fact) { return fact.first; });
        return found == in.facts.end() ? std::string("unknown") : found->second;
    };
    for (const auto& [name, value] : a.facts) {
        if (const std::string other = value_in(b, name); other != value) {
            differences.push_back({name, value, other, false});
        }
    }
    for (const auto& fact : b.facts) {
        const bool known = std::ranges::any_of(
            a.facts, [&](const auto& other) { return other.first == fact.first; });
        if (!known) differences.push_back({fact.first, "unknown", fact.second, false});
    }
    return differences;
}

}  // namespace parallax
