// groups: ceil(keys / items_x)
// data_info: input 1
// plain_key: input 64 * keys
// digest: output 5 * keys
// keys: keys
// A hash of five words for each key of at most 64 bytes.
#define F0(x, y, z) (z ^ (x & (y ^ z)))
#define F1(x, y, z) (x ^ y ^ z)
#define ROT(x, n) rotate((uint)x, (uint)n)
__kernel void sha_words(__global const uint* data_info, __global const char* plain_key,
                        __global uint* digest, const uint keys) {
    const uint gid = get_global_id(0);
    if (gid >= keys) return;
    const uint len = min(data_info[0], 55u);
    uint W[80];
    for (int t = 0; t < 16; t++) W[t] = 0;
    for (uint k = 0; k < len; k++) W[k >> 2] |= ((uint)(uchar)plain_key[gid * 64 + k]) << (24 - 8 * (k & 3));
    W[len >> 2] |= 0x80u << (24 - 8 * (len & 3));
    W[15] = len * 8;
    for (int t = 16; t < 80; t++) W[t] = ROT(W[t - 3] ^ W[t - 8] ^ W[t - 14] ^ W[t - 16], 1);
    uint A = 0x67452301, B = 0xEFCDAB89, C = 0x98BADCFE, D = 0x10325476, E = 0xC3D2E1F0;
    for (int t = 0; t < 80; t++) {
        const uint f = t < 20 ? F0(B, C, D) + 0x5A827999 : F1(B, C, D) + 0x6ED9EBA1;
        const uint x = ROT(A, 5) + f + E + W[t];
        E = D;
        D = C;
        C = ROT(B, 30);
        B = A;
        A = x;
    }
    digest[gid * 5 + 0] = A + 0x67452301;
    digest[gid * 5 + 1] = B + 0xEFCDAB89;
    digest[gid * 5 + 2] = C + 0x98BADCFE;
    digest[gid * 5 + 3] = D + 0x10325476;
    digest[gid * 5 + 4] = E + 0xC3D2E1F0;
}
