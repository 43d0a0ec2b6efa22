// groups: ceil(size / items_x)
// data: input size
// size: size
// histogram: in_out 256
__kernel void histogram256(__global const uchar* data, uint size, __global uint* histogram) {
    uint i = get_global_id(0);
    uint stride = get_global_size(0);
    while (i < size) {
        atomic_inc(&histogram[data[i]]);
        i += stride;
    }
}
