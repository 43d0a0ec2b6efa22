// Pointers to arrays, in every address space.

typedef int ArrayRow[4];
typedef struct {
    int rows[3][4];
} ArrayHolder;
typedef __global const int (*GlobalRows)[4];
typedef __local int (*LocalRows)[4];

__constant int array_table[3][4] = {{1, 2, 3, 4}, {5, 6, 7, 8}, {9, 10, 11, 12}};

int array_global(__global const int (*t)[4], int i) {
    return t[i][1] + (*(t + i))[2] + **t;
}
int array_local(__local int (*t)[4], int i) {
    return t[i][1] + (*(t + i))[2] + **t;
}
int array_constant(__constant int (*t)[4], int i) {
    return t[i][1] + (*(t + i))[2] + **t;
}
int array_private(int (*t)[4], int i) {
    return t[i][1] + (*(t + i))[2] + **t;
}
int array_named(GlobalRows g, LocalRows l, __local ArrayRow* r, int i) {
    return g[i][3] - l[i][0] * 3 + r[i][2];
}
int array_volatile(volatile __local int (*restrict t)[4], int i) {
    return t[i][3];
}
int array_held(__local const ArrayHolder* h, int i) {
    __local const int(*rows)[4] = h->rows;
    return rows[i][1] + (*(rows + 1))[i];
}
int array_counted(int v[static 3], __local const int w[restrict const static 2]) {
    return v[2] ^ w[1];
}
__local int* array_row(__local int (*t)[4], int i) {
    return t[i];
}

//! in: int 96 bits
//! out: int 512
//! launch: 32 by 32
__kernel void array_pointers(__global const int (*in)[4], __global int (*out)[16]) {
    __local int tile[8][4];
    __local ArrayHolder holder;
    int l = get_local_id(0), i = l & 1;
    tile[l >> 2][l & 3] = in[l >> 2][l & 3];
    if (l < 12) holder.rows[l >> 2][l & 3] = in[l >> 1][l & 3] ^ l;
    barrier(CLK_LOCAL_MEM_FENCE);
    int own[2][4] = {{l, 2, 3, 4}, {5, 6, 7, l}};
    int(*p)[4] = own;
    __local int(*t)[4] = tile + 1, (*u)[4] = &tile[3];
    __local int(*both[2])[4] = {t, u};
    __constant int(*c)[4] = array_table;
    out[l][0] = array_global(in, i);
    out[l][1] = array_local(tile, l & 7);
    out[l][2] = array_constant(array_table, i);
    out[l][3] = array_private(own, i);
    out[l][4] = array_named(in, tile, tile + 1, l & 3);
    out[l][5] = array_volatile(tile, l & 7);
    out[l][6] = array_held(&holder, i);
    out[l][7] = array_row(tile, l & 7)[1];
    out[l][8] = both[i][0][2] + (int)(u - t);
    out[l][9] = (*++p)[l & 3] + c[i][3] + (*(c + 1))[2];
    out[l][10] = ((__local int(*)[8])tile)[l & 3][5];
    out[l][11] = ((__global const int(*)[2][4])in)[i][1][2];
    out[l][12] = sizeof(*t) + sizeof(tile) + sizeof(*p) + sizeof(*both);
    out[l][13] = ((__global const uchar(*)[4])in)[l][2];
    out[l][14] = *(__local int*)(tile + (l & 7)) + ((int(*)[2])own)[3][1];
    out[l][15] = (i ? t : u)[0][1] + array_counted(own[i], tile[i]);
}
