// Compares each access with the last ones to its word, by logical times.
#include "backends/host/races.hpp"

#include <algorithm>
#include <cstring>
#include <mutex>
#include <utility>

namespace parallax::host {
namespace {

constexpr unsigned lanes = 32;

/// The threads of all groups check buffers; a few locks serve them all.
std::mutex& lock_of(const Accesses* one) {
    static std::array<std::mutex, 256> all;
    return all[reinterpret_cast<std::uintptr_t>(one) / sizeof(Accesses) % all.size()];
}

}  // namespace

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
    index_ = group;
    group_ = launch.first_group + group;
    shared_ = std::move(shared);
    last_ = 0;
    barrier_ = ++launch.time;
    warps_.assign((items + lanes - 1) / lanes, {});
    items_.assign(items, 0);
    stored_.clear();
}

void GroupWatch::barrier() {
    barrier_ = ++launch_->time;
}

void GroupWatch::barrier_of_warp(unsigned which) {
    warps_[which].released = ++launch_->time;
}

void GroupWatch::atomic(unsigned item) {
    const std::uint32_t now = ++launch_->time;
    items_[item] = warps_[item / lanes].synced = now;
    launch_->synced[index_] = now;
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

/// Whether it belongs to this launch and, in local memory, to this group.
bool GroupWatch::is_here(const Access& one, bool is_local) const {
    return is_local ? one.group == group_ : one.group >= launch_->first_group;
}

/// Whether the work-item, or another of its warp for it, has used an atomic function since.
bool GroupWatch::has_synced(unsigned item, std::uint32_t since) const {
    const Warp& own = warps_[item / lanes];
    return items_[item] > since || (own.released > since && own.synced > since);
}

/// Whether an access happens before all further ones of the item.
bool GroupWatch::is_before(const Access& one, unsigned item, bool is_local) const {
    if (!is_here(one, is_local)) return true;
    if (one.group != group_) {
        const auto other = static_cast<std::size_t>(one.group - launch_->first_group);
        return launch_->synced[other] > one.time && launch_->synced[index_] > one.time;
    }
    if (one.item == item || one.time < barrier_) return true;
    if (one.item / lanes != item / lanes) {
        return has_synced(one.item, one.time) && has_synced(item, one.time);
    }
    return one.time < warps_[item / lanes].released ||
           (items_[one.item] > one.time && items_[item] > one.time);
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

/// What a store races with if it changes the value.
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
    if (load.has_groups && !is_local && launch_->synced[index_] == 0) {
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
