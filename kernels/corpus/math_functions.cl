// Mathematical functions of floats and doubles.

// Exact ones, on hostile values.
//! in: float4 64 special
//! out: float4 384
//! launch: 64 by 32
__kernel void math_rounding(__global const float4* in, __global float4* out) {
    int i = get_global_id(0);
    out[6 * i] = floor(in[i]);
    out[6 * i + 1] = ceil(in[i]);
    out[6 * i + 2] = trunc(in[i]);
    out[6 * i + 3] = round(in[i]);
    out[6 * i + 4] = rint(in[i]);
    out[6 * i + 5] = fabs(in[i]);
}

// fmin, fmax pass over a NaN; which zero comes out is open.
//! in: float 256 special
//! in: float 256 special
//! out: float4 256
//! launch: 256 by 64
__kernel void math_pairs(__global const float* a, __global const float* b,
                         __global float4* out) {
    int i = get_global_id(0);
    out[i] = (float4)(fmin(a[i], b[i]), fmax(a[i], b[i]), fdim(a[i], b[i]), 0.0f) + 0.0f;
}

// Signs, neighbours, fused products.
//! in: float 256 special
//! in: float 256 special
//! out: float4 256
//! launch: 256 by 64
__kernel void math_exact(__global const float* a, __global const float* b,
                         __global float4* out) {
    int i = get_global_id(0);
    out[i] = (float4)(copysign(a[i], b[i]), nextafter(a[i], b[i]), fma(a[i], b[i], 1.0f),
                      maxmag(a[i], b[i]) - minmag(a[i], b[i]) + 0.0f);
}

// Remainders are exact.
//! in: float 64 small
//! in: float 64 unit
//! out: float4 64
//! launch: 64 by 32
__kernel void math_remainders(__global const float* a, __global const float* b,
                              __global float4* out) {
    int i = get_global_id(0);
    int quotient = 0;
    float rest = remquo(fabs(a[i]) * 3.0f, b[i] + 0.75f, &quotient);
    out[i] = (float4)(fmod(a[i], b[i] + 0.5f), remainder(a[i], b[i] + 0.5f), rest,
                      quotient & 7);
}

// Taken apart and put together.
//! in: float4 64 small
//! out: float4 256
//! out: int4 64
//! launch: 64 by 32
__kernel void math_parts(__global const float4* in, __global float4* out,
                         __global int4* exponents) {
    int i = get_global_id(0);
    float4 whole;
    int4 exponent;
    float4 x = in[i] * 0.375f;
    out[4 * i] = fract(x, &whole);
    out[4 * i + 1] = whole;
    out[4 * i + 2] = frexp(x, &exponent);
    exponents[i] = exponent + ilogb(fabs(x) + 1.0f);
    float4 fraction = modf(x, &whole);
    out[4 * i + 3] = fraction + ldexp(whole, exponent) + logb(fabs(x) + 1.0f);
}

// Exponentials.
//! in: float4 64 unit
//! out: float4 256
//! launch: 64 by 32
//! ulp: 8
__kernel void math_exponentials(__global const float4* in, __global float4* out) {
    int i = get_global_id(0);
    out[4 * i] = exp(in[i] * 4.0f - 2.0f);
    out[4 * i + 1] = exp2(in[i] * 8.0f);
    out[4 * i + 2] = exp10(in[i]);
    out[4 * i + 3] = expm1(in[i]);
}

// Logarithms.
//! in: float4 64 unit
//! out: float4 256
//! launch: 64 by 32
//! ulp: 8
__kernel void math_logarithms(__global const float4* in, __global float4* out) {
    int i = get_global_id(0);
    float4 x = in[i] * 7.0f + 2.0f;
    out[4 * i] = log(x);
    out[4 * i + 1] = log2(x);
    out[4 * i + 2] = log10(x);
    out[4 * i + 3] = log1p(in[i]);
}

// Powers and roots.
//! in: float4 64 unit
//! out: float4 512
//! launch: 64 by 32
//! ulp: 32
__kernel void math_powers(__global const float4* in, __global float4* out) {
    int i = get_global_id(0);
    float4 x = in[i] + 0.5f;
    out[8 * i] = pow(x, (float4)(2.5f));
    out[8 * i + 1] = pown(x, (int4)(3, -2, 0, 1));
    out[8 * i + 2] = powr(x, (float4)(0.75f));
    out[8 * i + 3] = rootn(x, (int4)(2, 3, 4, -2));
    out[8 * i + 4] = sqrt(x);
    out[8 * i + 5] = rsqrt(x);
    out[8 * i + 6] = cbrt(x);
    out[8 * i + 7] = hypot(x, in[i]);
}

// Powers of hostile values that the language defines.
//! in: float 64 special
//! out: float4 64
//! launch: 64 by 32
//! ulp: 16
__kernel void math_power_edges(__global const float* in, __global float4* out) {
    int i = get_global_id(0);
    out[i] = (float4)(pow(in[i], 0.0f), pow(1.0f, in[i]), sqrt(in[i]), pow(in[i], 2.0f));
}

// Angles.
//! in: float4 64 unit
//! out: float4 256
//! launch: 64 by 32
//! ulp: 8
__kernel void math_angles(__global const float4* in, __global float4* out) {
    int i = get_global_id(0);
    float4 cosine;
    float4 x = in[i] + 0.25f;
    out[4 * i] = sin(x) + sincos(x, &cosine);
    out[4 * i + 1] = cos(x * 0.5f) + cosine * 0.0f;
    out[4 * i + 2] = tan(x);
    out[4 * i + 3] = sinpi(x * 0.5f) + cospi(x * 0.25f) + tanpi(x * 0.125f);
}

// Their inverses.
//! in: float4 64 unit
//! out: float4 448
//! launch: 64 by 32
//! ulp: 12
__kernel void math_inverse_angles(__global const float4* in, __global float4* out) {
    int i = get_global_id(0);
    float4 x = in[i] * 0.75f + 0.125f;
    out[7 * i] = asin(x);
    out[7 * i + 1] = acos(x);
    out[7 * i + 2] = atan(x);
    out[7 * i + 3] = atan2(x, in[i] - 2.0f);
    out[7 * i + 4] = asinpi(x);
    out[7 * i + 5] = acospi(x);
    out[7 * i + 6] = atanpi(x) + atan2pi(x, (float4)(2.0f));
}

// Hyperbolic ones.
//! in: float4 64 unit
//! out: float4 384
//! launch: 64 by 32
//! ulp: 16
__kernel void math_hyperbolic(__global const float4* in, __global float4* out) {
    int i = get_global_id(0);
    float4 x = in[i] * 0.75f + 0.125f;
    out[6 * i] = sinh(x);
    out[6 * i + 1] = cosh(x);
    out[6 * i + 2] = tanh(x);
    out[6 * i + 3] = asinh(x);
    out[6 * i + 4] = acosh(x + 2.0f);
    out[6 * i + 5] = atanh(x);
}

// Error and gamma functions.
//! in: float 64 unit
//! out: float4 64
//! launch: 64 by 32
//! ulp: 64
__kernel void math_special_functions(__global const float* in, __global float4* out) {
    int i = get_global_id(0);
    float x = in[i] + 0.125f;
    out[i] = (float4)(erf(x), erfc(x), tgamma(x + 1.5f), lgamma(x + 3.0f));
}

// The sign of gamma.
//! in: float 64 unit
//! out: float 64
//! out: int 64
//! launch: 64 by 32
//! ulp: 64
//! wrong: NVIDIA Its driver 580.159 says 0 for the sign of what is above 0.
__kernel void math_gamma_sign(__global const float* in, __global float* out,
                              __global int* signs) {
    int i = get_global_id(0);
    int sign_of_gamma = 0;
    out[i] = lgamma_r(in[i] + 3.125f, &sign_of_gamma);
    signs[i] = sign_of_gamma;
}

// mad of numbers for which every way of rounding agrees; the constants by their names.
//! in: float4 64 small
//! out: float4 64
//! out: float 12
//! launch: 64 by 32
__kernel void math_constants(__global const float4* in, __global float4* out,
                             __global float* names) {
    int i = get_global_id(0);
    out[i] = mad(in[i], in[63 - i], (float4)(0.5f));
    if (i == 0) {
        names[0] = M_PI_F;
        names[1] = M_E_F;
        names[2] = M_SQRT2_F;
        names[3] = M_LN2_F;
        names[4] = FLT_MAX;
        names[5] = FLT_MIN;
        names[6] = FLT_EPSILON;
        names[7] = INFINITY;
        names[8] = NAN;
        names[9] = MAXFLOAT;
        names[10] = HUGE_VALF;
        names[11] = nan(5u);
    }
}

// Doubles.
//! in: double2 64 unit
//! out: double2 320
//! launch: 64 by 32
//! ulp: 16
//! needs: double
__kernel void math_doubles(__global const double2* in, __global double2* out) {
    int i = get_global_id(0);
    double2 x = in[i] + 0.5;
    out[5 * i] = exp(x);
    out[5 * i + 1] = sin(x) + sqrt(x);
    out[5 * i + 2] = pow(x, (double2)(1.5)) + rsqrt(x);
    out[5 * i + 3] = floor(x * 10.0) + fma(x, x, x) + fmax(x, 1.0);
    out[5 * i + 4] = x * 8.0 + log(x + M_PI);
}

// Doubles times powers of two.
//! in: double2 64 unit
//! out: double2 64
//! launch: 64 by 32
//! needs: double
//! like: math_double_powers_written
//! wrong: Portable PoCL 3.1 makes infinities of it.
__kernel void math_double_powers(__global const double2* in, __global double2* out) {
    int i = get_global_id(0);
    out[i] = ldexp(in[i], 3);
}

// The same by a product.
//! in: double2 64 unit
//! out: double2 64
//! launch: 64 by 32
//! needs: double
__kernel void math_double_powers_written(__global const double2* in, __global double2* out) {
    int i = get_global_id(0);
    out[i] = in[i] * 8.0;
}
