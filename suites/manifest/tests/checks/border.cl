// What is not written keeps what it held.
// wrong: out[y * w + x] = in => out[y * w + x] += in
// wrong: if (x > 0 => if (x == 0) out[y * w + x] = 0.0f; if (x > 0
__kernel void border(__global const float* in, __global float* out, const int w, const int h) {
    const int x = get_global_id(0), y = get_global_id(1);
    if (x > 0 && y > 0 && x < w - 1 && y < h - 1)
        out[y * w + x] = in[y * w + x - 1] + in[y * w + x + 1] + in[(y - 1) * w + x] + in[(y + 1) * w + x] - 4.0f * in[y * w + x];
}
