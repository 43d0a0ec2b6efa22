// c = a * b' by the units that multiply small matrices, a warp at a time. They have no portable spelling, so this
// is a native text for NVIDIA's compiler, with instructions of PTX: step by step that of tensor.cuda.cu. BYTES a
// factor: 2 is a half, 4 a float of which the unit takes sign, exponent and 10 more bits (TF32), 8 a double.

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
uint place(uint row, uint which) {
    return row * 64 + (which ^ (row / 2 % 2 * 2 + row / 4 % 2)) * 16;
}

// 16 bytes, or zeros.
void copy_run(uint to, __global const uint4* from, bool exists) {
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;" ::"r"(to), "l"(from), "r"(exists ? 16 : 0) : "memory");
}

// Of 16 rows, or of two times 8, what a warp multiplies by half of a strip.
void load(uint* to, uint from) {
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
                 : "=r"(to[0]), "=r"(to[1]), "=r"(to[2]), "=r"(to[3])
                 : "r"(from) : "memory");
}
double load_double(uint from) {
    double value;
    asm volatile("ld.shared.f64 %0, [%1];" : "=d"(value) : "r"(from) : "memory");
    return value;
}

// 16 x 8 sums, four an item.
void multiply(float* sums, const uint* a, const uint* b) {
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
void multiply_doubles(double* sums, const double* a, const double* b) {
    asm volatile("mma.sync.aligned.m16n8k8.row.col.f64.f64.f64.f64 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, "
                 "{%0, %1, %2, %3};"
                 : "+d"(sums[0]), "+d"(sums[1]), "+d"(sums[2]), "+d"(sums[3])
                 : "d"(a[0]), "d"(a[1]), "d"(a[2]), "d"(a[3]), "d"(b[0]), "d"(b[1]));
}

// BLOCK x ACROSS elements of c a group, EACH x EACH_ACROSS a warp. STAGES strips of 64 bytes of each row are in
// local memory or on their way. Behind the last row it is read again, and what comes of it is not stored. Groups go
// down BAND blocks before they go across, so that those of a time share rows of both.
__kernel __attribute__((reqd_work_group_size(group_items, 1, 1))) void warp(
    __global const uint4* a, __global const uint4* b, __global Sum* c, const ulong m, const ulong n, const ulong k) {
    // OpenCL keeps 4 bytes at the start for itself. Where strips begin 16 bytes behind a
    // multiple of 128, the kernel takes up to twice as long.
    __local __attribute__((aligned(128))) uint4 tiles[STAGES * strip / 16];
    const uint item = get_local_id(0);
    const uint lane = item % 32;
    const uint groups_across = get_num_groups(0);
    const uint groups_down = get_num_groups(1);
    const uint group = get_group_id(1) * groups_across + get_group_id(0);
    const uint band = group / (BAND * groups_across);
    const uint in_band = group % (BAND * groups_across);
    const uint high = groups_down - band * BAND < BAND ? groups_down - band * BAND : BAND;
    const size_t top = (size_t)(band * BAND + in_band % high) * BLOCK;
    const size_t left = (size_t)(in_band / high) * ACROSS;
    const uint down = item / 32 / (ACROSS / EACH_ACROSS) * EACH;
    const uint across = item / 32 % (ACROSS / EACH_ACROSS) * EACH_ACROSS;
    // Where an item's copies go, and come from.
    const uint runs = k * BYTES / 16;
    const uint own_run = item % 4;
    const uint own_row = item / 4;
    uint at_a[BLOCK / rows_at_once];
    uint at_b[ACROSS / rows_at_once];
#pragma unroll
    for (int r = 0; r < BLOCK / rows_at_once; ++r) {
        const size_t row = top + own_row + r * rows_at_once;
        at_a[r] = (uint)(row < m ? row : m - 1) * runs + own_run;
    }
#pragma unroll
    for (int r = 0; r < ACROSS / rows_at_once; ++r) {
        const size_t row = left + own_row + r * rows_at_once;
        at_b[r] = (uint)(row < n ? row : n - 1) * runs + own_run;
    }
    const uint start = (uint)(size_t)tiles;
    const uint to = start + place(own_row, own_run);
    Sum sums[tiles_down][tiles_across][4];
#pragma unroll
    for (int i = 0; i < tiles_down * tiles_across * 4; ++i) {
        sums[i / (tiles_across * 4)][i / 4 % tiles_across][i % 4] = 0;
    }
    // One strip is multiplied while STAGES - 1 are on their way; the first turns only begin copies.
    uint into = 0;
    uint stage = 0;
    const int strips = (runs + 3) / 4;
#pragma unroll 1
    for (int turn = 1 - STAGES; turn < strips; ++turn) {
        if (turn >= 0) {
            asm volatile("cp.async.wait_group %0;" ::"n"(STAGES - 2) : "memory");
            barrier(CLK_LOCAL_MEM_FENCE);
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
        const uint of_a = start + stage * strip + down * 64;
        const uint of_b = start + stage * strip + (BLOCK + across) * 64;
#if BYTES == 8
        {
            double from_b[tiles_across][2];
#pragma unroll
            for (int j = 0; j < tiles_across * 2; ++j) {
                const uint own = place(lane / 4, j % 2 * 2 + lane % 4 / 2) + lane % 2 * 8;
                from_b[j / 2][j % 2] = load_double(of_b + j / 2 * 512 + own);
            }
#pragma unroll
            for (int i = 0; i < tiles_down; ++i) {
                double from_a[4];
#pragma unroll
                for (int e = 0; e < 4; ++e) {
                    const uint own = place(lane / 4, e / 2 * 2 + lane % 4 / 2) + lane % 2 * 8;
                    from_a[e] = load_double(of_a + i * 1024 + e % 2 * 512 + own);
                }
#pragma unroll
                for (int j = 0; j < tiles_across; ++j) multiply_doubles(sums[i][j], from_a, from_b[j]);
            }
        }
#else
#pragma unroll
        for (int step = 0; step < 2; ++step) {
            uint from_b[tiles_across * 2];
#pragma unroll
            for (int j = 0; j < tiles_across; j += 2) {
                load(from_b + j * 2, of_b + j * 512 + lane / 16 * 512 + place(lane % 8, step * 2 + lane / 8 % 2));
            }
#pragma unroll
            for (int i = 0; i < tiles_down; ++i) {
                uint from_a[4];
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
