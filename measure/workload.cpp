// Makes inputs and right answers once, and keeps the last ones.
#include "measure/workload.hpp"

#include <algorithm>

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
    return !against.empty() && against != "reference" && against != "reference kernel" &&
           against != "expected data";
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

std::shared_ptr<const Workload> Workloads::get(const Case& c, const Filling& filling,
                                               std::uint64_t seed, std::string_view device) {
    std::string key = key_of(c, filling, seed);
    const Suite& suite = *c.suite;
    std::string against = suite.reference_name;
    if (!suite.reference) {
        if (!witnesses_) {
            throw Error(fmt::format("{} has no reference, and nobody answers for it.", suite.name));
        }
        against = witnesses_->name_for(c, device);
        key += fmt::format(" {} for {} of {}", against, device, c.variant->name);
    }
    const auto found = std::ranges::find(entries_, key, &Entry::key);
    if (found != entries_.end()) {
        entries_.splice(entries_.begin(), entries_, found);
        return entries_.front().workload;
    }
    auto made = std::make_shared<Workload>();
    {
        const InPhase phase(Phase::inputs);
        made->inputs = c.suite->inputs(c, filling, seed);
    }
    const InPhase phase(Phase::references);
    made->expected = suite.reference ? suite.reference(c, made->inputs)
                                     : witnesses_->answers(c, made->inputs, device);
    made->against = std::move(against);
    std::uint64_t sum = made->bytes();
    std::erase_if(entries_, [&](const Entry& entry) {
        sum += entry.workload->bytes();
        return sum > limit_;
    });
    entries_.push_front({key, made});
    return made;
}

}  // namespace parallax
