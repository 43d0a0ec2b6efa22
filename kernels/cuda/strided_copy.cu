// Generated from kernels/strided_copy.cl for T = float; `meson compile -C build cuda-sources` refreshes it.
#line 1 "strided_copy.cl"
// Copies of an array that differ in nothing but the order in which its elements are touched.

// Neighbouring items touch neighbouring elements.
extern "C" __global__ void copy(const float* in, float* out, const unsigned long long n) {
    const size_t i = (size_t(blockIdx.x) * blockDim.x + threadIdx.x);
    if (i < n) out[i] = in[i];
}

// The same, four elements an item; the last items take what four do not divide.
extern "C" __global__ void copy4(const float* in, float* out, const unsigned long long n) {
    const float4* in4 = (const float4*)in;
    float4* out4 = (float4*)out;
    const size_t i = (size_t(blockIdx.x) * blockDim.x + threadIdx.x);
    const size_t whole = n / 4;
    if (i < whole) {
        out4[i] = in4[i];
    } else if (i - whole < n - 4 * whole) {
        out[3 * whole + i] = in[3 * whole + i];
    }
}

// Neighbouring items touch elements `stride` apart; the groups' second index is the first element, so
// that after all of them every element was copied once.
extern "C" __global__ void strided(const float* in, float* out, const unsigned long long n, const unsigned int stride) {
    const size_t i = (size_t(blockIdx.x) * blockDim.x + threadIdx.x) * stride + size_t(blockIdx.y);
    if (i < n) out[i] = in[i];
}

// Neighbouring items touch neighbouring elements, but the first one is not the first of a memory
// transaction. The last `offset` items take the elements that the others leave out.
extern "C" __global__ void shifted(const float* in, float* out, const unsigned long long n, const unsigned int offset) {
    const size_t item = (size_t(blockIdx.x) * blockDim.x + threadIdx.x);
    if (item < n) {
        const size_t i = item + offset < n ? item + offset : item + offset - n;
        out[i] = in[i];
    }
}
