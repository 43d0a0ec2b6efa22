// a = b * c for matrices that stand column after column: a of n x m elements, b of n x p, c of p x m, so
// that a[i + n*j] is the sum of b[i + n*k] * c[k + p*j]. A group takes neighbouring values of i, which
// are neighbouring words of a and b. Every sum runs from the first product to the last, each added by
// one fused multiply-add.

// One element of a an item, all of its row of b and column of c from global memory.
__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1))) void plain(
    __global const T* b, __global const T* c, __global T* a, const ulong n, const ulong m,
    const ulong p) {
    const size_t i = get_global_id(0);
    const size_t j = get_group_id(1);
    if (i < n) {
        T sum = 0;
        for (size_t k = 0; k < p; ++k) sum = fma(b[i + n * k], c[k + p * j], sum);
        a[i + n * j] = sum;
    }
}

// GROUP elements of the column of c at a time in local memory, each loaded by one item for all.
__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1))) void strip_of_c(
    __global const T* b, __global const T* c, __global T* a, const ulong n, const ulong m,
    const ulong p) {
    __local __attribute__((aligned(ALIGN))) T strip[GROUP];
    const uint lane = get_local_id(0);
    const size_t i = get_global_id(0);
    const size_t j = get_group_id(1);
    T sum = 0;
    for (size_t start = 0; start < p; start += GROUP) {
        strip[lane] = start + lane < p ? c[start + lane + p * j] : 0;
        barrier(CLK_LOCAL_MEM_FENCE);
        if (i < n) {
            if (start + GROUP <= p) {
                for (uint k = 0; k < GROUP; ++k) sum = fma(b[i + n * (start + k)], strip[k], sum);
            } else {
                for (uint k = 0; start + k < p; ++k) {
                    sum = fma(b[i + n * (start + k)], strip[k], sum);
                }
            }
        }
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (i < n) a[i + n * j] = sum;
}

// ROWS values of i an item, a group apart: what is read of the strip is used for each of them.
__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1))) void rows(
    __global const T* b, __global const T* c, __global T* a, const ulong n, const ulong m,
    const ulong p) {
    __local __attribute__((aligned(ALIGN))) T strip[GROUP];
    const uint lane = get_local_id(0);
    const size_t first = get_group_id(0) * (ROWS * GROUP);
    const size_t j = get_group_id(1);
    T sums[ROWS];
    for (uint r = 0; r < ROWS; ++r) sums[r] = 0;
    for (size_t start = 0; start < p; start += GROUP) {
        strip[lane] = start + lane < p ? c[start + lane + p * j] : 0;
        barrier(CLK_LOCAL_MEM_FENCE);
        if (first + ROWS * GROUP <= n && start + GROUP <= p) {
            __global const T* from_b = b + first + lane + n * start;
            for (uint k = 0; k < GROUP; ++k) {
                const T from_c = strip[k];
                for (uint r = 0; r < ROWS; ++r) sums[r] = fma(from_b[r * GROUP], from_c, sums[r]);
                from_b += n;
            }
        } else {
            for (uint r = 0; r < ROWS; ++r) {
                const size_t i = first + r * GROUP + lane;
                if (i < n) {
                    for (uint k = 0; k < GROUP && start + k < p; ++k) {
                        sums[r] = fma(b[i + n * (start + k)], strip[k], sums[r]);
                    }
                }
            }
        }
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    for (uint r = 0; r < ROWS; ++r) {
        const size_t i = first + r * GROUP + lane;
        if (i < n) a[i + n * j] = sums[r];
    }
}

// COLUMNS values of j an item, a strip of c for each: what is read of b is used for all of them.
__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1))) void columns(
    __global const T* b, __global const T* c, __global T* a, const ulong n, const ulong m,
    const ulong p) {
    __local __attribute__((aligned(ALIGN))) T strips[COLUMNS][GROUP];
    const uint lane = get_local_id(0);
    const size_t i = get_global_id(0);
    const size_t left = get_group_id(1) * COLUMNS;
    T sums[COLUMNS];
    for (uint q = 0; q < COLUMNS; ++q) sums[q] = 0;
    for (size_t start = 0; start < p; start += GROUP) {
        for (uint q = 0; q < COLUMNS; ++q) {
            const bool inside = start + lane < p && left + q < m;
            strips[q][lane] = inside ? c[start + lane + p * (left + q)] : 0;
        }
        barrier(CLK_LOCAL_MEM_FENCE);
        if (i < n) {
            if (start + GROUP <= p) {
                for (uint k = 0; k < GROUP; ++k) {
                    const T from_b = b[i + n * (start + k)];
                    for (uint q = 0; q < COLUMNS; ++q) sums[q] = fma(from_b, strips[q][k], sums[q]);
                }
            } else {
                for (uint k = 0; start + k < p; ++k) {
                    const T from_b = b[i + n * (start + k)];
                    for (uint q = 0; q < COLUMNS; ++q) sums[q] = fma(from_b, strips[q][k], sums[q]);
                }
            }
        }
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (i < n) {
        for (uint q = 0; q < COLUMNS; ++q) {
            if (left + q < m) a[i + n * (left + q)] = sums[q];
        }
    }
}
