// The flow of control, and when side effects happen.

// switch with falling through, default in the middle, and a case of an enum.
enum control_kind { control_low = -1, control_mid, control_high = 'c' - 'a' };
//! in: int 64 small
//! out: int 64
//! launch: 64 by 32
__kernel void control_switch(__global const int* in, __global int* out) {
    int i = get_global_id(0), r = 0;
    switch (in[i]) {
        case control_low: r += 1;
        case control_mid: r += 10; break;
        default: r = 1000;
        case control_high: {
            r += 100;
            break;
        }
        case 5:
        case 6: r = in[i]; break;
    }
    out[i] = r;
}

// goto, forward and back.
//! in: int 64 small
//! out: int 64
//! launch: 64 by 32
__kernel void control_goto(__global const int* in, __global int* out) {
    int i = get_global_id(0);
    int n = in[i] & 7, steps;
    steps = 0;
again:
    if (n == 1) goto done;
    if (++steps > 20) goto done;
    n = n & 1 ? 3 * n + 1 : n / 2;
    goto again;
done:
    out[i] = steps * 100 + n;
}

// do, while, for with commas, break and continue in nested loops.
//! in: uint 64 bits
//! out: int 64
//! launch: 64 by 32
__kernel void control_loops(__global const uint* in, __global int* out) {
    int i = get_global_id(0), sum = 0;
    uint v = in[i];
    do {
        sum += v & 1;
        v >>= 1;
    } while (v);
    for (int a = 0, b = 10; a < b; ++a, --b) {
        if (a == 2) continue;
        for (;;) {
            if (sum++ > a * b) break;
        }
    }
    while (sum > 50) sum -= 7;
    out[i] = sum;
}

// && and || stop as soon as they know.
int control_count(int* n, int result) {
    ++*n;
    return result;
}
//! in: int 64 small
//! out: int 64
//! launch: 64 by 32
__kernel void control_short_circuit(__global const int* in, __global int* out) {
    int i = get_global_id(0), n = 0;
    int a = in[i] > 0 && control_count(&n, in[i] > 3);
    int b = in[i] < -3 || control_count(&n, 0) || control_count(&n, in[i]);
    out[i] = n * 100 + a * 10 + b;
}

// The comma, assignments as values, nested choices.
//! in: int 64 small
//! out: int 64
//! launch: 64 by 32
__kernel void control_values(__global const int* in, __global int* out) {
    int i = get_global_id(0), a, b, c;
    a = b = c = in[i];
    a += b -= 2;
    c = (a++, b--, a * b);
    out[i] = a < b ? b : a == b ? 77 : c > 10 ? c : (c = -c, c - 1);
}

// Returning early, where no barrier follows.
//! in: int 64 small
//! inout: int 64 zero
//! value: uint 50
//! launch: 64 by 32
__kernel void control_return(__global const int* in, __global int* out, const uint n) {
    const size_t i = get_global_id(0);
    if (i >= n) return;
    if (in[i] < 0) {
        out[i] = -1;
        return;
    }
    out[i] = in[i];
}

// Blocks hide names.
//! in: int 64 small
//! out: int 64
//! launch: 64 by 32
__kernel void control_scopes(__global const int* in, __global int* out) {
    int i = get_global_id(0), x = 1;
    {
        int x = in[i];
        {
            float x = 2.5f;
            out[i] = (int)(x * 2);
        }
        out[i] += x;
    }
    if (in[i] > 0) {
        if (in[i] > 4) x = 10;
        else x = 20;
    }
    out[i] += x;
}
