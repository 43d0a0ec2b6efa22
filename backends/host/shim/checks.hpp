// Detects what OpenCL leaves undefined and the translated source defines: the launch ends there.
// These functions run before the prelude's functions of the same name, with the same arguments.
#pragma once

namespace parallax_host {

#ifdef PARALLAX_SANITIZED
template <class T>
PARALLAX_UNWATCHED auto check_clamp(T, T low, T high)
    -> decltype(static_cast<void>(static_cast<bool>(low > high))) {
    if (low > high) machine.stop("clamp() with a lower bound above the upper one");
}
template <class T>
PARALLAX_UNWATCHED auto check_smoothstep(T low, T high, T)
    -> decltype(static_cast<void>(static_cast<bool>(low > high))) {
    if (low >= high) machine.stop("smoothstep() whose first edge is not below the second");
}

/// Collective copies of a work-group, in order, with the first work-item's arguments.
struct Copies {
    static constexpr unsigned most = 1024;
    unsigned group, known;
    unsigned made[1024];  ///< by each work-item
    unsigned long long given[most];

    PARALLAX_UNWATCHED void note(unsigned long long what) {
        if (group != seed) {
            group = seed;
            known = 0;
            __builtin_memset(made, 0, sizeof made);
        }
        const unsigned which = made[item()]++;
        if (which >= most) return;
        if (which == known) given[known++] = what;
        if (given[which] != what)
            machine.stop("an asynchronous copy whose arguments differ between work-items");
    }
};
inline Copies copies{};

template <class To, class From>
PARALLAX_UNWATCHED void check_async_work_group_strided_copy(To* to, From* from, size_t count,
                                                            size_t stride, int) {
    constexpr size_t mix = 6364136223846793005ull;
    copies.note(
        ((reinterpret_cast<size_t>(to) * mix + reinterpret_cast<size_t>(from)) * mix + count) *
            mix +
        stride);
}
template <class To, class From>
PARALLAX_UNWATCHED void check_async_work_group_copy(To* to, From* from, size_t count, int event) {
    check_async_work_group_strided_copy(to, from, count, 1, event);
}
#endif
// Vectors consist of scalars, which are checked.
template <class A, class B, class C>
void check_clamp(const A&, const B&, const C&) {}
template <class A, class B, class C>
void check_smoothstep(const A&, const B&, const C&) {}
#ifndef PARALLAX_SANITIZED
template <class... A>
void check_async_work_group_copy(const A&...) {}
template <class... A>
void check_async_work_group_strided_copy(const A&...) {}
#endif

template <class T>
bool has_24_bits(T x) {
    if constexpr (T(-1) < T(0)) return x >= -0x800000 && x <= 0x7fffff;
    return x <= T(0xffffff);
}

/// For two vectors of 32-bit integers.
template <class V>
PARALLAX_UNWATCHED V product_and_sum(V a, const V& b, const V& c) {
    unsigned x[sizeof(V) / 4], y[sizeof(V) / 4], z[sizeof(V) / 4];
    __builtin_memcpy(x, &a, sizeof(V));
    __builtin_memcpy(y, &b, sizeof(V));
    __builtin_memcpy(z, &c, sizeof(V));
    for (unsigned i = 0; i < sizeof(V) / 4; ++i) x[i] = x[i] * y[i] + z[i];
    __builtin_memcpy(&a, x, sizeof(V));
    return a;
}

}  // namespace parallax_host

// mul24() and mad24() of OpenCL. Vectors are not checked.
template <class A, class B>
PARALLAX_UNWATCHED auto parallax_mul24(A a, B b) {
    if constexpr (__is_class(A)) {
        return parallax_host::product_and_sum(a, b, A{});
    } else {
        if (!parallax_host::has_24_bits(a) || !parallax_host::has_24_bits(b))
            parallax_host::machine.stop("mul24() of a number that 24 bits do not hold");
        return a * b;
    }
}
template <class A, class B, class C>
PARALLAX_UNWATCHED auto parallax_mad24(A a, B b, C c) {
    if constexpr (__is_class(A)) {
        return parallax_host::product_and_sum(a, b, c);
    } else {
        return parallax_mul24(a, b) + c;
    }
}
