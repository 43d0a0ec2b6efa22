// Computes inputs and references once, and caches the latest ones.
#include "measure/reference_data.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "common/error.hpp"
#include "common/profile.hpp"

namespace parallax {
namespace {

/// All that inputs and references depend on.
std::string key_of(const Case& c, const InputPattern& pattern, std::uint64_t seed) {
    std::string key = fmt::format("{}/{} {} {}", c.suite->name, c.variant->problem,
                                  to_string(c.shape), name_of(c.type));
    // Expected data are of one set of inputs, whatever the filling is called.
    if (c.suite->reference_name != expected_data) key += fmt::format(" {} {}", pattern.name, seed);
    for (const ConstantSpec& spec : c.suite->constants) {
        if (spec.changes_answer) key += fmt::format(" {}={}", spec.name, c[spec.name]);
    }
    return key;
}

}  // namespace

std::uint64_t ReferenceData::bytes() const {
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

ReferenceCache::Made ReferenceCache::ordered(const Case& c, const InputPattern& pattern,
                                             std::uint64_t seed, std::string_view device,
                                             bool& is_new) {
    std::string key = key_of(c, pattern, seed);
    std::string against = c.suite->reference_name;
    if (!c.suite->reference) {
        if (!reference_provider_) {
            throw Error(
                fmt::format("{} has no reference, and no device computes one.", c.suite->name));
        }
        against = reference_provider_->name_for(c, device);
        key += fmt::format(" {} for {} of {}", against, device, c.variant->name);
    }
    const std::scoped_lock lock(mutex_);
    const auto found = std::ranges::find(entries_, key, &Entry::key);
    is_new = found == entries_.end();
    if (!is_new) {
        entries_.splice(entries_.begin(), entries_, found);
        return found->reference_data;
    }
    const auto make = [c, pattern, seed, against, for_whom = std::string(device),
                       reference_provider = reference_provider_] {
        auto made = std::make_shared<ReferenceData>();
        {
            const InPhase phase(Phase::inputs);
            made->inputs = c.suite->inputs(c, pattern, seed);
        }
        const InPhase phase(Phase::references);
        made->expected = c.suite->reference
                             ? c.suite->reference(c, made->inputs)
                             : reference_provider->answers(c, made->inputs, for_whom);
        // The first provider may have refused.
        made->against = c.suite->reference ? against : reference_provider->name_for(c, for_whom);
        return std::shared_ptr<const ReferenceData>(std::move(made));
    };
    entries_.push_front({key, std::make_shared<Made::element_type>(make), false});
    return entries_.front().reference_data;
}

// Data in the making are not counted yet; they are after the next request.
void ReferenceCache::forget_oldest() {
    const std::scoped_lock lock(mutex_);
    std::uint64_t sum = 0;
    bool is_last_used = true;
    std::erase_if(entries_, [&](const Entry& entry) {
        const bool keep = std::exchange(is_last_used, false);
        if (!entry.was_used || !entry.reference_data->is_made()) return false;
        try {
            sum += entry.reference_data->get()->bytes();
        } catch (...) {
            return true;  // the next request tries again
        }
        return !keep && sum > limit_;
    });
}

std::shared_ptr<const ReferenceData> ReferenceCache::get(const Case& c, const InputPattern& pattern,
                                                         std::uint64_t seed,
                                                         std::string_view device) {
    bool is_new = false;
    const Made made = ordered(c, pattern, seed, device, is_new);
    {
        const std::scoped_lock lock(mutex_);
        const auto entry = std::ranges::find(entries_, made, &Entry::reference_data);
        if (entry != entries_.end()) entry->was_used = true;
    }
    struct AtEnd {
        ReferenceCache* references;
        ~AtEnd() { references->forget_oldest(); }
    } const at_end{this};
    return made->get();
}

void ReferenceCache::ask(ThreadPool& pool, const Case& c, const InputPattern& pattern,
                         std::uint64_t seed, std::string_view device) {
    bool is_new = false;
    const Made made = ordered(c, pattern, seed, device, is_new);
    // It is not known which resources a user's command uses.
    const bool is_hosts = c.suite->reference && c.suite->reference_name != reference_command;
    const ThreadPool::TaskKind load =
        is_hosts ? ThreadPool::TaskKind::host : ThreadPool::TaskKind::device;
    if (is_new) pool.add([made] { made->make(); }, load);
}

}  // namespace parallax
