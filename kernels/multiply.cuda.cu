// The multiply that streams, with copies that go from global to local memory past the registers. They have no
// portable spelling, so this is a native text of the CUDA backend, of the same steps as multiply.opencl.cl.

#define slice_items ((BLOCK / EACH) * (ACROSS / EACH_ACROSS))
#define group_items (slice_items * SLICES)
#define pitch (BLOCK + SPARE)
// Of a, eight items copy a part of a row; rounds of all items copy the rows of a block.
#define rows_at_once (group_items / 8)
#define rounds (BLOCK / rows_at_once)
#define pieces (DEPTH / 4 / SLICES)
#define copies_of_a (BLOCK * DEPTH / group_items / pieces)
#define copies_of_b (ACROSS * DEPTH / 4 / group_items / pieces)
#define rows_of_b_at_once (group_items * 4 / ACROSS)

// Four bytes, or zeros.
__device__ __forceinline__ void copy_one(unsigned to, const T* from, bool exists) {
    asm volatile("cp.async.ca.shared.global [%0], [%1], 4, %2;" ::"r"(to), "l"(from), "r"(exists ? 4 : 0) : "memory");
}

// Four elements, or zeros.
__device__ __forceinline__ void copy_four(unsigned to, const T* from, bool exists) {
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;" ::"r"(to), "l"(from), "r"(exists ? 16 : 0) : "memory");
}

// b with rows of `length` elements, a multiple of four, so that all copies of it can be of four. A group a row.
extern "C" __global__ void pad_rows(const T* b, T* padded, unsigned long long n, unsigned long long length) {
    const size_t row = blockIdx.x;
#pragma unroll 4
    for (size_t column = threadIdx.x; column < length; column += blockDim.x) {
        padded[row * length + column] = column < n ? b[row * n + column] : 0;
    }
}

// A group's block and an item's part are those of `streamed`. The rows of b are `length` elements long. SLICES teams
// of items share the depth of each strip, so that a small block has many warps; their sums are added at the end.
extern "C" __global__ void __launch_bounds__(group_items, 2) pipelined(
    const T* a, const T* b, T* c, unsigned long long m, unsigned long long n, unsigned long long k,
    unsigned long long part, unsigned long long length) {
    __shared__ float4 tile_a[2 * DEPTH * pitch / 4];
    __shared__ float4 tile_b[2 * DEPTH * ACROSS / 4];
    const unsigned item = threadIdx.x;
    const unsigned slice = item / slice_items;
    const unsigned wide = ACROSS / EACH_ACROSS < TEAM ? ACROSS / EACH_ACROSS : TEAM;
    const unsigned high = BLOCK / EACH < 32 / TEAM ? BLOCK / EACH : 32 / TEAM;
    const unsigned teams_across = ACROSS / EACH_ACROSS / wide;
    const unsigned team = item % slice_items / (wide * high);
    const unsigned x = team % teams_across * (wide * EACH_ACROSS / 4) + item % wide;
    const unsigned y = team / teams_across * (high * EACH / 4) + item / wide % high;
    const size_t left = size_t(blockIdx.x) * ACROSS;
    const size_t top = size_t(blockIdx.y) * BLOCK;
    const size_t first = blockIdx.z * part;
    const unsigned depth = first + part < k ? part : k - first;
    // Where an item's copies come from, and go. Those of a turn it on its side.
    const unsigned own_depth_a = item % 8;
    const unsigned own_row_a = item / 8;
    const unsigned own_depth_b = item / (ACROSS / 4);
    const unsigned own_column_b = item % (ACROSS / 4) * 4;
    const T* from_a = a + top * k + first + own_depth_a;
    const T* from_b = b + (first + own_depth_b) * length + left + (left + own_column_b < length ? own_column_b : length - 4 - left);
    const unsigned last_row = m - 1 - top;
    const unsigned place_a = unsigned(__cvta_generic_to_shared(tile_a)) + (own_depth_a * pitch + own_row_a) * sizeof(T);
    const unsigned place_b = unsigned(__cvta_generic_to_shared(tile_b)) + (own_depth_b * ACROSS + own_column_b) * sizeof(T);
    unsigned at_a[rounds];
#pragma unroll
    for (int r = 0; r < rounds; ++r) at_a[r] = min(own_row_a + r * rows_at_once, last_row) * unsigned(k);
    unsigned begun = 0;
    unsigned into = 0;
    // The copies of one piece of a strip: few at a time, between products, since what takes them on takes one
    // after the other.
    auto copy_piece = [&](int p) {
        const unsigned to_a = place_a + into * DEPTH * pitch * sizeof(T);
        const unsigned to_b = place_b + into * DEPTH * ACROSS * sizeof(T);
#pragma unroll
        for (int t = 0; t < copies_of_a; ++t) {
            const int down = (p * copies_of_a + t) / rounds * 8;
            const int round = (p % 2 * copies_of_a + t) % rounds;
            copy_one(to_a + (down * pitch + round * rows_at_once) * sizeof(T), from_a + at_a[round] + down,
                     begun + own_depth_a + down < depth);
        }
#pragma unroll
        for (int t = 0; t < copies_of_b; ++t) {
            const int down = (p * copies_of_b + t) * rows_of_b_at_once;
            copy_four(to_b + down * ACROSS * sizeof(T), from_b + down * unsigned(length), begun + own_depth_b + down < depth);
        }
    };
    auto next_strip = [&] {
        asm volatile("cp.async.commit_group;" ::: "memory");
        begun += DEPTH;
        from_a += DEPTH;
        from_b += DEPTH * length;
        into = 1 - into;
    };
    T sums[EACH][EACH_ACROSS];
#pragma unroll
    for (int i = 0; i < EACH; ++i) {
#pragma unroll
        for (int j = 0; j < EACH_ACROSS; ++j) sums[i][j] = 0;
    }
#pragma unroll
    for (int p = 0; p < pieces; ++p) copy_piece(p);
    next_strip();
    unsigned stage = 0;
#pragma unroll 1
    for (unsigned start = 0; start < depth; start += DEPTH) {
        // The strip is there, and nobody reads the other one any more.
        asm volatile("cp.async.wait_group 0;" ::: "memory");
        __syncthreads();
        const float4* of_a = tile_a + (stage * DEPTH + slice * pieces * 4) * pitch / 4 + y;
        const float4* of_b = tile_b + (stage * DEPTH + slice * pieces * 4) * ACROSS / 4 + x;
#pragma unroll 1
        for (int pair = 0; pair < pieces; pair += 2) {
#pragma unroll
            for (int p = pair; p < pair + 2; ++p) {
                copy_piece(p);
#pragma unroll
                for (int d = 0; d < 4; ++d) {
                    T factor_a[EACH];
                    T factor_b[EACH_ACROSS];
#pragma unroll
                    for (int i = 0; i < EACH; i += 4) {
                        const float4 four = of_a[(p * 4 + d) * pitch / 4 + i / 4 * high];
                        factor_a[i] = four.x;
                        factor_a[i + 1] = four.y;
                        factor_a[i + 2] = four.z;
                        factor_a[i + 3] = four.w;
                    }
#pragma unroll
                    for (int j = 0; j < EACH_ACROSS; j += 4) {
                        const float4 four = of_b[(p * 4 + d) * ACROSS / 4 + j / 4 * wide];
                        factor_b[j] = four.x;
                        factor_b[j + 1] = four.y;
                        factor_b[j + 2] = four.z;
                        factor_b[j + 3] = four.w;
                    }
                    // To and fro, so that each product shares a factor with the one before.
#pragma unroll
                    for (int j = 0; j < EACH_ACROSS; ++j) {
#pragma unroll
                        for (int e = 0; e < EACH; ++e) {
                            const int i = j % 2 == 0 ? e : EACH - 1 - e;
                            sums[i][j] = fmaf(factor_a[i], factor_b[j], sums[i][j]);
                        }
                    }
                }
            }
        }
        next_strip();
        stage = 1 - stage;
    }
#if SLICES > 1
    // The sums go where the tiles of a were. What was copied last, zeros behind the end, has to be there first.
    asm volatile("cp.async.wait_group 0;" ::: "memory");
    T* others = (T*)tile_a;
#pragma unroll 1
    for (unsigned s = 1; s < SLICES; ++s) {
        __syncthreads();
#pragma unroll
        for (int i = 0; i < EACH * EACH_ACROSS; ++i) {
            if (slice == s) others[i * slice_items + item % slice_items] = sums[i / EACH_ACROSS][i % EACH_ACROSS];
        }
        __syncthreads();
#pragma unroll
        for (int i = 0; i < EACH * EACH_ACROSS; ++i) {
            if (slice == 0) sums[i / EACH_ACROSS][i % EACH_ACROSS] += others[i * slice_items + item % slice_items];
        }
    }
    if (slice > 0) return;
#endif
    T* to = c + blockIdx.z * (m * n);
#pragma unroll
    for (int i = 0; i < EACH; ++i) {
        const size_t row = top + 4 * (y + i / 4 * high) + i % 4;
#pragma unroll
        for (int j = 0; j < EACH_ACROSS; j += 4) {
            const size_t column = left + 4 * (x + j / 4 * wide);
            if (WHOLE_FOURS && SLICES == 1) {
                if (row < m && column < n) {
                    // With 0 added these are other registers, neighbours as a store of four takes them. Where teams share
                    // a strip there are too few of them, and single stores are better.
                    ((float4*)to)[row * (n / 4) + column / 4] =
                        make_float4(sums[i][j] + 0, sums[i][j + 1] + 0, sums[i][j + 2] + 0, sums[i][j + 3] + 0);
                }
            } else {
#pragma unroll
                for (int e = 0; e < 4; ++e) {
                    if (row < m && column + e < n) to[row * n + column + e] = sums[i][j + e];
                }
            }
        }
    }
}

// One product of several, each of a part of the depth.
extern "C" __global__ void add_parts(const T* parts, T* c, unsigned long long count, unsigned how_many) {
    const size_t i = size_t(blockIdx.x) * blockDim.x + threadIdx.x;
    if (i < count) {
        T sum = parts[i];
        for (unsigned p = 1; p < how_many; ++p) sum += parts[p * count + i];
        c[i] = sum;
    }
}
