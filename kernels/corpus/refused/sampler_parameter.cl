// A sampler as a parameter.
//! refused: 4 sampler_t
__kernel void k(__global int* out,
                sampler_t how) {
    out[0] = 1;
}
