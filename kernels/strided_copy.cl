// Copies of an array that differ in nothing but the order in which its elements are touched.

// Neighbouring items touch neighbouring elements.
__kernel void copy(__global const T* in, __global T* out, const ulong n) {
    const size_t i = get_global_id(0);
    if (i < n) out[i] = in[i];
}

// The same, four elements an item; the last items take what four do not divide.
__kernel void copy4(__global const T* in, __global T* out, const ulong n) {
    __global const T4* in4 = (__global const T4*)in;
    __global T4* out4 = (__global T4*)out;
    const size_t i = get_global_id(0);
    const size_t whole = n / 4;
    if (i < whole) {
        out4[i] = in4[i];
    } else if (i - whole < n - 4 * whole) {
        out[3 * whole + i] = in[3 * whole + i];
    }
}

// Neighbouring items touch elements `stride` apart; the groups' second index is the first element, so
// that after all of them every element was copied once.
__kernel void strided(__global const T* in, __global T* out, const ulong n, const uint stride) {
    const size_t i = get_global_id(0) * stride + get_group_id(1);
    if (i < n) out[i] = in[i];
}

// Neighbouring items touch neighbouring elements, but the first one is not the first of a memory
// transaction. The last `offset` items take the elements that the others leave out.
__kernel void shifted(__global const T* in, __global T* out, const ulong n, const uint offset) {
    const size_t item = get_global_id(0);
    if (item < n) {
        const size_t i = item + offset < n ? item + offset : item + offset - n;
        out[i] = in[i];
    }
}
