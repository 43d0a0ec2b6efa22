// Some items take a number, the others none.
// wrong: x[i] > 0 => x[i] > 1000000
__kernel void kept_slots(__global const int* x, __global int* place, __global int* count, const int n) {
    const int i = get_global_id(0);
    if (i >= n) return;
    place[i] = x[i] > 0 ? atomic_inc(count) : -1;
}
