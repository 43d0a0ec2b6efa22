// wrong: x < w && y < h) tile => x < w - 1 && y < h) tile
// wrong: x < w && y < h) tile => x < w && y < h - 1) tile
// wrong: column < h && row < w => column < h && row < w - 1
// wrong: column < h && row < w => column < h
// wrong: column < h && row < w => column <= h && row < w
// wrong: out[row * h + column] => out[row * w + column]
// wrong: in[y * w + x] => in[y * h + x]
// wrong: tile[i][j] => tile[j][i]
// wrong: in[y * w + x] => max(in[y * w + x], -0x7fff)
// wrong: in[y * w + x] => (in[y * w + x] == 0 ? 1 : in[y * w + x])
__kernel void transpose(__global const int* in, __global int* out, const int w, const int h) {
    __local int tile[16][17];
    const int i = get_local_id(0), j = get_local_id(1);
    const int x = get_global_id(0), y = get_global_id(1);
    if (x < w && y < h) tile[j][i] = in[y * w + x];
    barrier(CLK_LOCAL_MEM_FENCE);
    const int column = get_group_id(1) * 16 + i, row = get_group_id(0) * 16 + j;
    if (column < h && row < w) out[row * h + column] = tile[i][j];
}
