// The integer functions of the prelude. Narrow types are not promoted, unlike in C.
#include "mapping/prelude/prelude_functions.hpp"

namespace parallax {
namespace {

constexpr std::string_view integers = "cCsSiIlL";
constexpr std::string_view up_to_32 = "cCsSiI", narrow = "cCsS";

constexpr Family families[] = {
    {"unsigned_abs", integers, "u:v", "", "($u)(a < 1 ? ($u)(0) - ($u)(a) : ($u)(a))"},
    {"abs", integers, "u:v", integers, "", "unsigned_abs"},
    {"abs_diff", integers, "u:vv", "", "($u)(a < b ? ($u)(b) - ($u)(a) : ($u)(a) - ($u)(b))"},
    {"add_sat", up_to_32, "v:vv", "",
     "($t)(min(max((long long)a + (long long)b, (long long)$L), (long long)$H))"},
    {"sub_sat", up_to_32, "v:vv", "",
     "($t)(min(max((long long)a - (long long)b, (long long)$L), (long long)$H))"},
    {"add_sat", "l", "v:vv", "",
     R"({
    const long long sum = (long long)((unsigned long long)a + (unsigned long long)b);
    return ((a ^ sum) & (b ^ sum)) < 0 ? (a < 0 ? $L : $H) : sum;
})"},
    {"sub_sat", "l", "v:vv", "",
     R"({
    const long long rest = (long long)((unsigned long long)a - (unsigned long long)b);
    return ((a ^ b) & (a ^ rest)) < 0 ? (a < 0 ? $L : $H) : rest;
})"},
    {"add_sat", "L", "v:vv", "", "a + b < a ? $H : a + b"},
    {"sub_sat", "L", "v:vv", "", "a < b ? 0 : a - b"},
    {"hadd", integers, "v:vv", "", "($t)((a & b) + ((a ^ b) >> 1))"},
    {"rhadd", integers, "v:vv", "", "($t)((a | b) - ((a ^ b) >> 1))"},
    {"clz", up_to_32, "v:v", "", "($t)(__clz((int)($u)(a)) - (32 - $b))"},
    {"clz", "lL", "v:v", "", "($t)(__clzll((long long)a))"},
    {"ctz", up_to_32, "v:v", "", "($t)(a == 0 ? $b : __ffs((int)($u)(a)) - 1)"},
    {"ctz", "lL", "v:v", "", "($t)(a == 0 ? 64 : __ffsll((long long)a) - 1)"},
    {"popcount", up_to_32, "v:v", "", "($t)(__popc(($u)(a)))"},
    {"popcount", "lL", "v:v", "", "($t)(__popcll(($u)(a)))"},
    {"mul_hi", narrow, "v:vv", "", "($t)(($w)a * ($w)b >> $b)"},
    {"mul_hi", "i", "v:vv", "", "__mulhi(a, b)"},
    {"mul_hi", "I", "v:vv", "", "__umulhi(a, b)"},
    {"mul_hi", "l", "v:vv", "", "__mul64hi(a, b)"},
    {"mul_hi", "L", "v:vv", "", "__umul64hi(a, b)"},
    {"mad_hi", integers, "v:vvv", "", "($t)(($u)(mul_hi(a, b)) + ($u)(c))"},
    {"mad_sat", "csi", "v:vvv", "",
     "($t)(min(max((long long)a * b + c, (long long)$L), (long long)$H))"},
    {"mad_sat", "CSI", "v:vvv", "",
     "($t)(min((unsigned long long)a * b + c, (unsigned long long)$H))"},
    {"mad_sat", "l", "v:vvv", "",
     R"({
    const unsigned long long product = (unsigned long long)a * (unsigned long long)b;
    const unsigned long long low = product + (unsigned long long)c;
    const long long high = __mul64hi(a, b) + (c >> 63) + (low < product ? 1 : 0);
    if (high == ((long long)low >> 63)) return (long long)low;
    return high < 0 ? $L : $H;
})"},
    {"mad_sat", "L", "v:vvv", "", "__umul64hi(a, b) != 0 || a * b + c < c ? $H : a * b + c"},
    {"rotate", integers, "v:vv", "",
     "($t)(($u)(a) << (($u)(b) & $m) | ($u)(a) >> ((0u - ($u)(b)) & $m))"},
    {"upsample", up_to_32, "w:vu", "", "($w)(($W)($u)(a) << $b | ($W)b)"},
    {"mul24", "iI", "v:vv", "", "($t)(($u)(a) * ($u)(b))"},
    {"mad24", "iI", "v:vvv", "", "($t)(($u)(a) * ($u)(b) + ($u)(c))"},
};

}  // namespace

std::span<const Family> integer_families() {
    return families;
}

}  // namespace parallax
