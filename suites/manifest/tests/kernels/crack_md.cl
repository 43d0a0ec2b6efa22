// groups: ceil(gid_max / items_x)
// pws: input gid_max
// salt: input 1
// digests: input 4 * digests_cnt
// found: in_out 1
// plain: in_out gid_max
// digests_cnt: digests_cnt
// gid_max: gid_max
// A hash of one block over candidate words, with a salt record, held against a list of digests.
typedef unsigned int u32;
typedef struct {
    u32 i[16];
    u32 pw_len;
} pw_t;
typedef struct {
    u32 salt_buf[4];
    u32 salt_len;
} salt_t;
inline u32 rotl(u32 x, u32 n) { return (x << n) | (x >> (32 - n)); }
__kernel void crack_md(__global const pw_t* pws, __constant salt_t* salt,
                       __global const u32* digests, __global u32* found, __global u32* plain,
                       const u32 digests_cnt, const u32 gid_max) {
    const u32 gid = get_global_id(0);
    if (gid >= gid_max) return;
    u32 w[16];
    for (int k = 0; k < 16; k++) w[k] = pws[gid].i[k];
    for (int k = 0; k < 4; k++) w[k] ^= salt->salt_buf[k];
    w[15] = pws[gid].pw_len + salt->salt_len;
    u32 a = 0x67452301, b = 0xefcdab89, c = 0x98badcfe, d = 0x10325476;
    for (int r = 0; r < 48; r++) {
        u32 f = r < 16 ? ((b & c) | (~b & d)) : r < 32 ? ((b & c) | (b & d) | (c & d)) : (b ^ c ^ d);
        u32 t = d;
        d = c;
        c = b;
        b = rotl(a + f + w[(r * 5) & 15] + (u32)(r >> 4) * 0x5a827999, 3 + (r & 3) * 4);
        a = t;
    }
    for (u32 k = 0; k < digests_cnt; k++) {
        if (digests[4 * k] == a && digests[4 * k + 1] == b && digests[4 * k + 2] == c &&
            digests[4 * k + 3] == d) {
            atomic_inc(found);
            plain[gid] = k + 1;
        }
    }
}
