// The constants of half: of that type, and numbers.

#pragma OPENCL EXTENSION cl_khr_fp16 : enable

//! out: half 16
//! out: int 9
//! launch: 1 by 1
//! needs: half
__kernel void constants_half(__global half* out, __global int* numbers) {
    out[0] = HALF_MAX;
    out[1] = HALF_MIN;
    out[2] = HALF_EPSILON;
    out[3] = M_E_H;
    out[4] = M_LOG2E_H;
    out[5] = M_LOG10E_H;
    out[6] = M_LN2_H;
    out[7] = M_LN10_H;
    out[8] = M_PI_H;
    out[9] = M_PI_2_H;
    out[10] = M_PI_4_H;
    out[11] = M_1_PI_H;
    out[12] = M_2_PI_H;
    out[13] = M_2_SQRTPI_H;
    out[14] = M_SQRT2_H;
    out[15] = M_SQRT1_2_H;
    numbers[0] = HALF_DIG;
    numbers[1] = HALF_MANT_DIG;
    numbers[2] = HALF_MAX_10_EXP;
    numbers[3] = HALF_MAX_EXP;
    numbers[4] = HALF_MIN_10_EXP;
    numbers[5] = HALF_MIN_EXP;
    numbers[6] = HALF_RADIX;
    numbers[7] = sizeof(HALF_MAX);
    numbers[8] = fmax(out[0], HALF_EPSILON) == HALF_MAX;
}
