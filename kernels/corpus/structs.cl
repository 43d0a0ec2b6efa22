// Structs and unions: their layout is part of what a buffer means.

typedef struct {
    float4 position;
    float mass;
    int id;
} StructBody;

// Vectors inside: 32 bytes.
//! inout: float 512 small
//! launch: 64 by 32
__kernel void struct_vectors(__global StructBody* bodies) {
    __global StructBody* b = &bodies[get_global_id(0)];
    b->position.xyz += b->mass;
    b->position.w = 1;
    b->mass *= 0.5f;
}

// By value to and from helpers.
StructBody struct_moved(StructBody b, float by) {
    b.position += by;
    return b;
}
//! in: float 512 small
//! out: float4 64
//! launch: 64 by 32
__kernel void struct_by_value(__global const StructBody* in, __global float4* out) {
    int i = get_global_id(0);
    out[i] = struct_moved(in[i], 2).position + in[i].mass;
}

// Packed: an int at an odd address.
typedef struct __attribute__((packed)) {
    uchar tag;
    int value;
    short rest;
} StructPacked;
//! in: uchar 448 bits
//! out: int 64
//! launch: 64 by 32
__kernel void struct_packed(__global const StructPacked* in, __global int* out) {
    int i = get_global_id(0);
    out[i] = in[i].value ^ in[i].rest ^ in[i].tag ^ (int)sizeof(StructPacked);
}

// Aligned beyond its members.
struct StructAligned {
    int a;
    char b;
} __attribute__((aligned(32)));
//! in: int 512 bits
//! out: int 64
//! launch: 64 by 32
__kernel void struct_aligned(__global const struct StructAligned* in, __global int* out) {
    int i = get_global_id(0);
    out[i] = in[i].a + in[i].b + (int)sizeof(struct StructAligned);
}

// A union of one word.
typedef union {
    uint word;
    uchar4 bytes;
    float number;
} StructWord;
//! in: uint 64 bits
//! out: uint 64
//! launch: 64 by 32
__kernel void struct_union(__global const uint* in, __global uint* out) {
    int i = get_global_id(0);
    StructWord w;
    w.word = in[i];
    w.bytes.xw = w.bytes.wx;
    out[i] = w.word;
}

// Nested, with arrays, initialised in braces and by names.
struct StructInner {
    short a[3];
    float2 b;
};
typedef struct StructOuter {
    struct StructInner inner[2];
    struct {
        int x, y;
    } point;
} StructOuter;
//! in: int 64 small
//! out: float 64
//! out: uint 2
//! launch: 64 by 32
__kernel void struct_nested(__global const int* in, __global float* out, __global uint* sizes) {
    int i = get_global_id(0);
    StructOuter o = {{{{1, 2, 3}, (float2)(4, 5)}, {{6}, (float2)(7)}}, {8, in[i]}};
    struct StructInner n = {.a = {2, 3}, .b = (float2)(in[i], 1)};
    o.inner[1] = n;
    out[i] = o.inner[0].a[2] + o.inner[1].b.x * 10 + o.point.y * 100 + o.inner[1].a[2];
    if (i == 0) {
        sizes[0] = sizeof(struct StructInner);
        sizes[1] = sizeof(StructOuter);
    }
}

// Assigned whole, compared member by member, through pointers to pointers' targets.
//! in: float 512 small
//! out: float 512
//! launch: 64 by 32
__kernel void struct_copied(__global const StructBody* in, __global StructBody* out) {
    int i = get_global_id(0);
    StructBody a = in[i], b;
    const StructBody* larger = &a;
    b = in[63 - i];
    if (b.mass > a.mass) larger = &b;
    out[i] = *larger;
}

// A list within an array, by indices; a bool and a size_t inside.
typedef struct StructNode {
    int next;
    int value;
} StructNode;
typedef struct {
    bool found;
    size_t steps;
} StructAnswer;
//! in: int 128 iota
//! out: ulong 64
//! launch: 64 by 32
__kernel void struct_list(__global const StructNode* nodes, __global ulong* out) {
    int i = get_global_id(0);
    StructAnswer answer = {false, 0};
    int at = i;
    for (int k = 0; k < 20 && !answer.found; ++k) {
        answer.found = nodes[at].value % 16 == 1;
        at = (nodes[at].next * 3 + 1) & 63;
        answer.steps++;
    }
    out[i] = answer.steps * 2 + answer.found;
}

// Tags that are types of CUDA.
struct dim3 {
    int x, y;
};
union int1 {
    int a;
    float b;
};

//! in: int 64 bits
//! out: int2 64
//! launch: 64 by 32
__kernel void structs_of_cudas_names(__global const int* in, __global int2* out) {
    int i = get_global_id(0);
    struct dim3 size = {in[i], 3}, *p = &size;
    union int1 one;
    one.a = p->y + sizeof(struct dim3);
    out[i] = (int2)(p->x, one.a);
}
