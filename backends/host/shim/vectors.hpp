// CUDA's vector types and their constructors.
#pragma once

#define PARALLAX_VECTORS(name, type, a2, a4)                        \
    struct name##1 {                                                \
        type x;                                                     \
    };                                                              \
    struct __align__(a2) name##2 {                                  \
        type x, y;                                                  \
    };                                                              \
    struct name##3 {                                                \
        type x, y, z;                                               \
    };                                                              \
    struct __align__(a4) name##4 {                                  \
        type x, y, z, w;                                            \
    };                                                              \
    inline name##1 make_##name##1(type x) {                         \
        return {x};                                                 \
    }                                                               \
    inline name##2 make_##name##2(type x, type y) {                 \
        return {x, y};                                              \
    }                                                               \
    inline name##3 make_##name##3(type x, type y, type z) {         \
        return {x, y, z};                                           \
    }                                                               \
    inline name##4 make_##name##4(type x, type y, type z, type w) { \
        return {x, y, z, w};                                        \
    }
#define PARALLAX_WIDE(name, type)                                           \
    struct __align__(16) name##4_16a {                                      \
        type x, y, z, w;                                                    \
    };                                                                      \
    struct __align__(32) name##4_32a {                                      \
        type x, y, z, w;                                                    \
    };                                                                      \
    inline name##4_16a make_##name##4_16a(type x, type y, type z, type w) { \
        return {x, y, z, w};                                                \
    }                                                                       \
    inline name##4_32a make_##name##4_32a(type x, type y, type z, type w) { \
        return {x, y, z, w};                                                \
    }

PARALLAX_VECTORS(char, signed char, 2, 4)
PARALLAX_VECTORS(uchar, unsigned char, 2, 4)
PARALLAX_VECTORS(short, short, 4, 8)
PARALLAX_VECTORS(ushort, unsigned short, 4, 8)
PARALLAX_VECTORS(int, int, 8, 16)
PARALLAX_VECTORS(uint, unsigned, 8, 16)
PARALLAX_VECTORS(long, long, 16, 16)
PARALLAX_VECTORS(ulong, unsigned long, 16, 16)
PARALLAX_VECTORS(longlong, long long, 16, 16)
PARALLAX_VECTORS(ulonglong, unsigned long long, 16, 16)
PARALLAX_VECTORS(float, float, 8, 16)
PARALLAX_VECTORS(double, double, 16, 16)
PARALLAX_WIDE(long, long)
PARALLAX_WIDE(ulong, unsigned long)
PARALLAX_WIDE(longlong, long long)
PARALLAX_WIDE(ulonglong, unsigned long long)
PARALLAX_WIDE(double, double)
