// Makes inputs and right answers once, and keeps the last ones.
#include "measure/workload.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "common/error.hpp"
#include "common/profile.hpp"

namespace parallax {
namespace {

/// Everything that inputs and right answers depend on.
std::string key_of(const Case& c, const Filling& filling, std::uint64_t seed) {
    std::string key = fmt::format("{}/{} {} {} {} {}", c.suite->name, c.variant->problem,
                                  to_string(c.shape), name_of(c.type), filling.name, seed);
    for (const ConstantSpec& spec : c.suite->constants) {
        if (spec.changes_answer) key += fmt::format(" {}={}", spec.name, c[spec.name]);
    }
    return key;
}

}  // namespace

bool is_agreement(std::string_view against) {
    return !against.empty() && !against.starts_with("reference") && against != expected_data;
}

std::string agreement_remark(std::string_view what) {
    return fmt::format(
        "{} has no reference: answers were compared with another run's, which proves agreement, "
        "not truth.",
        what);
}

std::uint64_t Workload::bytes() const {
    std::uint64_t sum = 0;
    for (const HostArray& input : inputs) sum += input.bytes().size();
    for (const Expected& one : expected) {
        sum += one.magnitudes.size() * sizeof(double);
        sum += std::visit(
            [](const auto& values) -> std::uint64_t {
                if constexpr (requires { values.bytes(); }) {
                    return values.bytes().size();
                } else {
                    return values.size() * sizeof(values[0]);
                }
            },
            one.values);
    }
    return sum;
}

Workloads::Made Workloads::ordered(const Case& c, const Filling& filling, std::uint64_t seed,
                                   std::string_view device, bool& is_new) {
    std::string key = key_of(c, filling, seed);
    std::string against = c.suite->reference_name;
    if (!c.suite->reference) {
        if (!witnesses_) {
            throw Error(
                fmt::format("{} has no reference, and nobody answers for it.", c.suite->name));
        }
        against = witnesses_->name_for(c, device);
        key += fmt::format(" {} for {} of {}", against, device, c.variant->name);
    }
    const std::scoped_lock lock(mutex_);
    const auto found = std::ranges::find(entries_, key, &Entry::key);
    is_new = found == entries_.end();
    if (!is_new) {
        entries_.splice(entries_.begin(), entries_, found);
        return found->workload;
    }
    const auto make = [c, filling, seed, against, for_whom = std::string(device),
                       witnesses = witnesses_] {
        auto made = std::make_shared<Workload>();
        {
            const InPhase phase(Phase::inputs);
            made->inputs = c.suite->inputs(c, filling, seed);
        }
        const InPhase phase(Phase::references);
        made->expected = c.suite->reference ? c.suite->reference(c, made->inputs)
                                            : witnesses->answers(c, made->inputs, for_whom);
        // Who was asked first may have refused.
        made->against = c.suite->reference ? against : witnesses->name_for(c, for_whom);
        return std::shared_ptr<const Workload>(std::move(made));
    };
    entries_.push_front({key, std::make_shared<Made::element_type>(make), false});
    return entries_.front().workload;
}

// What is being made is not counted yet; it will be when the next one has been.
void Workloads::forget_oldest() {
    const std::scoped_lock lock(mutex_);
    std::uint64_t sum = 0;
    bool is_last_used = true;
    std::erase_if(entries_, [&](const Entry& entry) {
        const bool keep = std::exchange(is_last_used, false);
        if (!entry.was_used || !entry.workload->is_made()) return false;
        try {
            sum += entry.workload->get()->bytes();
        } catch (...) {
            return true;  // whoever asks again tries again
        }
        return !keep && sum > limit_;
    });
}

std::shared_ptr<const Workload> Workloads::get(const Case& c, const Filling& filling,
                                               std::uint64_t seed, std::string_view device) {
    bool is_new = false;
    const Made made = ordered(c, filling, seed, device, is_new);
    {
        const std::scoped_lock lock(mutex_);
        const auto entry = std::ranges::find(entries_, made, &Entry::workload);
        if (entry != entries_.end()) entry->was_used = true;
    }
    struct AtEnd {
        Workloads* workloads;
        ~AtEnd() { workloads->forget_oldest(); }
    } const at_end{this};
    return made->get();
}

void Workloads::ask(Crew& crew, const Case& c, const Filling& filling, std::uint64_t seed,
                    std::string_view device) {
    bool is_new = false;
    const Made made = ordered(c, filling, seed, device, is_new);
    // What somebody's command keeps busy is not known.
    const bool is_hosts = c.suite->reference && c.suite->reference_name != reference_command;
    const Crew::Load load = is_hosts ? Crew::Load::host : Crew::Load::device;
    if (is_new) crew.add([made] { made->make(); }, load);
}

}  // namespace parallax
