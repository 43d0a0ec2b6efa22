// groups: ceil(count / items_x)
// arrayX: input count
// arrayY: input count
// cdf: input count
// u: input count
// xj: output count
// yj: output count
// count: count
// Particles of a filter are drawn anew: each looks for its place in the sums of weights.
__kernel void find_index(__global const float* arrayX, __global const float* arrayY,
                         __global const float* cdf, __global const float* u, __global float* xj,
                         __global float* yj, const int count) {
    int i = get_global_id(0);
    if (i < count) {
        int index = -1;
        for (int x = 0; x < count; x++) {
            if (cdf[x] >= u[i]) {
                index = x;
                break;
            }
        }
        if (index == -1) index = count - 1;
        xj[i] = arrayX[index];
        yj[i] = arrayY[index];
    }
}
