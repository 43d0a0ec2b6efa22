// groups: ceil(n * channels * spatial / items_x)
// data: in_out n * channels * spatial
// bias: input channels
// n: n
// channels: channels
// spatial: spatial
__kernel void add_bias_relu(__global float* data, __global const float* bias, const int n,
                            const int channels, const int spatial) {
    const int total = n * channels * spatial;
    for (int index = get_global_id(0); index < total; index += get_global_size(0)) {
        const int c = (index / spatial) % channels;
        data[index] = fmax(data[index] + bias[c], 0.0f);
    }
}
