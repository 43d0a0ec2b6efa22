// A launch from the device.
//! refused: 4 enqueue_kernel
__kernel void k(__global int* out) {
    enqueue_kernel(get_default_queue(), CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(4), ^{ out[0] = 1; });
}
