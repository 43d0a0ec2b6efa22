// An event of the device's own launches.
//! refused: 4 clk_event_t
__kernel void k(__global int* out) {
    clk_event_t e = create_user_event();
    out[0] = 1;
}
