// What NVIDIA's devices alone have, as inline PTX: warps, their tiles, clocks, and sums of floats.
inline __device__ float atomicAdd_global(float* p, float value) {
    float before;
    asm volatile("atom.global.add.f32 %0, [%1], %2;"
                 : "=f"(before) : "l"(p), "f"(value) : "memory");
    return before;
}
inline __device__ double atomicAdd_global(double* p, double value) {
    double before;
    asm volatile("atom.global.add.f64 %0, [%1], %2;"
                 : "=d"(before) : "l"(p), "d"(value) : "memory");
    return before;
}
inline __device__ unsigned int parallax_lane() {
    unsigned int made;
    asm("mov.u32 %0, %%laneid;" : "=r"(made));
    return made;
}
template <int Kind>
inline __device__ int parallax_shuffle(unsigned int mask, int x, int by, int limit) {
    int made;
    if constexpr (Kind == 0) {
        asm volatile("shfl.sync.idx.b32 %0, %1, %2, %3, %4;"
                     : "=r"(made) : "r"(x), "r"(by), "r"(limit), "r"(mask));
    } else if constexpr (Kind == 1) {
        asm volatile("shfl.sync.up.b32 %0, %1, %2, %3, %4;"
                     : "=r"(made) : "r"(x), "r"(by), "r"(limit), "r"(mask));
    } else if constexpr (Kind == 2) {
        asm volatile("shfl.sync.down.b32 %0, %1, %2, %3, %4;"
                     : "=r"(made) : "r"(x), "r"(by), "r"(limit), "r"(mask));
    } else {
        asm volatile("shfl.sync.bfly.b32 %0, %1, %2, %3, %4;"
                     : "=r"(made) : "r"(x), "r"(by), "r"(limit), "r"(mask));
    }
    return made;
}
template <int Kind>
inline __device__ unsigned int parallax_shuffle(unsigned int mask, unsigned int x, int by, int limit) {
    return static_cast<unsigned int>(parallax_shuffle<Kind>(mask, static_cast<int>(x), by, limit));
}
template <int Kind>
inline __device__ float parallax_shuffle(unsigned int mask, float x, int by, int limit) {
    return __int_as_float(parallax_shuffle<Kind>(mask, __float_as_int(x), by, limit));
}
template <int Kind>
inline __device__ long long parallax_shuffle(unsigned int mask, long long x, int by, int limit) {
    const unsigned int low = parallax_shuffle<Kind>(mask, static_cast<unsigned int>(x), by, limit);
    const unsigned int high =
        parallax_shuffle<Kind>(mask, static_cast<unsigned int>(x >> 32), by, limit);
    return static_cast<long long>(static_cast<unsigned long long>(high) << 32 | low);
}
template <int Kind>
inline __device__ unsigned long long parallax_shuffle(unsigned int mask, unsigned long long x, int by,
                                                      int limit) {
    return static_cast<unsigned long long>(
        parallax_shuffle<Kind>(mask, static_cast<long long>(x), by, limit));
}
template <int Kind>
inline __device__ long parallax_shuffle(unsigned int mask, long x, int by, int limit) {
    return static_cast<long>(parallax_shuffle<Kind>(mask, static_cast<long long>(x), by, limit));
}
template <int Kind>
inline __device__ unsigned long parallax_shuffle(unsigned int mask, unsigned long x, int by,
                                                 int limit) {
    return static_cast<unsigned long>(
        parallax_shuffle<Kind>(mask, static_cast<long long>(x), by, limit));
}
template <int Kind>
inline __device__ double parallax_shuffle(unsigned int mask, double x, int by, int limit) {
    return __longlong_as_double(
        parallax_shuffle<Kind>(mask, __double_as_longlong(x), by, limit));
}
// Beyond its width a shuffle gives a lane its own value; above the lowest 5 bits stands how many
// lanes share a part of the warp.
template <typename T>
inline __device__ T __shfl_sync(unsigned int mask, T x, int lane, int width = 32) {
    return parallax_shuffle<0>(mask, x, lane, (32 - width) << 8 | 31);
}
template <typename T>
inline __device__ T __shfl_up_sync(unsigned int mask, T x, unsigned int by, int width = 32) {
    return parallax_shuffle<1>(mask, x, static_cast<int>(by), (32 - width) << 8);
}
template <typename T>
inline __device__ T __shfl_down_sync(unsigned int mask, T x, unsigned int by, int width = 32) {
    return parallax_shuffle<2>(mask, x, static_cast<int>(by), (32 - width) << 8 | 31);
}
template <typename T>
inline __device__ T __shfl_xor_sync(unsigned int mask, T x, int lanes, int width = 32) {
    return parallax_shuffle<3>(mask, x, lanes, (32 - width) << 8 | 31);
}
inline __device__ void __syncwarp(unsigned int mask) {
    asm volatile("bar.warp.sync %0;" : : "r"(mask) : "memory");
}
inline __device__ unsigned int __ballot_sync(unsigned int mask, int vote) {
    unsigned int made;
    asm volatile("{.reg .pred p; setp.ne.s32 p, %1, 0; vote.sync.ballot.b32 %0, p, %2;}"
                 : "=r"(made) : "r"(vote), "r"(mask));
    return made;
}
inline __device__ int __any_sync(unsigned int mask, int vote) {
    int made;
    asm volatile("{.reg .pred p, q; setp.ne.s32 p, %1, 0; vote.sync.any.pred q, p, %2; "
                 "selp.s32 %0, 1, 0, q;}"
                 : "=r"(made) : "r"(vote), "r"(mask));
    return made;
}
inline __device__ int __all_sync(unsigned int mask, int vote) {
    int made;
    asm volatile("{.reg .pred p, q; setp.ne.s32 p, %1, 0; vote.sync.all.pred q, p, %2; "
                 "selp.s32 %0, 1, 0, q;}"
                 : "=r"(made) : "r"(vote), "r"(mask));
    return made;
}
inline __device__ unsigned int __activemask() {
    unsigned int made;
    asm volatile("activemask.b32 %0;" : "=r"(made));
    return made;
}
inline __device__ long long clock64() {
    long long made;
    asm volatile("mov.u64 %0, %%clock64;" : "=l"(made) : : "memory");
    return made;
}
inline __device__ clock_t clock() {
    int made;
    asm volatile("mov.u32 %0, %%clock;" : "=r"(made) : : "memory");
    return made;
}
inline __device__ void __trap() { asm volatile("trap;"); }

namespace cooperative_groups {
template <unsigned int Size, typename Parent = void> struct thread_block_tile {
    static_assert(Size <= 32, "tiles of more than a warp are not translated");
    __device__ unsigned int thread_rank() const { return parallax_lane() & (Size - 1); }
    __device__ unsigned int size() const { return Size; }
    __device__ unsigned int num_threads() const { return Size; }
    __device__ unsigned int meta_group_rank() const {
        return ((threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x) / Size;
    }
    __device__ unsigned int meta_group_size() const {
        return (blockDim.x * blockDim.y * blockDim.z + Size - 1) / Size;
    }
    __device__ unsigned int first_lane() const { return parallax_lane() & ~(Size - 1); }
    __device__ unsigned int mask() const { return 0xffffffffu >> (32 - Size) << first_lane(); }
    __device__ void sync() const { __syncwarp(mask()); }
    template <typename T> __device__ T shfl(T x, int lane) const {
        return __shfl_sync(mask(), x, lane, Size);
    }
    template <typename T> __device__ T shfl_up(T x, unsigned int by) const {
        return __shfl_up_sync(mask(), x, by, Size);
    }
    template <typename T> __device__ T shfl_down(T x, unsigned int by) const {
        return __shfl_down_sync(mask(), x, by, Size);
    }
    template <typename T> __device__ T shfl_xor(T x, unsigned int lanes) const {
        return __shfl_xor_sync(mask(), x, lanes, Size);
    }
    __device__ int any(int vote) const { return __any_sync(mask(), vote); }
    __device__ int all(int vote) const { return __all_sync(mask(), vote); }
    __device__ unsigned int ballot(int vote) const {
        return __ballot_sync(mask(), vote) >> first_lane();
    }
};
template <unsigned int Size, typename Group>
__device__ thread_block_tile<Size> tiled_partition(const Group&);
template <unsigned int Size, typename Parent>
inline __device__ void sync(const thread_block_tile<Size, Parent>& tile) { tile.sync(); }
}  // namespace cooperative_groups
