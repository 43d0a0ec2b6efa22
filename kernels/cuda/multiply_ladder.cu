// Generated from kernels/multiply_ladder.cl for T = float; `meson compile -C build cuda-sources` refreshes it.
#line 1 "multiply_ladder.cl"
// a = b * c for matrices that stand column after column: a of n x m elements, b of n x p, c of p x m, so
// that a[i + n*j] is the sum of b[i + n*k] * c[k + p*j]. A group takes neighbouring values of i, which
// are neighbouring words of a and b. Every sum runs from the first product to the last, each added by
// one fused multiply-add.

// One element of a an item, all of its row of b and column of c from global memory.
extern "C" __global__ __launch_bounds__((GROUP) * (1) * (1)) void plain(
    const float* b, const float* c, float* a, const unsigned long long n, const unsigned long long m,
    const unsigned long long p) {
    const size_t i = (size_t(blockIdx.x) * blockDim.x + threadIdx.x);
    const size_t j = size_t(blockIdx.y);
    if (i < n) {
        float sum = 0;
        for (size_t k = 0; k < p; ++k) sum = fma(b[i + n * k], c[k + p * j], sum);
        a[i + n * j] = sum;
    }
}

// GROUP elements of the column of c at a time in local memory, each loaded by one item for all.
extern "C" __global__ __launch_bounds__((GROUP) * (1) * (1)) void strip_of_c(
    const float* b, const float* c, float* a, const unsigned long long n, const unsigned long long m,
    const unsigned long long p) {
    __shared__ __align__(ALIGN) float strip[GROUP];
    const unsigned int lane = size_t(threadIdx.x);
    const size_t i = (size_t(blockIdx.x) * blockDim.x + threadIdx.x);
    const size_t j = size_t(blockIdx.y);
    float sum = 0;
    for (size_t start = 0; start < p; start += GROUP) {
        strip[lane] = start + lane < p ? c[start + lane + p * j] : 0;
        __syncthreads();
        if (i < n) {
            if (start + GROUP <= p) {
                for (unsigned int k = 0; k < GROUP; ++k) sum = fma(b[i + n * (start + k)], strip[k], sum);
            } else {
                for (unsigned int k = 0; start + k < p; ++k) {
                    sum = fma(b[i + n * (start + k)], strip[k], sum);
                }
            }
        }
        __syncthreads();
    }
    if (i < n) a[i + n * j] = sum;
}

// ROWS values of i an item, a group apart: what is read of the strip is used for each of them.
extern "C" __global__ __launch_bounds__((GROUP) * (1) * (1)) void rows(
    const float* b, const float* c, float* a, const unsigned long long n, const unsigned long long m,
    const unsigned long long p) {
    __shared__ __align__(ALIGN) float strip[GROUP];
    const unsigned int lane = size_t(threadIdx.x);
    const size_t first = size_t(blockIdx.x) * (ROWS * GROUP);
    const size_t j = size_t(blockIdx.y);
    float sums[ROWS];
    for (unsigned int r = 0; r < ROWS; ++r) sums[r] = 0;
    for (size_t start = 0; start < p; start += GROUP) {
        strip[lane] = start + lane < p ? c[start + lane + p * j] : 0;
        __syncthreads();
        if (first + ROWS * GROUP <= n && start + GROUP <= p) {
            const float* from_b = b + first + lane + n * start;
            for (unsigned int k = 0; k < GROUP; ++k) {
                const float from_c = strip[k];
                for (unsigned int r = 0; r < ROWS; ++r) sums[r] = fma(from_b[r * GROUP], from_c, sums[r]);
                from_b += n;
            }
        } else {
            for (unsigned int r = 0; r < ROWS; ++r) {
                const size_t i = first + r * GROUP + lane;
                if (i < n) {
                    for (unsigned int k = 0; k < GROUP && start + k < p; ++k) {
                        sums[r] = fma(b[i + n * (start + k)], strip[k], sums[r]);
                    }
                }
            }
        }
        __syncthreads();
    }
    for (unsigned int r = 0; r < ROWS; ++r) {
        const size_t i = first + r * GROUP + lane;
        if (i < n) a[i + n * j] = sums[r];
    }
}

// COLUMNS values of j an item, a strip of c for each: what is read of b is used for all of them.
extern "C" __global__ __launch_bounds__((GROUP) * (1) * (1)) void columns(
    const float* b, const float* c, float* a, const unsigned long long n, const unsigned long long m,
    const unsigned long long p) {
    __shared__ __align__(ALIGN) float strips[COLUMNS][GROUP];
    const unsigned int lane = size_t(threadIdx.x);
    const size_t i = (size_t(blockIdx.x) * blockDim.x + threadIdx.x);
    const size_t left = size_t(blockIdx.y) * COLUMNS;
    float sums[COLUMNS];
    for (unsigned int q = 0; q < COLUMNS; ++q) sums[q] = 0;
    for (size_t start = 0; start < p; start += GROUP) {
        for (unsigned int q = 0; q < COLUMNS; ++q) {
            const bool inside = start + lane < p && left + q < m;
            strips[q][lane] = inside ? c[start + lane + p * (left + q)] : 0;
        }
        __syncthreads();
        if (i < n) {
            if (start + GROUP <= p) {
                for (unsigned int k = 0; k < GROUP; ++k) {
                    const float from_b = b[i + n * (start + k)];
                    for (unsigned int q = 0; q < COLUMNS; ++q) sums[q] = fma(from_b, strips[q][k], sums[q]);
                }
            } else {
                for (unsigned int k = 0; start + k < p; ++k) {
                    const float from_b = b[i + n * (start + k)];
                    for (unsigned int q = 0; q < COLUMNS; ++q) sums[q] = fma(from_b, strips[q][k], sums[q]);
                }
            }
        }
        __syncthreads();
    }
    if (i < n) {
        for (unsigned int q = 0; q < COLUMNS; ++q) {
            if (left + q < m) a[i + n * (left + q)] = sums[q];
        }
    }
}
