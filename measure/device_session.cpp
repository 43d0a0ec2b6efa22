// Verifies cases on a device in the background, and returns their outcomes.
#include "measure/device_session.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace parallax {

Ceiling DeviceSession::ceiling_of(const Case& c) const {
    const auto of = [&](ElementType type) {
        const auto found = ceilings.find(type);
        return found == ceilings.end() ? Ceiling{} : found->second;
    };
    Ceiling ceiling = of(c.type);
    if (!c.suite->manifest.empty() && !has_ceiling(c.type)) {
        ceiling.operations_per_second = of(ElementType::f32).operations_per_second;
    }
    return ceiling;
}

void DeviceSession::reopen(const Case& c, const std::string& reason) {
    const std::scoped_lock lock(in_use_);
    reopen_in_use(c, reason);
}

void DeviceSession::reopen_in_use(const Case& c, const std::string& reason) {
    handle_.reopen(watchdog_name(entry.info, c), reason);
}

DeviceSession::VerifiedCase DeviceSession::build_and_verify_case(
    const Case& c, const std::function<bool()>& is_worth_it) {
    const std::scoped_lock lock(in_use_);
    VerifiedCase made;
    made.outcome.the_case = c;
    if (!is_worth_it()) return made;
    if (handle_.is_lost()) {
        made.outcome.status = Status::failed;
        made.outcome.reason = fmt::format("{} ({}) could not be opened again after an error.",
                                          entry.info.id(), entry.info.name);
        return made;
    }
    made.outcome = build_and_verify(device(), c, ceiling_of(c), context_.config);
    if (made.outcome.status == Status::failed) {
        made.outcome.codes.clear();
        reopen_in_use(c, made.outcome.reason);
    }
    made.generation = generation();
    return made;
}

void DeviceSession::verify_ahead(const Case& c, const std::function<bool()>& is_worth_it) {
    if (!context_.config.pool) return;
    const std::scoped_lock lock(mutex_);
    if (std::ranges::find(asked_, c, &Asked::the_case) != asked_.end()) return;
    asked_.push_back({c, std::make_shared<Made::element_type>([this, c, is_worth_it] {
                          return build_and_verify_case(c, is_worth_it);
                      })});
    to_do_.push_back(asked_.back().made);
    if (is_checking_) return;
    is_checking_ = true;
    context_.config.pool->add([this] { check_next(); });
}

// One case per job, so that the pool can pause after each.
void DeviceSession::check_next() {
    Made next;
    {
        const std::scoped_lock lock(mutex_);
        is_checking_ = !to_do_.empty();
        if (!is_checking_) return;
        next = to_do_.front();
        to_do_.pop_front();
    }
    next->make();
    context_.config.pool->add([this] { check_next(); }, ThreadPool::TaskKind::device, true);
}

DeviceSession::VerifiedCase DeviceSession::verify(const Case& c,
                                                  const std::function<bool()>& is_worth_it) {
    Made made;
    {
        const std::scoped_lock lock(mutex_);
        const auto found = std::ranges::find(asked_, c, &Asked::the_case);
        if (found != asked_.end()) {
            made = found->made;
            asked_.erase(found);
        }
    }
    if (!made) return build_and_verify_case(c, is_worth_it);
    VerifiedCase found = made->get();
    // The background skipped it for lack of time; there may be time now.
    const Outcome& o = found.outcome;
    const bool was_left_out = o.status == Status::skipped && o.reason.empty();
    return was_left_out && is_worth_it() ? build_and_verify_case(c, is_worth_it) : found;
}

void DeviceSession::time(Outcome& o, double most_seconds,
                         const std::function<void(bool timing)>& quiet) {
    RunConfig config = context_.config;
    config.rule.most_seconds = std::min(config.rule.most_seconds, most_seconds);
    if (quiet) config.quiet = quiet;
    time_case(device(), config, o);
    if (o.status == Status::failed) reopen(o.the_case, o.reason);
}

void DeviceSession::fail(Outcome& o, const std::exception_ptr& thrown) {
    if (o.checked && !o.checked->right()) return status_from_verification(entry.info, o);
    status_from_exception(entry.info, o, thrown);
    o.codes.clear();
    reopen(o.the_case, o.reason);
}

void DeviceSession::renew(VerifiedCase& found) {
    if (found.outcome.status != Status::ok || found.generation == generation()) return;
    found = build_and_verify_case(found.outcome.the_case, [] { return true; });
}

}  // namespace parallax
