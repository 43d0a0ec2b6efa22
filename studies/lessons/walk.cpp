// Finds steps and devices of a walk.
#include "studies/lessons/walk.hpp"

#include <algorithm>

namespace parallax {
namespace {

const WalkedStep* named(const std::vector<WalkedStep>& steps, std::string_view name) {
    const auto found = std::ranges::find(steps, name, &WalkedStep::name);
    return found == steps.end() ? nullptr : &*found;
}

}  // namespace

BrokenRun broken_run(const Record& record) {
    return {record.device, std::string(name_of(record.status)), record.reason};
}

const WalkedStep* WalkedLesson::step(std::string_view word) const {
    return named(steps, word);
}

const WalkedStep* WalkedLesson::exercise(std::string_view title) const {
    return named(exercises, title);
}

bool Walk::any_cpu() const {
    return std::ranges::any_of(devices, [](const WalkDevice& d) { return !d.is_gpu; });
}

bool Walk::only_cpus() const {
    return std::ranges::none_of(devices, &WalkDevice::is_gpu);
}

}  // namespace parallax
