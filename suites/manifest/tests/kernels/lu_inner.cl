// items: 16 16
// groups: (matrix_dim - offset) / 16 - 1, (matrix_dim - offset) / 16 - 1
// m: in_out matrix_dim * matrix_dim
// matrix_dim: matrix_dim
// offset: 0
// Right-looking LU on tiles: what is below and right of the diagonal tile is updated.
#ifndef TILE
#define TILE 16
#endif
__kernel void lu_inner(__global float* m, int matrix_dim, int offset) {
    __local float peri_row[TILE * TILE];
    __local float peri_col[TILE * TILE];
    const int bx = get_group_id(0), by = get_group_id(1);
    const int tx = get_local_id(0), ty = get_local_id(1);
    const int row_at = offset + (by + 1) * TILE;
    const int col_at = offset + (bx + 1) * TILE;
    peri_row[ty * TILE + tx] = m[(offset + ty) * matrix_dim + col_at + tx];
    peri_col[ty * TILE + tx] = m[(row_at + ty) * matrix_dim + offset + tx];
    barrier(CLK_LOCAL_MEM_FENCE);
    float sum = 0;
    for (int i = 0; i < TILE; i++) sum += peri_col[ty * TILE + i] * peri_row[i * TILE + tx];
    m[(row_at + ty) * matrix_dim + col_at + tx] -= sum;
}
