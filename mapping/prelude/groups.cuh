// What a whole work-group does: reductions, scans, broadcasts and copies.
// The operations of reductions, and what they begin with.
// == group_operations
struct group_add {
    template <class T> static __device__ T of(T a, T b) { return a + b; }
    template <class T> static __device__ T identity(T) { return T(0); }
};
struct group_min {
    template <class T> static __device__ T of(T a, T b) { return b < a ? b : a; }
    static __device__ float identity(float) { return __int_as_float(0x7f800000); }
    static __device__ double identity(double) { return __int_as_float(0x7f800000); }
    static __device__ int identity(int) { return 0x7fffffff; }
    static __device__ unsigned int identity(unsigned int) { return ~0u; }
    static __device__ long long identity(long long) { return 0x7fffffffffffffffll; }
    static __device__ unsigned long long identity(unsigned long long) { return ~0ull; }
    static __device__ long identity(long) { return long(~0ul >> 1); }
    static __device__ unsigned long identity(unsigned long) { return ~0ul; }
};
struct group_max {
    template <class T> static __device__ T of(T a, T b) { return a < b ? b : a; }
    template <class T> static __device__ T identity(T a) { return lowest(group_min::identity(a)); }
    template <class T> static __device__ T lowest(T highest) {
        return T(-1) < T(1) ? T(~highest) : T(0);
    }
    static __device__ float lowest(float highest) { return -highest; }
    static __device__ double lowest(double highest) { return -highest; }
};
// Each work-item has one element of `values`. After the barrier at the end the next call may write
// them again.
// == group_reduce: needs group_operations, get_local_linear_id
template <class Op, class T> __device__ inline T group_reduce(T x) {
    __shared__ T values[1024];
    const unsigned int i = get_local_linear_id();
    values[i] = x;
    __syncthreads();
    for (unsigned int n = blockDim.x * blockDim.y * blockDim.z; n > 1; n = (n + 1) / 2) {
        const unsigned int half = (n + 1) / 2;
        if (i + half < n) values[i] = Op::of(values[i], values[i + half]);
        __syncthreads();
    }
    const T result = values[0];
    __syncthreads();
    return result;
}
// == group_scan: needs group_operations, get_local_linear_id
template <class Op, bool inclusive, class T> __device__ inline T group_scan(T x) {
    __shared__ T values[1024];
    const unsigned int i = get_local_linear_id();
    const unsigned int n = blockDim.x * blockDim.y * blockDim.z;
    values[i] = x;
    __syncthreads();
    for (unsigned int d = 1; d < n; d *= 2) {
        const T before = i >= d ? values[i - d] : x;
        __syncthreads();
        if (i >= d) values[i] = Op::of(before, values[i]);
        __syncthreads();
    }
    const T result = inclusive ? values[i] : i > 0 ? values[i - 1] : Op::identity(x);
    __syncthreads();
    return result;
}
// == work_group_reduce_add(group_add) work_group_reduce_min(group_min)
//    work_group_reduce_max(group_max): each; needs group_reduce
template <class T> __device__ inline T NAME(T x) {
    return group_reduce<BASE>(x);
}
// == work_group_scan_inclusive_add(group_add) work_group_scan_inclusive_min(group_min)
//    work_group_scan_inclusive_max(group_max): each; needs group_scan
template <class T> __device__ inline T NAME(T x) {
    return group_scan<BASE, true>(x);
}
// == work_group_scan_exclusive_add(group_add) work_group_scan_exclusive_min(group_min)
//    work_group_scan_exclusive_max(group_max): each; needs group_scan
template <class T> __device__ inline T NAME(T x) {
    return group_scan<BASE, false>(x);
}
// == work_group_broadcast
template <class T>
__device__ inline T work_group_broadcast(T a, size_t x, size_t y = 0, size_t z = 0) {
    __shared__ T value;
    if (threadIdx.x == x && threadIdx.y == y && threadIdx.z == z) value = a;
    __syncthreads();
    const T result = value;
    __syncthreads();
    return result;
}
// == event_t
using event_t = int;
// == async_work_group_copy: needs event_t, get_local_linear_id
template <class T>
__device__ inline event_t async_work_group_copy(T* to, const T* from, size_t n, event_t event) {
    const size_t step = blockDim.x * blockDim.y * blockDim.z;
    for (size_t i = get_local_linear_id(); i < n; i += step) to[i] = from[i];
    return event;
}
// The stride belongs to the side in global memory.
// == async_work_group_strided_copy: needs event_t, get_local_linear_id
template <class T>
__device__ inline event_t async_work_group_strided_copy(T* to, const T* from, size_t n,
                                                        size_t stride, event_t event) {
    const size_t step = blockDim.x * blockDim.y * blockDim.z;
    const bool gather = __isShared(to);
    for (size_t i = get_local_linear_id(); i < n; i += step) {
        to[gather ? i : i * stride] = from[gather ? i * stride : i];
    }
    return event;
}
// == wait_group_events: needs event_t
__device__ inline void wait_group_events(int, event_t*) { __syncthreads(); }
