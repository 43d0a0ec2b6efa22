// Small real algorithms whose items work together.

// Counts of values, by group first.
//! in: uchar4 256 bits
//! inout: uint 64 zero
//! launch: 256 by 64
__kernel void algorithm_histogram(__global const uchar4* in, __global uint* bins) {
    __local uint own[64];
    int l = get_local_id(0);
    own[l] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    uchar4 v = in[get_global_id(0)] >> (uchar4)(2);
    atomic_inc(&own[v.x]);
    atomic_inc(&own[v.y]);
    atomic_inc(&own[v.z]);
    atomic_inc(&own[v.w]);
    barrier(CLK_LOCAL_MEM_FENCE);
    atomic_add(&bins[l], own[l]);
}

// Sums of all before, up and down a tree.
#define BANKED(n) ((n) + ((n) >> 4))
//! in: int 256 small
//! out: int 256
//! out: int 4
//! local: 272
//! launch: 128 by 32
__kernel void algorithm_prefix_sum(__global const int* in, __global int* out,
                                   __global int* totals, __local int* tree) {
    int l = get_local_id(0), n = 2 * get_local_size(0), base = get_group_id(0) * n;
    tree[BANKED(2 * l)] = in[base + 2 * l];
    tree[BANKED(2 * l + 1)] = in[base + 2 * l + 1];
    int offset = 1;
    for (int d = n >> 1; d > 0; d >>= 1, offset <<= 1) {
        barrier(CLK_LOCAL_MEM_FENCE);
        if (l < d)
            tree[BANKED(offset * (2 * l + 2) - 1)] += tree[BANKED(offset * (2 * l + 1) - 1)];
    }
    if (l == 0) {
        totals[get_group_id(0)] = tree[BANKED(n - 1)];
        tree[BANKED(n - 1)] = 0;
    }
    for (int d = 1; d < n; d *= 2) {
        offset >>= 1;
        barrier(CLK_LOCAL_MEM_FENCE);
        if (l < d) {
            int a = BANKED(offset * (2 * l + 1) - 1), b = BANKED(offset * (2 * l + 2) - 1);
            int t = tree[a];
            tree[a] = tree[b];
            tree[b] += t;
        }
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    vstore2((int2)(tree[BANKED(2 * l)], tree[BANKED(2 * l + 1)]), l, out + base);
}

// A transpose by tiles, of a matrix that they do not fill.
//! in: float 2280 bits
//! out: float 2280
//! value: int 60
//! value: int 38
//! launch: 64x16 by 16x4
__kernel void algorithm_transpose(__global const float* in, __global float* out, int width,
                                  int height) {
    __local float tile[16][17];
    for (int strip = 0; strip < height; strip += 16 * get_num_groups(1)) {
        int x = get_group_id(0) * 16 + get_local_id(0);
        int top = strip + get_group_id(1) * 16;
        for (int r = get_local_id(1); r < 16; r += 4)
            if (x < width && top + r < height) tile[r][get_local_id(0)] = in[(top + r) * width + x];
        barrier(CLK_LOCAL_MEM_FENCE);
        int column = top + get_local_id(0);
        for (int r = get_local_id(1); r < 16; r += 4) {
            int row = get_group_id(0) * 16 + r;
            if (row < width && column < height)
                out[row * height + column] = tile[get_local_id(0)][r];
        }
        barrier(CLK_LOCAL_MEM_FENCE);
    }
}

// A convolution of a picture with a border that is held.
__constant float algorithm_blur[3][3] = {
    {0.0625f, 0.125f, 0.0625f}, {0.125f, 0.25f, 0.125f}, {0.0625f, 0.125f, 0.0625f}};
//! in: float 1024 small
//! out: float 1024
//! launch: 32x32 by 16x8
__kernel void algorithm_convolution(__global const float* in, __global float* out) {
    __local float tile[10][18];
    const int2 size = (int2)(32, 32), at = (int2)(get_global_id(0), get_global_id(1));
    const int2 corner = (int2)(get_group_id(0) * 16, get_group_id(1) * 8) - 1;
    int l = get_local_id(1) * 16 + get_local_id(0);
    for (int k = l; k < 180; k += 128) {
        int2 from = clamp(corner + (int2)(k % 18, k / 18), (int2)(0), size - 1);
        tile[k / 18][k % 18] = in[from.y * size.x + from.x];
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    float sum = 0;
    for (int dy = 0; dy < 3; ++dy)
        for (int dx = 0; dx < 3; ++dx)
            sum += algorithm_blur[dy][dx] *
                   tile[get_local_id(1) + dy][get_local_id(0) + dx];
    out[at.y * size.x + at.x] = sum;
}

// One step of many bodies that attract each other.
//! in: float4 128 unit
//! inout: float4 128 unit
//! out: float4 128
//! value: float 0.01
//! launch: 128 by 32
//! ulp: 64
__kernel void algorithm_bodies(__global const float4* restrict bodies,
                               __global float4* restrict speeds, __global float4* restrict out,
                               float dt) {
    __local float4 tile[32];
    int i = get_global_id(0), l = get_local_id(0);
    float4 own = bodies[i], pull = 0;
    for (int start = 0; start < get_global_size(0); start += 32) {
        tile[l] = bodies[start + l];
        barrier(CLK_LOCAL_MEM_FENCE);
        for (int k = 0; k < 32; ++k) {
            float3 d = tile[k].xyz - own.xyz;
            float inverse = 1.0f / sqrt(dot(d, d) + 0.01f);
            pull.xyz += fabs(d) * (tile[k].w * inverse * inverse * inverse);
        }
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    speeds[i].xyz += pull.xyz * dt;
    own.xyz += speeds[i].xyz * dt;
    out[i] = own;
}

// A group sorts its elements.
//! in: int 256 bits
//! out: int 256
//! launch: 128 by 64
__kernel void algorithm_bitonic(__global const int* in, __global int* out) {
    __local int own[128];
    const uint l = get_local_id(0), base = get_group_id(0) * 128;
    own[l] = in[base + l];
    own[l + 64] = in[base + l + 64];
    for (uint size = 2; size <= 128; size <<= 1) {
        for (uint stride = size / 2; stride > 0; stride >>= 1) {
            barrier(CLK_LOCAL_MEM_FENCE);
            uint at = 2 * l - (l & (stride - 1));
            bool up = (at & size) == 0;
            int a = own[at], b = own[at + stride];
            if ((a > b) == up) {
                own[at] = b;
                own[at + stride] = a;
            }
        }
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    out[base + l] = own[l];
    out[base + l + 64] = own[l + 64];
}

// A product of matrices by tiles, whole numbers.
//! in: int 1024 small
//! in: int 1024 small
//! out: int 1024
//! launch: 32x32 by 8x8
__kernel void algorithm_product(__global const int* a, __global const int* b,
                                __global int* c) {
    __local int ta[8][8], tb[8][8];
    int x = get_local_id(0), y = get_local_id(1);
    int column = get_global_id(0), row = get_global_id(1), sum = 0;
    for (int t = 0; t < 32; t += 8) {
        ta[y][x] = a[row * 32 + t + x];
        tb[y][x] = b[(t + y) * 32 + column];
        barrier(CLK_LOCAL_MEM_FENCE);
        for (int k = 0; k < 8; ++k) sum = mad24(ta[y][k], tb[k][x], sum);
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    c[row * 32 + column] = sum;
}
