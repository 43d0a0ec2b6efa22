// groups: n / items_x
// in: input 4 * n
// out: output 4 * n
// f: any
kernel void scale4(global const float* in, global float* out, float f) {
    size_t i = get_global_id(0);
    float4 v = vload4(i, in);
    vstore4(v * f, i, out);
}
