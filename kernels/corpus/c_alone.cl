// What C has and C++ has not.

typedef struct {
    struct CaloneInner {
        int x;
        union CaloneDeep { int i; float f; } deep;
    } first;
    int n;
} CaloneOuter;
struct CaloneInner calone_inner(int x) {
    struct CaloneInner made = {x, {3}};
    return made;
}

// The names of inner types are known outside.
//! in: int 64 bits
//! out: int 64
//! launch: 64 by 32
__kernel void calone_tags(__global const int* in, __global int* out) {
    size_t i = get_global_id(0);
    CaloneOuter outer = {calone_inner(in[i]), 2};
    union CaloneDeep deep = outer.first.deep;
    out[i] = outer.first.x + deep.i * outer.n;
}

// A loop's body declares its variable once more; bools count.
//! in: int 64 bits
//! out: int4 64
//! launch: 64 by 32
__kernel void calone_scopes(__global const int* in, __global int4* out) {
    size_t i = get_global_id(0);
    int sum = 0;
    for (int j = 0, k = 2; j < 3; j++) {
        int j = in[i] & 7;
        float k = 0.5f;
        sum += j + (int)(2 * k);
    }
    bool b = in[i] & 1, set = false;
    out[i].x = sum;
    int before = b++, after = b--;
    out[i].y = before + 2 * after;
    before = ++b;
    after = --b;
    out[i].y += 4 * before + 8 * after;
    set++;
    const int nothing;
    out[i].z = set + 2 * sizeof(nothing);
    switch ((uint)in[i] >> 30) {
        case 1: out[i].w = 5; break;
        case -1: out[i].w = 6; break;
        default: out[i].w = 7;
    }
}

struct CaloneText {
    char name[4];
    int n;
};
__constant char calone_digits[16] = "0123456789abcdef";
__constant char calone_rows[2][3] = {"ab\n", "c"};
__constant struct CaloneText calone_text = {"\\'\"\xe4", 3};

// Strings fill their arrays.
//! in: uint 64 bits
//! out: int4 64
//! launch: 64 by 32
__kernel void calone_strings(__global const uint* in, __global int4* out) {
    size_t i = get_global_id(0);
    uchar own[3] = {"xy\xff"};
    out[i] = (int4)(calone_digits[in[i] & 15], calone_rows[in[i] & 1][(in[i] >> 1) % 3],
                    calone_text.name[in[i] & 3], own[in[i] % 3]);
}

enum { calone_red, calone_green, calone_blue };
__constant int calone_table[8] = {[calone_blue] = 5, [6] = 2, 3};
__constant int calone_mixed[] = {[3] = 1, [1] = 2, [calone_red] = 7};
typedef struct {
    int a;
    float4 v;
    int c[3];
} CalonePart;

// Parts of initializers are named, in any order.
//! in: int 64 bits
//! out: int4 64
//! launch: 64 by 32
__kernel void calone_named(__global const int* in, __global int4* out) {
    size_t i = get_global_id(0);
    CalonePart p = {.c = {[1] = in[i]}, .a = 2}, q = (CalonePart){.v = 3.0f};
    CalonePart pair[2] = {[1] = {.c = {4}}};
    out[i] = (int4)(calone_table[in[i] & 7], calone_mixed[in[i] & 3] + sizeof(calone_mixed),
                    p.a + p.c[1] - p.c[2] + (int)p.v.w, (int)q.v.z + q.a + pair[in[i] & 1].c[0]);
}

typedef struct {
    int x, y;
} CalonePoint;
struct CaloneShape {
    CalonePoint CalonePoint;
    int n;
};

// The names of structs are apart from those of variables, and members may have their types'.
//! in: int 64 bits
//! out: int 64
//! launch: 64 by 32
__kernel void calone_names(__global const int* in, __global int* out) {
    size_t i = get_global_id(0);
    int s = in[i];
    struct CaloneShape shape = {{s, 2}, 3};
    {
        struct s {
            char a;
        };
        struct s t = {5};
        out[i] = s + sizeof(s) + 10 * sizeof(struct s) + t.a + shape.CalonePoint.y;
    }
}
