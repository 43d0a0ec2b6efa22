// Products of small matrices by one warp or four, as matrix units compute them. Shapes, layouts and
// descriptors are those of NVIDIA's "PTX ISA" 8.8: "ldmatrix", "mma", "wgmma.mma_async".
#pragma once

#include "late.hpp"

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

/// Waits for all items of the warp, which exchange values. The launch ends if some never arrive.
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
/// first eight items of the warp give the row addresses of the first matrix, and so on.
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

/// The type of a product's factors.
enum class Factor { half, brain, tf32, f64 };

template <Factor factor>
PARALLAX_UNIT double value_of(unsigned long long bits) {
    const auto low = static_cast<unsigned>(bits);
    if constexpr (factor == Factor::f64) return bits_of<double>(bits);
    if constexpr (factor == Factor::tf32) return bits_of<float>(low & 0xffffe000u);
    if constexpr (factor == Factor::brain) return bits_of<float>(low << 16);
    if ((low & 0x7c00) == 0x7c00) return float_of_half(static_cast<unsigned short>(low));
    // The exponent of a float counts from 2^-127, that of a half from 2^-15.
    return bits_of<float>((low & 0x7fff) << 13 | (low & 0x8000) << 16) * 0x1p112;
}

/// A register's part of a row: two halves, or one number.
template <Factor factor>
constexpr unsigned each = factor == Factor::half || factor == Factor::brain ? 2 : 1;

/// The factors of each item's warp; created at the first use.
struct Factors {
    using Own = double[12];
    Own* all = nullptr;
    ~Factors() { __builtin_free(all); }
    Own* of_warp() {
        if (!all) all = static_cast<Own*>(__builtin_calloc(1024, sizeof(Own)));
        return all + (item() - lane());
    }
};
inline Factors factors;

/// Doubles are rounded once, like the unit; products of other types are exact in a double.
template <Factor factor>
PARALLAX_UNIT double added(double sum, double a, double b) {
    if constexpr (factor == Factor::f64) return __builtin_fma(a, b, sum);
    return sum + a * b;
}

/// `mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {d x 4}, {a ...}, {b ...}, {c x 4};`: four
/// items hold one register each of a row, or of a column of b.
template <Factor factor, class Sum>
PARALLAX_UNIT void multiply_by_warp(const Call& call) {
    constexpr unsigned two = each<factor>;
    const unsigned k = call.what.size, of_b = k / (4 * two), of_a = 2 * of_b, own = lane();
    Factors::Own* const warp = factors.of_warp();
    for (unsigned i = 0; i < of_a + of_b; ++i) {
        const unsigned long long bits = call.number(4 + i);
        double* const to = &warp[own][i < of_a ? i * two : 8 + (i - of_a) * two];
        for (unsigned h = 0; h < two; ++h) to[h] = value_of<factor>(bits >> (16 * h));
    }
    gathered.wait();
    Sum sums[4];
    for (unsigned i = 0; i < 4; ++i) {
        const Factors::Own* const row = warp + own / 4 * 4;
        const Factors::Own* const column = warp + (own % 4 * 2 + i % 2) * 4;
        double sum = *call.result<Sum>(4 + of_a + of_b + i);
        for (unsigned x = 0; x < k; ++x) {
            const unsigned holder = x / two % 4, four = x / (4 * two), h = x % two;
            sum = added<factor>(sum, row[holder][(four * 2 + i / 2) * two + h],
                                column[holder][8 + four * two + h]);
        }
        sums[i] = static_cast<Sum>(sum);
    }
    gathered.part();
    for (unsigned i = 0; i < 4; ++i) *call.result<Sum>(i) = sums[i];
}

/// An item's sums of a product of four warps, with 64 rows and this many columns.
struct LateProduct : Late {
    unsigned columns, warp, lane;
    unsigned long long a, b;  ///< descriptors of rows in shared memory
    const void* from;
    float* sums[128];

    /// 32 bytes of a row; the order of 16-byte runs differs in each of eight rows.
    template <Factor factor>
    PARALLAX_UNIT void load(unsigned long long rows, unsigned row, double* to) const {
        const auto start = static_cast<unsigned>(rows & 0x3fff) << 4;
        const auto eight = static_cast<unsigned>(rows >> 32 & 0x3fff) << 4;
        // Descriptors have 18 address bits: enough for the end, where dynamic memory is.
        constexpr size_t told = 0x40000;
        const char* const first = size_t(&_end - &__bss_start) > told ? &_end - told : &__bss_start;
        const auto base = static_cast<unsigned>(reinterpret_cast<size_t>(first));
        for (unsigned run = 0; run < 2; ++run) {
            unsigned at = start + row / 8 * eight + row % 8 * 128 + run * 16;
            at ^= at >> 3 & 0x70;
            const char* const place =
                shared_at(from, "reads", base + ((at - base) & (told - 1)), 16);
            unsigned words[4];
            __builtin_memcpy(words, place, 16);
            for (const unsigned word : words) {
                for (unsigned h = 0; h < each<factor>; ++h)
                    *to++ = value_of<factor>(word >> (16 * h));
            }
        }
    }
    template <Factor factor>
    PARALLAX_UNIT static void run_product(Late& late) {
        const auto& own = static_cast<LateProduct&>(late);
        constexpr unsigned depth = 8 * each<factor>;
        double rows[2][depth], column[depth];
        for (unsigned h = 0; h < 2; ++h)
            own.load<factor>(own.a, own.warp * 16 + h * 8 + own.lane / 4, rows[h]);
        for (unsigned j = 0; j < own.columns / 4; ++j) {
            own.load<factor>(own.b, j / 2 * 8 + own.lane % 4 * 2 + j % 2, column);
            for (unsigned h = 0; h < 2; ++h) {
                float& to = *own.sums[j / 2 * 4 + h * 2 + j % 2];
                double sum = to;
                for (unsigned i = 0; i < depth; ++i)
                    sum = added<factor>(sum, rows[h][i], column[i]);
                to = static_cast<float>(sum);
            }
        }
    }
};

/// `wgmma.mma_async.sync.aligned.m64n256k16.f32.f16.f16 {d x 128}, a, b, 1, 1, 1, 0, 0;` with
/// factors in shared memory in the hardware's 128-byte swizzle.
template <Factor factor>
void multiply_by_warpgroup(const Call& call) {
    const unsigned sums = call.what.size / 2;
    // Checks the swizzle, and that eight rows begin at a multiple of 1024 bytes.
    const auto is_usual = [](unsigned long long rows) {
        return rows >> 62 == 1 && (rows >> 49 & 7) == 0;
    };
    bool is_plain = is_usual(call.number(sums)) && is_usual(call.number(sums + 1));
    for (unsigned i = sums + 2; i < call.what.count; ++i)
        is_plain = is_plain && call.number(i) == (i < sums + 5 ? 1 : 0);
    if (!is_plain) return call.lacks();
    if (items() % 128 != 0) return machine.stop("a part of four warps multiplies matrices");
    gathered.wait();
    gathered.part();
    for (unsigned i = 0; i < sums; ++i) call.result<float>(i);
    auto* const made = static_cast<LateProduct*>(__builtin_malloc(sizeof(LateProduct)));
    *static_cast<Late*>(made) = {nullptr, 0, LateProduct::run_product<factor>};
    made->columns = call.what.size;
    made->warp = item() / 32 % 4;
    made->lane = lane();
    made->a = call.number(sums);
    made->b = call.number(sums + 1);
    made->from = call.from;
    for (unsigned i = 0; i < sums; ++i) made->sums[i] = call.result<float>(i);
    issue(queues.own().products, made, true);
}

#ifdef PARALLAX_MULTIPLIES
inline void choose_product(Instruction& one) {
    const char* const name = one.name;
    struct Known {
        const char* pattern;
        Factor factor;
        void (*run)(const Call&);
    };
    static constexpr Known of_warps[] = {{"mma.sync.aligned.m16n8k(8|16).row.col.f32.f16.f16.f32",
                                          Factor::half, multiply_by_warp<Factor::half, float>},
                                         {"mma.sync.aligned.m16n8k(8|16).row.col.f32.bf16.bf16.f32",
                                          Factor::brain, multiply_by_warp<Factor::brain, float>},
                                         {"mma.sync.aligned.m16n8k(4|8).row.col.f32.tf32.tf32.f32",
                                          Factor::tf32, multiply_by_warp<Factor::tf32, float>},
                                         {"mma.sync.aligned.m16n8k(4|8).row.col.f64.f64.f64.f64",
                                          Factor::f64, multiply_by_warp<Factor::f64, double>}};
    for (const Known& known : of_warps) {
        if (!fits(name, known.pattern)) continue;
        const bool is_half = known.factor == Factor::half || known.factor == Factor::brain;
        one.size = number_behind(name, "m16n8k");
        const unsigned of_b = one.size / (is_half ? 8 : 4);
        if (one.is_grouped({{'{', 4}, {'{', 2 * of_b}, {'{', of_b}, {'{', 4}})) one.run = known.run;
    }
    static constexpr Known of_four[] = {
        {"k16.f32.f16.f16", Factor::half, multiply_by_warpgroup<Factor::half>},
        {"k16.f32.bf16.bf16", Factor::brain, multiply_by_warpgroup<Factor::brain>},
        {"k8.f32.tf32.tf32", Factor::tf32, multiply_by_warpgroup<Factor::tf32>}};
    const unsigned columns = number_behind(name, "wgmma.mma_async.sync.aligned.m64n");
    if (columns % 8 != 0 || columns == 0 || columns > 256) return;
    const char* behind = name;
    while (*behind != 'k' && *behind != ' ') ++behind;  // of `m64n128k16`
    for (const Known& known : of_four) {
        if (!fits(behind, known.pattern)) continue;
        one.size = columns;
        const Group sums{'{', columns / 2}, number{0, 1};
        const bool is_half = known.factor != Factor::tf32;
        if (is_half ? one.is_grouped({sums, number, number, number, number, number, number, number})
                    : one.is_grouped({sums, number, number, number, number, number}))
            one.run = known.run;
    }
}

#else
// Sources without products compile faster.
inline void choose_product(Instruction&) {}
#endif

/// Instructions without a fast path in ptx.hpp.
inline void choose(Instruction& one) {
    struct Known {
        const char* pattern;
        unsigned operands;
        void (*run)(const Call&);
    };
    constexpr unsigned any_count = 999;
    // The host has one memory, with one order for all items, and needs no prefetches.
    constexpr auto nothing = [](const Call&) {};
    static constexpr Known all[] = {
        {"cp.async.commit_group", 0, [](const Call&) { commit(queues.own().copies); }},
        {"cp.async.wait_group", 1,
         [](const Call& call) { wait_for(queues.own().copies, call.number(0)); }},
        {"cp.async.wait_all", 0,
         [](const Call&) {
             commit(queues.own().copies);
             wait_for(queues.own().copies, 0);
         }},
        {"cp.async.(ca|cg).shared[::cta].global[.L2::64B|.L2::128B|.L2::256B]", any_count,
         copy_late},
        {"ld.shared[::cta][.v2|.v4].(b|u|s|f)(8|16|32|64)", any_count, access_shared<false>},
        {"st.shared[::cta][.v2|.v4].(b|u|s|f)(8|16|32|64)", any_count, access_shared<true>},
        {"ldmatrix.sync.aligned.m8n8.(x1|x2|x4)[.trans].shared[::cta].b16", any_count,
         load_matrices},
        {"wgmma.commit_group.sync.aligned", 0, [](const Call&) { commit(queues.own().products); }},
        {"wgmma.wait_group.sync.aligned", 1,
         [](const Call& call) { wait_for(queues.own().products, call.number(0)); }},
        {"bar.warp.sync", 1,
         [](const Call& call) { machine.wait_for_warp(static_cast<unsigned>(call.number(0))); }},
        {"fence[.sc|.acq_rel|.acquire|.release](.cta|.cluster|.gpu|.sys)", 0, nothing},
        {"fence.proxy.tensormap::generic.release(.cta|.cluster|.gpu|.sys)", 0, nothing},
        {"membar.proxy(.alias|.async)", 0, nothing},
        {"fence.proxy(.alias|.async)[.global|.shared::cta|.shared::cluster]", 0, nothing},
        {"fence.mbarrier_init.release.cluster", 0, nothing},
        {"membar(.cta|.gl|.sys)", 0, nothing},
        {"wgmma.fence.sync.aligned", 0, nothing},
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
    choose_product(one);
}

}  // namespace parallax_host
