// Lists in what two sides of a case differ.
#include "studies/diff/same_kernel.hpp"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "measure/run_case.hpp"

namespace parallax {
namespace {

/// @param named  whether the kernels' names count
std::string geometry_of(const std::vector<LaunchRecord>& launches, bool named) {
    const auto list = [](const Size& size) {
        return fmt::format("[{},{},{}]", size.x, size.y, size.z);
    };
    std::string text;
    for (const LaunchRecord& launch : launches) {
        if (!text.empty()) text += "; ";
        if (named) text += launch.name + ": ";
        text += fmt::format("{} work-groups of {}, {} bytes of local memory", list(launch.groups),
                            list(launch.items), launch.local_bytes);
    }
    return text.empty() ? "the runtime's own copy" : text;
}

/// The resources of each launch's kernel, as compilers and drivers report them.
std::string resources_of(const std::vector<LaunchRecord>& launches) {
    std::vector<std::string> words;
    for (const LaunchRecord& launch : launches) {
        if (!launch.resources) continue;
        const LaunchResources& has = *launch.resources;
        for (const auto& [name, value] : {std::pair{"registers", has.registers},
                                          {"spilled bytes", has.spill_bytes},
                                          {"private bytes", has.private_bytes},
                                          {"static local bytes", has.local_bytes},
                                          {"groups per compute unit", has.groups_per_unit}}) {
            if (value) words.push_back(fmt::format("{} {}", name, *value));
        }
    }
    return fmt::format("{}", fmt::join(words, ", "));
}

std::string words_of(const FloatRules& floats) {
    return fmt::format("contract {}, exact_division {}, flush_denormals {}, relaxed {}",
                       floats.contract, floats.exact_division, floats.flush_denormals,
                       floats.relaxed);
}

/// Empty: an older program did not keep it of one of them.
std::string values_of(const std::vector<LaunchRecord>& launches) {
    std::string text;
    for (const LaunchRecord& launch : launches) {
        if (launch.values_hash.empty()) return {};
        text += (text.empty() ? "" : " ") + launch.values_hash;
    }
    return text;
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

std::string known(const std::string& text) {
    return text.empty() ? "unknown" : text;
}

/// The constants that a record has and the other has not, where one of them was tuned.
Constants tuned_apart(const Record& record, const Record& other) {
    if (record.default_constants.empty() && other.default_constants.empty()) return {};
    return changed_constants(record.key.constants, other.key.constants);
}

std::string tick_of(const Record& record) {
    return fmt::format("{:.4g} us", 1e6 * record.where.timer_tick_seconds);
}

}  // namespace

KernelAnswer same_kernel(const Record& a, const Record& b) {
    const bool two_backends = a.where.backend != b.where.backend;
    const ProgramRecord &pa = a.program, &pb = b.program;
    // Where each side is requested at its best, the resulting differences are allowed.
    const Constants own_a = tuned_apart(a, b), own_b = tuned_apart(b, a);
    // Two kernels of one problem: all that differs is what is compared.
    const bool two_kernels = a.key.variant != b.key.variant || pa.is_separate || pb.is_separate;
    const bool apart = !own_a.empty() || !own_b.empty() || two_kernels;
    KernelAnswer answer;
    answer.two_kernels = two_kernels;
    const auto look = [&](std::string what, const std::string& left, const std::string& right,
                          bool forbids) {
        if (left != right) {
            answer.differences.push_back({std::move(what), left, right, forbids});
        }
    };
    look("constants", constants_text(own_a), constants_text(own_b), false);
    look("kernel file", pa.file, pb.file, two_backends && !two_kernels);
    look("language", pa.language, pb.language, two_backends && !two_kernels);
    if (!two_kernels) look("kernel source", pa.source_hash, pb.source_hash, two_backends && !two_kernels);
    look("edits of the text", fmt::format("{}", fmt::join(pa.edits, ", ")),
         fmt::format("{}", fmt::join(pb.edits, ", ")), two_backends && !two_kernels);
    const FloatChoice shipped{.as_shipped = true};
    const bool as_shipped =
        pa.floats == shipped.of(a.where.backend) && pb.floats == shipped.of(b.where.backend);
    look("float rules", words_of(pa.floats), words_of(pb.floats),
         two_backends && !two_kernels && !as_shipped);
    const auto was_built = [](const Record& r) { return !r.program.options.empty() || r.timing; };
    if (was_built(a) && was_built(b)) {
        look("launch configuration", geometry_of(a.launches, !two_kernels),
             geometry_of(b.launches, !two_kernels), two_backends && !apart);
    }
    const std::string values_a = values_of(a.launches), values_b = values_of(b.launches);
    if (!values_a.empty() && !values_b.empty() && !two_kernels) {
        look("values of the arguments, by their hashes", values_a, values_b, !apart);
    }
    const auto work_of = [](const Record& record) {
        return fmt::format("{} bytes, {} operations", record.work.bytes, record.work.operations);
    };
    if (a.timing && b.timing) {
        look("timer scope", a.timing->scope + ", " + a.timing->unit,
             b.timing->scope + ", " + b.timing->unit, true);
        look("work model", work_of(a), work_of(b), !two_kernels);
    }
    // Two backends never get the same text.
    if (!two_backends && !two_kernels && !pa.given_hash.empty() && !pb.given_hash.empty()) {
        look("text that the compiler got", pa.given_hash, pb.given_hash, false);
    }
    if (was_built(a) && was_built(b)) {
        look("build options", options_beyond(pa.options, pb.options),
             options_beyond(pb.options, pa.options), false);
    }
    if (two_kernels) look("resources", resources_of(a.launches), resources_of(b.launches), false);
    look("seed of the inputs", std::to_string(a.run.seed), std::to_string(b.run.seed), false);
    if (a.timing && b.timing) {
        look("working set in the last-level cache", a.timing->in_cache ? "yes" : "no",
             b.timing->in_cache ? "yes" : "no", false);
    }
    answer.same = !apart && std::ranges::none_of(answer.differences, &Difference::forbids);
    return answer;
}

std::vector<Difference> differences_within(const Records& records, const std::string& side) {
    std::vector<Difference> differences;
    for (const Record* record : records) {
        const Record& first = *records.front();
        std::vector<Difference> found = same_kernel(first, *record).differences;
        const DeviceRecord &there = first.where, &here = record->where;
        found.push_back({"device", there.name + " " + there.uuid, here.name + " " + here.uuid});
        found.push_back({"driver", there.driver, here.driver});
        found.push_back({"compiler", there.compiler, here.compiler});
        for (Difference& one : found) {
            // The same work on other numbers is the same work.
            if (one.a == one.b || one.what == "seed of the inputs") continue;
            one.what += fmt::format(" among the runs of {}", side);
            one.forbids = one.within_side = true;
            const bool known = std::ranges::any_of(
                differences, [&](const Difference& other) { return other.what == one.what; });
            if (!known) differences.push_back(std::move(one));
        }
    }
    return differences;
}

std::vector<std::string> never_equal(const Record& a, const Record& b) {
    if (a.where.backend == b.where.backend) return {};
    std::vector<std::string> list{
        fmt::format("Front ends: {}'s own compiler ({}) and {}'s ({}) read the sources.",
                    a.where.backend, known(a.where.compiler), b.where.backend,
                    known(b.where.compiler)),
        fmt::format("Clocks: each side is timed by its own API's markers, with ticks of {} and {}.",
                    tick_of(a), tick_of(b)),
        "Contexts: each side has its own; where both are on one card they share it by time slices, "
        "so one is drained before the other starts."};
    const bool cuda = a.where.backend == "cuda" || b.where.backend == "cuda";
    const bool opencl = a.where.backend == "opencl" || b.where.backend == "opencl";
    if (cuda && opencl) {
        list.emplace_back(
            "Machine code: CUDA's comes from NVRTC's own assembler, OpenCL's from the driver's.");
        list.emplace_back(
            "Queues: OpenCL's has profiling on, since its clock needs it; CUDA's stream has no "
            "such switch.");
    }
    return list;
}

std::vector<Difference> environment_differences(const Environment& a, const Environment& b) {
    std::vector<Difference> differences;
    // Variables have capitals; older records name none.
    const auto absent = [](const std::string& name) {
        return name.front() >= 'A' && name.front() <= 'Z' && name.find('_') != name.npos
                   ? "not set, or not recorded"
                   : "unknown";
    };
    const auto value_in = [&](const Environment& in, const std::string& name) {
        const auto found =
            std::ranges::find(in.facts, name, [](const auto& fact) { return fact.first; });
        return found == in.facts.end() ? std::string(absent(name)) : found->second;
    };
    for (const auto& [name, value] : a.facts) {
        if (const std::string other = value_in(b, name); other != value) {
            differences.push_back({name, value, other, false});
        }
    }
    for (const auto& fact : b.facts) {
        const bool known = std::ranges::any_of(
            a.facts, [&](const auto& other) { return other.first == fact.first; });
        if (!known) differences.push_back({fact.first, absent(fact.first), fact.second, false});
    }
    return differences;
}

}  // namespace parallax
