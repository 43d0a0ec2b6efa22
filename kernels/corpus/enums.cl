// Enums: their types and those of their constants, as OpenCL's compiler has them.
typedef enum EnumState { enum_idle, enum_read = 3, enum_done } EnumState;
enum EnumSigned { enum_below = -1, enum_above = 0x7fffffff };
enum EnumWide { enum_one = 1, enum_top = 0x80000000, enum_next, enum_two = 2 };
enum EnumLong { enum_least = -2, enum_most = 0xffffffffu };
typedef enum { enum_byte = 200 } __attribute__((packed)) EnumByte;

// Without negative values they are unsigned.
//! in: uint 64 bits
//! out: int8 64
//! launch: 64 by 32
__kernel void enum_signs(__global const uint* in, __global int8* out) {
    size_t i = get_global_id(0);
    EnumState s = in[i] & 1 ? enum_read : enum_idle;
    enum EnumSigned b = in[i] & 1 ? enum_below : enum_above;
    out[i].s0 = s - 4 < 0;
    out[i].s1 = s > -1;
    out[i].s2 = (s - 5) / 2;
    out[i].s3 = (float)(s - 5) < 0.0f;
    out[i].s4 = b < 0;
    out[i].s5 = enum_idle - enum_read < 0;
    out[i].s6 = (s - 5) >> 1;
    out[i].s7 = (in[i] & 2 ? s : enum_done) - 6 < 0;
}

// What no int holds has the type of the variables, the others are ints.
//! in: uint 64 bits
//! out: int8 64
//! launch: 64 by 32
__kernel void enum_widths(__global const uint* in, __global int8* out) {
    size_t i = get_global_id(0);
    enum EnumWide w = in[i] & 1 ? enum_next : enum_two;
    enum EnumLong l = in[i] & 1 ? enum_most : enum_least;
    EnumByte b = enum_byte;
    b += 100;
    out[i].s0 = w - 3 < 0;
    out[i].s1 = enum_one - 2 < 0;
    out[i].s2 = enum_top > -1;
    out[i].s3 = enum_most > -1;
    out[i].s4 = l < 0;
    out[i].s5 = sizeof(w) + 16 * sizeof(l) + 256 * sizeof(b) + 4096 * sizeof(enum_most) +
                65536 * sizeof(enum_least);
    out[i].s6 = b;
    out[i].s7 = (l >> 31) + (w >> 31);
}

EnumState enum_after(EnumState s) { return s == enum_done ? enum_idle : s + 1; }
void enum_set(EnumState* s, int value) { *s = value; }
__constant EnumState enum_table[enum_done] = {enum_idle, 2, enum_read, enum_done};
typedef struct {
    enum { enum_red = 4, enum_blue } colour;
    EnumState states[2];
} EnumPart;

// Whole numbers are assigned to them, and they count.
//! in: uint 64 bits
//! out: uint8 64
//! launch: 64 by 32
__kernel void enum_numbers(__global const uint* in, __global uint8* out) {
    size_t i = get_global_id(0);
    EnumState s = in[i] & 3, t;
    out[i].s0 = enum_after(s);
    s++;
    s |= enum_read;
    s <<= 1;
    enum_set(&t, in[i] >> 30);
    out[i].s1 = enum_after(in[i] & 1) + s;
    out[i].s2 = in[i] & 4 ? s : 5;
    EnumPart part = {1, {2, enum_done}}, zero = {0};
    part.colour = part.states[in[i] & 1];
    part.states[0]--;
    out[i].s3 = part.colour == enum_red ? enum_blue : part.states[0];
    out[i].s4 = enum_table[in[i] & 3] + zero.states[1];
    uint count = 0;
    for (EnumState k = enum_idle; k <= enum_done; k++) count += k;
    out[i].s5 = count + t;
    switch (s) {
        case enum_idle: out[i].s6 = 1; break;
        case -2: out[i].s6 = 2; break;
        case 6: out[i].s6 = 3; break;
        default: out[i].s6 = 4;
    }
    enum { local_first = enum_blue << 1, local_last } last = local_last;
    out[i].s7 = last + local_first;
}
