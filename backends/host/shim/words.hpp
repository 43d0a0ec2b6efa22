// CUDA's functions of a word's two or four parts, for sources that name one.
#pragma once

namespace parallax_host {

/// The word whose parts `make` computes of the parts of `words`.
template <class Part, class F, class... Words>
unsigned by_parts(F make, Words... words) {
    constexpr int bits = 8 * sizeof(Part);
    unsigned all = 0;
    for (int at = 0; at < 32; at += bits) {
        const auto made = static_cast<unsigned>(make(static_cast<Part>(words >> at)...));
        all |= (made & ((1u << bits) - 1)) << at;
    }
    return all;
}

template <class Part>
int limited(int x) {
    constexpr int low = Part(-1) < Part(0) ? -(1 << (8 * sizeof(Part) - 1)) : 0;
    constexpr int high = low < 0 ? -low - 1 : (1 << (8 * sizeof(Part))) - 1;
    return x < low ? low : x > high ? high : x;
}

/// The sum of the products of their bytes, or of halves of `a` and bytes of `b` from bit `from` on.
template <class A, class B>
unsigned sum_of_products(unsigned a, unsigned b, unsigned sum, int from = 0) {
    for (unsigned at = 0; at < 4 / sizeof(A); ++at) {
        sum += static_cast<unsigned>(static_cast<A>(a >> (8 * sizeof(A) * at)) *
                                     static_cast<B>(b >> (from + 8 * static_cast<int>(at))));
    }
    return sum;
}

template <class T>
T most_of(T a, T b, T c) {
    return max(max(a, b), c);
}
template <class T>
T least_of(T a, T b, T c) {
    return min(min(a, b), c);
}
template <class T>
T most_after_sum(T a, T b, T c) {
    return max(static_cast<T>(a + b), c);
}
template <class T>
T least_after_sum(T a, T b, T c) {
    return min(static_cast<T>(a + b), c);
}

}  // namespace parallax_host

/// For parts of type `Part`, whose values are ints `a` and `b`.
#define PARALLAX_PARTS(name, n, Type, made)                                                   \
    inline unsigned __v##name##n(unsigned x, unsigned y) {                                    \
        using Part [[maybe_unused]] = Type;                                                   \
        return parallax_host::by_parts<Type>([](int a, int b) -> int { return made; }, x, y); \
    }
#define PARALLAX_SIGNED(name, made)      \
    PARALLAX_PARTS(name, 2, short, made) \
    PARALLAX_PARTS(name, 4, signed char, made)
#define PARALLAX_UNSIGNED(name, made)             \
    PARALLAX_PARTS(name, 2, unsigned short, made) \
    PARALLAX_PARTS(name, 4, unsigned char, made)
PARALLAX_SIGNED(absdiffs, a < b ? b - a : a - b)
PARALLAX_UNSIGNED(absdiffu, a < b ? b - a : a - b)
PARALLAX_SIGNED(add, a + b)
PARALLAX_SIGNED(addss, parallax_host::limited<Part>(a + b))
PARALLAX_UNSIGNED(addus, parallax_host::limited<Part>(a + b))
PARALLAX_SIGNED(sub, a - b)
PARALLAX_SIGNED(subss, parallax_host::limited<Part>(a - b))
PARALLAX_UNSIGNED(subus, parallax_host::limited<Part>(a - b))
PARALLAX_SIGNED(avgs, (a + b + (a + b >= 0)) >> 1)
PARALLAX_UNSIGNED(avgu, (a + b + 1) >> 1)
PARALLAX_UNSIGNED(haddu, (a + b) >> 1)
PARALLAX_SIGNED(maxs, a < b ? b : a)
PARALLAX_UNSIGNED(maxu, a < b ? b : a)
PARALLAX_SIGNED(mins, b < a ? b : a)
PARALLAX_UNSIGNED(minu, b < a ? b : a)
#define PARALLAX_ORDER_OF_PARTS(name, op)      \
    PARALLAX_SIGNED(cmp##name##s, -(a op b))   \
    PARALLAX_UNSIGNED(cmp##name##u, -(a op b)) \
    PARALLAX_SIGNED(set##name##s, a op b)      \
    PARALLAX_UNSIGNED(set##name##u, a op b)
PARALLAX_ORDER_OF_PARTS(ge, >=)
PARALLAX_ORDER_OF_PARTS(gt, >)
PARALLAX_ORDER_OF_PARTS(le, <=)
PARALLAX_ORDER_OF_PARTS(lt, <)
PARALLAX_SIGNED(cmpeq, -(a == b))
PARALLAX_SIGNED(cmpne, -(a != b))
PARALLAX_SIGNED(seteq, a == b)
PARALLAX_SIGNED(setne, a != b)
#define PARALLAX_OF_ONE(n)                    \
    inline unsigned __vabs##n(unsigned a) {   \
        return __vabsdiffs##n(a, 0);          \
    }                                         \
    inline unsigned __vneg##n(unsigned a) {   \
        return __vsub##n(0, a);               \
    }                                         \
    inline unsigned __vnegss##n(unsigned a) { \
        return __vsubss##n(0, a);             \
    }                                         \
    inline unsigned __vabsss##n(unsigned a) { \
        return __vmaxs##n(a, __vnegss##n(a)); \
    }
PARALLAX_OF_ONE(2)
PARALLAX_OF_ONE(4)
#define PARALLAX_SUM_OF_PARTS(letter, n, Type)                                       \
    inline unsigned __vsad##letter##n(unsigned a, unsigned b) {                      \
        unsigned sum = 0;                                                            \
        const unsigned all = __vabsdiff##letter##n(a, b);                            \
        for (int at = 0; at < 32; at += 32 / n) sum += static_cast<Type>(all >> at); \
        return sum;                                                                  \
    }
PARALLAX_SUM_OF_PARTS(s, 2, unsigned short)
PARALLAX_SUM_OF_PARTS(s, 4, unsigned char)
PARALLAX_SUM_OF_PARTS(u, 2, unsigned short)
PARALLAX_SUM_OF_PARTS(u, 4, unsigned char)

// Of whole words and of parts, with `relu` not below 0.
#define PARALLAX_OF_THREE(name, of)                                                             \
    inline int name##_s32(int a, int b, int c) {                                                \
        return parallax_host::of<int>(a, b, c);                                                 \
    }                                                                                           \
    inline int name##_s32_relu(int a, int b, int c) {                                           \
        return max(parallax_host::of<int>(a, b, c), 0);                                         \
    }                                                                                           \
    inline unsigned name##_u32(unsigned a, unsigned b, unsigned c) {                            \
        return parallax_host::of<unsigned>(a, b, c);                                            \
    }                                                                                           \
    inline unsigned name##_s16x2(unsigned a, unsigned b, unsigned c) {                          \
        return parallax_host::by_parts<short>(parallax_host::of<short>, a, b, c);               \
    }                                                                                           \
    inline unsigned name##_s16x2_relu(unsigned a, unsigned b, unsigned c) {                     \
        return __vmaxs2(name##_s16x2(a, b, c), 0);                                              \
    }                                                                                           \
    inline unsigned name##_u16x2(unsigned a, unsigned b, unsigned c) {                          \
        return parallax_host::by_parts<unsigned short>(parallax_host::of<unsigned short>, a, b, \
                                                       c);                                      \
    }
PARALLAX_OF_THREE(__vimax3, most_of)
PARALLAX_OF_THREE(__vimin3, least_of)
PARALLAX_OF_THREE(__viaddmax, most_after_sum)
PARALLAX_OF_THREE(__viaddmin, least_after_sum)
#define PARALLAX_RELU(name)                                           \
    inline int __vi##name##_s32_relu(int a, int b) {                  \
        return max(name(a, b), 0);                                    \
    }                                                                 \
    inline unsigned __vi##name##_s16x2_relu(unsigned a, unsigned b) { \
        return __vmaxs2(__v##name##s2(a, b), 0);                      \
    }
PARALLAX_RELU(max)
PARALLAX_RELU(min)

#define PARALLAX_PRODUCTS(type, Half, Byte)                                                     \
    inline type __dp4a(type a, type b, type c) {                                                \
        return static_cast<type>(parallax_host::sum_of_products<Byte, Byte>(                    \
            static_cast<unsigned>(a), static_cast<unsigned>(b), static_cast<unsigned>(c)));     \
    }                                                                                           \
    inline type __dp2a_lo(type a, type b, type c) {                                             \
        return static_cast<type>(parallax_host::sum_of_products<Half, Byte>(                    \
            static_cast<unsigned>(a), static_cast<unsigned>(b), static_cast<unsigned>(c)));     \
    }                                                                                           \
    inline type __dp2a_hi(type a, type b, type c) {                                             \
        return static_cast<type>(parallax_host::sum_of_products<Half, Byte>(                    \
            static_cast<unsigned>(a), static_cast<unsigned>(b), static_cast<unsigned>(c), 16)); \
    }
PARALLAX_PRODUCTS(int, short, signed char)
PARALLAX_PRODUCTS(unsigned, unsigned short, unsigned char)
