// The multiply that streams, with copies that go from global to local memory past the registers. They have no
// portable spelling, so this is a native text for NVIDIA's compiler, with instructions of PTX, of the same steps as
// multiply.cuda.cu.

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
void copy_one(uint to, __global const T* from, bool exists) {
    asm volatile("cp.async.ca.shared.global [%0], [%1], 4, %2;" ::"r"(to), "l"(from), "r"(exists ? 4 : 0) : "memory");
}

// Four elements, or zeros.
void copy_four(uint to, __global const T* from, bool exists) {
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;" ::"r"(to), "l"(from), "r"(exists ? 16 : 0) : "memory");
}

// The copies of one piece of a strip: few at a time, between products, since what takes them on takes one after the
// other. Of a piece that is the second of two, `odd` is 1.
void copy_piece(const int p, const int odd, const uint to_a, const uint to_b, __global const T* from_a,
                __global const T* from_b, const uint* at_a, const uint length, const uint depth_a, const uint depth_b,
                const uint depth) {
#pragma unroll
    for (int t = 0; t < copies_of_a; ++t) {
        const int down = (p * copies_of_a + t) / rounds * 8;
        const int round = (odd * copies_of_a + t) % rounds;
        copy_one(to_a + (down * pitch + round * rows_at_once) * sizeof(T), from_a + at_a[round] + down,
                 depth_a + down < depth);
    }
#pragma unroll
    for (int t = 0; t < copies_of_b; ++t) {
        const int down = (p * copies_of_b + t) * rows_of_b_at_once;
        copy_four(to_b + down * ACROSS * sizeof(T), from_b + down * length, depth_b + down < depth);
    }
}

// b with rows of `length` elements, a multiple of four, so that all copies of it can be of four. A group a row.
__kernel void pad_rows(__global const T* b, __global T* padded, const ulong n, const ulong length) {
    const size_t row = get_group_id(0);
#pragma unroll 4
    for (size_t column = get_local_id(0); column < length; column += get_local_size(0)) {
        padded[row * length + column] = column < n ? b[row * n + column] : 0;
    }
}

// A group's block and an item's part are those of `streamed`. The rows of b are `length` elements long. SLICES teams
// of items share the depth of each strip, so that a small block has many warps; their sums are added at the end.
__kernel __attribute__((reqd_work_group_size(group_items, 1, 1))) void pipelined(
    __global const T* a, __global const T* b, __global T* c, const ulong m, const ulong n, const ulong k,
    const ulong part, const ulong length) {
    __local __attribute__((aligned(128))) float4 tile_a[2 * DEPTH * pitch / 4];
    __local __attribute__((aligned(128))) float4 tile_b[2 * DEPTH * ACROSS / 4];
    const uint item = get_local_id(0);
    const uint slice = item / slice_items;
    const uint wide = ACROSS / EACH_ACROSS < TEAM ? ACROSS / EACH_ACROSS : TEAM;
    const uint high = BLOCK / EACH < 32 / TEAM ? BLOCK / EACH : 32 / TEAM;
    const uint teams_across = ACROSS / EACH_ACROSS / wide;
    const uint team = item % slice_items / (wide * high);
    const uint x = team % teams_across * (wide * EACH_ACROSS / 4) + item % wide;
    const uint y = team / teams_across * (high * EACH / 4) + item / wide % high;
    const size_t left = get_group_id(0) * ACROSS;
    const size_t top = get_group_id(1) * BLOCK;
    const size_t first = get_group_id(2) * part;
    const uint depth = first + part < k ? part : k - first;
    // Where an item's copies come from, and go. Those of a turn it on its side.
    const uint own_depth_a = item % 8;
    const uint own_row_a = item / 8;
    const uint own_depth_b = item / (ACROSS / 4);
    const uint own_column_b = item % (ACROSS / 4) * 4;
    __global const T* from_a = a + top * k + first + own_depth_a;
    __global const T* from_b = b + (first + own_depth_b) * length + left + (left + own_column_b < length ? own_column_b : length - 4 - left);
    const uint last_row = m - 1 - top;
    const uint place_a = (uint)(size_t)tile_a + (own_depth_a * pitch + own_row_a) * sizeof(T);
    const uint place_b = (uint)(size_t)tile_b + (own_depth_b * ACROSS + own_column_b) * sizeof(T);
    uint at_a[rounds];
#pragma unroll
    for (int r = 0; r < rounds; ++r) at_a[r] = min(own_row_a + r * rows_at_once, last_row) * (uint)k;
    T sums[EACH][EACH_ACROSS];
#pragma unroll
    for (int i = 0; i < EACH; ++i) {
#pragma unroll
        for (int j = 0; j < EACH_ACROSS; ++j) sums[i][j] = 0;
    }
#pragma unroll
    for (int p = 0; p < pieces; ++p) {
        copy_piece(p, p % 2, place_a, place_b, from_a, from_b, at_a, length, own_depth_a, own_depth_b, depth);
    }
    asm volatile("cp.async.commit_group;" ::: "memory");
    uint stage = 0;
#pragma unroll 1
    for (uint start = 0; start < depth; start += DEPTH) {
        // The strip is there, and nobody reads the other one any more.
        asm volatile("cp.async.wait_group 0;" ::: "memory");
        barrier(CLK_LOCAL_MEM_FENCE);
        from_a += DEPTH;
        from_b += DEPTH * length;
        const uint next_a = place_a + (1 - stage) * DEPTH * pitch * sizeof(T);
        const uint next_b = place_b + (1 - stage) * DEPTH * ACROSS * sizeof(T);
        __local const float4* of_a = tile_a + (stage * DEPTH + slice * pieces * 4) * pitch / 4 + y;
        __local const float4* of_b = tile_b + (stage * DEPTH + slice * pieces * 4) * ACROSS / 4 + x;
#pragma unroll 1
        for (int pair = 0; pair < pieces; pair += 2) {
#pragma unroll
            for (int odd = 0; odd < 2; ++odd) {
                const int p = pair + odd;
                copy_piece(p, odd, next_a, next_b, from_a, from_b, at_a, length, start + DEPTH + own_depth_a,
                           start + DEPTH + own_depth_b, depth);
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
                            sums[i][j] = fma(factor_a[i], factor_b[j], sums[i][j]);
                        }
                    }
                }
            }
        }
        asm volatile("cp.async.commit_group;" ::: "memory");
        stage = 1 - stage;
    }
#if SLICES > 1
    // The sums go where the tiles of a were. What was copied last, zeros behind the end, has to be there first.
    asm volatile("cp.async.wait_group 0;" ::: "memory");
    __local T* others = (__local T*)tile_a;
#pragma unroll 1
    for (uint s = 1; s < SLICES; ++s) {
        barrier(CLK_LOCAL_MEM_FENCE);
#pragma unroll
        for (int i = 0; i < EACH * EACH_ACROSS; ++i) {
            if (slice == s) others[i * slice_items + item % slice_items] = sums[i / EACH_ACROSS][i % EACH_ACROSS];
        }
        barrier(CLK_LOCAL_MEM_FENCE);
#pragma unroll
        for (int i = 0; i < EACH * EACH_ACROSS; ++i) {
            if (slice == 0) sums[i / EACH_ACROSS][i % EACH_ACROSS] += others[i * slice_items + item % slice_items];
        }
    }
    if (slice > 0) return;
#endif
    __global T* to = c + get_group_id(2) * (m * n);
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
                    ((__global float4*)to)[row * (n / 4) + column / 4] =
                        (float4)(sums[i][j] + 0, sums[i][j + 1] + 0, sums[i][j + 2] + 0, sums[i][j + 3] + 0);
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
__kernel void add_parts(__global const T* parts, __global T* c, const ulong count, const uint how_many) {
    const size_t i = get_global_id(0);
    if (i < count) {
        T sum = parts[i];
        for (uint p = 1; p < how_many; ++p) sum += parts[p * count + i];
        c[i] = sum;
    }
}
