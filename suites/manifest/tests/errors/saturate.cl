// wrong: s > 32767 => s > 40000
// wrong: s > 32767 => s > 65535
// wrong: s > 32767 ? 32767 => s > 32767 ? 32766
// wrong: s < -32768 => s < -40000
// wrong: s < -32768 => s < -65536
// wrong: s < -32768 ? -32768 => s < -32768 ? -32767
// wrong: const int s => const short s
// wrong: (int)a[i] + b[i] => (int)(ushort)a[i] + b[i]
// wrong: (int)a[i] + b[i] => (int)a[i] - b[i]
// wrong: (int)a[i] + b[i] => abs(a[i]) + b[i]
// wrong: i < n => i < n - 1
__kernel void saturate(__global const short* a, __global const short* b, __global short* c,
                       const uint n) {
    const uint i = get_global_id(0);
    if (i < n) {
        const int s = (int)a[i] + b[i];
        c[i] = s > 32767 ? 32767 : s < -32768 ? -32768 : s;
    }
}
