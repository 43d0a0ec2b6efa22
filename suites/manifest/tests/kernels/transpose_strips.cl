// groups: ceil(columns / 32), ceil(rows / 32)
// items: 32 8
// out: output rows * columns
// in: input rows * columns
// rows: rows
// columns: columns
#define TILE 32
#define STRIP 8
kernel void transpose_strips(global float* out, global const float* in, uint rows, uint columns) {
    local float tile[TILE * (TILE + 1)];
    uint x = get_group_id(0) * TILE + get_local_id(0);
    uint y = get_group_id(1) * TILE + get_local_id(1);
    for (uint r = 0; r < TILE; r += STRIP)
        if (x < columns && y + r < rows)
            tile[(get_local_id(1) + r) * (TILE + 1) + get_local_id(0)] = in[(y + r) * columns + x];
    barrier(CLK_LOCAL_MEM_FENCE);
    x = get_group_id(1) * TILE + get_local_id(0);
    y = get_group_id(0) * TILE + get_local_id(1);
    for (uint r = 0; r < TILE; r += STRIP)
        if (x < rows && y + r < columns)
            out[(y + r) * rows + x] = tile[get_local_id(0) * (TILE + 1) + get_local_id(1) + r];
}
