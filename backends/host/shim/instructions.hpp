// Instructions without a fast path in ptx.hpp, among them `ldmatrix`, whose layout is that of
// NVIDIA's "PTX ISA" 8.8.
#pragma once

#include "async_copy.hpp"

namespace parallax_host {

/// The number after a part of a name: 16 of `m16n8k16` after `m16n8k`; 0: the name has none.
inline unsigned number_behind(const char* name, const char* word) {
    for (; *name && *name != ' ' && *name != '\t'; ++name) {
        const char* at = name;
        unsigned i = 0;
        while (word[i] && *at == word[i]) ++i, ++at;
        if (!word[i]) return static_cast<unsigned>(number_at(at));
    }
    return 0;
}

/// Waits for all work-items of the warp, which exchange values. The launch ends if some never
/// arrive.
struct Gathered {
    unsigned char here[1024];
    void wait() {
        if (item() - lane() + 32 > items()) return stop();
        here[item()] = 1;
        machine.wait_for_warp(0xffffffffu);
        for (unsigned i = 0; i < 32; ++i) {
            if (!here[item() - lane() + i]) stop();
        }
    }
    /// Ends the exchange: the values were read.
    void part() {
        machine.wait_for_warp(0xffffffffu);
        here[item()] = 0;
    }

private:
    void stop() { machine.stop("a part of a warp does what all of it must do"); }
};
inline Gathered gathered{};

/// `ldmatrix.sync.aligned.m8n8.x4.shared.b16 {d x 4}, [row];`: 8 x 8 elements of 16 bits each. The
/// first eight work-items of the warp give the row addresses of the first matrix, and so on.
inline void load_matrices(const Call& call) {
    const unsigned count = call.what.count - 1, first = item() - lane();
    const bool is_turned = has(call.what.name, ".trans");
    if (count != number_behind(call.what.name, "m8n8.x") ||
        !call.what.is_grouped({{'{', count}, {'[', 1}}))
        return call.lacks();
    slots[item()] = call.number(count);
    gathered.wait();
    for (unsigned i = 0; i < count; ++i) {
        auto* const to = reinterpret_cast<char*>(call.result<unsigned>(i));
        for (unsigned h = 0; h < 2; ++h) {
            const unsigned two = lane() % 4 * 2 + h;
            const unsigned row = is_turned ? two : lane() / 4,
                           column = is_turned ? lane() / 4 : two;
            const auto place = static_cast<unsigned>(slots[first + i * 8 + row]);
            __builtin_memcpy(to + h * 2, shared_at(call.from, "reads", place, 16) + column * 2, 2);
        }
    }
    gathered.part();
}

/// Instructions without a fast path in ptx.hpp.
inline void choose(Instruction& one) {
    struct Known {
        const char* pattern;
        unsigned operands;
        void (*run)(const Call&);
    };
    constexpr unsigned any_count = 999;
    // The host has one memory, with one order for all work-items, and needs no prefetches.
    constexpr auto nothing = [](const Call&) {};
    static constexpr Known all[] = {
        {"cp.async.commit_group", 0, [](const Call&) { commit(); }},
        {"cp.async.wait_group", 1, [](const Call& call) { wait_for(call.number(0)); }},
        {"cp.async.wait_all", 0,
         [](const Call&) {
             commit();
             wait_for(0);
         }},
        {"cp.async.(ca|cg).shared[::cta].global[.L2::64B|.L2::128B|.L2::256B]", any_count,
         copy_late},
        {"ld.shared[::cta][.v2|.v4].(b|u|s|f)(8|16|32|64)", any_count, access_shared<false>},
        {"st.shared[::cta][.v2|.v4].(b|u|s|f)(8|16|32|64)", any_count, access_shared<true>},
        {"ldmatrix.sync.aligned.m8n8.(x1|x2|x4)[.trans].shared[::cta].b16", any_count,
         load_matrices},
        {"bar.warp.sync", 1,
         [](const Call& call) { machine.wait_for_warp(static_cast<unsigned>(call.number(0))); }},
        {"fence[.sc|.acq_rel|.acquire|.release](.cta|.cluster|.gpu|.sys)", 0, nothing},
        {"fence.proxy.tensormap::generic.release(.cta|.cluster|.gpu|.sys)", 0, nothing},
        {"membar.proxy(.alias|.async)", 0, nothing},
        {"fence.proxy(.alias|.async)[.global|.shared::cta|.shared::cluster]", 0, nothing},
        {"fence.mbarrier_init.release.cluster", 0, nothing},
        {"membar(.cta|.gl|.sys)", 0, nothing},
        {"prefetch[.global|.local](.L1|.L2|.L2::evict_last|.L2::evict_normal)", 1, nothing},
        {"prefetchu.L1", 1, nothing},
    };
    one.run = [](const Call& call) { call.lacks(); };
    if (!one.is_one) return;
    for (const Known& known : all) {
        if (fits(one.name, known.pattern) &&
            (known.operands == any_count || known.operands == one.count))
            one.run = known.run;
    }
}

}  // namespace parallax_host
