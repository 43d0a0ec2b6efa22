// Every word of the input is read USES times, in rounds over the whole of it: what is read once may be
// read where it is, what is read often should be brought near first.

// The sum of the words i, i + n/USES, i + 2 n/USES, ... around the end: after all items, every word was
// read USES times, and never twice in a row.
__kernel void gather(__global const uint* in, __global uint* out, const ulong n) {
    const size_t i = get_global_id(0);
    if (i < n) {
        uint sum = 0;
        for (uint u = 0; u < USES; ++u) sum = sum * 31u + in[(i + u * (n / USES)) % n];
        out[i] = sum;
    }
}
