// kernels: rms_norm_kernel<float,256>
// items: 256
// groups: n
// out: output n * hidden_size
// input: input n * hidden_size
// weight: input hidden_size
// epsilon: any
// hidden_size: hidden_size
template <typename scalar_t, int NUM_THREADS>
__global__ void rms_norm_kernel(
    scalar_t* __restrict__ out,           // [..., hidden_size]
    const scalar_t* __restrict__ input,   // [..., hidden_size]
    const scalar_t* __restrict__ weight,  // [hidden_size]
    const float epsilon, const int hidden_size) {
  __shared__ float s_variance;
  __shared__ float partial[NUM_THREADS / 32];
  float variance = 0.0f;
  for (int idx = threadIdx.x; idx < hidden_size; idx += blockDim.x) {
    const float x = (float)input[blockIdx.x * hidden_size + idx];
    variance += x * x;
  }
#pragma unroll
  for (int mask = 16; mask > 0; mask >>= 1) variance += __shfl_xor_sync(0xffffffffu, variance, mask);
  if (threadIdx.x % warpSize == 0) partial[threadIdx.x / warpSize] = variance;
  __syncthreads();
  if (threadIdx.x == 0) {
    for (int i = 1; i < NUM_THREADS / 32; ++i) variance += partial[i];
    s_variance = rsqrtf(variance / hidden_size + epsilon);
  }
  __syncthreads();
  for (int idx = threadIdx.x; idx < hidden_size; idx += blockDim.x) {
    float x = (float)input[blockIdx.x * hidden_size + idx];
    out[blockIdx.x * hidden_size + idx] = ((scalar_t)(x * s_variance)) * weight[idx];
  }
}
void rms_norm(float* o, float* i, float* w, int rows, int h) {
  rms_norm_kernel<float, 256><<<rows, 256, 0>>>(o, i, w, 1e-5f, h);
}
