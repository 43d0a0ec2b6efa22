// groups: ceil(blocks / items_x)
// in: input blocks
// out: output blocks
// rk: input 44
// Te0: input 256
// sbox: input 256
// blocks: blocks
#define KEY_ROUNDS 10
uint sub_word(uint w, __constant uchar *sbox)
{
    return ((uint)sbox[w & 0xff]) | ((uint)sbox[(w >> 8) & 0xff] << 8) |
           ((uint)sbox[(w >> 16) & 0xff] << 16) | ((uint)sbox[w >> 24] << 24);
}
__kernel void aes_ecb_encrypt(__global const uint4 *in, __global uint4 *out, __constant uint *rk,
                              __constant uint *Te0, __constant uchar *sbox, const uint blocks)
{
    const uint gid = get_global_id(0);
    if (gid >= blocks) return;
    uint4 s = in[gid] ^ (uint4)(rk[0], rk[1], rk[2], rk[3]);
    for (int r = 1; r < KEY_ROUNDS; r++) {
        uint4 t;
        t.x = Te0[s.x >> 24] ^ rotate(Te0[(s.y >> 16) & 0xff], 24u) ^ rotate(Te0[(s.z >> 8) & 0xff], 16u) ^ rotate(Te0[s.w & 0xff], 8u) ^ rk[4 * r];
        t.y = Te0[s.y >> 24] ^ rotate(Te0[(s.z >> 16) & 0xff], 24u) ^ rotate(Te0[(s.w >> 8) & 0xff], 16u) ^ rotate(Te0[s.x & 0xff], 8u) ^ rk[4 * r + 1];
        t.z = Te0[s.z >> 24] ^ rotate(Te0[(s.w >> 16) & 0xff], 24u) ^ rotate(Te0[(s.x >> 8) & 0xff], 16u) ^ rotate(Te0[s.y & 0xff], 8u) ^ rk[4 * r + 2];
        t.w = Te0[s.w >> 24] ^ rotate(Te0[(s.x >> 16) & 0xff], 24u) ^ rotate(Te0[(s.y >> 8) & 0xff], 16u) ^ rotate(Te0[s.z & 0xff], 8u) ^ rk[4 * r + 3];
        s = t;
    }
    uint4 o;
    o.x = sub_word(s.x, sbox) ^ rk[40];
    o.y = sub_word(s.y, sbox) ^ rk[41];
    o.z = sub_word(s.z, sbox) ^ rk[42];
    o.w = sub_word(s.w, sbox) ^ rk[43];
    out[gid] = o;
}
