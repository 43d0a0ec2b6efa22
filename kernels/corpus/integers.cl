// Whole numbers: widths, signs, literals.

// char has a sign.
//! in: char 64 bits
//! out: int 64
//! out: char 64
//! launch: 64 by 32
__kernel void integer_char(__global const char* in, __global int* out, __global char* same) {
    int i = get_global_id(0);
    char c = in[i];
    out[i] = c < 0 ? c * 2 : c + 1000;
    same[i] = c / 3 - (c >> 1);
}

// Narrow unsigned numbers wrap when stored, not while computed.
//! in: uchar 64 bits
//! in: ushort 64 bits
//! out: uchar 64
//! out: int 64
//! launch: 64 by 32
__kernel void integer_wrap(__global const uchar* a, __global const ushort* b,
                           __global uchar* x, __global int* y) {
    int i = get_global_id(0);
    uchar n = a[i];
    n += 200;
    n++;
    x[i] = n;
    y[i] = a[i] - b[i] + (a[i] + 200 > 255) * 7;
}

// Signed beside unsigned: compared and divided as unsigned.
//! in: int 64 small
//! in: uint 64 small
//! out: uint2 64
//! launch: 64 by 32
__kernel void integer_mixed(__global const int* a, __global const uint* b,
                            __global uint2* out) {
    int i = get_global_id(0);
    out[i] = (uint2)(a[i] < b[i] ? 1 : 2, (a[i] - b[i]) / 3u);
}

// size_t has 64 bits; so have products with it.
//! in: uint 64 bits
//! out: ulong2 64
//! launch: 64 by 32
__kernel void integer_size(__global const uint* in, __global ulong2* out) {
    size_t i = get_global_id(0);
    size_t product = in[i] * get_global_size(0) * 0x1000000;
    uint narrow = in[i] * 0x1000000u;
    out[i] = (ulong2)(product, narrow + (get_local_id(0) - 100 > 0));
}

// Indices of 64 bits, negative offsets.
//! in: int 128 bits
//! out: int 64
//! value: long 64
//! launch: 64 by 32
__kernel void integer_indices(__global const int* in, __global int* out, long offset) {
    long i = get_global_id(0);
    __global const int* middle = in + offset;
    out[i] = middle[i - 64] ^ middle[-i - 1] ^ *(middle + i);
}

// Literals: octal, hexadecimal, suffixes, characters, floats in every spelling.
//! out: long 12
//! out: float 8
//! launch: 1 by 1
__kernel void integer_literals(__global long* out, __global float* floats) {
    out[0] = 0777;
    out[1] = 0xFFu;
    out[2] = 0xffffffff;
    out[3] = 4294967296;
    out[4] = 1UL << 63;
    out[5] = 'a' + '\n' + '\0' + '\x41' + '\'' + '\\' + '\101';
    out[6] = -2147483647 - 1;
    out[7] = 5000000000L;
    out[8] = 18446744073709551615uL;
    out[9] = -1 > 0u;
    out[10] = sizeof('a') * 10 + sizeof(1 == 1);
    out[11] = ~0;
    floats[0] = 0x1.8p3f;
    floats[1] = 1e-3f;
    floats[2] = .5f;
    floats[3] = 3.f;
    floats[4] = 1.0e+10F;
    floats[5] = 0x.8p0f;
    floats[6] = 7;
    floats[7] = -0.0f;
}

// Tricks with bits.
//! in: uint 64 bits
//! out: uint4 64
//! launch: 64 by 32
__kernel void integer_tricks(__global const uint* in, __global uint4* out) {
    int i = get_global_id(0);
    uint v = in[i];
    uint reversed = 0;
    for (int k = 0; k < 32; ++k) reversed |= (v >> k & 1u) << (31 - k);
    uint lowest = v & -v;
    uint spread = v & 0xffffu;
    spread = (spread | spread << 8) & 0x00ff00ffu;
    spread = (spread | spread << 4) & 0x0f0f0f0fu;
    uint next = v - 1;
    next |= next >> 1;
    next |= next >> 2;
    next |= next >> 4;
    next |= next >> 8;
    next |= next >> 16;
    out[i] = (uint4)(reversed, lowest, spread, next + 1);
}

// Signed numbers at their limits, by unsigned arithmetic and by names.
//! in: int 64 special
//! out: int4 64
//! out: long 64
//! launch: 64 by 32
__kernel void integer_limits(__global const int* in, __global int4* out, __global long* wide) {
    int i = get_global_id(0);
    int negated = (int)(0u - (uint)in[i]);
    out[i] = (int4)(negated, in[i] == INT_MIN ? INT_MAX : -in[i], CHAR_MIN + SHRT_MAX,
                    (int)UCHAR_MAX + USHRT_MAX);
    wide[i] = in[i] < 0 ? LONG_MIN - (long)in[i] : (long)(ULONG_MAX >> 1) - UINT_MAX;
}

// bool: any number that is not zero is true.
//! in: int 64 bits
//! in: float 64 special
//! out: int4 64
//! launch: 64 by 32
__kernel void integer_bool(__global const int* in, __global const float* f,
                           __global int4* out) {
    int i = get_global_id(0);
    bool a = in[i] & 0x100, b = f[i], c = true;
    c &= a;
    out[i] = (int4)(a, b + b, c, !a - (a != b));
}

// Numbers of 64 bits with and without a suffix, sizes beside them, and pointers to both.
void integer_count(ulong* a, size_t* b) {
    *a += 1;
    *b += 2;
}
//! in: ulong 64 bits
//! in: long 64 bits
//! out: ulong8 64
//! launch: 64 by 32
__kernel void integer_sizes(__global const ulong* in, __global const long* in_signed,
                            __global ulong8* out) {
    size_t i = get_global_id(0), z = in[i] >> 3;
    ulong u = in[i];
    long s = in_signed[i];
    ptrdiff_t d = (ptrdiff_t)u - 5;
    ulong8 v;
    v.s0 = mul_hi(0x9E3779B97F4A7C15, u) ^ mul_hi(12345678901, s) ^ mul_hi(u, z);
    v.s1 = select(u, get_global_id(0), (ulong)(u & 1)) + min(z, u) + max(u, get_global_size(0));
    v.s2 = abs_diff(s, (long)d) + abs_diff(d, s) + abs(d) + rotate(u, z) + popcount(z) + clz(z);
    v.s3 = as_uint2(z).x + as_long(d) + convert_uint_sat(z) + as_int2(d).y + clamp(z, u, ~0UL);
    ulong* p = &z;
    size_t sizes[2] = {1, u};
    ulong* q = sizes;
    *p += q[1];
    integer_count(&z, &u);
    v.s4 = z + u;
    v.s5 = (u & 1 ? get_global_id(0) : u) + sizeof(u) + bitselect(u, z, 0xFFFF0000FFFFUL);
    v.s6 = hadd(z, u) + add_sat(z, u) + mad_hi(u, z, u) + mad_sat(z, u, 7UL) + max((long)(p - p), s);
    v.s7 = (0xFFFFFFFFFF - u) + 4294967296 % (u | 1) + (3000000000 - u > 5) + sizeof(3000000000);
    ulong2 w = (ulong2)(u, z);
    w += get_global_id(0);
    w = max(w, z) * z;
    out[i] = v + (ulong8)(w, w, w, w);
}

// Overloads take sizes as numbers of 64 bits.
uint __attribute__((overloadable)) integer_kind(uint a) { return a; }
uint __attribute__((overloadable)) integer_kind(ulong a) { return 3 * a; }
uint __attribute__((overloadable)) integer_kind(long a) { return 5 * a; }
//! in: ulong 64 bits
//! out: uint 64
//! launch: 64 by 32
__kernel void integer_overloads(__global const ulong* in, __global uint* out) {
    size_t i = get_global_id(0), z = in[i];
    ptrdiff_t d = z >> 5;
    out[i] = integer_kind(z) + integer_kind(get_global_id(0)) + integer_kind(sizeof(z)) +
             integer_kind(d) + integer_kind(0xFFFFFFFFFF) + integer_kind(z * in[i]) +
             integer_kind(0xFFFFFFFF);
}
