// wrong: max(x - 1, 0) => max(x - 1, 1)
// wrong: max(y - 1, 0) => abs(y - 1)
// wrong: min(x + 1, w - 1) => min(x + 1, w - 2)
// wrong: min(y + 1, h - 1) => min(y + 1, h - 2)
// wrong: x >= w || y >= h => x >= w - 1 || y >= h
// wrong: x >= w || y >= h => x > w || y >= h
// wrong: clamp(v, 0, 255) => min(v, 255)
// wrong: clamp(v, 0, 255) => max(v, 0)
// wrong: clamp(v, 0, 255) => clamp(v, 0, 254)
// wrong: clamp(v, 0, 255) => clamp(v, 1, 255)
// wrong: 5 * in[y * w + x] => 4 * in[y * w + x]
// wrong: - in[down * w + x] => - in[up * w + x]
// wrong: 5 * in[y * w + x] => 5 * (char)in[y * w + x]
__kernel void sharpen(__global const uchar* in, __global uchar* out, const int w, const int h) {
    const int x = get_global_id(0), y = get_global_id(1);
    if (x >= w || y >= h) return;
    const int left = max(x - 1, 0), right = min(x + 1, w - 1);
    const int up = max(y - 1, 0), down = min(y + 1, h - 1);
    const int v = 5 * in[y * w + x] - in[y * w + left] - in[y * w + right] - in[up * w + x]
                - in[down * w + x];
    out[y * w + x] = clamp(v, 0, 255);
}
