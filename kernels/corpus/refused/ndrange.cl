// A range for a launch from the device.
//! refused: 4 ndrange_t
__kernel void k(__global int* out) {
    ndrange_t range = ndrange_1D(64);
    out[0] = 1;
}
