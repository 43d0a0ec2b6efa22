// Replacements of the CUDA words that the prelude uses, for a host compiler.
#pragma once

#include <bit>
#include <cmath>
#include <cstddef>
#include <cstring>

namespace cuda_source {

using std::size_t;

inline int __float_as_int(float x) {
    return std::bit_cast<int>(x);
}
inline unsigned int __float_as_uint(float x) {
    return std::bit_cast<unsigned int>(x);
}
inline float __int_as_float(int x) {
    return std::bit_cast<float>(x);
}
inline float __uint_as_float(unsigned int x) {
    return std::bit_cast<float>(x);
}
inline long long __double_as_longlong(double x) {
    return std::bit_cast<long long>(x);
}
inline double __longlong_as_double(long long x) {
    return std::bit_cast<double>(x);
}

// Instructions of the device: tests search for their uses in the PTX instead.
float __int2float_rz(int);
float __int2float_ru(int);
float __int2float_rd(int);
float __uint2float_rz(unsigned int);
float __uint2float_ru(unsigned int);
float __uint2float_rd(unsigned int);
float __ll2float_rz(long long);
float __ll2float_ru(long long);
float __ll2float_rd(long long);
float __ull2float_rz(unsigned long long);
float __ull2float_ru(unsigned long long);
float __ull2float_rd(unsigned long long);
double __ll2double_rz(long long);
double __ll2double_ru(long long);
double __ll2double_rd(long long);
double __ull2double_rz(unsigned long long);
double __ull2double_ru(unsigned long long);
double __ull2double_rd(unsigned long long);
float __double2float_rz(double);
float __double2float_ru(double);
float __double2float_rd(double);

}  // namespace cuda_source
