// y = a x + y through OpenCL, from the first call to the last: saxpy_opencl [PART OF A NAME]
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include <CL/cl.h>

// Every call returns a code. An error that is not checked here shows up later, elsewhere.
static void check(cl_int code, const char* call) {
    if (code == CL_SUCCESS) return;
    std::fprintf(stderr, "%s failed with %d\n", call, code);
    std::exit(1);
}

static const char* const text = R"(
__kernel void saxpy(const uint n, const float a, __global const float* x, __global float* y) {
    const size_t i = get_global_id(0);
    if (i < n) y[i] = fma(a, x[i], y[i]);
}
)";

int main(int count, char** words) {
    const std::string wanted = count > 1 ? words[1] : "";
    const cl_uint n = 1000003;
    const cl_float a = 2;
    std::vector<cl_float> x(n), y(n);
    for (cl_uint i = 0; i < n; ++i) {
        x[i] = static_cast<cl_float>(i % 1000);
        y[i] = 1;
    }
    const size_t bytes = n * sizeof(cl_float);

    // 1. A device
    // Of every platform, which is a driver, all devices are asked for their names.
    cl_uint platform_count = 0;
    if (clGetPlatformIDs(0, nullptr, &platform_count) != CL_SUCCESS) platform_count = 0;
    std::vector<cl_platform_id> platforms(platform_count);
    if (platform_count > 0) {
        check(clGetPlatformIDs(platform_count, platforms.data(), nullptr), "clGetPlatformIDs");
    }
    cl_device_id device = nullptr;
    char name[256] = "";
    for (const cl_platform_id platform : platforms) {
        cl_uint device_count = 0;
        if (clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 0, nullptr, &device_count)) continue;
        std::vector<cl_device_id> devices(device_count);
        check(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, device_count, devices.data(), nullptr),
              "clGetDeviceIDs");
        for (const cl_device_id one : devices) {
            if (device) break;
            check(clGetDeviceInfo(one, CL_DEVICE_NAME, sizeof name, name, nullptr),
                  "clGetDeviceInfo");
            if (std::string(name).find(wanted) != std::string::npos) device = one;
        }
    }
    if (!device) {
        std::fprintf(stderr, "no OpenCL device '%s' here\n", wanted.c_str());
        return 77;
    }

    // 2. A context and a queue
    // The queue takes times.
    cl_int code = CL_SUCCESS;
    const cl_context context = clCreateContext(nullptr, 1, &device, nullptr, nullptr, &code);
    check(code, "clCreateContext");
    const cl_command_queue queue =
        clCreateCommandQueue(context, device, CL_QUEUE_PROFILING_ENABLE, &code);
    check(code, "clCreateCommandQueue");

    // 3. Memory and its contents
    const cl_mem device_x = clCreateBuffer(context, CL_MEM_READ_ONLY, bytes, nullptr, &code);
    check(code, "clCreateBuffer");
    const cl_mem device_y = clCreateBuffer(context, CL_MEM_READ_WRITE, bytes, nullptr, &code);
    check(code, "clCreateBuffer");
    check(clEnqueueWriteBuffer(queue, device_x, CL_FALSE, 0, bytes, x.data(), 0, nullptr, nullptr),
          "clEnqueueWriteBuffer");
    check(clEnqueueWriteBuffer(queue, device_y, CL_FALSE, 0, bytes, y.data(), 0, nullptr, nullptr),
          "clEnqueueWriteBuffer");

    // 4. The kernel, built from its source for this device
    const char* source = text;
    const cl_program program = clCreateProgramWithSource(context, 1, &source, nullptr, &code);
    check(code, "clCreateProgramWithSource");
    code = clBuildProgram(program, 1, &device, "-cl-std=CL1.2", nullptr, nullptr);
    if (code != CL_SUCCESS) {
        std::vector<char> log(1 << 16);
        clGetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_LOG, log.size() - 1, log.data(),
                              nullptr);
        std::fprintf(stderr, "%s\n", log.data());
    }
    check(code, "clBuildProgram");
    const cl_kernel kernel = clCreateKernel(program, "saxpy", &code);
    check(code, "clCreateKernel");

    // 5. The launch
    // Arguments are passed by index; the launch size counts work-items. The first launch may load
    // the code, so the second one is timed.
    check(clSetKernelArg(kernel, 0, sizeof n, &n), "clSetKernelArg");
    check(clSetKernelArg(kernel, 1, sizeof a, &a), "clSetKernelArg");
    check(clSetKernelArg(kernel, 2, sizeof device_x, &device_x), "clSetKernelArg");
    check(clSetKernelArg(kernel, 3, sizeof device_y, &device_y), "clSetKernelArg");
    const size_t group = 256, items = (n + group - 1) / group * group;
    cl_event event = nullptr;
    check(clEnqueueNDRangeKernel(queue, kernel, 1, nullptr, &items, &group, 0, nullptr, nullptr),
          "clEnqueueNDRangeKernel");
    check(clEnqueueNDRangeKernel(queue, kernel, 1, nullptr, &items, &group, 0, nullptr, &event),
          "clEnqueueNDRangeKernel");

    // 6. The result
    // This call waits for all that is before it in the queue.
    check(clEnqueueReadBuffer(queue, device_y, CL_TRUE, 0, bytes, y.data(), 0, nullptr, nullptr),
          "clEnqueueReadBuffer");

    // 7. How long the launch took
    // The event has timestamps of the device in nanoseconds.
    cl_ulong start = 0, end = 0;
    check(clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_START, sizeof start, &start, nullptr),
          "clGetEventProfilingInfo");
    check(clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_END, sizeof end, &end, nullptr),
          "clGetEventProfilingInfo");
    const double seconds = 1e-9 * static_cast<double>(end - start);

    // 8. All is given back
    check(clReleaseEvent(event), "clReleaseEvent");
    check(clReleaseKernel(kernel), "clReleaseKernel");
    check(clReleaseProgram(program), "clReleaseProgram");
    check(clReleaseMemObject(device_y), "clReleaseMemObject");
    check(clReleaseMemObject(device_x), "clReleaseMemObject");
    check(clReleaseCommandQueue(queue), "clReleaseCommandQueue");
    check(clReleaseContext(context), "clReleaseContext");

    // No speed without a right answer.
    for (cl_uint i = 0; i < n; ++i) {
        const cl_float right = std::fma(a, x[i], std::fma(a, x[i], 1.0f));
        if (y[i] == right) continue;
        std::fprintf(stderr, "y[%u] is %g and should be %g\n", i, y[i], right);
        return 1;
    }
    std::printf("%s: %u right answers, %.1f us, %.0f GB/s\n", name, n, 1e6 * seconds,
                3e-9 * static_cast<double>(bytes) / seconds);
}
