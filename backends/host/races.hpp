// Detects data races: two unordered accesses of work-items to the same memory, one a store.
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <unordered_map>
#include <vector>

namespace parallax::host {

/// One access, or a summary of several.
struct Access {
    std::uint64_t group : 40 = 0;  ///< counted over all launches; 0: none
    std::uint64_t item : 10 = 0;
    /// Stores that did not change the value, and equal stores of several work-items: a load may
    /// come before or after them.
    std::uint64_t is_silent : 1 = 0, is_equal : 1 = 0;
    /// Loads by other work-items: of its warp, of its work-group, of the launch.
    std::uint64_t has_items : 1 = 0, has_warps : 1 = 0, has_groups : 1 = 0;
    std::uint32_t time = 0;
    std::uint32_t code = 0;  ///< the lower half of its code address
};

/// The last store to some bytes and the last loads of them.
struct Accesses {
    Access store, load;
};

/// Shared memory, with records of the accesses to it.
struct Shared {
    /// Zeroed bytes for watching this many bytes, also in several such parts.
    static constexpr std::size_t book_bytes(std::size_t watched) {
        return ((watched / 4 + 1) * (5 * sizeof(Accesses) + 1) + 63) / 64 * 64;
    }
    Shared(std::span<const std::byte> watched, std::byte* book, bool is_local);

    const std::byte *begin, *end;
    Accesses* words;               ///< for each four bytes from `begin` on
    Accesses* parts;               ///< for each byte that was accessed without its word
    bool* has_parts;               ///< for each four bytes: whether one was
    bool is_local;                 ///< of one work-group: accesses by earlier work-groups do not
                                   ///< count
    bool takes_any_store = false;  ///< WatchedMemory::takes_any_store()
};

/// Two unordered accesses, at least one of them a store that changes the value.
struct Race {
    Access earlier;
    bool was_store = false, is_store = false;
    bool is_known = true;  ///< false: `earlier` is one of several loads, another of which raced
    bool is_local = false;
    bool is_of_group = true;  ///< both are
    std::size_t bytes = 0;
    std::uint64_t first_group = 0;  ///< of the launch
    unsigned item = 0;              ///< of the later access
};

/// A vector clock: accesses up to these logical times happen before the work-item's next access.
/// Where several work-groups or work-items share an entry, an unordered access may count as
/// ordered, never the contrary.
class Clock {
public:
    /// All work-items of the work-group know of all others' accesses up to this time.
    void raise_group(std::uint64_t group, std::uint32_t time) {
        groups_[group % groups_.size()].raise(group, time);
    }
    void raise_item(std::uint64_t group, unsigned item, std::uint32_t time) {
        items_[at(group, item)].raise(name_of(group, item), time);
    }
    bool is_after(const Access& one) const {
        const auto item = static_cast<unsigned>(one.item);
        return groups_[one.group % groups_.size()].is_after(one.group, one.time) ||
               items_[at(one.group, item)].is_after(name_of(one.group, item), one.time);
    }
    void join(const Clock&);

private:
    /// The time of one work-group or work-item, or the latest of several.
    struct Entry {
        static constexpr std::uint64_t several = ~std::uint64_t{};
        std::uint64_t whose = 0;  ///< 0: none
        std::uint32_t time = 0;
        void raise(std::uint64_t who, std::uint32_t to) {
            whose = whose == 0 || whose == who ? who : several;
            time = std::max(time, to);
        }
        bool is_after(std::uint64_t who, std::uint32_t when) const {
            return (whose == who || whose == several) && time > when;
        }
    };
    static std::uint64_t name_of(std::uint64_t group, unsigned item) { return group << 10U | item; }
    std::size_t at(std::uint64_t group, unsigned item) const {
        return (name_of(group, item) * 0x9e3779b97f4a7c15U >> 40U) % items_.size();
    }

    std::array<Entry, 64> groups_{};
    std::array<Entry, 256> items_{};
};

/// Knowledge that atomic functions and volatile memory pass between work-items, by address.
class Meetings {
public:
    /// The work-item takes what others left there, and adds what it knows.
    void meet(std::span<const std::byte> at, Clock& own);
    void forget() { at_.clear(), other_ = {}; }

private:
    /// Further addresses share one `Clock` of 5 KB.
    static constexpr std::size_t most = 4096;
    std::unordered_map<std::uintptr_t, Clock> at_;  ///< for each four bytes
    Clock other_;
};

/// State that the work-groups of a launch share. Thread-safe.
struct LaunchOrder {
    /// @param first  number of the launch's first work-group
    explicit LaunchOrder(std::uint64_t first) : first_group(first) {}

    void meet(std::span<const std::byte> at, Clock& own) {
        const std::lock_guard lock(mutex);
        meetings.meet(at, own);
    }

    std::uint64_t first_group;
    std::atomic<std::uint32_t> time = 1;  ///< logical time of ordering events, all different

private:
    std::mutex mutex;
    Meetings meetings;  ///< in global memory
};

/// Watches the accesses of one work-group at a time. Two accesses are ordered by a barrier of the
/// work-group, by one of the warp for work-items of it, and by atomic functions or volatile memory
/// at one address that both work-items use in between, also transitively. (The second is assumed to
/// have read the first one's value: a race may be missed, but ordered accesses are never reported.)
class GroupWatch {
public:
    /// Starts a new work-group. @param group  in its launch, @param shared  the watched memory
    void begin(LaunchOrder&, std::uint64_t group, unsigned items, std::vector<Shared> shared);

    /// @param code  the code address of the access
    std::optional<Race> load(unsigned item, const std::byte* at, std::size_t bytes,
                             const void* code);
    /// The stored value is compared before the next access but one, or by settle().
    /// @returns whether it may be a race
    bool store(unsigned item, const std::byte* at, std::size_t bytes, const void* code);
    /// Must be called before another work-item continues, and before each store.
    std::optional<Race> settle();

    void barrier();
    void barrier_of_warp(unsigned warp);
    /// An atomic function, or an access to volatile memory.
    void atomic(unsigned item, std::span<const std::byte> at);

private:
    struct Stored {
        Accesses* last;  ///< where it is recorded; null: in the word's parts
        const std::byte* at;
        Access now;
        std::array<std::byte, 4> before;
        unsigned bytes;
        bool is_local;
        std::optional<Race> suspected;
    };
    struct Warp {
        std::uint32_t released = 0, synced = 0;
    };
    const Shared* shared_at(const std::byte* at, std::size_t bytes);
    template <class F>
    void for_accesses(const std::byte* at, std::size_t bytes, F&& look);
    Access access(unsigned item, const void* code) const;
    bool is_here(const Access&, bool is_local) const;
    Clock& clock_of(unsigned item);
    void share(unsigned first, unsigned end);
    bool is_before(const Access&, unsigned item, bool is_local) const;
    void note_load(Access& load, Access now, bool is_local) const;
    Race race_of(const Access& earlier, bool was_store, const Access& now, bool is_store,
                 bool is_local) const;
    std::optional<Race> suspect(const Accesses&, const Access& now, const Shared&) const;

    LaunchOrder* launch_ = nullptr;
    std::uint64_t group_ = 0;
    std::vector<Shared> shared_;
    std::size_t last_ = 0;  ///< of them, where the last access was
    std::uint32_t barrier_ = 0;
    std::vector<Warp> warps_;
    Clock clock_;                                 ///< of all work-items, as of the last barrier
    std::vector<std::unique_ptr<Clock>> clocks_;  ///< of a work-item since then; null: the
                                                  ///< work-group's
    Meetings meetings_;                           ///< in local memory
    bool has_synced_ = false;                     ///< by an atomic function in global memory
    std::vector<Stored> stored_;
    bool is_old_ = false;  ///< an access followed the store
};

}  // namespace parallax::host
