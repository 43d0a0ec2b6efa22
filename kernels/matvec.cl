// y = matrix * x for a matrix of height x width elements, row after row. Products and sums are rounded
// one by one: whole numbers have no fused multiply-add.

// One row an item: neighbouring items read words that are a whole row apart.
__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1))) void row_per_item(__global const T* matrix, __global const T* x, __global T* y,
                           const ulong width, const ulong height) {
    const size_t row = get_global_id(0);
    if (row < height) {
        T sum = 0;
        for (size_t i = 0; i < width; ++i) sum += matrix[row * width + i] * x[i];
        y[row] = sum;
    }
}

// The same with as many items as one likes: each takes rows in steps of the whole launch.
__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1))) void rows_strided(__global const T* matrix, __global const T* x, __global T* y,
                           const ulong width, const ulong height) {
    for (size_t row = get_global_id(0); row < height; row += get_global_size(0)) {
        T sum = 0;
        for (size_t i = 0; i < width; ++i) sum += matrix[row * width + i] * x[i];
        y[row] = sum;
    }
}

// What an item of a group adds up of its row: neighbouring items read neighbouring words.
T part_of_row(__global const T* row, __global const T* x, const ulong width, const uint lane) {
    T sum = 0;
    for (size_t i = lane; i < width; i += GROUP) sum += row[i] * x[i];
    return sum;
}

// One row a group at a time; the first item adds what the others found.
__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1))) void group_serial(__global const T* matrix, __global const T* x, __global T* y,
                           const ulong width, const ulong height) {
    __local __attribute__((aligned(ALIGN))) T part[GROUP];
    const uint lane = get_local_id(0);
    for (size_t row = get_group_id(0); row < height; row += get_num_groups(0)) {
        part[lane] = part_of_row(matrix + row * width, x, width, lane);
        barrier(CLK_LOCAL_MEM_FENCE);
        if (lane == 0) {
            T sum = part[0];
            for (uint other = 1; other < GROUP; ++other) sum += part[other];
            y[row] = sum;
        }
        barrier(CLK_LOCAL_MEM_FENCE);
    }
}

// A tree instead. Active items are neighbours; their words are 2, 4, 8, ... apart and meet in banks.
__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1))) void tree_interleaved(__global const T* matrix, __global const T* x, __global T* y,
                               const ulong width, const ulong height) {
    __local __attribute__((aligned(ALIGN))) T part[GROUP];
    const uint lane = get_local_id(0);
    for (size_t row = get_group_id(0); row < height; row += get_num_groups(0)) {
        part[lane] = part_of_row(matrix + row * width, x, width, lane);
        for (uint stride = 1; stride < GROUP; stride *= 2) {
            const uint at = 2 * stride * lane;
            barrier(CLK_LOCAL_MEM_FENCE);
            if (at + stride < GROUP) part[at] += part[at + stride];
        }
        if (lane == 0) y[row] = part[0];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
}

// A tree whose active items are neighbours, and so are the words that they touch; any GROUP.
__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1))) void tree_sequential(__global const T* matrix, __global const T* x, __global T* y,
                              const ulong width, const ulong height) {
    __local __attribute__((aligned(ALIGN))) T part[GROUP];
    const uint lane = get_local_id(0);
    for (size_t row = get_group_id(0); row < height; row += get_num_groups(0)) {
        part[lane] = part_of_row(matrix + row * width, x, width, lane);
        for (uint count = GROUP; count > 1; count = (count + 1) / 2) {
            const uint upper = (count + 1) / 2;
            barrier(CLK_LOCAL_MEM_FENCE);
            if (lane + upper < count) part[lane] += part[lane + upper];
        }
        if (lane == 0) y[row] = part[0];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
}

// ROWS rows at once for a team of TEAM items, several teams a group: an element of x is loaded once for
// ROWS products, four elements at a time where all rows are aligned, and a short tree ends it.
__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1))) void modern(__global const T* matrix, __global const T* x, __global T* y,
                     const ulong width, const ulong height) {
    __local __attribute__((aligned(ALIGN))) T part[ROWS][GROUP];
    const uint item = get_local_id(0);
    const uint lane = item % TEAM;
    const size_t first = (get_group_id(0) * (GROUP / TEAM) + item / TEAM) * ROWS;
    // Behind the last row it is read again, and not stored.
    size_t start[ROWS];
    for (uint r = 0; r < ROWS; ++r) {
        start[r] = (first + r < height ? first + r : height - 1) * width;
    }
    if (width % 4 == 0) {
        __global const T4* x4 = (__global const T4*)x;
        T4 sums[ROWS];
        for (uint r = 0; r < ROWS; ++r) sums[r] = (T4)(0, 0, 0, 0);
        for (size_t i = lane; i < width / 4; i += TEAM) {
            const T4 from_x = x4[i];
            for (uint r = 0; r < ROWS; ++r) {
                const T4 next = ((__global const T4*)(matrix + start[r]))[i];
                sums[r].x += next.x * from_x.x;
                sums[r].y += next.y * from_x.y;
                sums[r].z += next.z * from_x.z;
                sums[r].w += next.w * from_x.w;
            }
        }
        for (uint r = 0; r < ROWS; ++r) {
            part[r][item] = (sums[r].x + sums[r].y) + (sums[r].z + sums[r].w);
        }
    } else {
        T sums[ROWS];
        for (uint r = 0; r < ROWS; ++r) sums[r] = 0;
        for (size_t i = lane; i < width; i += TEAM) {
            const T from_x = x[i];
            for (uint r = 0; r < ROWS; ++r) sums[r] += matrix[start[r] + i] * from_x;
        }
        for (uint r = 0; r < ROWS; ++r) part[r][item] = sums[r];
    }
    for (uint count = TEAM; count > 1; count = (count + 1) / 2) {
        const uint upper = (count + 1) / 2;
        barrier(CLK_LOCAL_MEM_FENCE);
        if (lane + upper < count) {
            for (uint r = 0; r < ROWS; ++r) part[r][item] += part[r][item + upper];
        }
    }
    if (lane == 0) {
        for (uint r = 0; r < ROWS; ++r) {
            if (first + r < height) y[first + r] = part[r][item];
        }
    }
}
