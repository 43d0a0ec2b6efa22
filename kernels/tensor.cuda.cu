// c = a * b' by the units that multiply small matrices, a warp at a time. They have no portable spelling, so this
// is a native text of the CUDA backend: line by line that of tensor.opencl.cl. BYTES a factor: 2 is a half, 4 a
// float of which the unit takes sign, exponent and 10 more bits (TF32), 8 a double.

#if BYTES == 8
typedef double Sum;
#else
typedef float Sum;
#endif
#define group_items (BLOCK / EACH * (ACROSS / EACH_ACROSS) * 32)
#define rows_at_once (group_items / 4)
#define strip ((BLOCK + ACROSS) * 64)
#define tiles_down (EACH / 16)
#define tiles_across (EACH_ACROSS / 8)

// A row of a strip is 64 bytes, four runs of 16. Which run stands where depends on the row, so that the same run
// of eight rows lies in different banks.
__device__ __forceinline__ unsigned place(unsigned row, unsigned which) {
    return row * 64 + (which ^ (row / 2 % 2 * 2 + row / 4 % 2)) * 16;
}

// 16 bytes, or zeros.
__device__ __forceinline__ void copy_run(unsigned to, const uint4* from, bool exists) {
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;" ::"r"(to), "l"(from), "r"(exists ? 16 : 0) : "memory");
}

// Of 16 rows, or of two times 8, what a warp multiplies by half of a strip.
__device__ __forceinline__ void load(unsigned* to, unsigned from) {
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
                 : "=r"(to[0]), "=r"(to[1]), "=r"(to[2]), "=r"(to[3])
                 : "r"(from) : "memory");
}
__device__ __forceinline__ double load_double(unsigned from) {
    double value;
    asm volatile("ld.shared.f64 %0, [%1];" : "=d"(value) : "r"(from) : "memory");
    return value;
}

// 16 x 8 sums, four an item.
__device__ __forceinline__ void multiply(float* sums, const unsigned* a, const unsigned* b) {
#if BYTES == 2
    asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, "
                 "{%0, %1, %2, %3};"
                 : "+f"(sums[0]), "+f"(sums[1]), "+f"(sums[2]), "+f"(sums[3])
                 : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
#else
    asm volatile("mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, "
                 "{%0, %1, %2, %3};"
                 : "+f"(sums[0]), "+f"(sums[1]), "+f"(sums[2]), "+f"(sums[3])
                 : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
#endif
}
__device__ __forceinline__ void multiply_doubles(double* sums, const double* a, const double* b) {
    asm volatile("mma.sync.aligned.m16n8k8.row.col.f64.f64.f64.f64 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, "
                 "{%0, %1, %2, %3};"
                 : "+d"(sums[0]), "+d"(sums[1]), "+d"(sums[2]), "+d"(sums[3])
                 : "d"(a[0]), "d"(a[1]), "d"(a[2]), "d"(a[3]), "d"(b[0]), "d"(b[1]));
}

// BLOCK x ACROSS elements of c a group, EACH x EACH_ACROSS a warp. STAGES strips of 64 bytes of each row are in
// local memory or on their way. Behind the last row it is read again, and what comes of it is not stored. Groups go
// down BAND blocks before they go across, so that those of a time share rows of both.
extern "C" __global__ __launch_bounds__(group_items) void warp(const uint4* a, const uint4* b, Sum* c,
                                                              const unsigned long long m, const unsigned long long n,
                                                              const unsigned long long k) {
    __shared__ uint4 tiles[STAGES * strip / 16];
    const unsigned item = threadIdx.x;
    const unsigned lane = item % 32;
    const unsigned group = blockIdx.y * gridDim.x + blockIdx.x;
    const unsigned band = group / (BAND * gridDim.x);
    const unsigned in_band = group % (BAND * gridDim.x);
    const unsigned high = gridDim.y - band * BAND < BAND ? gridDim.y - band * BAND : BAND;
    const size_t top = size_t(band * BAND + in_band % high) * BLOCK;
    const size_t left = size_t(in_band / high) * ACROSS;
    const unsigned down = item / 32 / (ACROSS / EACH_ACROSS) * EACH;
    const unsigned across = item / 32 % (ACROSS / EACH_ACROSS) * EACH_ACROSS;
    // Where an item's copies go, and come from.
    const unsigned runs = k * BYTES / 16;
    const unsigned own_run = item % 4;
    const unsigned own_row = item / 4;
    unsigned at_a[BLOCK / rows_at_once];
    unsigned at_b[ACROSS / rows_at_once];
#pragma unroll
    for (int r = 0; r < BLOCK / rows_at_once; ++r) {
        const size_t row = top + own_row + r * rows_at_once;
        at_a[r] = unsigned(row < m ? row : m - 1) * runs + own_run;
    }
#pragma unroll
    for (int r = 0; r < ACROSS / rows_at_once; ++r) {
        const size_t row = left + own_row + r * rows_at_once;
        at_b[r] = unsigned(row < n ? row : n - 1) * runs + own_run;
    }
    const unsigned start = __cvta_generic_to_shared(tiles);
    const unsigned to = start + place(own_row, own_run);
    Sum sums[tiles_down][tiles_across][4];
#pragma unroll
    for (int i = 0; i < tiles_down * tiles_across * 4; ++i) {
        sums[i / (tiles_across * 4)][i / 4 % tiles_across][i % 4] = 0;
    }
    // One strip is multiplied while STAGES - 1 are on their way; the first turns only begin copies.
    unsigned into = 0;
    unsigned stage = 0;
    const int strips = (runs + 3) / 4;
#pragma unroll 1
    for (int turn = 1 - STAGES; turn < strips; ++turn) {
        if (turn >= 0) {
            asm volatile("cp.async.wait_group %0;" ::"n"(STAGES - 2) : "memory");
            __syncthreads();
        }
        const int next = turn + STAGES - 1;
        if (next < strips) {
            const bool exists = next * 4 + own_run < runs;
#pragma unroll
            for (int r = 0; r < BLOCK / rows_at_once; ++r) {
                copy_run(to + into * strip + r * rows_at_once * 64, a + at_a[r] + next * 4, exists);
            }
#pragma unroll
            for (int r = 0; r < ACROSS / rows_at_once; ++r) {
                copy_run(to + into * strip + (BLOCK + r * rows_at_once) * 64, b + at_b[r] + next * 4, exists);
            }
        }
        asm volatile("cp.async.commit_group;" ::: "memory");
        into = into + 1 == STAGES ? 0 : into + 1;
        if (turn < 0) continue;
        const unsigned of_a = start + stage * strip + down * 64;
        const unsigned of_b = start + stage * strip + (BLOCK + across) * 64;
#if BYTES == 8
        {
            double from_b[tiles_across][2];
#pragma unroll
            for (int j = 0; j < tiles_across * 2; ++j) {
                const unsigned own = place(lane / 4, j % 2 * 2 + lane % 4 / 2) + lane % 2 * 8;
                from_b[j / 2][j % 2] = load_double(of_b + j / 2 * 512 + own);
            }
#pragma unroll
            for (int i = 0; i < tiles_down; ++i) {
                double from_a[4];
#pragma unroll
                for (int e = 0; e < 4; ++e) {
                    const unsigned own = place(lane / 4, e / 2 * 2 + lane % 4 / 2) + lane % 2 * 8;
                    from_a[e] = load_double(of_a + i * 1024 + e % 2 * 512 + own);
                }
#pragma unroll
                for (int j = 0; j < tiles_across; ++j) multiply_doubles(sums[i][j], from_a, from_b[j]);
            }
        }
#else
#pragma unroll
        for (int step = 0; step < 2; ++step) {
            unsigned from_b[tiles_across * 2];
#pragma unroll
            for (int j = 0; j < tiles_across; j += 2) {
                load(from_b + j * 2, of_b + j * 512 + lane / 16 * 512 + place(lane % 8, step * 2 + lane / 8 % 2));
            }
#pragma unroll
            for (int i = 0; i < tiles_down; ++i) {
                unsigned from_a[4];
                load(from_a, of_a + i * 1024 + lane / 8 % 2 * 512 + place(lane % 8, step * 2 + lane / 16));
#pragma unroll
                for (int j = 0; j < tiles_across; ++j) multiply(sums[i][j], from_a, from_b + j * 2);
            }
        }
#endif
        stage = stage + 1 == STAGES ? 0 : stage + 1;
    }
    // An item has two neighbours of a row, and those eight rows below.
#pragma unroll
    for (int i = 0; i < tiles_down * 2; ++i) {
        const size_t row = top + down + i * 8 + lane / 4;
#pragma unroll
        for (int j = 0; j < tiles_across; ++j) {
            const size_t column = left + across + j * 8 + lane % 4 * 2;
            const Sum* two = sums[i / 2][j] + i % 2 * 2;
            if (row < m && column < n) c[row * n + column] = two[0];
            if (row < m && column + 1 < n) c[row * n + column + 1] = two[1];
        }
    }
}
