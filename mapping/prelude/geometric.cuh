// Geometric functions. A sum of squares can leave the range that the length itself is in: then the
// vector is scaled by powers of two, and its length back.
// == dot: for floats; vectors 1
__device__ inline V dot(V a, V b) { return a * b; }
// == dot: for floats; vectors 2 3 4
__device__ inline T dot(V a, V b) { return SUM(a.c * b.c); }

// == cross: for floats; vectors 3
__device__ inline V cross(V a, V b) {
    return make_V(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z,
        a.x * b.y - a.y * b.x);
}
// == cross: for floats; vectors 4
__device__ inline V cross(V a, V b) {
    return make_V(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z,
        a.x * b.y - a.y * b.x, 0);
}

// == length: for floats; vectors 1
__device__ inline V length(V a) { return fabs(a); }
// == length: for floats; vectors 2 3 4; needs dot
__device__ inline T length(V a) {
    const T sum = dot(a, a);
    const T scale = isinf(sum)              ? (T)(scale_down_T)
                    : sum < (T)(small_sum_T) ? (T)(scale_up_T)
                                             : (T)(1);
    const V b = EACH(scale * a.c);
    return scale == 1 ? sqrt(sum) : sqrt(dot(b, b)) / scale;
}

// == distance: for floats; vectors 1
__device__ inline V distance(V a, V b) { return fabs(a - b); }
// == distance: for floats; vectors 2 3 4; needs length
__device__ inline T distance(V a, V b) { return length(EACH(a.c - b.c)); }

// == normalize: for floats; vectors 1
__device__ inline V normalize(V a) { return isnan(a) || a == 0 ? a : copysign(V(1), a); }
// == normalize: for floats; vectors 2 3 4; needs dot
__device__ inline V normalize(V a) {
    T sum = dot(a, a);
    const T scale = isinf(sum)              ? (T)(scale_down_T)
                    : sum < (T)(small_sum_T) ? (T)(scale_up_T)
                                             : (T)(1);
    V b = a;
    if (scale != 1) {
        b = EACH(scale * a.c);
        sum = dot(b, b);
    }
    if (sum == 0) return a;
    if (isinf(sum)) {
        b = EACH(copysign(isinf(a.c) ? (T)(1) : (T)(0), a.c));
        sum = dot(b, b);
    }
    const T size = sqrt(sum);
    return EACH(b.c / size);
}

// == fast_length: for float; vectors 1
__device__ inline V fast_length(V a) { return fabs(a); }
// == fast_length: for float; vectors 2 3 4; needs dot
__device__ inline T fast_length(V a) { return sqrt(dot(a, a)); }

// == fast_distance: for float; vectors 1
__device__ inline V fast_distance(V a, V b) { return fabs(a - b); }
// == fast_distance: for float; vectors 2 3 4; needs dot
__device__ inline T fast_distance(V a, V b) {
    const V c = EACH(a.c - b.c);
    return sqrt(dot(c, c));
}

// == fast_normalize: for float; vectors 1
__device__ inline V fast_normalize(V a) { return a == 0 ? a : copysign(V(1), a); }
// == fast_normalize: for float; vectors 2 3 4; needs dot
__device__ inline V fast_normalize(V a) {
    const T sum = dot(a, a);
    const T factor = rsqrt(sum);
    return sum == 0 ? a : EACH(a.c * factor);
}
