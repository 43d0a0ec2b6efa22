// Writes the state of each thread into memory shared with the supervisor.
#include "common/process/watchdog.hpp"

#include <algorithm>
#include <csignal>
#include <cstring>

#include <unistd.h>

#include "common/error.hpp"

namespace parallax {
namespace {

template <std::size_t n>
void write(std::array<char, n>& room, std::string_view text) {
    const std::size_t size = std::min(text.size(), n - 1);
    std::memcpy(room.data(), text.data(), size);
    room[size] = '\0';
}

/// A thread's slot in the shared state, for as long as the thread lives.
struct Place {
    WatchSlot* slot = nullptr;
    Place() {
        WatchdogState* const state = supervision().state;
        if (!state) return;
        for (WatchSlot& one : state->slots) {
            if (one.taken.exchange(true)) continue;
            slot = &one;
            return;
        }
    }
    ~Place() {
        if (slot) slot->taken = false;
    }
    Place(const Place&) = delete;
    Place& operator=(const Place&) = delete;
};

/// Null: there is no supervisor, or more threads than slots.
WatchSlot* own_slot() {
    if (!supervision().state) return nullptr;
    thread_local Place place;
    return place.slot;
}

}  // namespace

Supervision& supervision() {
    static Supervision one;
    return one;
}

WatchdogScope::WatchdogScope(std::string_view name, std::string_view doing, WatchSlot::At at)
    : slot_(own_slot()) {
    if (!slot_) return;
    for (const FatalStep& one : supervision().deadly) {
        if (one.name == name.substr(0, name_.size() - 1)) throw DeviceError(one.reason);
    }
    at_ = slot_->at;
    name_ = slot_->name;
    doing_ = slot_->doing;
    write(slot_->name, name);
    write(slot_->doing, doing);
    ++slot_->steps;
    slot_->at = at;
}

WatchdogScope::~WatchdogScope() {
    if (!slot_) return;
    slot_->at = at_;
    slot_->name = name_;
    slot_->doing = doing_;
}

LaunchScope::LaunchScope() : slot_(own_slot()) {
    if (!slot_) return;
    at_ = slot_->at;
    ++slot_->steps;
    slot_->at = WatchSlot::At::launch;
}

LaunchScope::~LaunchScope() {
    if (slot_) slot_->at = at_;
}

void tell_budget(double seconds) {
    if (WatchdogState* const state = supervision().state) state->budget_seconds = seconds;
}

const FatalStep* died_of(std::string_view name) {
    const auto& deadly = supervision().deadly;
    const auto found = std::ranges::find_if(deadly, [&](const FatalStep& one) {
        return one.name.starts_with(name) &&
               (one.name.size() == name.size() || one.name[name.size()] == ' ');
    });
    return found == deadly.end() ? nullptr : &*found;
}

void go_on_in_another_process(std::string_view name, std::string_view because) {
    WatchSlot* const slot = own_slot();
    if (!slot || because.empty()) return;
    write(slot->name, name);
    write(slot->because, because);
    ::kill(::getpid(), SIGKILL);
}

}  // namespace parallax
