// Shared by captured test programs: a device, and calls that end the program on failure.
#pragma once

#include <cstdio>
#include <cstdlib>
#include <vector>

#include <CL/cl.h>

namespace parallax_captured {

inline void demand(bool holds, const char* what) {
    if (holds) return;
    std::fprintf(stderr, "captured_program: %s\n", what);
    std::_Exit(9);
}

inline void demand(cl_int code, const char* what) {
    demand(code == CL_SUCCESS, what);
}

struct Machine {
    cl_device_id device = nullptr;
    cl_context context = nullptr;
    cl_command_queue queue = nullptr;

    Machine() {
        cl_platform_id platform = nullptr;
        demand(clGetPlatformIDs(1, &platform, nullptr), "platform");
        demand(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, nullptr), "device");
        context = clCreateContext(nullptr, 1, &device, nullptr, nullptr, nullptr);
        queue = clCreateCommandQueue(context, device, 0, nullptr);
        demand(queue != nullptr, "queue");
    }
    ~Machine() {
        clReleaseCommandQueue(queue);
        clReleaseContext(context);
    }

    cl_program program(const char* text, const char* options = "") const {
        const cl_program program = clCreateProgramWithSource(context, 1, &text, nullptr, nullptr);
        demand(clBuildProgram(program, 1, &device, options, nullptr, nullptr), "build");
        return program;
    }
    cl_mem buffer(const std::vector<int>& content, cl_mem_flags flags = CL_MEM_READ_WRITE) const {
        std::vector<int> copy = content;
        const cl_mem memory = clCreateBuffer(context, flags | CL_MEM_COPY_HOST_PTR,
                                             copy.size() * sizeof(int), copy.data(), nullptr);
        demand(memory != nullptr, "buffer");
        return memory;
    }
    std::vector<int> content(cl_mem memory, std::size_t count) const {
        std::vector<int> values(count);
        demand(clEnqueueReadBuffer(queue, memory, CL_TRUE, 0, count * sizeof(int), values.data(), 0,
                                   nullptr, nullptr),
               "read");
        return values;
    }
    void launch(cl_kernel kernel, std::size_t global, const std::size_t* local = nullptr,
                const std::size_t* offset = nullptr) const {
        demand(
            clEnqueueNDRangeKernel(queue, kernel, 1, offset, &global, local, 0, nullptr, nullptr),
            "launch");
    }
};

template <class T>
void set(cl_kernel kernel, cl_uint index, const T& value) {
    demand(clSetKernelArg(kernel, index, sizeof(value), &value), "argument");
}

}  // namespace parallax_captured
