// items: 16
// groups: blk
// itemsets: in_out cols * cols
// reference: input cols * cols
// cols: cols
// penalty: any
// blk: blk
// Scores of an alignment along an anti-diagonal of tiles, one group a tile.
#define BS 16
#define AT(a, r, c) a[(r) * (BS + 1) + (c)]
int max3(int a, int b, int c) {
    int k = a > b ? a : b;
    return k > c ? k : c;
}
__kernel void align_strip(__global int* itemsets, __global const int* reference, const int cols,
                          const int penalty, const int blk) {
    __local int score[(BS + 1) * (BS + 1)];
    const int tx = get_local_id(0);
    const int bx = get_group_id(0);
    const int by = blk - 1 - bx;
    const int base = cols * BS * by + BS * bx;
    if (tx == 0) score[0] = itemsets[base];
    AT(score, tx + 1, 0) = itemsets[base + cols * (tx + 1)];
    AT(score, 0, tx + 1) = itemsets[base + tx + 1];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int d = 0; d < 2 * BS - 1; ++d) {
        const int r = d - tx + 1;
        if (r >= 1 && r <= BS)
            AT(score, r, tx + 1) =
                max3(AT(score, r - 1, tx) + reference[base + cols * r + tx + 1],
                     AT(score, r, tx) - penalty, AT(score, r - 1, tx + 1) - penalty);
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    for (int r = 1; r <= BS; ++r) itemsets[base + cols * r + tx + 1] = AT(score, r, tx + 1);
}
