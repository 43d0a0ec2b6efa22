// What the functions of a whole group give, by plain loops.

// The same, written out.
//! in: int 256 small
//! out: int4 4
//! launch: 256 by 64
__kernel void group_reductions_written(__global const int* in, __global int4* out) {
    if (get_local_id(0) != 0) return;
    int base = get_global_id(0), first = in[base];
    int4 r = (int4)(0, first, first, 0);
    for (int k = 0; k < 64; ++k) {
        int v = in[base + k];
        r = (int4)(r.x + v, min(r.y, v), max(r.z, v), 0);
    }
    out[get_group_id(0)] = r;
}

// The same, written out.
//! in: int 256 small
//! out: int4 256
//! launch: 256 by 64
__kernel void group_scans_written(__global const int* in, __global int4* out) {
    int i = get_global_id(0), base = i - get_local_id(0);
    int before = 0, most = in[base], least = in[base];
    for (int k = base; k < i; ++k) before += in[k];
    for (int k = base; k <= i; ++k) {
        most = max(most, in[k]);
        least = min(least, in[k]);
    }
    out[i] = (int4)(before + in[i], before, most, least);
}

// The same, written out.
//! in: int 256 small
//! out: int2 256
//! launch: 256 by 64
__kernel void group_scans_before_written(__global const int* in, __global int2* out) {
    int i = get_global_id(0), base = i - get_local_id(0);
    int least = INT_MAX, most = INT_MIN;
    for (int k = base; k < i; ++k) {
        least = min(least, in[k]);
        most = max(most, in[k]);
    }
    out[i] = (int2)(least, most);
}

// The same, written out.
//! in: int 256 small
//! out: int4 256
//! launch: 256 by 64
__kernel void group_votes_written(__global const int* in, __global int4* out) {
    int i = get_global_id(0), base = i - get_local_id(0);
    int4 r = (int4)(in[base + 5], 0, 1, 1);
    for (int k = base; k < base + 64; ++k) {
        r.y |= in[k] > 7;
        r.z &= in[k] > -9;
        r.w &= in[k] > 0;
    }
    out[i] = r;
}
