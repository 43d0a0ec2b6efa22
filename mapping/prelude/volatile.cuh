// Copies of what is volatile, as a whole. C++ has them of scalars only: vectors add theirs, member
// by member, and so do structs where they are defined.
// == volatile_load volatile_store
template <class To, class From>
__device__ inline void volatile_copy(To& to, From& from) {
    to = from;
}
template <class To, class From, size_t n>
__device__ inline void volatile_copy(To (&to)[n], From (&from)[n]) {
    for (size_t i = 0; i < n; ++i) volatile_copy(to[i], from[i]);
}
template <class T>
__device__ inline T volatile_load(const volatile T& from) {
    T value;
    volatile_copy(value, from);
    return value;
}
template <class T, class V>
__device__ inline T volatile_store(volatile T& to, const V& v) {
    const T value = v;
    volatile_copy(to, value);
    return value;
}
