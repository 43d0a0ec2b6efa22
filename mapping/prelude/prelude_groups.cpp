// The prelude's functions of work-items and work-groups, shifts, and copies by a whole group.
#include "mapping/prelude/prelude_functions.hpp"

namespace parallax {
namespace {

constexpr PlainFunction functions[] = {
    {"shift_left", R"(template <class A, class B> __device__ constexpr auto shift_left(A a, B b) {
    return +a << (int(b) & int(8 * sizeof(+a) - 1));
}
)"},
    {"shift_right", R"(template <class A, class B> __device__ constexpr auto shift_right(A a, B b) {
    return +a >> (int(b) & int(8 * sizeof(+a) - 1));
}
)"},
    {"shift_left_assign",
     R"(template <class A, class B> __device__ inline A& shift_left_assign(A& a, B b) {
    return a = A(shift_left(a, b));
}
)",
     "shift_left"},
    {"shift_right_assign",
     R"(template <class A, class B> __device__ inline A& shift_right_assign(A& a, B b) {
    return a = A(shift_right(a, b));
}
)",
     "shift_right"},

    {"get_local_id", R"(__device__ inline size_t get_local_id(unsigned int d) {
    return d == 0 ? threadIdx.x : d == 1 ? threadIdx.y : d == 2 ? threadIdx.z : 0;
}
)"},
    {"get_group_id", R"(__device__ inline size_t get_group_id(unsigned int d) {
    return d == 0 ? blockIdx.x : d == 1 ? blockIdx.y : d == 2 ? blockIdx.z : 0;
}
)"},
    {"get_local_size", R"(__device__ inline size_t get_local_size(unsigned int d) {
    return d == 0 ? blockDim.x : d == 1 ? blockDim.y : d == 2 ? blockDim.z : 1;
}
)"},
    {"get_enqueued_local_size",
     R"(__device__ inline size_t get_enqueued_local_size(unsigned int d) {
    return get_local_size(d);
}
)",
     "get_local_size"},
    {"get_num_groups", R"(__device__ inline size_t get_num_groups(unsigned int d) {
    return d == 0 ? gridDim.x : d == 1 ? gridDim.y : d == 2 ? gridDim.z : 1;
}
)"},
    {"get_global_id", R"(__device__ inline size_t get_global_id(unsigned int d) {
    return get_group_id(d) * get_local_size(d) + get_local_id(d);
}
)",
     "get_group_id get_local_size get_local_id"},
    {"get_global_size", R"(__device__ inline size_t get_global_size(unsigned int d) {
    return get_num_groups(d) * get_local_size(d);
}
)",
     "get_num_groups get_local_size"},
    {"get_global_offset",
     "__device__ inline size_t get_global_offset(unsigned int) { return 0; }\n"},
    {"get_local_linear_id", R"(__device__ inline size_t get_local_linear_id() {
    return (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
}
)"},
    {"get_global_linear_id", R"(__device__ inline size_t get_global_linear_id() {
    return (get_global_id(2) * get_global_size(1) + get_global_id(1)) * get_global_size(0) +
           get_global_id(0);
}
)",
     "get_global_id get_global_size"},

    // The operations of reductions, and what they begin with.
    {"group_operations", R"(struct group_add {
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
)"},
    // Every element of `values` belongs to one work-item. The barrier at the end lets the next call
    // write them again.
    {"group_reduce", R"(template <class Op, class T> __device__ inline T group_reduce(T x) {
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
)",
     "group_operations get_local_linear_id"},
    {"group_scan",
     R"(template <class Op, bool inclusive, class T> __device__ inline T group_scan(T x) {
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
)",
     "group_operations get_local_linear_id"},
    {"work_group_reduce_add", R"(template <class T> __device__ inline T work_group_reduce_add(T x) {
    return group_reduce<group_add>(x);
}
)",
     "group_reduce"},
    {"work_group_reduce_min", R"(template <class T> __device__ inline T work_group_reduce_min(T x) {
    return group_reduce<group_min>(x);
}
)",
     "group_reduce"},
    {"work_group_reduce_max", R"(template <class T> __device__ inline T work_group_reduce_max(T x) {
    return group_reduce<group_max>(x);
}
)",
     "group_reduce"},
    {"work_group_scan_inclusive_add work_group_scan_exclusive_add",
     R"(template <class T> __device__ inline T work_group_scan_inclusive_add(T x) {
    return group_scan<group_add, true>(x);
}
template <class T> __device__ inline T work_group_scan_exclusive_add(T x) {
    return group_scan<group_add, false>(x);
}
)",
     "group_scan"},
    {"work_group_scan_inclusive_min work_group_scan_exclusive_min",
     R"(template <class T> __device__ inline T work_group_scan_inclusive_min(T x) {
    return group_scan<group_min, true>(x);
}
template <class T> __device__ inline T work_group_scan_exclusive_min(T x) {
    return group_scan<group_min, false>(x);
}
)",
     "group_scan"},
    {"work_group_scan_inclusive_max work_group_scan_exclusive_max",
     R"(template <class T> __device__ inline T work_group_scan_inclusive_max(T x) {
    return group_scan<group_max, true>(x);
}
template <class T> __device__ inline T work_group_scan_exclusive_max(T x) {
    return group_scan<group_max, false>(x);
}
)",
     "group_scan"},
    {"work_group_broadcast",
     R"(template <class T>
__device__ inline T work_group_broadcast(T a, size_t x, size_t y = 0, size_t z = 0) {
    __shared__ T value;
    if (threadIdx.x == x && threadIdx.y == y && threadIdx.z == z) value = a;
    __syncthreads();
    const T result = value;
    __syncthreads();
    return result;
}
)"},

    {"event_t", "using event_t = int;\n"},
    {"async_work_group_copy", R"(template <class T>
__device__ inline event_t async_work_group_copy(T* to, const T* from, size_t n, event_t event) {
    const size_t step = blockDim.x * blockDim.y * blockDim.z;
    for (size_t i = get_local_linear_id(); i < n; i += step) to[i] = from[i];
    return event;
}
)",
     "event_t get_local_linear_id"},
    // The stride belongs to the side in global memory.
    {"async_work_group_strided_copy", R"(template <class T>
__device__ inline event_t async_work_group_strided_copy(T* to, const T* from, size_t n,
                                                        size_t stride, event_t event) {
    const size_t step = blockDim.x * blockDim.y * blockDim.z;
    const bool gather = __isShared(to);
    for (size_t i = get_local_linear_id(); i < n; i += step) {
        to[gather ? i : i * stride] = from[gather ? i * stride : i];
    }
    return event;
}
)",
     "event_t get_local_linear_id"},
    {"wait_group_events",
     "__device__ inline void wait_group_events(int, event_t*) { __syncthreads(); }\n", "event_t"},
};

}  // namespace

std::span<const PlainFunction> work_item_functions() {
    return functions;
}

}  // namespace parallax
