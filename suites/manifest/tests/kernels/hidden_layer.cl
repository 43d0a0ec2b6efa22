// items: 16 16
// groups: 1, in / 16
// input: input in + 1
// weights: in_out (in + 1) * 17
// partial: output in / 16 * hid
// node: local 16
// products: local 256
// in: in
// hid: 16
// A layer's products, summed by groups of 16 by 16; weights have a bias row and column.
#define HEIGHT 16
#define WIDTH 16
__kernel void hidden_layer(__global const float* input, __global float* weights,
                           __global float* partial, __local float* node, __local float* products,
                           int in, int hid) {
    int by = get_group_id(1);
    int tx = get_local_id(0);
    int ty = get_local_id(1);
    int at = (hid + 1) * HEIGHT * by + (hid + 1) * ty + tx + 1 + (hid + 1);
    int index_in = HEIGHT * by + ty + 1;
    if (tx == 0) node[ty] = input[index_in];
    barrier(CLK_LOCAL_MEM_FENCE);
    products[ty * WIDTH + tx] = weights[at] * node[ty];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int s = 1; s <= HEIGHT / 2; s *= 2) {
        if (ty % (2 * s) == 0) products[ty * WIDTH + tx] += products[(ty + s) * WIDTH + tx];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    weights[at] = products[ty * WIDTH + tx];
    if (tx == 0) partial[by * hid + ty] = products[ty];
}
