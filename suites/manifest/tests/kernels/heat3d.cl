// groups: ceil(nx / items_x), ceil(ny / items_y)
// p: input nx * ny * nz
// tIn: input nx * ny * nz
// tOut: output nx * ny * nz
// sdc: any
// nx: nx
// ny: ny
// nz: nz
// ce: any
// cc: any
// A chip of layers: each item walks through all of them.
__kernel void heat3d(__global const float* p, __global const float* tIn, __global float* tOut,
                     float sdc, int nx, int ny, int nz, float ce, float cc) {
    int i = get_global_id(0);
    int j = get_global_id(1);
    if (i >= nx || j >= ny) return;
    int c = i + j * nx;
    const int xy = nx * ny;
    int W = (i == 0) ? c : c - 1;
    int E = (i == nx - 1) ? c : c + 1;
    int N = (j == 0) ? c : c - nx;
    int S = (j == ny - 1) ? c : c + nx;
    for (int k = 0; k < nz; ++k) {
        int b = k == 0 ? c : c - xy;
        int t = k == nz - 1 ? c : c + xy;
        tOut[c] = cc * tIn[c] + ce * (tIn[W] + tIn[E] + tIn[N] + tIn[S] + tIn[b] + tIn[t]) + sdc * p[c];
        c += xy;
        W += xy;
        E += xy;
        N += xy;
        S += xy;
    }
}
