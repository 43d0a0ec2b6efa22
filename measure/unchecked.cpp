// Says what the checks of an outcome could not see.
#include <algorithm>
#include <iterator>
#include <variant>

#include <fmt/format.h>

#include "common/process/process_folders.hpp"
#include "measure/outcome.hpp"
#include "measure/timed_inputs.hpp"

namespace parallax {
namespace {

/// The number of arguments by value that are the same at all verified sizes.
std::size_t fixed_values(const Outcome& o) {
    const auto values_of = [&](const Shape& shape) {
        std::vector<Scalar> values;
        const Plan plan = plan_of(with_shape(o.the_case, shape));
        for (const Launch* launch : launches_of(plan)) {
            for (const LaunchArgument& argument : launch->arguments) {
                const auto* value = std::get_if<Scalar>(&argument);
                if (value) values.push_back(*value);
            }
        }
        return values;
    };
    const std::vector<Shape>& shapes = o.checked->shapes;
    const std::vector<Scalar> first = values_of(shapes.front());
    std::vector<bool> is_fixed(first.size(), true);
    for (const Shape& shape : shapes) {
        const std::vector<Scalar> others = values_of(shape);
        for (std::size_t i = 0; i < std::min(first.size(), others.size()); ++i) {
            if (!(first[i] == others[i])) is_fixed[i] = false;
        }
    }
    return static_cast<std::size_t>(std::ranges::count(is_fixed, true));
}

std::string unchanged_inputs(const Outcome& o) {
    if (o.the_case.suite->reference_name == expected_data)
        return "Other inputs: the expected data belong to one set of inputs.";
    if (!draws_again(o.the_case)) {
        return "Other inputs: the manifest fixes what the buffers hold. Let some be drawn, for "
               "example with \"fill\": \"random\".";
    }
    return o.checked->changed > 0
               ? ""
               : "Inputs that change between launches: no launch got others in the same buffers.";
}

/// The checks that only the device with sanitizers does, unless its trial has done them.
std::string unseen_on(const DeviceInfo& info, const Outcome& o) {
    std::string text =
        "Reads outside of buffers, races that the order of work-items hid, and local memory that "
        "is read before it is written";
    const bool was_tried = o.host_trial && o.host_trial->why_not.empty();
    if (was_tried) {
        text += fmt::format(", at sizes other than {}: host:1 tried that one.", o.host_trial->size);
    } else {
        text += fmt::format(": {} does not show them", info.id());
        text += o.host_trial ? fmt::format(", and on host:1 {}.", o.host_trial->why_not) : ".";
    }
    const std::string& manifest = o.the_case.suite->manifest;
    const std::string how = is_of_python_object(manifest)
                                ? "The device 'host:1'"
                                : fmt::format("'parallax run --check -d host:1 -s {}'", manifest);
    return fmt::format("{} {} {}.", text, how, was_tried ? "tries all" : "does");
}

}  // namespace

std::vector<std::string> unchecked_of(const Outcome& o, const DeviceInfo& info,
                                      const RunInfo& run) {
    const Suite& suite = *o.the_case.suite;
    std::vector<std::string> said;
    if (suite.manifest.empty() || !o.checked || !o.checked->right() || o.checked->shapes.empty())
        return said;
    if (std::string why = unchanged_inputs(o); !why.empty()) said.push_back(std::move(why));
    std::ranges::copy(o.checked->untold, std::back_inserter(said));
    if (suite.untried)
        std::ranges::move(suite.untried(o.the_case, o.checked->shapes), std::back_inserter(said));
    const bool is_seed_given = std::ranges::any_of(
        run.command, [](const std::string& word) { return word.starts_with("--seed"); });
    if (is_seed_given) {
        said.emplace_back(
            "Inputs that a kernel cannot know: their seed was given with --seed. "
            "Leave it out, and it is drawn.");
    }
    for (const auto& [size, why] : o.checked->too_slow)
        said.push_back(fmt::format("The size {}: {}", size, why));
    if (const std::size_t fixed = fixed_values(o); fixed > 0) {
        said.push_back(
            fmt::format("Other values of {} argument(s) that are passed by value: they "
                        "were the same in all launches.",
                        fixed));
    }
    if (is_agreement(o.checked->against)) {
        said.push_back(
            fmt::format("Whether the answers are right: they agree with {}. Give the "
                        "manifest a \"reference\".",
                        o.checked->against == "itself" ? "another launch of the kernel"
                                                       : "those of " + o.checked->against));
    }
    for (const BufferSpec& one : o.plan.buffers) {
        if (one.order != Order::race) continue;
        said.push_back(fmt::format(
            "The values in '{}': its order is a race, and only which are written is compared.",
            one.name));
    }
    const bool is_consumed = std::ranges::any_of(
        o.plan.buffers, [](const BufferSpec& one) { return is_changed(one.role); });
    if (o.timing && is_consumed) {
        said.emplace_back(
            "The answers of timed launches: each begins with what the launch before "
            "it left. Launches on restored inputs were compared.");
    }
    if (!o.timing) {
        said.push_back(
            fmt::format("Launches after the first {} of one build, and answers that it keeps: "
                        "nothing was timed.",
                        o.checked->trials));
    }
    if (!has_guard_zones())
        said.emplace_back("Writes outside of buffers: PARALLAX_GUARDS is none.");
    if (!info.has("sanitizers")) said.push_back(unseen_on(info, o));
    return said;
}

}  // namespace parallax
