// Opens devices, and has cases checked on them ahead of their turn.
#include "measure/seat.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "common/error.hpp"
#include "common/in_hand.hpp"

namespace parallax {

Device& Seat::device() {
    if (!device_) device_ = entry.open();
    return *device_;
}

Ceiling Seat::ceiling_of(ElementType type) const {
    const auto found = ceilings.find(type);
    return found == ceilings.end() ? Ceiling{} : found->second;
}

void Seat::reopen(const Case& c, const std::string& reason) {
    const std::scoped_lock lock(in_use_);
    reopen_in_use(c, reason);
}

void Seat::reopen_in_use(const Case& c, const std::string& reason) {
    ++generation_;
    try {
        if (device_) setup_.context.workshop->forget(*device_);
        device_ = nullptr;
        device_ = entry.open_again();
    } catch (const Error& error) {
        go_on_in_another_process(name_in_hand(entry.info, c), reason);
        is_lost_ = true;
        trouble_ = error.what();
    }
}

Seat::Checked Seat::checked(const Case& c, const std::function<bool()>& is_worth_it) {
    const std::scoped_lock lock(in_use_);
    Checked made;
    made.outcome.the_case = c;
    if (!is_worth_it()) return made;
    if (is_lost_) {
        made.outcome.status = Status::failed;
        made.outcome.reason = fmt::format("{} ({}) could not be opened again after an error.",
                                          entry.info.id(), entry.info.name);
        return made;
    }
    made.outcome = check_case_on(device(), c, ceiling_of(c.type), setup_.context);
    if (made.outcome.status == Status::failed) {
        made.outcome.codes.clear();
        reopen_in_use(c, made.outcome.reason);
    }
    made.generation = generation_;
    return made;
}

void Seat::check_ahead(const Case& c, const std::function<bool()>& is_worth_it) {
    if (!setup_.context.crew) return;
    const std::scoped_lock lock(mutex_);
    if (std::ranges::find(asked_, c, &Asked::the_case) != asked_.end()) return;
    asked_.push_back({c, std::make_shared<Made::element_type>(
                             [this, c, is_worth_it] { return checked(c, is_worth_it); })});
    to_do_.push_back(asked_.back().made);
    if (is_checking_) return;
    is_checking_ = true;
    setup_.context.crew->add([this] { check_next(); });
}

// One case a job, so that the crew can rest after each.
void Seat::check_next() {
    Made next;
    {
        const std::scoped_lock lock(mutex_);
        is_checking_ = !to_do_.empty();
        if (!is_checking_) return;
        next = to_do_.front();
        to_do_.pop_front();
    }
    next->make();
    setup_.context.crew->add([this] { check_next(); }, Crew::Load::device, true);
}

Seat::Checked Seat::check(const Case& c, const std::function<bool()>& is_worth_it) {
    Made made;
    {
        const std::scoped_lock lock(mutex_);
        const auto found = std::ranges::find(asked_, c, &Asked::the_case);
        if (found != asked_.end()) {
            made = found->made;
            asked_.erase(found);
        }
    }
    return made ? made->get() : checked(c, is_worth_it);
}

void Seat::renew(Checked& found) {
    if (found.outcome.status != Status::ok || found.generation == generation_) return;
    found = checked(found.outcome.the_case, [] { return true; });
}

}  // namespace parallax
