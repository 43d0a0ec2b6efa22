// Generated from kernels/multiply_streamed.cl for T = float; `meson compile -C build cuda-sources` refreshes it.
#line 1 "multiply_streamed.cl"
// c = a * b as in multiply.cl, with strips that are loaded while others are multiplied.

// What a group has in common: its items, how many elements a load brings, how many loads an
// item makes for a strip (DEPTH columns of BLOCK rows of a, DEPTH rows of ACROSS columns of b), and how many rows
// one load of all items brings.
#define group_items ((BLOCK / EACH) * (ACROSS / EACH_ACROSS))
#define run (WHOLE_FOURS ? 4 : 1)
#define loads_of_a (BLOCK * DEPTH / run / group_items)
#define loads_of_b (ACROSS * DEPTH / run / group_items)
#define rows_of_a (group_items * run / DEPTH)
#define rows_of_b (group_items * run / ACROSS)

// `run` elements to registers, or zeros.
__device__ void load_run(const float* from, const bool exists, float* to) {
    if (WHOLE_FOURS) {
        float4 four = make_float4(0, 0, 0, 0);
        if (exists) four = *(const float4*)from;
        to[0] = four.x;
        to[1] = four.y;
        to[2] = four.z;
        to[3] = four.w;
    } else {
        to[0] = 0;
        if (exists) to[0] = *from;
    }
}

// BLOCK x ACROSS elements of c a group, EACH x EACH_ACROSS an item. While it multiplies one pair of strips the
// next one is on its way, so that one barrier a strip is enough. TEAM x 32 / TEAM items, a warp of many devices,
// share a part of the block that is nearly square, so that they read few words of local memory between
// them. Behind the last row or column it is read again, and what comes of it is not stored. The products of
// group z in the third dimension begin with number z * part; `add_parts` adds what several groups made of a block.
extern "C" __global__ __launch_bounds__((group_items) * (1) * (1)) void streamed(
    const float* a, const float* b, float* c, const unsigned long long m, const unsigned long long n,
    const unsigned long long k, const unsigned long long part) {
    __shared__ float4 tile_a[2][DEPTH][(BLOCK + SPARE) / 4];
    __shared__ float4 tile_b[2][DEPTH][(ACROSS + SPARE) / 4];
    const unsigned int item = size_t(threadIdx.x);
    const unsigned int wide = ACROSS / EACH_ACROSS < TEAM ? ACROSS / EACH_ACROSS : TEAM;
    const unsigned int high = BLOCK / EACH < 32 / TEAM ? BLOCK / EACH : 32 / TEAM;
    const unsigned int teams_across = ACROSS / EACH_ACROSS / wide;
    const unsigned int team = item / (wide * high);
    const unsigned int x = team % teams_across * (wide * EACH_ACROSS / 4) + item % wide;
    const unsigned int y = team / teams_across * (high * EACH / 4) + item / wide % high;
    const size_t left = size_t(blockIdx.x) * ACROSS;
    const size_t top = size_t(blockIdx.y) * BLOCK;
    const size_t first = size_t(blockIdx.z) * part;
    const unsigned int depth = (unsigned int)(first + part < k ? part : k - first);
    // Where an item's first loads go; the others are rows_of_a and rows_of_b further on. A strip of a is read along
    // its rows and kept on its side.
    const unsigned int row_a = item / (DEPTH / run);
    const unsigned int depth_a = item % (DEPTH / run) * run;
    const unsigned int depth_b = item / (ACROSS / run);
    const unsigned int column_b = item % (ACROSS / run) * run;
    const float* from_a = a + top * k + first + depth_a;
    const float* from_b =
        b + (first + depth_b) * n + (left + column_b < n ? left + column_b : n - run);
    unsigned int at_a[loads_of_a];
    for (unsigned int r = 0; r < loads_of_a; ++r) {
        const unsigned int row = row_a + r * rows_of_a;
        at_a[r] = (top + row < m ? row : (unsigned int)(m - 1 - top)) * (unsigned int)k;
    }
    float next_a[loads_of_a * run];
    float next_b[loads_of_b * run];
    float sums[EACH][EACH_ACROSS];
    for (unsigned int i = 0; i < EACH; ++i) {
        for (unsigned int j = 0; j < EACH_ACROSS; ++j) sums[i][j] = 0;
    }
    unsigned int stage = 0;
    // One strip more than there are: the first turn has nothing to multiply, the last one nothing to load.
#pragma unroll 1
    for (unsigned int start = 0; start < depth + DEPTH; start += DEPTH) {
        if (start + DEPTH <= depth) {
            for (unsigned int r = 0; r < loads_of_a; ++r) load_run(from_a + at_a[r], true, next_a + r * run);
            for (unsigned int r = 0; r < loads_of_b; ++r) {
                load_run(from_b + r * rows_of_b * n, true, next_b + r * run);
            }
        } else if (start < depth) {
            for (unsigned int r = 0; r < loads_of_a; ++r) {
                load_run(from_a + at_a[r], start + depth_a < depth, next_a + r * run);
            }
            for (unsigned int r = 0; r < loads_of_b; ++r) {
                load_run(from_b + r * rows_of_b * n, start + depth_b + r * rows_of_b < depth,
                         next_b + r * run);
            }
        }
        from_a += DEPTH;
        from_b += DEPTH * n;
        if (start > 0) {
            const float4* of_a = &tile_a[stage][0][y];
            const float4* of_b = &tile_b[stage][0][x];
#pragma unroll 1
            for (unsigned int piece = 0; piece < DEPTH; piece += UNROLL) {
#pragma unroll
                for (unsigned int d = 0; d < UNROLL; ++d) {
                    float each_a[EACH];
                    float each_b[EACH_ACROSS];
                    for (unsigned int i = 0; i < EACH; i += 4) {
                        const float4 four = of_a[d * ((BLOCK + SPARE) / 4) + i / 4 * high];
                        each_a[i] = four.x;
                        each_a[i + 1] = four.y;
                        each_a[i + 2] = four.z;
                        each_a[i + 3] = four.w;
                    }
                    for (unsigned int j = 0; j < EACH_ACROSS; j += 4) {
                        const float4 four = of_b[d * ((ACROSS + SPARE) / 4) + j / 4 * wide];
                        each_b[j] = four.x;
                        each_b[j + 1] = four.y;
                        each_b[j + 2] = four.z;
                        each_b[j + 3] = four.w;
                    }
                    // To and fro, so that each product shares a factor with the one before: a register that was
                    // just read need not be read again.
                    for (unsigned int j = 0; j < EACH_ACROSS; ++j) {
                        for (unsigned int e = 0; e < EACH; ++e) {
                            const unsigned int i = j % 2 == 0 ? e : EACH - 1 - e;
                            sums[i][j] = fma(each_a[i], each_b[j], sums[i][j]);
                        }
                    }
                }
                of_a += UNROLL * ((BLOCK + SPARE) / 4);
                of_b += UNROLL * ((ACROSS + SPARE) / 4);
            }
            stage = 1 - stage;
        }
        if (start < depth) {
            float* to_a = (float*)&tile_a[stage][depth_a][0] + row_a;
            float* to_b = (float*)&tile_b[stage][depth_b][0] + column_b;
            for (unsigned int r = 0; r < loads_of_a; ++r) {
                for (unsigned int e = 0; e < run; ++e) {
                    to_a[e * (BLOCK + SPARE) + r * rows_of_a] = next_a[r * run + e];
                }
            }
            for (unsigned int r = 0; r < loads_of_b; ++r) {
                for (unsigned int e = 0; e < run; ++e) {
                    to_b[r * rows_of_b * (ACROSS + SPARE) + e] = next_b[r * run + e];
                }
            }
            __syncthreads();
        }
    }
    float* to = c + size_t(blockIdx.z) * (m * n);
    for (unsigned int i = 0; i < EACH; ++i) {
        const size_t row = top + 4 * (y + i / 4 * high) + i % 4;
        for (unsigned int j = 0; j < EACH_ACROSS; j += 4) {
            const size_t column = left + 4 * (x + j / 4 * wide);
            if (WHOLE_FOURS) {
                if (row < m && column < n) {
                    // A store of four takes neighbouring registers. With 0 added these are other ones, so that the
                    // sums may lie where the factors' banks do not meet theirs.
                    ((float4*)to)[row * (n / 4) + column / 4] =
                        make_float4(sums[i][j] + 0, sums[i][j + 1] + 0, sums[i][j + 2] + 0, sums[i][j + 3] + 0);
                }
            } else {
                for (unsigned int e = 0; e < 4; ++e) {
                    if (row < m && column + e < n) to[row * n + column + e] = sums[i][j + e];
                }
            }
        }
    }
}

// One product of several, each of a part of the depth.
extern "C" __global__ void add_parts(const float* parts, float* c, const unsigned long long count, const unsigned int how_many) {
    const size_t i = (size_t(blockIdx.x) * blockDim.x + threadIdx.x);
    if (i < count) {
        float sum = parts[i];
        for (unsigned int p = 1; p < how_many; ++p) sum += parts[p * count + i];
        c[i] = sum;
    }
}
