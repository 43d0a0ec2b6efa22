// Writes into memory that the watcher reads when this process has died.
#include "common/in_hand.hpp"

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

/// A thread's place at the desk, for as long as the thread lives.
struct Place {
    Hand* hand = nullptr;
    Place() {
        Desk* const desk = watched().desk;
        if (!desk) return;
        for (Hand& one : desk->hands) {
            if (one.taken.exchange(true)) continue;
            hand = &one;
            return;
        }
    }
    ~Place() {
        if (hand) hand->taken = false;
    }
    Place(const Place&) = delete;
    Place& operator=(const Place&) = delete;
};

/// Null: nobody watches, or there are more threads than places.
Hand* own_hand() {
    if (!watched().desk) return nullptr;
    thread_local Place place;
    return place.hand;
}

}  // namespace

Watched& watched() {
    static Watched one;
    return one;
}

InHand::InHand(std::string_view name, std::string_view doing, Hand::At at) : hand_(own_hand()) {
    if (!hand_) return;
    for (const Deadly& one : watched().deadly) {
        if (one.name == name.substr(0, name_.size() - 1)) throw DeviceError(one.reason);
    }
    at_ = hand_->at;
    name_ = hand_->name;
    doing_ = hand_->doing;
    write(hand_->name, name);
    write(hand_->doing, doing);
    ++hand_->turn;
    hand_->at = at;
}

InHand::~InHand() {
    if (!hand_) return;
    hand_->at = at_;
    hand_->name = name_;
    hand_->doing = doing_;
}

InLaunch::InLaunch() : hand_(own_hand()) {
    if (!hand_) return;
    at_ = hand_->at;
    ++hand_->turn;
    hand_->at = Hand::At::launch;
}

InLaunch::~InLaunch() {
    if (hand_) hand_->at = at_;
}

void tell_budget(double seconds) {
    if (Desk* const desk = watched().desk) desk->budget_seconds = seconds;
}

const Deadly* died_of(std::string_view name) {
    const auto& deadly = watched().deadly;
    const auto found = std::ranges::find_if(deadly, [&](const Deadly& one) {
        return one.name.starts_with(name) &&
               (one.name.size() == name.size() || one.name[name.size()] == ' ');
    });
    return found == deadly.end() ? nullptr : &*found;
}

void go_on_in_another_process(std::string_view name, std::string_view because) {
    Hand* const hand = own_hand();
    if (!hand || because.empty()) return;
    write(hand->name, name);
    write(hand->because, because);
    ::kill(::getpid(), SIGKILL);
}

}  // namespace parallax
