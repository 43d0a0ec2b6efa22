// CUDA's own atomics for volatile pointers and for the types that CUDA does not have them for, and
// OpenCL's names for pointers whose type is not known.
// == atomicAdd atomicSub atomicExch atomicMin atomicMax atomicAnd atomicOr atomicXor: each;
//    for int uint; scalars only
__device__ inline T NAME(volatile T* p, T value) {
    return NAME((T*)p, value);
}
// == atomicAdd atomicExch: each; for float; scalars only
__device__ inline T NAME(volatile T* p, T value) {
    return NAME((T*)p, value);
}
// == atomicAdd: for double; scalars only
__device__ inline T atomicAdd(volatile T* p, T value) {
    return atomicAdd((T*)p, value);
}
// == atomicExch: for double; scalars only
__device__ inline T atomicExch(volatile T* p, T value) {
    return __longlong_as_double((long long)atomicExch(
        (unsigned long long*)p, (unsigned long long)__double_as_longlong(value)));
}
// == atomicAdd atomicExch atomicAnd atomicOr atomicXor: each; for long; scalars only
__device__ inline T NAME(volatile T* p, T value) {
    return (T)NAME((unsigned long long*)p, (unsigned long long)value);
}
// == atomicMin atomicMax: each; for long ulong; scalars only
__device__ inline T NAME(volatile T* p, T value) {
    return NAME((T*)p, value);
}
// == atomicAdd atomicExch atomicAnd atomicOr atomicXor: each; for ulong; scalars only
__device__ inline T NAME(volatile T* p, T value) {
    return NAME((T*)p, value);
}
// == atomicSub: for long; scalars only
__device__ inline T atomicSub(volatile T* p, T value) {
    return (T)atomicAdd((unsigned long long*)p, 0ull - (unsigned long long)value);
}
// == atomicSub: for ulong; scalars only
__device__ inline T atomicSub(volatile T* p, T value) {
    return atomicAdd((unsigned long long*)p, 0ull - (unsigned long long)value);
}
// == atomicCAS: for int uint ulong; scalars only
__device__ inline T atomicCAS(volatile T* p, T expected, T value) {
    return atomicCAS((T*)p, expected, value);
}
// == atomicCAS: for long; scalars only
__device__ inline T atomicCAS(volatile T* p, T expected, T value) {
    return (T)atomicCAS((unsigned long long*)p, (unsigned long long)expected,
                        (unsigned long long)value);
}

// == atomic_add(atomicAdd) atomic_xchg(atomicExch) atomic_min(atomicMin) atomic_max(atomicMax)
//    atomic_and(atomicAnd) atomic_or(atomicOr) atomic_xor(atomicXor)
//    atom_add(atomicAdd) atom_xchg(atomicExch) atom_min(atomicMin) atom_max(atomicMax)
//    atom_and(atomicAnd) atom_or(atomicOr) atom_xor(atomicXor): each
template <class T, class V>
__device__ inline T NAME(volatile T* p, V value) {
    return BASE(p, T(value));
}
// CUDA's atomicSub() negates a signed int, which is undefined for the smallest.
// == atomic_sub(atomicAdd) atom_sub(atomicAdd): each
template <class T, class V>
__device__ inline T NAME(volatile T* p, V value) {
    return BASE(p, T(0ull - (unsigned long long)T(value)));
}
// == atomic_inc(atomicAdd) atomic_dec(atomicSub) atom_inc(atomicAdd) atom_dec(atomicSub): each
template <class T> __device__ inline T NAME(volatile T* p) {
    return BASE(p, T(1));
}
// == atomic_cmpxchg(atomicCAS) atom_cmpxchg(atomicCAS): each
template <class T, class A, class B>
__device__ inline T NAME(volatile T* p, A expected, B value) {
    return BASE(p, T(expected), T(value));
}
