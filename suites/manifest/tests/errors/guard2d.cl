// wrong: x < w && y < h => x < w - 1 && y < h
// wrong: x < w && y < h => x < w && y < h - 1
// wrong: x < w && y < h => x < w
// wrong: x < w && y < h => y < h
// wrong: x < w && y < h => x < h && y < w
// wrong: out[y * w + x] => out[x * h + y]
// wrong: in[y * w + x] => in[y * h + x]
// wrong: get_global_id(1) => get_global_id(0)
// wrong: v < 0 ? -v : v => v
// wrong: v < 0 ? -v : v => v <= 0 ? 1 - v : v
// wrong: v < 0 ? -v : v => (char)(v < 0 ? -v : v)
__kernel void magnitude(__global const short* in, __global short* out, const int w, const int h) {
    const int x = get_global_id(0), y = get_global_id(1);
    if (x < w && y < h) {
        const int v = in[y * w + x];
        out[y * w + x] = v < 0 ? -v : v;
    }
}
