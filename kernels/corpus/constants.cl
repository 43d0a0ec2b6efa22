// The constants that OpenCL C names.

// Whole numbers.
//! out: long 28
//! launch: 1 by 1
__kernel void constants_whole(__global long* out) {
    out[0] = CHAR_BIT;
    out[1] = CHAR_MAX;
    out[2] = CHAR_MIN;
    out[3] = SCHAR_MAX;
    out[4] = SCHAR_MIN;
    out[5] = UCHAR_MAX;
    out[6] = USHRT_MAX;
    out[7] = UINT_MAX;
    out[8] = SHRT_MAX;
    out[9] = SHRT_MIN;
    out[10] = INT_MAX;
    out[11] = INT_MIN;
    out[12] = LONG_MAX;
    out[13] = LONG_MIN;
    out[14] = ULONG_MAX;
    out[15] = FLT_DIG;
    out[16] = FLT_MANT_DIG;
    out[17] = FLT_MAX_10_EXP;
    out[18] = FLT_MAX_EXP;
    out[19] = FLT_MIN_10_EXP;
    out[20] = FLT_MIN_EXP;
    out[21] = FLT_RADIX;
    out[22] = DBL_DIG;
    out[23] = DBL_MANT_DIG;
    out[24] = DBL_MAX_10_EXP;
    out[25] = DBL_MAX_EXP;
    out[26] = DBL_MIN_10_EXP;
    out[27] = DBL_MIN_EXP;
}

// Floats.
//! out: float 19
//! launch: 1 by 1
__kernel void constants_float(__global float* out) {
    out[0] = FLT_MAX;
    out[1] = FLT_MIN;
    out[2] = FLT_EPSILON;
    out[3] = MAXFLOAT;
    out[4] = INFINITY;
    out[5] = HUGE_VALF;
    out[6] = M_E_F;
    out[7] = M_LOG2E_F;
    out[8] = M_LOG10E_F;
    out[9] = M_LN2_F;
    out[10] = M_LN10_F;
    out[11] = M_PI_F;
    out[12] = M_PI_2_F;
    out[13] = M_PI_4_F;
    out[14] = M_1_PI_F;
    out[15] = M_2_PI_F;
    out[16] = M_2_SQRTPI_F;
    out[17] = M_SQRT2_F;
    out[18] = M_SQRT1_2_F;
}

// Doubles.
//! out: double 17
//! launch: 1 by 1
//! needs: double
__kernel void constants_double(__global double* out) {
    out[0] = DBL_MAX;
    out[1] = DBL_MIN;
    out[2] = DBL_EPSILON;
    out[3] = HUGE_VAL;
    out[4] = M_E;
    out[5] = M_LOG2E;
    out[6] = M_LOG10E;
    out[7] = M_LN2;
    out[8] = M_LN10;
    out[9] = M_PI;
    out[10] = M_PI_2;
    out[11] = M_PI_4;
    out[12] = M_1_PI;
    out[13] = M_2_PI;
    out[14] = M_2_SQRTPI;
    out[15] = M_SQRT2;
    out[16] = M_SQRT1_2;
}

// What ilogb gives for 0 and for a NaN, by its names.
//! in: float 64 special
//! out: int 128
//! launch: 64 by 32
__kernel void constants_of_ilogb(__global const float* in, __global int* out) {
    const int i = get_global_id(0);
    out[2 * i] = ilogb(in[i]) == FP_ILOGB0 || in[i] != 0.0f;
    out[2 * i + 1] = ilogb(in[i]) == FP_ILOGBNAN || !isnan(in[i]);
}
