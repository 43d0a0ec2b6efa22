// Vectors and structs that are volatile: whole ones are read and written member by member.

typedef uint4 volatile_quad;
typedef struct {
    uint ready, counts[3];
    uint4 now;
    uint2 pairs[2][2];
    float3 place;
} VolatileSlot;
#define VOLATILE volatile
#define VOLATILE_FIRST slots[0]
#define VOLATILE_AT(p, i) ((p)[i])

uint4 volatile_sum(uint4 a, uint4 b) { return a + b; }
uint4 volatile_taken(volatile __global const uint4* p) { return *p; }
VolatileSlot volatile_slot(volatile __global const VolatileSlot* p) { return *p; }

// Read and written as a whole.
//! inout: uint4 256 bits
//! out: uint4 64
//! launch: 64 by 32
__kernel void volatile_whole(volatile __global uint4* all, __global uint4* out) {
    int i = get_global_id(0);
    volatile __global uint4* slots = all + 4 * i;
    __local volatile uint4 tile[32];
    volatile uint4 one = 1;
    VOLATILE volatile_quad two = slots[0];
    uint4 a = slots[1] + slots[2] * 3u - -one;
    a += *slots;
    a = max(a, slots[3]) ^ volatile_sum(slots[0], two) ^ volatile_taken(slots + 1);
    a = slots[1] > 0x80000000u ? slots[2] : a;
    a += i & 1 ? one : slots[2];
    a ^= VOLATILE_FIRST + VOLATILE_AT(slots, 1);
    a.x += VOLATILE_FIRST.y + VOLATILE_AT(slots, 2).z + (slots[3]).w;
    a ^= as_uint4(slots[0]) + convert_uint4(slots[1] & 255u) + (uint4)(slots[2].xy, 1, sizeof(one));
    slots[0] = a;
    slots[1] = 7;
    slots[2] = slots[3] = a + *(volatile __global uint4*)(all + 4 * i);
    tile[get_local_id(0)] = slots[0];
    two = tile[get_local_id(0)];
    volatile uint4* p = &one;
    *p = two;
    uint4 volatile* const q = p;
    out[i] = *q + a + two;
}

// Changed in place, and by components.
//! inout: uint4 256 bits
//! out: uint4 64
//! launch: 64 by 32
__kernel void volatile_changed(volatile __global uint4* all, __global uint4* out) {
    int i = get_global_id(0);
    volatile __global uint4* slots = all + 4 * i;
    uint4 a = slots[3];
    slots[0] += a;
    slots[0] *= 3u;
    slots[1] <<= 1;
    slots[2]++;
    --slots[2];
    uint4 before = slots[3]++;
    uint4 after = --slots[3];
    slots[0].xy = a.zw;
    slots->zw = a.yx;
    slots[1].xz += a.xy;
    slots[1].lo ^= slots->hi;
    slots[2].x += 3;
    slots[2].y++;
    slots[2].zw++;
    (slots + 3)->xw--;
    uint2 half_of = slots[1].even + slots->odd;
    out[i] = before * 3u + after + (uint4)(half_of, slots[3].s31) + slots[0].wzyx;
}

// Structs, and vectors in them.
//! in: uint4 64 bits
//! out: uint4 64
//! launch: 64 by 32
__kernel void volatile_structs(__global const uint4* in, __global uint4* out) {
    int i = get_global_id(0);
    volatile VolatileSlot first, second;
    first.ready = in[i].x;
    first.counts[1] = 5;
    first.counts[0] = first.counts[2] = 2;
    first.now = in[i];
    first.pairs[0][0] = first.pairs[0][1] = first.pairs[1][1] = 4;
    first.pairs[1][0] = in[i].xy;
    first.place = (float3)(1, 2, 3);
    second = first;
    VolatileSlot copy = second;
    second.now.y = 3;
    second.pairs[0][1].x += copy.counts[1];
    VolatileSlot last;
    last = second;
    volatile VolatileSlot* p = &first;
    *p = last;
    out[i] = copy.now + last.now + p->now + (uint4)(last.pairs[1][0], second.pairs[0][1]) +
             (uint)copy.place.y + last.counts[2] + p->ready;
}

// The same struct in global memory, given to a helper.
//! in: uint4 512 bits
//! out: uint4 64
//! launch: 64 by 32
__kernel void volatile_struct_taken(__global const uint4* in, __global uint4* out) {
    int i = get_global_id(0);
    volatile __global const VolatileSlot* slots = (volatile __global const VolatileSlot*)in;
    VolatileSlot slot = volatile_slot(slots + i);
    out[i] = slot.now + slots[i].now + slot.counts[2] + (uint4)(slot.pairs[1][1], slot.pairs[0][1]);
}
