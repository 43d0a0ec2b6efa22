// Halfs as constant data, by numbers of any type, and volatile ones that are changed.

#pragma OPENCL EXTENSION cl_khr_fp16 : enable

#define HALF_TWO 2
typedef struct {
    half first;
    int number;
    half rest[2];
} HalfData;
__constant half half_list[8] = {-1.5h, 2, -3, 1.0h, +HALF_TWO, 1.5f, -2.5f, 70000};
__constant half half_one = -0.5h, half_small[4] = {1e-7h, -3e-6f, 5.9604645e-8, 6.1e-5f};
__constant half2 half_pairs[2] = {(half2)(-1.0h, 2), (half2)(-3)};
__constant HalfData half_record = {-4, 3, {1, -2.0h}};

//! out: ushort 20
//! launch: 1 by 1
//! needs: half
//! like: half_data_as_bits
__kernel void half_data(__global ushort* out) {
    for (int i = 0; i < 8; ++i) out[i] = as_ushort(half_list[i]);
    out[8] = as_ushort(half_one);
    for (int i = 0; i < 4; ++i) out[9 + i] = as_ushort(half_small[i]);
    vstore2(as_ushort2(half_pairs[0]), 0, out + 13);
    vstore2(as_ushort2(half_pairs[1]), 0, out + 15);
    out[17] = as_ushort(half_record.first);
    vstore2((ushort2)(as_ushort(half_record.rest[0]), as_ushort(half_record.rest[1])), 9, out);
}

//! in: ushort 64 zero
//! out: ushort 8
//! launch: 1 by 1
//! needs: half
//! like: half_volatile_as_bits
__kernel void half_volatile(__global const ushort* in, __global ushort* out) {
    __local half tile;
    volatile half a = 1.5h, list[2] = {1, -2};
    volatile __local half* p = &tile;
    p[0] = as_half(in[0]);
    p[0] += 2;
    out[0] = as_ushort(p[0]++);
    out[1] = as_ushort(--*p);
    a *= 0.1f;
    out[2] = as_ushort(a);
    a /= list[1];
    a -= a + a;
    out[3] = as_ushort(a);
    list[0] += list[1] *= 3.0h;
    out[4] = as_ushort(list[0]);
    const half b = (a += 1) - list[1]--;
    out[5] = as_ushort(b);
    out[6] = as_ushort(list[1]);
    out[7] = as_ushort(-a);
}
