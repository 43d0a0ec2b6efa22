// Small real algorithms, one item by itself.

// The price of an option.
float algorithm_normal(float d) {
    const float k = 1.0f / (1.0f + 0.2316419f * fabs(d));
    float tail = 0.39894228f * exp(-0.5f * d * d) *
                 (k * (0.31938153f + k * (-0.356563782f + k * 1.781477937f)));
    return d > 0 ? 1.0f - tail : tail;
}
//! in: float4 64 unit
//! out: float2 64
//! launch: 64 by 32
//! ulp: 4096
__kernel void algorithm_options(__global const float4* in, __global float2* out) {
    int i = get_global_id(0);
    float price = 20 + 10 * in[i].x, strike = 10 + 5 * in[i].y, years = 1 + in[i].z;
    float rate = 0.02f, spread = 0.3f, root = sqrt(years);
    float d1 = (log(price / strike) + (rate + 0.5f * spread * spread) * years) / (spread * root);
    float d2 = d1 - spread * root;
    float due = strike * exp(-rate * years);
    out[i] = (float2)(price * algorithm_normal(d1) - due * algorithm_normal(d2), d1);
}

// Rounds of a hash.
__constant uint algorithm_keys[8] = {0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5,
                                     0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5};
#define TURN(x, n) rotate(x, (uint)(32 - (n)))
//! in: uint8 64 bits
//! out: uint8 64
//! launch: 64 by 32
__kernel void algorithm_hash(__global const uint8* in, __global uint8* out) {
    int i = get_global_id(0);
    uint8 s = in[i];
    for (int r = 0; r < 8; ++r) {
        uint big = TURN(s.s4, 6) ^ TURN(s.s4, 11) ^ TURN(s.s4, 25);
        uint t1 = s.s7 + big + bitselect(s.s6, s.s5, s.s4) + algorithm_keys[r];
        uint t2 = (TURN(s.s0, 2) ^ TURN(s.s0, 13) ^ TURN(s.s0, 22)) +
                  bitselect(s.s0, s.s1, s.s2 ^ s.s0);
        s = (uint8)(t1 + t2, s.s012, s.s3 + t1, s.s456);
    }
    out[i] = s + in[i];
}

// Colours to grey and back, in bytes.
//! in: uchar4 64 bits
//! out: uchar4 64
//! launch: 64 by 32
__kernel void algorithm_colours(__global const uchar4* in, __global uchar4* out) {
    int i = get_global_id(0);
    float4 rgba = convert_float4(in[i]);
    float grey = dot(rgba.xyz, (float3)(0.25f, 0.625f, 0.125f));
    float4 mixed = mix(rgba, (float4)(grey, grey, grey, rgba.w), 0.5f);
    out[i] = convert_uchar4_sat_rte(mixed * 1.25f - 8.0f);
}

// Steps until a point escapes.
//! out: int 256
//! launch: 16x16 by 8x8
__kernel void algorithm_mandelbrot(__global int* out) {
    int2 at = (int2)(get_global_id(0), get_global_id(1));
    float2 c = convert_float2(at) * 0.125f - (float2)(1.5f, 1.0f), z = 0;
    int n = 0;
    while (n < 30 && dot(z, z) <= 4.0f) {
        z = (float2)(z.x * z.x - z.y * z.y, 2 * z.x * z.y) + c;
        n++;
    }
    out[at.y * 16 + at.x] = n;
}

// Where a word stands in a text.
__constant char algorithm_word[] = "aba";
//! in: uchar 64 small
//! out: int 61
//! launch: 61 by 61
__kernel void algorithm_search(__global const uchar* in, __global int* out) {
    int i = get_global_id(0), k = 0;
    while (algorithm_word[k] != '\0' && 'a' + (in[i + k] & 1) == algorithm_word[k]) ++k;
    out[i] = algorithm_word[k] ? -k : 1;
}

// Random numbers by shifts.
//! in: uint 64 bits
//! out: float4 64
//! launch: 64 by 32
__kernel void algorithm_xorshift(__global const uint* in, __global float4* out) {
    int i = get_global_id(0);
    uint s = in[i] | 1;
    float v[4];
    for (int k = 0; k < 4; ++k) {
        s ^= s << 13;
        s ^= s >> 17;
        s ^= s << 5;
        v[k] = (s >> 8) * 0x1p-24f;
    }
    out[i] = vload4(0, v);
}

// Random numbers by products: ten rounds of Philox.
//! in: uint4 64 bits
//! in: uint2 64 bits
//! out: uint4 64
//! launch: 64 by 32
__kernel void algorithm_philox(__global const uint4* counters, __global const uint2* keys,
                               __global uint4* out) {
    int i = get_global_id(0);
    uint4 c = counters[i];
    uint2 k = keys[i];
    for (int r = 0; r < 10; ++r) {
        uint2 high = mul_hi((uint2)(0xD2511F53u, 0xCD9E8D57u), c.xz);
        uint2 low = (uint2)(0xD2511F53u, 0xCD9E8D57u) * c.xz;
        c = (uint4)(high.y ^ c.y ^ k.x, low.y, high.x ^ c.w ^ k.y, low.x);
        k += (uint2)(0x9E3779B9u, 0xBB67AE85u);
    }
    out[i] = c;
}

// A checksum, bit by bit.
//! in: uchar16 32 bits
//! out: uint 32
//! launch: 32 by 32
__kernel void algorithm_checksum(__global const uchar16* in, __global uint* out) {
    int i = get_global_id(0);
    __global const uchar* bytes = (__global const uchar*)(in + i);
    uint crc = ~0u;
    for (int k = 0; k < 16; ++k) {
        crc ^= bytes[k];
        for (int bit = 0; bit < 8; ++bit) crc = crc >> 1 ^ (crc & 1 ? 0xEDB88320u : 0);
    }
    out[i] = ~crc;
}

// Complex numbers of doubles.
typedef double2 complex_t;
complex_t algorithm_times(complex_t a, complex_t b) {
    return (complex_t)(a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x);
}
//! in: double2 64 unit
//! out: double2 64
//! launch: 64 by 32
//! needs: double
__kernel void algorithm_complex(__global const double2* in, __global double2* out) {
    int i = get_global_id(0);
    complex_t z = in[i], w = 1.0;
    for (int n = 11; n; n >>= 1) {
        if (n & 1) w = algorithm_times(w, z);
        z = algorithm_times(z, z);
    }
    out[i] = w;
}
