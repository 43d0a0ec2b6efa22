// Asynchronous copies of work-items into shared memory. They may run when issued, while the
// work-item waits, or as late as their wait. Instructions are those of NVIDIA's "PTX ISA" 8.8,
// "Asynchronous copy".
#pragma once

#include "instruction.hpp"

namespace parallax_host {

/// A copy that was issued.
struct Late {
    Late* next;
    unsigned group;  ///< of those that are waited for together
    char* to;
    const char* from;
    unsigned bytes, existing;  ///< the others are zeros
    void run() const {
        __builtin_memset(to, 0, bytes);
        if (existing > 0) __builtin_memcpy(to, from, existing);
    }
};

/// A work-item's copies, in the order of their issue.
struct Queue {
    Late* first;
    unsigned committed;  ///< number of `cp.async-group`s
    bool is_decided, is_late;
};

void some_go_on();
void forget_late();

/// For each work-item of the work-group; created at the first use.
struct Queues {
    Queue* all = nullptr;
    unsigned coins = 1;

    ~Queues() {
        forget();
        __builtin_free(all);
    }
    Queue& own() {
        if (!all) {
            all = static_cast<Queue*>(__builtin_calloc(1024, sizeof(Queue)));
            coins = seed;
            after_barrier = some_go_on;
            before_group = forget_late;
        }
        return all[item()];
    }
    bool coin() {
        coins = coins * 1664525u + 1013904223u;
        return coins >> 31;
    }
    /// Drops copies without a wait at the end of a work-group.
    void forget() {
        for (unsigned i = 0; all && i < 1024; ++i) {
            while (Late* const one = all[i].first) {
                all[i].first = one->next;
                __builtin_free(one);
            }
            all[i] = {};
        }
    }
};
inline Queues queues;

inline void forget_late() {
    queues.forget();
    queues.coins = seed;
}

/// Runs those for which `now` returns true, in order.
template <class F>
void run_late(Queue& queue, F now) {
    for (Late** place = &queue.first; *place;) {
        Late* const one = *place;
        if (now(*one)) {
            one->run();
            *place = one->next;
            __builtin_free(one);
        } else {
            place = &one->next;
        }
    }
}

/// Copies of one `cp.async-group` are all early or all late.
inline void issue(Queue& queue, Late* made) {
    if (!queue.is_decided) queue.is_late = queues.coin();
    queue.is_decided = true;
    made->next = nullptr;
    made->group = queue.committed;
    Late** place = &queue.first;
    while (*place) place = &(*place)->next;
    *place = made;
    if (!queue.is_late) run_late(queue, [&](const Late& one) { return &one == made; });
}

inline void commit() {
    Queue& queue = queues.own();
    ++queue.committed;
    queue.is_decided = false;
}

/// Waits for all except the last `left` `cp.async-group`s.
inline void wait_for(unsigned long long left) {
    Queue& queue = queues.own();
    run_late(queue, [&](const Late& one) { return one.group + left < queue.committed; });
}

/// While a work-item waits: runs the first of its copies, or none.
inline void some_go_on() {
    bool goes = queues.coin();
    run_late(queues.own(), [&](const Late&) {
        const bool now = goes;
        goes = false;
        return now;
    });
}

/// `cp.async.cg.shared.global [to], [from], bytes, existing;`
inline void copy_late(const Call& call) {
    const char* const name = call.what.name;
    if (!call.what.is_grouped({{'[', 1}, {'[', 1}, {0, 1}}) &&
        !call.what.is_grouped({{'[', 1}, {'[', 1}, {0, 1}, {0, 1}}))
        return call.lacks();
    const unsigned long long bytes = call.number(2);
    const unsigned long long existing = call.what.count > 3 ? call.number(3) : bytes;
    const bool is_known = has(name, ".cg.") ? bytes == 16 : bytes == 4 || bytes == 8 || bytes == 16;
    if (!is_known || existing > bytes) return call.lacks();
    const auto* const from = reinterpret_cast<const char*>(call.number(1));
    if (existing > 0 && call.number(1) % bytes != 0)
        machine.stop("it copies from a place that is not aligned");
    touch(call.from, "reads", from, existing);
    char* const to = shared_at(call.from, "writes", static_cast<unsigned>(call.number(0)), bytes);
    auto* const made = static_cast<Late*>(__builtin_malloc(sizeof(Late)));
    *made = {nullptr, 0, to, from, static_cast<unsigned>(bytes), static_cast<unsigned>(existing)};
    issue(queues.own(), made);
}

/// Bytes of the type at the end of a name: 8 for `ld.shared.v2.f64`.
inline unsigned bytes_of_type(const char* name) {
    unsigned bits = 0;
    for (; *name && *name != ' ' && *name != '\t'; ++name) {
        if (*name == '.') bits = 0;
        if (*name >= '0' && *name <= '9') bits = bits * 10 + (*name - '0');
    }
    return bits / 8;
}

/// `ld.shared.v2.f64 {a, b}, [place];` and similar ones; `st.shared` has the address first.
template <bool is_store>
void access_shared(const Call& call) {
    const unsigned first = is_store ? 1 : 0;
    const unsigned count = has(call.what.name, ".v2") ? 2 : has(call.what.name, ".v4") ? 4 : 1;
    const Group values{count > 1 ? '{' : char(0), count}, place{'[', 1};
    if (!call.what.is_grouped({is_store ? place : values, is_store ? values : place}))
        return call.lacks();
    const unsigned bytes = bytes_of_type(call.what.name);
    for (unsigned i = 0; i < count; ++i) {
        if (call.own(first + i).bytes != bytes) return call.lacks();
    }
    char* at = shared_at(call.from, is_store ? "writes" : "reads",
                         static_cast<unsigned>(call.number(is_store ? 0 : count)), count * bytes);
    for (unsigned i = 0; i < count; ++i, at += bytes) {
        void* const own = call.own(first + i).at;
        __builtin_memcpy(is_store ? at : own, is_store ? own : at, bytes);
    }
}

}  // namespace parallax_host
