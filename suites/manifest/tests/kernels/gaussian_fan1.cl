// groups: ceil(size / items_x)
// m_dev: in_out size * size
// a_dev: input size * size
// size: size
// t: 0
__kernel void Fan1(__global float* m_dev, __global float* a_dev, const int size, const int t) {
    int globalId = get_global_id(0);
    if (globalId < size - 1 - t) {
        *(m_dev + size * (globalId + t + 1) + t) =
            *(a_dev + size * (globalId + t + 1) + t) / *(a_dev + size * t + t);
    }
}
