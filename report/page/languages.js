// OpenCL C and CUDA C++ as languages of highlight.js.

// What OpenCL C has beside C++'s words
const OPENCL_WORDS = {
    keyword: 'kernel __kernel global __global local __local constant __constant private ' +
        '__private ' +
        'uint ulong uchar ushort half size_t restrict __attribute__ aligned',
    built_in: 'get_global_id get_local_id get_group_id get_global_size get_local_size ' +
        'get_num_groups ' +
        'barrier CLK_LOCAL_MEM_FENCE CLK_GLOBAL_MEM_FENCE fma mad clamp',
};
const CUDA_WORDS = {
    keyword: '__global__ __device__ __shared__ __constant__ __align__ __launch_bounds__ ' +
        '__restrict__ ' +
        '__forceinline__ size_t',
    built_in: 'threadIdx blockIdx blockDim gridDim __syncthreads __syncwarp __shfl_down_sync ' +
        'fmaf fma',
};

// A page carries the library that it was made with: its reader cannot heed a call for a newer one.
window.hljs?.configure({ hideUpgradeWarningAcceptNoSupportOrSecurityUpdates: true });

function addLanguage(name, words) {
    const language = hljs.getLanguage('cpp')?.rawDefinition?.();
    if (!language?.keywords?.keyword) return 'cpp';
    language.keywords.keyword += ` ${words.keyword}`;
    language.keywords.built_in = `${language.keywords.built_in ?? ''} ${words.built_in}`;
    language.aliases = [];
    hljs.registerLanguage(name, () => language);
    return name;
}
