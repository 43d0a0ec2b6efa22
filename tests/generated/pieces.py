# Pieces of C++, each a function `$F` of one or two unsigned numbers with what it uses. `$A` to `$H` are names of the scope,
# `$0` to `$9` those of variables, `$a` to `$e` those of members: two letters are never one name within a piece, but each
# may be that of anything outside of it. `$n` is a number
# below 8, `$t` a type, `$M1` a macro.
PIECES = [piece.strip() for piece in r"""
struct $A { unsigned $a, $b; };
__device__ unsigned& $B($A& $0) { return $0.$b; }
__device__ unsigned $F(unsigned $1) { $A $2 = {$1, 3u}; $B($2) += $1; $B($2) *= 2u; return $2.$a ^ $2.$b; }
---
__device__ void $A(unsigned& $0, const unsigned& $1) { $0 += 1u; $0 *= $1; }
__device__ unsigned $F(unsigned $2, unsigned $3) { $A($2, $2); $A($3, $2); return $2 - $3; }
---
__device__ unsigned $A(const unsigned& $0, unsigned& $1) { $1 += 5u; return $0; }
__device__ unsigned $F(unsigned $2) { unsigned char $3 = (unsigned char)$2; const unsigned& $4 = $3; $3 += 9; unsigned $5 = $A($3, $2); return $4 * 31u + $5 + $3; }
---
struct $A { $t $a; unsigned char $b; };
__device__ $A $B($A $0) { $0.$a = ($t)($0.$a + 1); return $0; }
__device__ unsigned $F(unsigned $1) { $A $2 = {($t)($1 & 63u), 2}; const $A $3 = $B($2); $A $4[2] = {$2, $3}; $4[1].$b += 250; $4[0] = $4[1]; return (unsigned)$4[0].$a + $4[0].$b + sizeof($A); }
---
enum $A { $B = $n, $C, $D = 40 + $n };
__device__ unsigned $F(unsigned $0) { $A $1 = $0 & 1u ? $B : $C; switch ($1) { case $B: return $0 + $D; case $C: { unsigned $2 = $0 * $C; return $2; } default: return 0u; } }
---
enum class $A : unsigned char { $a = $n, $b = 200 };
__device__ unsigned $B($A $0) { return (unsigned)$0 + ($0 == $A::$b ? 7u : 1u); }
__device__ unsigned $F(unsigned $1) { return $B(($A)($1)) + $B($1 & 1u ? $A::$a : $A::$b) + sizeof($A); }
---
namespace $A { constexpr int $a = $n; namespace $B { constexpr int $a = 9; __device__ inline int $b(int $0) { return $0 + $a; } } __device__ inline int $b(int $0) { return $0 * 3 + $a + $B::$b($0); } }
__device__ unsigned $F(unsigned $1) { namespace $2 = $A::$B; const int $3 = (int)($1 & 15u); return (unsigned)($2::$b($3) + $A::$b($3) + $2::$a); }
---
namespace { constexpr unsigned $A = 11u; __device__ unsigned $B(unsigned $0) { return $0 + $A; } }
inline namespace $C { __device__ unsigned $D(unsigned $0) { return $B($0) * 2u; } }
__device__ unsigned $F(unsigned $1) { return $D($1) ^ $C::$D($A); }
---
namespace $A { __device__ unsigned $a(unsigned $0) { return $0 + 1u; } __device__ unsigned $a(int $0) { return (unsigned)$0 + 2u; } struct $b { unsigned $c; }; }
__device__ unsigned $F(unsigned $0) { using $A::$a; using $1 = $A::$b; $1 $2 = {$a($0)}; return $2.$c + $a((int)($0 & 7u)); }
---
namespace $A { __device__ unsigned $a(unsigned $0) { return $0 * 5u; } constexpr unsigned $b = 4u; }
__device__ unsigned $F(unsigned $1) { using namespace $A; return $A::$a($1) + $A::$b; }
---
__device__ unsigned $A(unsigned $0) { return $0 + 1u; }
__device__ unsigned $A(int $0) { return (unsigned)$0 * 2u; }
__device__ unsigned $A(bool $0) { return $0 ? 100u : 200u; }
__device__ unsigned $A(float $0) { return (unsigned)(int)$0 + 1000u; }
__device__ unsigned $A(unsigned char $0) { return $0 + 3000u; }
__device__ unsigned $A(char $0) { return (unsigned)$0 + 5000u; }
__device__ unsigned $F(unsigned $1) { unsigned char $2 = (unsigned char)$1; short $3 = 5; return $A($1) + $A($1 < 9u) + $A($2) + $A('a') + $A($2 + $2) + $A($3) + $A(1.0f) + $A(true) + $A(!$1) + $A($1 && $2); }
---
__device__ unsigned $A(const unsigned* $0) { return $0[1]; }
__device__ unsigned $A(unsigned* $0) { $0[0] += 7u; return $0[0]; }
__device__ unsigned $F(unsigned $1) { unsigned $2[3] = {$1, 2u, 3u}; const unsigned $3[2] = {$1, 8u}; return $A($2) + $A($3) + $2[0] + $A($2 + 1) + $2[1]; }
---
template <class $0> __device__ unsigned $A($0 $1) { return 1u + (unsigned)sizeof($1); }
__device__ unsigned $A(unsigned $1) { return $1; }
template <> __device__ unsigned $A<short>(short $1) { return 77u + (unsigned)$1; }
__device__ unsigned $F(unsigned $2) { return $A($2) + $A<unsigned>($2) + $A((short)3) + $A($2 > 3u) + $A('x') + $A(1.5f) + $A((unsigned char)$2) + $A(0ll); }
---
template <int $0> struct $A { static constexpr int $a = $0 + $A<$0 - 1>::$a; };
template <> struct $A<0> { static constexpr int $a = $n; };
__device__ unsigned $F(unsigned $1) { return $1 + $A<5>::$a - $A<2>::$a; }
---
template <class $0, unsigned $1 = $nu> struct $A { $0 $a[3]; __device__ static $0 $b($0 $2) { return ($0)($2 + $1); } enum { $c = $1 * 2 }; typedef $0 $d; };
__device__ unsigned $F(unsigned $3) { $A<$t> $4 = {{1, 2, 3}}; $A<$t, 5>::$d $5 = $A<$t, 5>::$b($4.$a[1]); return $3 + (unsigned)$5 + $A<unsigned>::$c + (unsigned)$A<$t>::$b(2) + sizeof($A<short>); }
---
template <class $0> constexpr unsigned $A = sizeof($0) + $nu;
template <> constexpr unsigned $A<short> = 50u;
__device__ unsigned $F(unsigned $1) { return $1 * $A<int> + $A<short> + $A<unsigned char>; }
---
template <class $0> struct $A { unsigned $a; $0 $b; };
template <class $0> __device__ unsigned $B(const $A<$0>& $1) { return $1.$a + (unsigned)$1.$b; }
template <class $0> using $C = $A<$0>;
__device__ unsigned $F(unsigned $2) { $A<short> $3 = {$2, 4}; $C<unsigned char> $4 = {$2 + 1u, 5}; return $B($3) * 3u + $B($4) + $B($A<int>{1u, 2}); }
---
template <bool $0> struct $A { typedef unsigned $a; };
template <> struct $A<false> { typedef unsigned char $a; };
__device__ unsigned $F(unsigned $1) { typename $A<(sizeof(short) > 1)>::$a $2 = $1; $A<(3 < 2)>::$a $3 = ($A<false>::$a)$1; return $2 + $3; }
---
template <class $0, class $1> struct $A { static constexpr bool $a = false; };
template <class $0> struct $A<$0, $0> { static constexpr bool $a = true; };
template <class $0> __device__ unsigned $B($0 $2) { if constexpr ($A<$0, unsigned>::$a) { return (unsigned)$2 + 1u; } else if constexpr (sizeof($0) == 2) { return 2u; } else { return (unsigned)$2 + 3u; } }
__device__ unsigned $F(unsigned $3) { return $B($3) + $B((short)9) + $B(7) + $B('c'); }
---
constexpr int $A(int $0) { return $0 < 3 ? $0 : $0 * 2; }
__device__ unsigned $F(unsigned $1) { unsigned $2[$A(4)] = {$1, $1 + 1u}; constexpr int $3 = $A(2) + 1; return $2[1] + $2[7] + sizeof($2) + $3; }
---
__device__ unsigned $A(unsigned $0, unsigned $1 = $nu, int $2 = -3) { return $0 * 7u + $1 + (unsigned)$2; }
__device__ unsigned $F(unsigned $3) { unsigned $4 = 2u; { unsigned $5 = $4++; $4 += $A($5); } return $A($3) + $A($3, $4) + $A($3, $4, 9); }
---
constexpr unsigned $A = 6u;
__device__ unsigned $B(unsigned $0, unsigned $1 = $A + 1u) { return $0 - $1; }
__device__ unsigned $F(unsigned $2) { unsigned $A = $2 * 2u; return $B($A) + $A; }
---
constexpr unsigned $A = 6u;
struct $B { static constexpr unsigned $A = 8u; __device__ static unsigned $a(unsigned $0 = $A) { return $0 + $A; } };
__device__ unsigned $F(unsigned $A) { return $B::$a() + $B::$a($A) + $A * $B::$A; }
---
struct $A { unsigned $a; struct $b { unsigned $a; static constexpr int $c = $n; }; $b $d; };
__device__ unsigned $F(unsigned $0) { $A::$b $1 = {$0 + 1u}; $A $2 = {$0, $1}; auto& $3 = $2.$d; $3.$a += $A::$b::$c; $A $4 = $2; ++$4.$a; return $2.$d.$a * $2.$a + $4.$a; }
---
struct $A { unsigned $a[2][2]; };
__constant__ unsigned $B[2][2] = {{1u, $nu}, {3u, 4u}};
__device__ unsigned $C(const unsigned $0[2], unsigned $1) { return $0[$1 & 1u]; }
__device__ unsigned $F(unsigned $2) { $A $3 = {{{$2, 1u}, {2u, $2}}}; $3.$a[1][0] += $B[$2 & 1u][1]; return $3.$a[1][0] + $C($3.$a[0], $2) + $C($B[1], $2); }
---
struct $A { unsigned $a; short $b; };
__constant__ $A $B[2] = {{5u, -1}, {$nu, 2}};
__device__ const $A $C = {3u, 4};
__device__ unsigned $D(const $A& $0) { return $0.$a + (unsigned)$0.$b; }
__device__ unsigned $F(unsigned $1) { return $D($B[$1 & 1u]) * 3u + $D($C) + $B[0].$a; }
---
__device__ unsigned $F(unsigned $0) { unsigned $1[4] = {$0, 1u}; unsigned* $2 = $1 + 1; *$2++ += 4u; *$2 = $2[-1] * 2u; const unsigned* const $3 = &$1[2]; return *$3 + (unsigned)($2 - $1) + *($1 + 1); }
---
__device__ unsigned $F(unsigned $0) { unsigned $1 = 0u; for (int $2 = 0, $3 = 9; $2 < $3; ++$2, --$3) { if ($2 == 2) continue; unsigned $0 = $1 + (unsigned)$3; $1 += $0; { unsigned $2 = $0 * 3u; $1 ^= $2; } } do { $1 += 2u; } while ($1 & 1u && $1 < 100u); return $1 + $0; }
---
__device__ unsigned $F(unsigned $0) { unsigned $1 = $0; switch ($0 & 3u) { case 0: $1 += 1u; [[fallthrough]]; case 1: { unsigned $0 = 5u; $1 *= $0; break; } case 2: $1 = ~$1; default: $1 -= 3u; } return $1; }
---
__device__ unsigned $F(unsigned $0) { bool $1 = $0; bool $2 = 0.5f; unsigned char $3 = $1 + $2; bool $4 = (int)($0 & 256u); $2 &= $1; $1 = $0 & 6u; return $1 + $2 * 2u + $3 * 4u + $4 * 8u + ($1 == $4) + -$2 + (unsigned)~$1; }
---
__device__ unsigned $A(bool $0) { return $0 * 5u + sizeof($0); }
__device__ unsigned $F(unsigned $1) { return $A($1) + $A($1 & 2u) + $A(0.25f) + (unsigned)sizeof($1 < 3u) + (unsigned)sizeof('a') + (unsigned)sizeof(!$1) + (unsigned)(bool)($1 & 8u) + bool($1 & 16u) + static_cast<bool>(256); }
---
__device__ unsigned $F(unsigned $0) { auto $1 = 'a'; auto $2 = $0 < 5u; auto $3 = (unsigned char)250; decltype($3) $4 = $3 + 10; $1 += 100; return (unsigned)$1 + $2 + $4 + sizeof($1) + sizeof($2); }
---
__device__ unsigned $F(unsigned $0) { const int $1 = 0x1F, $2 = 017, $3 = 0b101, $4 = 1'000; unsigned long long $5 = 5'000'000'000ull; return $0 + $1 + $2 + $3 + $4 + (unsigned)($5 >> 7) + (unsigned)'\n' + (unsigned)'\x7f'; }
---
struct $A { unsigned $a; int $b; };
__device__ unsigned $F(unsigned $0) { $A $1 = {$0, -3}; auto [$2, $3] = $1; auto& [$4, $5] = $1; $4 += 2u; $2 *= 3u; return $1.$a + $2 + (unsigned)$3 + (unsigned)$5; }
---
struct $A { unsigned $a; };
__device__ $A operator+(const $A& $0, const $A& $1) { return {$0.$a + $1.$a}; }
__device__ $A& operator+=($A& $0, unsigned $1) { $0.$a += $1; return $0; }
__device__ bool operator==($A $0, $A $1) { return $0.$a == $1.$a; }
__device__ $A operator-($A $0) { return $A{0u - $0.$a}; }
__device__ $A operator*(unsigned $0, $A $1) { return {$0 * $1.$a}; }
__device__ unsigned $F(unsigned $2) { $A $3 = {$2}, $4 = {$2 + 1u}; $3 += 5u; $A $5 = 3u * ($3 + $4); $5 = -$5; return $5.$a + ($3 == $4) + ($3 += 1u).$a; }
---
__device__ unsigned $A(unsigned $0) { return $0 + 1u; }
__device__ unsigned $F(unsigned $1) { unsigned $2 = $1; unsigned $3 = ($2 = $1 + 3u) * 2u; $2 += $3 -= 4u; if (($3 = $A($2)) > 9u) $2++; unsigned $4 = $2++ + 1u; unsigned $5 = --$3; return $1 ? $2 : $3 ? $4 : $5, $2 + $3 + $4 + $5; }
---
__device__ unsigned min(unsigned $0, unsigned $1) { return $0 + $1 * 2u; }
__device__ unsigned $F(unsigned $2) { return min($2, 5u) + ::min($2, 6u) + ::max($2, 7u); }
---
namespace $A { __device__ unsigned __popc(unsigned $0) { return $0 + 9u; } __device__ unsigned abs(unsigned $0) { return $0 * 3u; } __device__ unsigned clamp(unsigned $0) { return $0 | 1u; } __device__ unsigned $a(unsigned $0) { return __popc($0) + ::__popc($0) + abs($0) + (unsigned)::abs(-3) + clamp($0); } }
__device__ unsigned $F(unsigned $1) { return $A::$a($1) + __clz((int)($1 | 1u)) + __brev($1); }
---
struct $A { unsigned x; };
__device__ unsigned $F(unsigned $0) { unsigned $1 = threadIdx.x; { $A threadIdx = {$0}, blockDim = {3u}; $1 += threadIdx.x * blockDim.x; } const unsigned warpSize = 5u; return $1 + warpSize + blockDim.x; }
---
__device__ unsigned $A(uint2 $0, const uint4& $1) { return $0.x + $0.y * 3u + $1.z - $1.w; }
__device__ void $B(unsigned& $0) { $0 += 11u; }
__device__ unsigned $F(unsigned $2) { uint2 $3 = make_uint2($2, 2u); uint4 $4 = {1u, $2, 3u, 4u}; $3.y ^= $2; $B($3.x); unsigned& $5 = $4.z; $5 *= 5u; uint3 $6 = make_uint3($2, 1u, 2u); $6.z += $6.x; return $A($3, $4) + $6.z + sizeof($6); }
---
union $A { unsigned $a; unsigned char $b[4]; };
struct alignas(16) $B { unsigned $a; };
struct $C { unsigned char $a; $B $b; short $c; };
__device__ unsigned $F(unsigned $0) { $A $1; $1.$a = $0; $A $2 = $1; $2.$a += 1u; return $2.$a + sizeof($A) + sizeof($B) + sizeof($C); }
---
struct alignas(8) $A { short $a; };
__device__ unsigned $F(unsigned $0) { return $0 + alignof($A); }
---
__device__ unsigned $A(unsigned $0) { __shared__ unsigned $1[32]; $1[threadIdx.x] = $0; __syncthreads(); unsigned $2 = $1[threadIdx.x ^ 1u]; __syncthreads(); return $2; }
__device__ unsigned $B(unsigned $0) { __shared__ unsigned $1[32]; __shared__ short $3[32]; $1[threadIdx.x] = $0 * 2u; $3[threadIdx.x] = (short)threadIdx.x; __syncthreads(); unsigned $2 = $1[threadIdx.x ^ 2u] + $A($0) + (unsigned)$3[threadIdx.x ^ 1u]; __syncthreads(); return $2; }
__device__ unsigned $F(unsigned $4) { return $A($4) * 3u + $B($4); }
---
struct $A { unsigned $a; unsigned char $b; };
__device__ unsigned $B($A* $0, unsigned $1) { $0[$1].$b = 200; $0[$1].$b += 100; return $0[$1].$a + $0->$b * 0u; }
__device__ unsigned $F(unsigned $2) { __shared__ $A $3[32]; $3[threadIdx.x].$a = $2; $3[threadIdx.x].$b = 1; __syncthreads(); unsigned $4 = $B($3, threadIdx.x); $A $5[2] = {{$2, 3}, {1u, 2}}; $4 += $B($5, 1u) + $5[1].$b + $3[threadIdx.x].$b; __syncthreads(); return $4; }
---
#define $M1(p, q) ((p) * 3u + (q))
#define $M2(p) $M1(p, p + 1u)
#define $M3 unsigned
#define $M4(p, q, v) p q = v
#define $M5(p) do { p += 2u; p ^= 5u; } while (0)
__device__ unsigned $F(unsigned $0) { $M4($M3, $1, $M2($0)); $M5($1); $M5($0); return $M1($0, $1) + $M2($1); }
---
__device__ unsigned $A(unsigned $0, unsigned $1) { return $0 * 3u + $1; }
#define $M1(p) unsigned p = 5u
#define $M2 $A($1
#define $M3(p) $A(p, 2u
#define $M4 , 7u)
#define $M5 unsigned $2 = $1 *
#define $M6 return $0 +
__device__ unsigned $F(unsigned $0) { $M1($1); $M5 $0; $2 += $M2, $0) + $M3($0)) + $A($0 $M4; $M6 $2; }
---
constexpr unsigned $A = 3u;
__device__ unsigned $B(unsigned $0) { return $0 + 1u; }
#define $M1 $A
#define $M2(p) $B(p + $M1)
__device__ unsigned $F(unsigned $1) { unsigned $2 = $M2($1); { unsigned $A = 9u; $2 += $M1 + $A; } return $2 + $M2($2); }
---
#define $M1(p, q) struct q { p $a; }; __device__ p $B(q $0) { return ($0).$a + 1; }
$M1(unsigned, $A)
#define $M2(p, q) (p).q
__device__ unsigned $F(unsigned $1) { $A $2 = {$1}; $M2($2, $a) += 4u; return $B($2) + $M2($2, $a); }
---
#define $M1(p, q) __device__ unsigned q(unsigned $0, unsigned $1) { return $0 p $1; }
$M1(+, $A)
$M1(*, $B)
#undef $M1
#define $M1 $A
__device__ unsigned $F(unsigned $2) { return $M1($2, 3u) + $B($2, $2) + $A(1u, $2); }
---
#define $M1(p) (p ? 3u : $A(p))
__device__ unsigned $A(unsigned $0) { return $0 + 40u; }
#define $M2(p, q) p = q, p += 1u
__device__ unsigned $F(unsigned $1) { unsigned $2; $M2($2, $M1($1 & 1u)); unsigned $3 = ($M2($1, $2)); return $2 + $3 + $M1($3 > 7u); }
---
#define $M1(p, q, r) (p) > 3u ? q = r : q += 1u
#define $M2(p, q) p = q
#define $M3 ? 2u :
#define $M4 $1 = $0
__device__ unsigned $F(unsigned $0) { unsigned $1 = 0u; $M1($0, $1, 7u); $0 & 1u ? $1 *= 3u : $M2($1, $0); $0 & 4u ? $M2($1, 4u) : $M4; unsigned $2 = $0 & 2u $M3 $1; return $2 + $1 + ($M1($2, $1, 3u)); }
---
template <class... $0> __device__ unsigned $A($0... $1) { return (0u + ... + (unsigned)$1) + sizeof...($1); }
__device__ unsigned $F(unsigned $2) { return $A($2, 1, (short)2) + $A() + $A('a') + $A($2, $2); }
---
template <class... $0> __device__ bool $A($0... $1) { return ($1 && ...) || (... || ($1 > 9)); }
template <class... $0> __device__ unsigned $B(unsigned $1, $0... $2) { ((($1 = $1 * 3u + (unsigned)$2)), ...); return $1; }
__device__ unsigned $F(unsigned $3) { return $A($3, 1) + $A($3) + $B($3, 4, $3) + $B(2u) + $B($3, (short)9); }
---
__device__ inline unsigned $A() { return 3u; }
template <class $0, class... $1> __device__ unsigned $A($0 $2, $1... $3) { return (unsigned)$2 * 2u + $A($3...); }
__device__ unsigned $F(unsigned $4) { return $A($4, 7, (unsigned char)$4, true) + $A(); }
---
template <unsigned... $0> struct $A { static constexpr unsigned $a = ($0 + ... + 0u), $b = sizeof...($0); };
__device__ unsigned $F(unsigned $1) { return $1 + $A<1, 2, $n>::$a * $A<4, 5>::$b; }
---
template <class $0, int $1> __device__ $0 $A(const $0 (&$2)[$1]) { $0 $3 = 0; for (const $0 $4 : $2) $3 = ($0)($3 + $4); return ($0)($3 + $1); }
__device__ unsigned $F(unsigned $5) { unsigned $6[3] = {$5, 2u, 3u}; short $7[2] = {1, 2}; return $A($6) + (unsigned)$A($7); }
---
template <class $0> struct $A { __device__ static unsigned $a($0 $1) { return (unsigned)$1 + $n; } };
template <> struct $A<float> { __device__ static unsigned $a(float $1) { return (unsigned)(int)$1 * 2u; } };
template <template <class> class $0, class $2> __device__ unsigned $B($2 $1) { return $0<$2>::$a($1); }
__device__ unsigned $F(unsigned $3) { return $B<$A>($3) + $B<$A>(4.0f) + $B<$A>((short)-2); }
---
template <char $0, bool $1, int $2> __device__ unsigned $A(unsigned $3) { return $1 ? $3 + $0 : $3 + (unsigned)$2; }
__device__ unsigned $F(unsigned $4) { return $A<'a', true, -5>($4) * 2u + $A<'\0', false, -7>($4) + $A<'A', (1 > 0), (-2147483647 - 1)>($4); }
---
enum class $A { $a, $b = $n + 1 };
template <$A $0> __device__ unsigned $B(unsigned $1) { return $0 == $A::$b ? $1 : $1 * 2u + (unsigned)$0; }
__device__ unsigned $F(unsigned $2) { return $B<$A::$a>($2) + $B<$A::$b>($2); }
---
static __device__ unsigned $A(unsigned $0);
__device__ unsigned $B(unsigned $0, unsigned $1 = 4u);
__device__ unsigned $F(unsigned $2) { return $A($2) + $B($2) + $B($2, $2); }
__device__ unsigned $A(unsigned $3) { return $3 + 2u; }
__device__ unsigned $B(unsigned $4, unsigned $5) { return $4 * $5 + $A($5); }
---
struct $A; struct $B { unsigned $a; __device__ static unsigned $b(const $A& $0); };
struct $A { unsigned $a; };
__device__ unsigned $B::$b(const $A& $0) { return $0.$a + 6u; }
__device__ unsigned $F(unsigned $1) { $A $2 = {$1}; return $B::$b($2); }
---
struct $A { static const unsigned $a = 4u; static __constant__ const unsigned $b[2]; };
__constant__ const unsigned $A::$b[2] = {$nu, 9u};
__device__ unsigned $F(unsigned $0) { return $A::$a + $A::$b[$0 & 1u]; }
---
__device__ unsigned $F(unsigned $0) { static const unsigned $1[3] = {4u, $nu, 6u}; constexpr unsigned $2[2] = {1u, 2u}; return $1[$0 % 3u] + $2[$0 & 1u]; }
---
__device__ unsigned $F(unsigned $0, unsigned $1) { int $2 = $0 and $1, $3 = not $0 or $1; unsigned $4 = $0 bitand $1, $5 = compl $0 xor $1; $4 or_eq 3u; return $2 + $3 + $4 + $5 + ($0 not_eq $1); }
---
typedef struct { unsigned $a; } $A;
typedef $A $B; using $C = const unsigned; typedef unsigned $D[2];
__device__ unsigned $F(unsigned $0) { $B $1 = {$0}; $C $2 = $1.$a + 1u; $D $3 = {$2, 5u}; return $3[0] + $3[1] + sizeof($D); }
---
__device__ unsigned $F(unsigned $0) { unsigned $1 = 0u; if (unsigned $2 = $0 & 7u; $2 > 3u) $1 = $2; const unsigned $4[2] = {$0, 5u}; for (unsigned $3 : $4) $1 += $3; return $1; }
---
struct $A { unsigned $a = 4u; unsigned $b = $a + 1u; };
__device__ unsigned $F(unsigned $0) { $A $1; $A $2{$0}; return $1.$a + $2.$b; }
---
struct $A { unsigned $a; __device__ unsigned $b(unsigned $0) const { return $a + $0; } __device__ void $c(unsigned $a) { this->$a = $a; } __device__ $A& $d() { $a *= 3u; return *this; } };
__device__ unsigned $F(unsigned $1) { $A $2 = {$1}; $2.$c($1 + 1u); return $2.$d().$b(2u) + $2.$a; }
---
struct $A { unsigned $a; __device__ $A(unsigned $0) : $a($0 * 2u) {} __device__ unsigned operator()(unsigned $1) const { return $a + $1; } };
__device__ unsigned $F(unsigned $2) { $A $3($2); return $3(4u); }
---
struct $A { unsigned $a; }; struct $B : $A { unsigned $b; };
__device__ unsigned $F(unsigned $0) { $B $1; $1.$a = $0; $1.$b = 2u; return $1.$a + $1.$b; }
---
__device__ unsigned $F(unsigned $0) { auto $1 = [](unsigned $2) { return $2 * 2u; }; return $1($0); }
---
constexpr int $A = 3;
struct $B { static constexpr int $A = 2; unsigned $a[$A]; };
template <int $0> __device__ unsigned $C(unsigned $1) { unsigned $2[$0] = {$1, 1u}; return $2[$0 - 1] + sizeof($2); }
__device__ unsigned $F(unsigned $3) { unsigned $4[$A] = {$3, 1u, 2u}; constexpr int $5 = 2; { constexpr int $A = 5; unsigned $6[$A][$5] = {{$3, 4u}}; $4[1] += $6[0][1] + sizeof($6); } $B $7 = {{$3, 5u}}; return $4[1] + $C<4>($3) + $7.$a[1] + sizeof($7) + sizeof($4) / sizeof($4[0]); }
---
template <class $0> __device__ const $0& $A(const $0& $1, const $0& $2) { return $1 < $2 ? $2 : $1; }
template <class $0> __device__ void $B($0& $1, $0& $2) { $0 $3 = $1; $1 = $2; $2 = $3; }
__device__ unsigned $F(unsigned $4, unsigned $5) { unsigned $6 = $A($4, $5); $B($4, $6); const unsigned& $7 = $A($4, $6); $4 += 1u; short $8 = 3, $9 = 4; $B($8, $9); return $6 + $7 * 3u + $4 + (unsigned)$8; }
---
__device__ unsigned $F(unsigned $0, unsigned $1) { ($0 & 1u ? $0 : $1) += 5u; unsigned& $2 = $1 & 1u ? $0 : $1; $2 *= 3u; ++(++$0); ($0 += 2u) ^= 1u; return $0 + $1; }
---
__device__ void $A(const unsigned*& $0) { $0 += 1; }
__device__ const unsigned* $B(const unsigned* $0, int $1) { return $0 + $1; }
__device__ unsigned $F(unsigned $2) { unsigned $3[4] = {$2, 1u, 2u, 3u}; const unsigned* $4 = $3; $A($4); $4 = $B($4, 1); const unsigned* $5 = $4++; return *$5 + *$4 + ($4 > $5); }
---
struct $A { unsigned $a; unsigned char $b[3]; };
__device__ unsigned $F(unsigned $0) { $A $1{}, $2 = {}, $3 = $A(); unsigned $4[3] = {}, $5{}, $6 = unsigned(), $7{3u}; auto $8 = unsigned{}; $3.$a += $0; $2.$b[1] = (unsigned char)$0; $1 = $A{$0, {1, 2}}; return $1.$a + $1.$b[1] + $2.$b[1] + $3.$a + $4[2] + $5 + $6 + $7 + $8; }
---
__device__ unsigned $F(unsigned $0) { unsigned $1 = $0, *$2 = &$1, $3[2] = {$1, 2u}; const unsigned *$4 = $3, $5 = *$2; *$2 += $3[1]; bool $6 = 1u < $0 < 2u; int $7 = -1; return $1 + $5 + $4[1] + $6 + ($7 < 1u) + ($7 < 1) + (unsigned)($7 >> 3) + (unsigned)sizeof($0 ? 1 : 2ll) + (unsigned)(-7 / 2) + (unsigned)(-7 % 3); }
---
enum $A { $B = 1, $C = 2, $D = 0x80 };
enum $E : unsigned long long { $G = 5, $H = 0xffffffffffull };
__device__ unsigned $F(unsigned $0) { $A $1 = ($A)($B | $C); int $2 = $1 & $D; unsigned long long $3 = $H + $0; switch ($1) { case $C: return 1u; case 3: return (unsigned)($3 >> 8) + (unsigned)$2 + (unsigned)sizeof($E) + ($1 == 3) + (unsigned)sizeof($H); default: break; } return $0; }
---
__device__ unsigned $F(unsigned $0) { unsigned $1 = 0u, $2 = $0 & 7u; while ($2-- > 0u) { if ($2 == 3u) goto $3; $1 += $2; } $3: $1 += 4u; for (;;) { if (++$1 > 20u) break; switch ($1 & 3u) { case 1: continue; case 2: break; default: $1 += 1u; } $1 += 2u; } return $1; }
---
__device__ unsigned $F(unsigned $0) { const char $1[] = "abc"; volatile unsigned $2 = $0; $2 = $2 + 1u; return $2 + (unsigned)"xyz"[$0 & 1u] + (unsigned)$1[1] + sizeof("four") + sizeof $1; }
---
#define $M1(p) ((p) + 1u)
__device__ unsigned ($M1)(unsigned $0) { return $0 * 9u; }
__device__ unsigned $F(unsigned $1) { return ($M1)($1) + $M1($1); }
---
struct $A { unsigned $a; };
__device__ unsigned $F(unsigned $0) { $A $A = {$0}; struct $A $1 = $A; $1.$a += 3u; return $A.$a * $1.$a; }
---
__device__ unsigned $A(unsigned $0) { return $0 + 1u; }
__device__ unsigned $F(unsigned $1) { unsigned $A = ::@$A($1); { unsigned $1 = $A; $A += $1; unsigned $2 = ::@$A($A); $A ^= $2; } return $A; }
---
namespace $A { struct $a { unsigned $b; }; __device__ unsigned $c($a $0) { return $0.$b + 1u; } __device__ bool operator<($a $0, $a $1) { return $0.$b < $1.$b; } }
namespace $B { struct $a { unsigned $b; }; __device__ unsigned $c($a $0) { return $0.$b + 2u; } __device__ bool operator<($a $0, $a $1) { return $0.$b > $1.$b; } template <class $2> __device__ unsigned $d($2 $0, $2 $1) { return ($0 < $1) + $c($0) * 2u; } }
__device__ unsigned $F(unsigned $3) { $A::$a $4 = {$3}, $5 = {7u}; $B::$a $6 = {$3}, $7 = {7u}; return $B::$d($4, $5) + $B::$d($6, $7) * 8u + $c($4) + $c($6); }
---
namespace $A { static constexpr unsigned $a = 1u; namespace $B { static constexpr unsigned $a = 2u; struct $b { static constexpr unsigned $a = 3u; enum { $c = $a + 4 }; }; __device__ unsigned $d(unsigned $0 = $a, unsigned $1 = $A::$a, unsigned $2 = $b::$a + $b::$c) { return $0 * 100u + $1 * 10u + $2; } } }
__device__ unsigned $F(unsigned $0) { unsigned $2 = $0, $1 = 7u; return $A::$B::$d() + $A::$B::$d($2) + $A::$B::$d($2, $1) + $A::$a; }
---
template <class $0> struct $A { static constexpr $0 $a = 2; template <class $1> __device__ static $1 $b($1 $2) { return ($1)($2 * $a); } struct $c { $0 $d; }; };
__device__ unsigned $F(unsigned $3) { $A<short>::$c $4 = {5}; $A<unsigned>::$c $5 = {$3}; return $A<short>::$b($3) + (unsigned)$A<unsigned>::$b<short>(7) + (unsigned)$4.$d + $5.$d + sizeof($4); }
---
template <int $0> __device__ unsigned $A(unsigned $1) { static const unsigned $2[2] = {$0, $0 + 1}; if constexpr ($0 > 0) { return $2[$1 & 1u] + $A<$0 - 1>($1); } else { return $2[0]; } }
__device__ unsigned $F(unsigned $3) { return $A<3>($3) + $A<1>($3); }
---
__device__ unsigned $A(int $0, long long $1) { return (unsigned)($1 >> 32) + (unsigned)$0; }
__device__ unsigned $F(unsigned $2) { unsigned char $3 = 200, $4 = 100; auto $5 = $3 + $4; auto $6 = (unsigned char)($3 + $4); short $7 = (short)40000; $3 += $4; $7 *= 3; return $A(-1, -1) + (unsigned)$5 + $6 + (unsigned)$7 + $3 + (unsigned)(~$4) + (unsigned)(-$4 >> 1) + (unsigned)(1ull << 40 >> $4 % 41) + (unsigned)(signed char)$2; }
---
__device__ float $A(float $0, int $1 = 2) { return $0 * $1; }
__device__ unsigned $F(unsigned $2) { const int $3 = (int)($2 & 7u); float $4 = $A($3) / 2; float $5 = 7 / 2; double $6 = 0.5; $4 += $6; int $7 = $4; $7 += 1.5f; $7 -= 0.75; return (unsigned)(int)($4 * 4) + (unsigned)(int)$5 + (unsigned)$7 + ($4 > 0.1f) + (unsigned)(int)(1.f / 4 * 8) + (unsigned)(int)(-2.5f) + (3 ? 1 : 0.5f) * 2; }
""".split("---")]
