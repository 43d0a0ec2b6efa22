// c = a * b' by the units that multiply matrices for four warps at a time and take both factors from local memory.
// Only machines of compute capability 9.0 have them: this is a native text of the CUDA backend. BYTES a factor: 2 is
// a half, 4 a float of which the unit takes sign, exponent and 10 more bits (TF32).

#define group_items (BLOCK * 2)
#define rows_at_once (group_items / 8)
#define strip ((BLOCK + ACROSS) * 128)

#define sums_8(i)                                                                                      \
    "+f"(s[i]), "+f"(s[i + 1]), "+f"(s[i + 2]), "+f"(s[i + 3]), "+f"(s[i + 4]), "+f"(s[i + 5]), \
        "+f"(s[i + 6]), "+f"(s[i + 7])
#define sums_32(i) sums_8(i), sums_8(i + 8), sums_8(i + 16), sums_8(i + 24)

#define registers_64 \
    "%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, " \
    "%16, %17, %18, %19, %20, %21, %22, %23, %24, %25, %26, %27, %28, %29, %30, %31, " \
    "%32, %33, %34, %35, %36, %37, %38, %39, %40, %41, %42, %43, %44, %45, %46, %47, " \
    "%48, %49, %50, %51, %52, %53, %54, %55, %56, %57, %58, %59, %60, %61, %62, %63"
#if ACROSS == 256
#define size "m64n256"
#define registers \
    "{" registers_64 ", %64, %65, %66, %67, %68, %69, %70, %71, %72, %73, %74, %75, %76, %77, %78, %79, " \
    "%80, %81, %82, %83, %84, %85, %86, %87, %88, %89, %90, %91, %92, %93, %94, %95, " \
    "%96, %97, %98, %99, %100, %101, %102, %103, %104, %105, %106, %107, %108, %109, %110, %111, " \
    "%112, %113, %114, %115, %116, %117, %118, %119, %120, %121, %122, %123, %124, %125, %126, %127}, %128, %129"
#define all_sums sums_32(0), sums_32(32), sums_32(64), sums_32(96)
#else
#define size "m64n128"
#define registers "{" registers_64 "}, %64, %65"
#define all_sums sums_32(0), sums_32(32)
#endif

// 64 x ACROSS sums of four warps += 32 bytes of 64 rows of a times those of ACROSS rows of b. It goes on by itself.
__device__ __forceinline__ void multiply(float* s, unsigned long long a, unsigned long long b) {
#if BYTES == 2
    asm volatile("wgmma.mma_async.sync.aligned." size "k16.f32.f16.f16 " registers ", 1, 1, 1, 0, 0;"
#else
    asm volatile("wgmma.mma_async.sync.aligned." size "k8.f32.tf32.tf32 " registers ", 1, 1, 1;"
#endif
                 : all_sums
                 : "l"(a), "l"(b));
}

// 16 bytes, or zeros.
__device__ __forceinline__ void copy_run(unsigned to, const uint4* from, bool exists) {
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;" ::"r"(to), "l"(from), "r"(exists ? 16 : 0) : "memory");
}

// What the unit is told of rows in local memory: where they begin, eight rows every 1024 bytes, and that of a row of
// 128 bytes the runs of 16 stand in the order that copies give them.
__device__ __forceinline__ unsigned long long rows_at(unsigned place) {
    return 1ull << 62 | 64ull << 32 | 1ull << 16 | place >> 4;
}

// BLOCK x ACROSS elements of c a group, 64 x ACROSS four of its warps. STAGES strips of 128 bytes of each row are in
// local memory: two are multiplied, and the others are on their way. Behind the last row it is read again, and what
// comes of it is not stored. Groups go down BAND blocks before they go across, so that those of a time share rows.
extern "C" __global__ void __launch_bounds__(group_items, 1) warpgroup(
    const uint4* a, const uint4* b, float* c, unsigned long long m, unsigned long long n, unsigned long long k) {
    extern __shared__ uint4 tiles[];
    const unsigned item = threadIdx.x;
    const unsigned lane = item % 32;
    const unsigned group = blockIdx.y * gridDim.x + blockIdx.x;
    const unsigned band = group / (BAND * gridDim.x);
    const unsigned in_band = group % (BAND * gridDim.x);
    const unsigned high = min(gridDim.y - band * BAND, unsigned(BAND));
    const size_t top = size_t(band * BAND + in_band % high) * BLOCK;
    const size_t left = size_t(in_band / high) * ACROSS;
    // Where an item's copies come from, and go: eight items copy a row's part.
    const unsigned runs = k * BYTES / 16;
    const unsigned own_run = item % 8;
    const unsigned own_row = item / 8;
    const unsigned start = (unsigned(__cvta_generic_to_shared(tiles)) + 1023) / 1024 * 1024;
    const unsigned to = start + own_row * 128 + (own_run ^ own_row % 8) * 16;
    unsigned at_a[BLOCK / rows_at_once];
    unsigned at_b[ACROSS / rows_at_once];
#pragma unroll
    for (int r = 0; r < BLOCK / rows_at_once; ++r) {
        at_a[r] = min(unsigned(top + own_row + r * rows_at_once), unsigned(m) - 1) * runs + own_run;
    }
#pragma unroll
    for (int r = 0; r < ACROSS / rows_at_once; ++r) {
        at_b[r] = min(unsigned(left + own_row + r * rows_at_once), unsigned(n) - 1) * runs + own_run;
    }
    float sums[ACROSS / 2];
#pragma unroll
    for (int i = 0; i < ACROSS / 2; ++i) sums[i] = 0;
    const unsigned strips = (runs + 7) / 8;
    unsigned begun = 0;
    unsigned into = 0;
    auto copy_strip = [&] {
        if (begun < strips) {
            const bool exists = begun * 8 + own_run < runs;
#pragma unroll
            for (int r = 0; r < BLOCK / rows_at_once; ++r) {
                copy_run(to + into * strip + r * rows_at_once * 128, a + at_a[r] + begun * 8, exists);
            }
#pragma unroll
            for (int r = 0; r < ACROSS / rows_at_once; ++r) {
                copy_run(to + into * strip + (BLOCK + r * rows_at_once) * 128, b + at_b[r] + begun * 8, exists);
            }
        }
        asm volatile("cp.async.commit_group;" ::: "memory");
        ++begun;
        into = into + 1 == STAGES ? 0 : into + 1;
    };
#pragma unroll 1
    for (int s = 0; s < STAGES - 2; ++s) copy_strip();
    unsigned stage = 0;
#pragma unroll 1
    for (unsigned turn = 0; turn < strips; ++turn) {
        // What copies wrote has to be seen by a unit that reads by a way of its own. A fence of all memory instead
        // of the local one would wait for the copies that are still on their way.
        asm volatile("cp.async.wait_group %0;" ::"n"(STAGES - 3) : "memory");
        asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
        __syncthreads();
        const unsigned long long of_a = rows_at(start + stage * strip + item / 128 * 64 * 128);
        const unsigned long long of_b = rows_at(start + stage * strip + BLOCK * 128);
        asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
#pragma unroll
        for (int d = 0; d < 4; ++d) multiply(sums, of_a + d * 2, of_b + d * 2);
        asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory");
        // They go where the products of the turn before last came from, which all warps have seen end.
        copy_strip();
        asm volatile("wgmma.wait_group.sync.aligned 1;" ::: "memory");
        stage = stage + 1 == STAGES ? 0 : stage + 1;
    }
    asm volatile("wgmma.wait_group.sync.aligned 0;" ::: "memory");
    // An item has two neighbours of a row every eight columns, and those eight rows below.
#pragma unroll
    for (int h = 0; h < 2; ++h) {
        const size_t row = top + item / 32 * 16 + h * 8 + lane / 4;
#pragma unroll
        for (int j = 0; j < ACROSS / 8; ++j) {
            const size_t column = left + j * 8 + lane % 4 * 2;
            const float* two = sums + j * 4 + h * 2;
            float* const place = c + row * n + column;
            if (n % 2 == 0) {
                if (row < m && column < n) *(float2*)place = make_float2(two[0], two[1]);
            } else {
                if (row < m && column < n) place[0] = two[0];
                if (row < m && column + 1 < n) place[1] = two[1];
            }
        }
    }
}
