// What stands for more of CUDA C++ where a kernel is read and never compiled: groups of threads,
// half precision, and the host's words of a launch.
typedef __fp16 half, __half;
struct half2 { half x, y; };
typedef half2 __half2;
struct __nv_bfloat16 { unsigned short bits; };
struct __nv_bfloat162 { __nv_bfloat16 x, y; };
typedef __nv_bfloat16 nv_bfloat16;
typedef __nv_bfloat162 nv_bfloat162;

inline __device__ float __half2float(half x) { return x; }
inline __device__ half __float2half(float x) { return x; }
inline __device__ half __float2half_rn(float x) { return x; }
inline __device__ half __hadd(half x, half y) { return x + y; }
inline __device__ half __hsub(half x, half y) { return x - y; }
inline __device__ half __hmul(half x, half y) { return x * y; }
inline __device__ half __hdiv(half x, half y) { return x / y; }
inline __device__ half __hfma(half x, half y, half z) { return x * y + z; }
inline __device__ half __ldg(const half* p) { return *p; }
inline __device__ half2 __ldg(const half2* p) { return *p; }
__device__ half2 make_half2(half x, half y);
__device__ half2 __halves2half2(half x, half y);
__device__ half2 __float2half2_rn(float x);
__device__ half2 __half2half2(half x);
__device__ half2 __floats2half2_rn(float x, float y);
__device__ float2 __half22float2(half2);
__device__ half __low2half(half2);
__device__ half __high2half(half2);
__device__ float __low2float(half2);
__device__ float __high2float(half2);
__device__ half2 __hadd2(half2, half2);
__device__ half2 __hsub2(half2, half2);
__device__ half2 __hmul2(half2, half2);
__device__ half2 __hfma2(half2, half2, half2);
__device__ float __bfloat162float(__nv_bfloat16);
__device__ __nv_bfloat16 __float2bfloat16(float);
__device__ __nv_bfloat16 __float2bfloat16_rn(float);
__device__ __nv_bfloat16 __hadd(__nv_bfloat16, __nv_bfloat16);
__device__ __nv_bfloat16 __hmul(__nv_bfloat16, __nv_bfloat16);

namespace cooperative_groups {
struct grid_group {
    __device__ void sync() const;
    __device__ unsigned int thread_rank() const { return blockIdx.x * blockDim.x + threadIdx.x; }
    __device__ unsigned int size() const { return gridDim.x * blockDim.x; }
    __device__ unsigned int num_threads() const { return gridDim.x * blockDim.x; }
};
template <unsigned int N, typename Parent = void> struct thread_block_tile {
    __device__ void sync() const;
    __device__ unsigned int thread_rank() const { return threadIdx.x % N; }
    __device__ unsigned int meta_group_rank() const { return threadIdx.x / N; }
    __device__ unsigned int meta_group_size() const { return blockDim.x / N; }
    __device__ unsigned int size() const { return N; }
    __device__ unsigned int num_threads() const { return N; }
    template <typename T> __device__ T shfl(T, int) const;
    template <typename T> __device__ T shfl_up(T, int) const;
    template <typename T> __device__ T shfl_down(T, int) const;
    template <typename T> __device__ T shfl_xor(T, int) const;
    __device__ unsigned int ballot(int) const;
    __device__ int any(int) const;
    __device__ int all(int) const;
};
struct coalesced_group {
    __device__ void sync() const;
    __device__ unsigned int thread_rank() const;
    __device__ unsigned int size() const;
    __device__ unsigned int num_threads() const;
};
__device__ grid_group this_grid();
__device__ coalesced_group coalesced_threads();
template <unsigned int N, typename Group>
__device__ thread_block_tile<N> tiled_partition(const Group&);
}  // namespace cooperative_groups

// A launch is a call of this.
typedef struct CUstream_st* cudaStream_t;
extern "C" int cudaConfigureCall(dim3 grid, dim3 block, size_t shared = 0, void* stream = 0);
