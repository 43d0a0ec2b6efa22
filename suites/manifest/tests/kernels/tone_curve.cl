// groups: ceil(size_x / items_x), ceil(size_y / items_y)
// in: input size_x * size_y
// out: output size_x * size_y
// cfg: input 1
// lut: input 256
// size: any
// Settings in constant memory as a record, a table of tones, a picture of four bytes a pixel.
typedef struct {
    float gain, gamma;
    int clip_low;
    int clip_high;
} Tone;
__kernel void tone_curve(__global const uchar4* in, __global uchar4* out, __constant Tone* cfg,
                         __constant uchar* lut, int2 size) {
    int2 pos = (int2)(get_global_id(0), get_global_id(1));
    if (pos.x >= size.x || pos.y >= size.y) return;
    const int at = pos.x + pos.y * size.x;
    uchar4 p = in[at];
    p.x = lut[p.x];
    p.y = lut[p.y];
    p.z = lut[p.z];
    float3 v = cfg->gain * convert_float3(p.xyz);
    int3 q = clamp(convert_int3(v), cfg->clip_low, cfg->clip_high);
    out[at] = (uchar4)(convert_uchar3(q), p.w);
}
