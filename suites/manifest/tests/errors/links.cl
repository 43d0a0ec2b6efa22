// wrong: if (k < 0) => if (k <= 0)
// wrong: next[k] >= 0 => next[k] > 0
// wrong: y[i] = -1 => y[i] = 0
__kernel void links(__global const int* next, __global int* y, const int n) {
    const int i = get_global_id(0);
    if (i >= n) return;
    const int k = next[i];
    if (k < 0) {
        y[i] = -1;
    } else {
        y[i] = next[k] >= 0 ? next[k] : k;
    }
}
