// Numbers that are not finite in data at file scope.

// What is not finite, and constants of the language, in all components.
__constant float constant_limits[] = {INFINITY, -INFINITY, HUGE_VALF, MAXFLOAT, -FLT_MIN};
__constant float4 constant_spread = (float4)(INFINITY), constant_mixed = (float4)(MAXFLOAT, 1, M_PI_F, 2);
__constant ulong constant_wide[] = {0x9E3779B97F4A7C15, 4294967296, ULONG_MAX};
//! out: uint 64
//! launch: 64 by 32
//! wrong: NVIDIA Its INFINITY is a call, and data at file scope takes constants alone.
__kernel void constant_extremes(__global uint* out) {
    int i = get_global_id(0);
    out[i] = as_uint(constant_limits[i % 5]) ^ as_uint(constant_spread.w) ^
             as_uint(constant_mixed.z) ^ (uint)(constant_wide[i % 3] >> 7);
}

// In data at file scope, where only what is known at compile time may stand.
__constant float limits[] = {-INFINITY, FLT_MAX, HUGE_VALF, -MAXFLOAT};
//! out: float 5
//! launch: 1 by 1
//! wrong: NVIDIA Its INFINITY is a call, and data at file scope takes constants alone.
__kernel void constants_at_file_scope(__global float* out) {
    for (int i = 0; i < 4; ++i) out[i] = limits[i];
    out[4] = NAN;
}
