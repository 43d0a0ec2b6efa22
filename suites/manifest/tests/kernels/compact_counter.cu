// groups: ceil(n / items_x)
// in: input n
// out: in_out n
// n: n
// counter: in_out 1
__device__ unsigned int counter;

__global__ void compact(const int* in, int* out, int n) {
    const auto gid = blockIdx.x * blockDim.x + threadIdx.x;
    if (gid < n && in[gid] > 0) out[atomicAdd(&counter, 1u)] = in[gid];
}
