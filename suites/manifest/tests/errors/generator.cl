// wrong: s ^= s << 13 => s ^= s << 12
// wrong: s ^= s >> 17 => s ^= (uint)((int)s >> 17)
// wrong: s ^= s >> 17 => s ^= s >> 16
// wrong: s ^= s << 5 => s += s << 5
// wrong: r < 4 => r < 3
// wrong: s == 0 ? 1 : s => s
// wrong: s == 0 ? 1 : s => s == 0 ? 2 : s
// wrong: out[i] = s => out[i] = s & 0x7fffffff
// wrong: state[i] = s => state[i] = s + 1
// wrong: i < n => i < n - 1
// wrong: i < n => i <= n
__kernel void generator(__global uint* state, __global uint* out, const uint n) {
    const uint i = get_global_id(0);
    if (i < n) {
        uint s = state[i];
        s = s == 0 ? 1 : s;
        for (int r = 0; r < 4; ++r) {
            s ^= s << 13;
            s ^= s >> 17;
            s ^= s << 5;
        }
        state[i] = s;
        out[i] = s;
    }
}
