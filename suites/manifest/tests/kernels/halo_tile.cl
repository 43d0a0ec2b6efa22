// items: 16 16
// groups: ceil((columns + border) / 14), ceil((rows + border) / 14)
// turns: 1
// x: input columns * rows
// y: in_out columns * rows
// columns: columns
// rows: rows
// border: any
// Several turns of a smoothing on a tile with a border, and what is left of it is written.
#define TILE 16
#define WITHIN(v, low, high) ((v) >= (low) && (v) <= (high))
__kernel void turns_of_smoothing(int turns, __global const float* x, __global float* y, int columns,
                                 int rows, int border) {
    __local float now[TILE][TILE], then[TILE][TILE];
    const int tx = get_local_id(0), ty = get_local_id(1), inner = TILE - 2 * turns;
    const int from_x = inner * get_group_id(0) - border, from_y = inner * get_group_id(1) - border;
    const int at_x = from_x + tx, at_y = from_y + ty, at = columns * at_y + at_x;
    if (WITHIN(at_x, 0, columns - 1) && WITHIN(at_y, 0, rows - 1)) now[ty][tx] = x[at];
    barrier(CLK_LOCAL_MEM_FENCE);
    const int first = from_x < 0 ? -from_x : 0, last = min(TILE - 1, columns - 1 - from_x);
    bool done = false;
    for (int i = 0; i < turns; ++i) {
        done = false;
        if (WITHIN(tx, i + 1, TILE - i - 2) && WITHIN(ty, i + 1, TILE - i - 2) &&
            WITHIN(at_x, 0, columns - 1) && WITHIN(at_y, 0, rows - 1)) {
            int west = tx - 1, east = tx + 1;
            west = west < first ? first : west;
            east = east > last ? last : east;
            then[ty][tx] = (now[ty][west] + now[ty][east]) / 2;
            done = true;
        }
        barrier(CLK_LOCAL_MEM_FENCE);
        if (i == turns - 1) break;
        if (done) now[ty][tx] = then[ty][tx];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (done) y[at] = then[ty][tx];
}
