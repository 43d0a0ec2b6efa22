// wrong: i + 1 >= n => i + 2 >= n
// wrong: x[i + 1] => x[i]
__kernel void swap_pairs(__global int* x, const int n) {
    const int i = 2 * get_global_id(0);
    if (i + 1 >= n) return;
    const int a = x[i];
    x[i] = x[i + 1];
    x[i + 1] = a;
}
