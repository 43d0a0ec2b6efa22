// wrong: (n + 3) / 4 => n / 4
// wrong: (n + 3) / 4 => n / 4 + 1
// wrong: 8 * k => 4 * k
// wrong: k < 4 => k < 3
// wrong: if (4 * i + k < n) v => v
// wrong: if (4 * i + k < n) v => if (4 * i + k + 1 < n) v
// wrong: v |= => v =
// wrong: (uint)in[4 * i + k] => (uint)(char)in[4 * i + k]
// wrong: (uint)in[4 * i + k] => (uint)(in[4 * i + k] & 127)
// wrong: (uint)in[4 * i + k] => (uint)min(in[4 * i + k], (uchar)254)
// wrong: out[i] = v => out[i] = as_int(v) < 0 ? 0 : v
// wrong: out[i] = v => if (v != 0) out[i] = v
__kernel void pack(__global const uchar* in, __global uint* out, const uint n) {
    const uint i = get_global_id(0);
    const uint words = (n + 3) / 4;
    if (i >= words) return;
    uint v = 0;
    for (uint k = 0; k < 4; k++)
        if (4 * i + k < n) v |= (uint)in[4 * i + k] << (8 * k);
    out[i] = v;
}
