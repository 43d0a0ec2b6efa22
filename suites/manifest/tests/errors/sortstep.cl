// wrong: (a > b) => ((uint)a > (uint)b)
// wrong: (a > b) => ((int)((uint)a - (uint)b) > 0)
// wrong: (a > b) => (a < b)
// wrong: (a > b) => ((short)a > (short)b)
// wrong: (a > b) => ((float)a > (float)b)
// wrong: (a > b) => (abs(a) > abs(b))
// wrong: (i & k) == 0 => (i & k) != 0
// wrong: (i & k) == 0 => (i & j) == 0
// wrong: p <= i || p >= n => p <= i || p > n
// wrong: p <= i || p >= n => p <= i || p + 1 >= n
// wrong: i >= n => i + 2 >= n
// wrong: v[p] = a; => v[p] = b;
// wrong: i ^ j => i + j
__kernel void sortstep(__global int* v, const uint j, const uint k, const uint n) {
    const uint i = get_global_id(0);
    if (i >= n) return;
    const uint p = i ^ j;
    if (p <= i || p >= n) return;
    const int a = v[i], b = v[p];
    if (((i & k) == 0) == (a > b)) { v[i] = b; v[p] = a; }
}
