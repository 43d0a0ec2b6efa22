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
void load_run(__global const T* from, const bool exists, T* to) {
    if (WHOLE_FOURS) {
        T4 four = (T4)(0, 0, 0, 0);
        if (exists) four = *(__global const T4*)from;
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
__kernel __attribute__((reqd_work_group_size(group_items, 1, 1))) void streamed(
    __global const T* a, __global const T* b, __global T* c, const ulong m, const ulong n,
    const ulong k, const ulong part) {
    __local T4 tile_a[2][DEPTH][(BLOCK + SPARE) / 4];
    __local T4 tile_b[2][DEPTH][(ACROSS + SPARE) / 4];
    const uint item = get_local_id(0);
    const uint wide = ACROSS / EACH_ACROSS < TEAM ? ACROSS / EACH_ACROSS : TEAM;
    const uint high = BLOCK / EACH < 32 / TEAM ? BLOCK / EACH : 32 / TEAM;
    const uint teams_across = ACROSS / EACH_ACROSS / wide;
    const uint team = item / (wide * high);
    const uint x = team % teams_across * (wide * EACH_ACROSS / 4) + item % wide;
    const uint y = team / teams_across * (high * EACH / 4) + item / wide % high;
    const size_t left = get_group_id(0) * ACROSS;
    const size_t top = get_group_id(1) * BLOCK;
    const size_t first = get_group_id(2) * part;
    const uint depth = (uint)(first + part < k ? part : k - first);
    // Where an item's first loads go; the others are rows_of_a and rows_of_b further on. A strip of a is read along
    // its rows and kept on its side.
    const uint row_a = item / (DEPTH / run);
    const uint depth_a = item % (DEPTH / run) * run;
    const uint depth_b = item / (ACROSS / run);
    const uint column_b = item % (ACROSS / run) * run;
    __global const T* from_a = a + top * k + first + depth_a;
    __global const T* from_b =
        b + (first + depth_b) * n + (left + column_b < n ? left + column_b : n - run);
    uint at_a[loads_of_a];
    for (uint r = 0; r < loads_of_a; ++r) {
        const uint row = row_a + r * rows_of_a;
        at_a[r] = (top + row < m ? row : (uint)(m - 1 - top)) * (uint)k;
    }
    T next_a[loads_of_a * run];
    T next_b[loads_of_b * run];
    T sums[EACH][EACH_ACROSS];
    for (uint i = 0; i < EACH; ++i) {
        for (uint j = 0; j < EACH_ACROSS; ++j) sums[i][j] = 0;
    }
    uint stage = 0;
    // One strip more than there are: the first turn has nothing to multiply, the last one nothing to load.
#pragma unroll 1
    for (uint start = 0; start < depth + DEPTH; start += DEPTH) {
        if (start + DEPTH <= depth) {
            for (uint r = 0; r < loads_of_a; ++r) load_run(from_a + at_a[r], true, next_a + r * run);
            for (uint r = 0; r < loads_of_b; ++r) {
                load_run(from_b + r * rows_of_b * n, true, next_b + r * run);
            }
        } else if (start < depth) {
            for (uint r = 0; r < loads_of_a; ++r) {
                load_run(from_a + at_a[r], start + depth_a < depth, next_a + r * run);
            }
            for (uint r = 0; r < loads_of_b; ++r) {
                load_run(from_b + r * rows_of_b * n, start + depth_b + r * rows_of_b < depth,
                         next_b + r * run);
            }
        }
        from_a += DEPTH;
        from_b += DEPTH * n;
        if (start > 0) {
            __local const T4* of_a = &tile_a[stage][0][y];
            __local const T4* of_b = &tile_b[stage][0][x];
#pragma unroll 1
            for (uint piece = 0; piece < DEPTH; piece += UNROLL) {
#pragma unroll
                for (uint d = 0; d < UNROLL; ++d) {
                    T each_a[EACH];
                    T each_b[EACH_ACROSS];
                    for (uint i = 0; i < EACH; i += 4) {
                        const T4 four = of_a[d * ((BLOCK + SPARE) / 4) + i / 4 * high];
                        each_a[i] = four.x;
                        each_a[i + 1] = four.y;
                        each_a[i + 2] = four.z;
                        each_a[i + 3] = four.w;
                    }
                    for (uint j = 0; j < EACH_ACROSS; j += 4) {
                        const T4 four = of_b[d * ((ACROSS + SPARE) / 4) + j / 4 * wide];
                        each_b[j] = four.x;
                        each_b[j + 1] = four.y;
                        each_b[j + 2] = four.z;
                        each_b[j + 3] = four.w;
                    }
                    // To and fro, so that each product shares a factor with the one before: a register that was
                    // just read need not be read again.
                    for (uint j = 0; j < EACH_ACROSS; ++j) {
                        for (uint e = 0; e < EACH; ++e) {
                            const uint i = j % 2 == 0 ? e : EACH - 1 - e;
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
            __local T* to_a = (__local T*)&tile_a[stage][depth_a][0] + row_a;
            __local T* to_b = (__local T*)&tile_b[stage][depth_b][0] + column_b;
            for (uint r = 0; r < loads_of_a; ++r) {
                for (uint e = 0; e < run; ++e) {
                    to_a[e * (BLOCK + SPARE) + r * rows_of_a] = next_a[r * run + e];
                }
            }
            for (uint r = 0; r < loads_of_b; ++r) {
                for (uint e = 0; e < run; ++e) {
                    to_b[r * rows_of_b * (ACROSS + SPARE) + e] = next_b[r * run + e];
                }
            }
            barrier(CLK_LOCAL_MEM_FENCE);
        }
    }
    __global T* to = c + get_group_id(2) * (m * n);
    for (uint i = 0; i < EACH; ++i) {
        const size_t row = top + 4 * (y + i / 4 * high) + i % 4;
        for (uint j = 0; j < EACH_ACROSS; j += 4) {
            const size_t column = left + 4 * (x + j / 4 * wide);
            if (WHOLE_FOURS) {
                if (row < m && column < n) {
                    // A store of four takes neighbouring registers. With 0 added these are other ones, so that the
                    // sums may lie where the factors' banks do not meet theirs.
                    ((__global T4*)to)[row * (n / 4) + column / 4] =
                        (T4)(sums[i][j] + 0, sums[i][j + 1] + 0, sums[i][j + 2] + 0, sums[i][j + 3] + 0);
                }
            } else {
                for (uint e = 0; e < 4; ++e) {
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
