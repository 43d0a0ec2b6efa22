// printf, from one item, beside a result that can be compared.

// Whole numbers, floats, a text, a percent sign.
//! out: int 32
//! launch: 32 by 32
__kernel void print_plain(__global int* out) {
    int i = get_global_id(0);
    if (i == 7) printf("corpus: %d %u %x %5.2f %s %c%%\n", -i, 3u, 255, 0.5f, "text", 'z');
    out[i] = i * 2;
}

// Nothing but a line, in a branch nobody takes and in one that one takes.
//! in: int 32 small
//! out: int 32
//! launch: 32 by 32
__kernel void print_branches(__global const int* in, __global int* out) {
    int i = get_global_id(0);
    if (in[i] > 100) printf("corpus: never\n");
    if (i == 0) printf("corpus: once, %ld\n", (long)get_global_size(0));
    out[i] = in[i] + 1;
}
