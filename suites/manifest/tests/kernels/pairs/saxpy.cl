// cuda: "saxpy.cu"
// groups: ceil(n / items_x)
// n: n
// a: any
// x: input n
// y: in_out n
__kernel void saxpy(const int n, const float a, __global const float* x, __global float* y) {
    const int i = get_global_id(0);
    if (i < n) y[i] = a * x[i] + y[i];
}
