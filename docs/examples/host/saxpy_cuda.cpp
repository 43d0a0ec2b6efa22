// y = a x + y through CUDA, from the first call to the last: saxpy_cuda [PART OF A NAME]
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include <cuda_runtime_api.h>
#include <nvrtc.h>

// Every call returns a code. An error that is not checked here shows up later, elsewhere.
static void check(cudaError_t code, const char* call) {
    if (code == cudaSuccess) return;
    std::fprintf(stderr, "%s failed: %s\n", call, cudaGetErrorString(code));
    std::exit(1);
}

static void check(nvrtcResult code, const char* call) {
    if (code == NVRTC_SUCCESS) return;
    std::fprintf(stderr, "%s failed: %s\n", call, nvrtcGetErrorString(code));
    std::exit(1);
}

static const char* const text = R"(
extern "C" __global__ void saxpy(unsigned int n, float a, const float* x, float* y) {
    const size_t i = size_t(blockIdx.x) * blockDim.x + threadIdx.x;
    if (i < n) y[i] = fma(a, x[i], y[i]);
}
)";

int main(int count, char** words) {
    const std::string wanted = count > 1 ? words[1] : "";
    unsigned int n = 1000003;
    float a = 2;
    std::vector<float> x(n), y(n);
    for (unsigned int i = 0; i < n; ++i) {
        x[i] = static_cast<float>(i % 1000);
        y[i] = 1;
    }
    const size_t bytes = n * sizeof(float);

    // 1. A device
    // There is one platform, and devices are numbers.
    int device_count = 0, device = -1;
    if (cudaGetDeviceCount(&device_count) != cudaSuccess) device_count = 0;
    cudaDeviceProp properties{};
    for (int one = 0; one < device_count && device < 0; ++one) {
        check(cudaGetDeviceProperties(&properties, one), "cudaGetDeviceProperties");
        if (std::string(properties.name).find(wanted) != std::string::npos) device = one;
    }
    if (device < 0) {
        std::fprintf(stderr, "no CUDA device '%s' here\n", wanted.c_str());
        return 77;
    }

    // 2. A context and a queue
    // The context is the runtime's own. The queue is a stream, and events take the times.
    check(cudaSetDevice(device), "cudaSetDevice");
    cudaStream_t stream = nullptr;
    check(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking), "cudaStreamCreateWithFlags");
    cudaEvent_t before = nullptr, after = nullptr;
    check(cudaEventCreate(&before), "cudaEventCreate");
    check(cudaEventCreate(&after), "cudaEventCreate");

    // 3. Memory and its contents
    float *device_x = nullptr, *device_y = nullptr;
    check(cudaMalloc(reinterpret_cast<void**>(&device_x), bytes), "cudaMalloc");
    check(cudaMalloc(reinterpret_cast<void**>(&device_y), bytes), "cudaMalloc");
    check(cudaMemcpyAsync(device_x, x.data(), bytes, cudaMemcpyHostToDevice, stream),
          "cudaMemcpyAsync");
    check(cudaMemcpyAsync(device_y, y.data(), bytes, cudaMemcpyHostToDevice, stream),
          "cudaMemcpyAsync");

    // 4. The kernel, built from its source for this device
    // nvcc builds kernels together with the host code, and this step is not needed.
    nvrtcProgram program = nullptr;
    check(nvrtcCreateProgram(&program, text, "saxpy.cu", 0, nullptr, nullptr),
          "nvrtcCreateProgram");
    const std::string target = "--gpu-architecture=sm_" + std::to_string(properties.major) +
                               std::to_string(properties.minor);
    const char* options[] = {target.c_str()};
    const nvrtcResult built = nvrtcCompileProgram(program, 1, options);
    if (built != NVRTC_SUCCESS) {
        size_t log_bytes = 0;
        check(nvrtcGetProgramLogSize(program, &log_bytes), "nvrtcGetProgramLogSize");
        std::vector<char> log(log_bytes);
        check(nvrtcGetProgramLog(program, log.data()), "nvrtcGetProgramLog");
        std::fprintf(stderr, "%s\n", log.data());
    }
    check(built, "nvrtcCompileProgram");
    size_t code_bytes = 0;
    check(nvrtcGetCUBINSize(program, &code_bytes), "nvrtcGetCUBINSize");
    std::vector<char> code(code_bytes);
    check(nvrtcGetCUBIN(program, code.data()), "nvrtcGetCUBIN");
    check(nvrtcDestroyProgram(&program), "nvrtcDestroyProgram");
    cudaLibrary_t library = nullptr;
    check(cudaLibraryLoadData(&library, code.data(), nullptr, nullptr, 0, nullptr, nullptr, 0),
          "cudaLibraryLoadData");
    cudaKernel_t kernel = nullptr;
    check(cudaLibraryGetKernel(&kernel, library, "saxpy"), "cudaLibraryGetKernel");

    // 5. The launch
    // Arguments are passed by address; the launch size counts blocks. The first launch may load the
    // code, so the second one is timed. With nvcc:
    // `saxpy<<<groups, group, 0, stream>>>(n, a, device_x, device_y);`
    void* arguments[] = {&n, &a, &device_x, &device_y};
    const unsigned int group = 256, groups = (n + group - 1) / group;
    check(cudaLaunchKernel(reinterpret_cast<const void*>(kernel), dim3(groups), dim3(group),
                           arguments, 0, stream),
          "cudaLaunchKernel");
    check(cudaEventRecord(before, stream), "cudaEventRecord");
    check(cudaLaunchKernel(reinterpret_cast<const void*>(kernel), dim3(groups), dim3(group),
                           arguments, 0, stream),
          "cudaLaunchKernel");
    check(cudaEventRecord(after, stream), "cudaEventRecord");

    // 6. The result
    // The host waits for all that is in the stream.
    check(cudaMemcpyAsync(y.data(), device_y, bytes, cudaMemcpyDeviceToHost, stream),
          "cudaMemcpyAsync");
    check(cudaStreamSynchronize(stream), "cudaStreamSynchronize");

    // 7. How long the launch took
    // Milliseconds between two events, the gap before the launch included.
    float milliseconds = 0;
    check(cudaEventElapsedTime(&milliseconds, before, after), "cudaEventElapsedTime");
    const double seconds = 1e-3 * static_cast<double>(milliseconds);

    // 8. All is given back
    check(cudaEventDestroy(after), "cudaEventDestroy");
    check(cudaEventDestroy(before), "cudaEventDestroy");
    check(cudaLibraryUnload(library), "cudaLibraryUnload");
    check(cudaFree(device_y), "cudaFree");
    check(cudaFree(device_x), "cudaFree");
    check(cudaStreamDestroy(stream), "cudaStreamDestroy");

    // No speed without a right answer.
    for (unsigned int i = 0; i < n; ++i) {
        const float right = std::fma(a, x[i], std::fma(a, x[i], 1.0f));
        if (y[i] == right) continue;
        std::fprintf(stderr, "y[%u] is %g and should be %g\n", i, y[i], right);
        return 1;
    }
    std::printf("%s: %u right answers, %.1f us, %.0f GB/s\n", properties.name, n, 1e6 * seconds,
                3e-9 * static_cast<double>(bytes) / seconds);
}
