// wrong: d < 256 => d < 128
// wrong: d = 1 => d = 2
// wrong: l >= d => l > d
// wrong: a[l - d] : 0 => a[l - d] : 1
// wrong: i < n ? x[i] : 0 => i + 1 < n ? x[i] : 0
// wrong: if (i < n) y[i] => if (i <= n) y[i]
// wrong: if (i < n) y[i] => if (i + 1 < n) y[i]
// wrong: a[l] += more => a[l] = max(a[l], a[l] + more)
// wrong: a[l] += more => a[l] += more & 0xffff
// wrong: y[i] = a[l] => y[i] = a[l] - x[i]
// wrong: y[i] = a[l] => y[i] = (short)a[l]
__kernel void scan(__global const int* x, __global int* y, const int n) {
    __local int a[256];
    const int l = get_local_id(0), i = get_global_id(0);
    a[l] = i < n ? x[i] : 0;
    for (int d = 1; d < 256; d *= 2) {
        barrier(CLK_LOCAL_MEM_FENCE);
        const int more = l >= d ? a[l - d] : 0;
        barrier(CLK_LOCAL_MEM_FENCE);
        a[l] += more;
    }
    if (i < n) y[i] = a[l];
}
