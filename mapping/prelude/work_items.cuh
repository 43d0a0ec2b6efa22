// Shifts, and the indices and sizes that work-items ask for.
// == shift_left
template <class A, class B> __device__ constexpr auto shift_left(A a, B b) {
    return +a << (int(b) & int(8 * sizeof(+a) - 1));
}
// == shift_right
template <class A, class B> __device__ constexpr auto shift_right(A a, B b) {
    return +a >> (int(b) & int(8 * sizeof(+a) - 1));
}
// == shift_left_assign: needs shift_left
template <class A, class B> __device__ inline A& shift_left_assign(A& a, B b) {
    return a = A(shift_left(a, b));
}
// == shift_right_assign: needs shift_right
template <class A, class B> __device__ inline A& shift_right_assign(A& a, B b) {
    return a = A(shift_right(a, b));
}
// == get_local_id(threadIdx) get_group_id(blockIdx): each
__device__ inline size_t NAME(unsigned int d) {
    return d == 0 ? BASE.x : d == 1 ? BASE.y : d == 2 ? BASE.z : 0;
}
// == get_local_size(blockDim) get_num_groups(gridDim): each
__device__ inline size_t NAME(unsigned int d) {
    return d == 0 ? BASE.x : d == 1 ? BASE.y : d == 2 ? BASE.z : 1;
}
// == get_enqueued_local_size: needs get_local_size
__device__ inline size_t get_enqueued_local_size(unsigned int d) {
    return get_local_size(d);
}
// == get_global_id: needs get_group_id, get_local_size, get_local_id
__device__ inline size_t get_global_id(unsigned int d) {
    return get_group_id(d) * get_local_size(d) + get_local_id(d);
}
// == get_global_size: needs get_num_groups, get_local_size
__device__ inline size_t get_global_size(unsigned int d) {
    return get_num_groups(d) * get_local_size(d);
}
// == get_global_offset
__device__ inline size_t get_global_offset(unsigned int) { return 0; }
// == get_local_linear_id
__device__ inline size_t get_local_linear_id() {
    return (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
}
// == get_global_linear_id: needs get_global_id, get_global_size
__device__ inline size_t get_global_linear_id() {
    return (get_global_id(2) * get_global_size(1) + get_global_id(1)) * get_global_size(0) +
           get_global_id(0);
}
