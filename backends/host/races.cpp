// Compares each access with the last ones to its word, by logical times.
#include "backends/host/races.hpp"

#include <algorithm>
#include <cstring>
#include <mutex>
#include <utility>

namespace parallax::host {
namespace {

constexpr unsigned lanes = 32;

/// The threads of all work-groups check buffers; a few locks serve them all.
std::mutex& lock_of(const Accesses* one) {
    static std::array<std::mutex, 256> all;
    return all[reinterpret_cast<std::uintptr_t>(one) / sizeof(Accesses) % all.size()];
}

}  // namespace

void Clock::join(const Clock& other) {
    const auto join_all = [](auto& own, const auto& others) {
        for (std::size_t i = 0; i < own.size(); ++i) {
            if (others[i].whose != 0) own[i].raise(others[i].whose, others[i].time);
        }
    };
    join_all(groups_, other.groups_);
    join_all(items_, other.items_);
}

void Meetings::meet(std::span<const std::byte> at, Clock& own) {
    const auto first = reinterpret_cast<std::uintptr_t>(at.data());
    for (std::uintptr_t word = first / 4; word * 4 < first + at.size(); ++word) {
        const bool has_room = at_.size() < most || at_.contains(word);
        Clock& met = has_room ? at_[word] : other_;
        own.join(met);
        met.join(own);
    }
}

Shared::Shared(std::span<const std::byte> watched, std::byte* book, bool is_groups)
    : begin(watched.data()),
      end(begin + watched.size()),
      words(reinterpret_cast<Accesses*>(book)),
      parts(words + watched.size() / 4 + 1),
      has_parts(reinterpret_cast<bool*>(parts + 4 * (watched.size() / 4 + 1))),
      is_local(is_groups) {}

void GroupWatch::begin(LaunchOrder& launch, std::uint64_t group, unsigned items,
                       std::vector<Shared> shared) {
    launch_ = &launch;
    group_ = launch.first_group + group;
    shared_ = std::move(shared);
    last_ = 0;
    barrier_ = ++launch.time;
    warps_.assign((items + lanes - 1) / lanes, {});
    clock_ = {};
    clocks_.clear();
    clocks_.resize(items);
    meetings_.forget();
    has_synced_ = false;
    stored_.clear();
}

/// Work-items from `first` on up to `end` have met: each gets the knowledge of all of them.
void GroupWatch::share(unsigned first, unsigned end) {
    end = std::min(end, static_cast<unsigned>(clocks_.size()));
    Clock all = clock_;
    for (unsigned i = first; i < end; ++i) {
        if (clocks_[i]) all.join(*clocks_[i]);
    }
    if (first == 0 && end == clocks_.size()) {
        clock_ = all;
        for (auto& one : clocks_) one.reset();
        return;
    }
    for (unsigned i = first; i < end; ++i) clock_of(i) = all;
}

void GroupWatch::barrier() {
    barrier_ = ++launch_->time;
    share(0, static_cast<unsigned>(clocks_.size()));
    clock_.raise_group(group_, barrier_);
}

void GroupWatch::barrier_of_warp(unsigned which) {
    warps_[which].released = ++launch_->time;
    if (warps_[which].synced > barrier_) share(which * lanes, (which + 1) * lanes);
}

/// A work-item's `Clock`, which is the work-group's until it meets others.
Clock& GroupWatch::clock_of(unsigned item) {
    if (!clocks_[item]) clocks_[item] = std::make_unique<Clock>(clock_);
    return *clocks_[item];
}

void GroupWatch::atomic(unsigned item, std::span<const std::byte> at) {
    const std::uint32_t now = ++launch_->time;
    Warp& warp = warps_[item / lanes];
    warp.synced = now;
    Clock& own = clock_of(item);
    own.raise_item(group_, item, now);
    // Also passes on what others of the warp did before its last barrier.
    const unsigned first = item / lanes * lanes;
    for (unsigned i = 0; i < lanes && warp.released > barrier_; ++i)
        own.raise_item(group_, first + i, warp.released);
    const Shared* const where = shared_at(at.data(), at.size());
    if (where && where->is_local) return meetings_.meet(at, own);
    has_synced_ = true;
    launch_->meet(at, own);
}

/// Null: the address is not watched.
const Shared* GroupWatch::shared_at(const std::byte* at, std::size_t bytes) {
    for (std::size_t i = 0; i < shared_.size(); ++i) {
        const Shared& one = shared_[last_];
        if (at >= one.begin && at + bytes <= one.end) return &one;
        last_ = (last_ + 1) % shared_.size();
    }
    return nullptr;
}

/// Calls `look(accesses, first byte, bytes, whether to record it there, is_local)` for all records
/// of an access' bytes.
template <class F>
void GroupWatch::for_accesses(const std::byte* at, std::size_t bytes, F&& look) {
    const Shared* const one = shared_at(at, bytes);
    if (!one) return;
    const auto look_locked = [&](Accesses& kept, unsigned count, bool is_noted) {
        std::unique_lock<std::mutex> lock;
        if (!one->is_local) lock = std::unique_lock(lock_of(&kept));
        look(kept, at, count, is_noted, one->is_local);
    };
    for (const std::byte* const end = at + bytes; at < end;) {
        const auto offset = static_cast<std::size_t>(at - one->begin), word = offset / 4;
        const bool is_whole = offset % 4 == 0 && end - at >= 4;
        const unsigned count = is_whole ? 4 : 1;
        std::atomic_ref has_parts(one->has_parts[word]);
        if (!is_whole) has_parts = true;
        look_locked(one->words[word], count, is_whole);
        if (has_parts) {
            for (std::size_t i = 0; i < count; ++i, ++at)
                look_locked(one->parts[offset + i], 1, true);
        } else {
            at += count;
        }
    }
}

Access GroupWatch::access(unsigned item, const void* code) const {
    Access made;
    made.group = group_ & 0xffffffffffU;
    made.item = item & 0x3ffU;
    made.time = launch_->time.load(std::memory_order_relaxed);
    made.code = static_cast<std::uint32_t>(reinterpret_cast<std::uintptr_t>(code));
    return made;
}

/// Whether it belongs to this launch and, in local memory, to this work-group.
bool GroupWatch::is_here(const Access& one, bool is_local) const {
    return is_local ? one.group == group_ : one.group >= launch_->first_group;
}

/// Whether an access happens before all further ones of the work-item.
bool GroupWatch::is_before(const Access& one, unsigned item, bool is_local) const {
    if (!is_here(one, is_local)) return true;
    const auto other = static_cast<unsigned>(one.item);
    if (one.group == group_) {
        if (other == item || one.time < barrier_) return true;
        const bool is_of_warp = other / lanes == item / lanes;
        if (is_of_warp && one.time < warps_[item / lanes].released) return true;
    }
    return (clocks_[item] ? *clocks_[item] : clock_).is_after(one);
}

Race GroupWatch::race_of(const Access& earlier, bool was_store, const Access& now, bool is_store,
                         bool is_local) const {
    return {.earlier = earlier,
            .was_store = was_store,
            .is_store = is_store,
            .is_local = is_local,
            .is_of_group = earlier.group == group_,
            .first_group = launch_->first_group,
            .item = static_cast<unsigned>(now.item)};
}

/// Keeps the later of two loads, and that there are others.
void GroupWatch::note_load(Access& load, Access now, bool is_local) const {
    if (is_here(load, is_local)) {
        if (load.group != group_) {
            now.has_groups = 1;
        } else {
            const auto own = static_cast<unsigned>(now.item / lanes);
            now.has_groups = load.has_groups;
            const bool is_of_warp = load.item / lanes == own;
            if (load.time >= barrier_) now.has_warps = load.has_warps || !is_of_warp;
            if (is_of_warp && load.time >= std::max(barrier_, warps_[own].released))
                now.has_items = load.has_items || load.item != now.item;
        }
    }
    load = now;
}

std::optional<Race> GroupWatch::load(unsigned item, const std::byte* at, std::size_t bytes,
                                     const void* code) {
    std::optional<Race> found;
    if (!stored_.empty()) {
        // A struct copy is reported as a store and a load before it happens.
        const bool is_same = std::ranges::any_of(stored_, [&](const Stored& one) {
            return one.at < at + bytes && at < one.at + one.bytes;
        });
        if (is_old_ || is_same) found = settle();
        is_old_ = true;
    }
    const Access now = access(item, code);
    for_accesses(at, bytes,
                 [&](Accesses& last, const std::byte*, unsigned, bool is_noted, bool is_local) {
                     const bool matters = last.store.is_silent == 0 && last.store.is_equal == 0;
                     if (!found && matters && !is_before(last.store, item, is_local)) {
                         found = race_of(last.store, true, now, false, is_local);
                         found->bytes = bytes;
                     }
                     if (is_noted) note_load(last.load, now, is_local);
                 });
    return found;
}

/// The race of a store, if it changes the value.
std::optional<Race> GroupWatch::suspect(const Accesses& last, const Access& now,
                                        const Shared& where) const {
    const auto item = static_cast<unsigned>(now.item);
    const bool is_local = where.is_local;
    if (!where.takes_any_store && !is_before(last.store, item, is_local))
        return race_of(last.store, true, now, true, is_local);
    const Access& load = last.load;
    if (!is_here(load, is_local)) return {};
    Race found = race_of(load, false, now, true, is_local);
    if (!is_before(load, item, is_local)) return found;
    // The times of the other loads are not known: without an atomic function they are unordered.
    found.is_known = false;
    if (load.has_groups && !is_local && !has_synced_) {
        found.is_of_group = false;
        return found;
    }
    const Warp& own = warps_[item / lanes];
    if (load.group != group_ || load.time < barrier_ || own.synced > barrier_) return {};
    if (load.has_warps) return found;
    const bool is_of_warp = load.item / lanes == item / lanes;
    if (load.has_items && is_of_warp && load.time >= own.released) return found;
    return {};
}

bool GroupWatch::store(unsigned item, const std::byte* at, std::size_t bytes, const void* code) {
    const Shared* const where = shared_at(at, bytes);
    if (!where) return false;
    bool any = false;
    const Access now = access(item, code);
    for_accesses(
        at, bytes,
        [&](Accesses& last, const std::byte* first, unsigned count, bool is_noted, bool is_local) {
            stored_.push_back({is_noted ? &last : nullptr,
                               first,
                               now,
                               {},
                               count,
                               is_local,
                               suspect(last, now, *where)});
            Stored& made = stored_.back();
            std::memcpy(made.before.data(), first, count);
            if (made.suspected) made.suspected->bytes = bytes;
            any |= made.suspected.has_value();
        });
    is_old_ = false;
    return any;
}

std::optional<Race> GroupWatch::settle() {
    std::optional<Race> found;
    for (Stored& one : stored_) {
        const bool is_changed = std::memcmp(one.before.data(), one.at, one.bytes) != 0;
        if (is_changed && one.suspected && !found) found = one.suspected;
        if (!one.last) continue;
        std::unique_lock<std::mutex> lock;
        if (!one.is_local) lock = std::unique_lock(lock_of(one.last));
        Access& last = one.last->store;
        const auto item = static_cast<unsigned>(one.now.item);
        const bool is_own = last.group == group_ && last.item == item && last.time >= barrier_;
        one.now.is_silent = !is_changed && (!is_own || last.is_silent);
        if (is_changed || is_before(last, item, one.is_local)) {
            last = one.now;
        } else {
            last.is_equal = 1;
        }
    }
    stored_.clear();
    return found;
}

}  // namespace parallax::host
