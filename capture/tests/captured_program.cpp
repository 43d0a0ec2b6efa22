// A program that uses the functions that the layer hooks: captured_program PART...
#include <array>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <string>
#include <thread>
#include <vector>

#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "capture/tests/machine.hpp"

using namespace parallax_captured;

/// captured_images.cpp
void images(const Machine&);
void atomics(const Machine&);
/// captured_answers.cpp
namespace captured_answers {
void answers(const Machine&);
void changes(const Machine&);
void together(const Machine&);
void comments(const Machine&);
}  // namespace captured_answers
/// captured_versions.cpp
namespace captured_versions {
void first(const Machine&);
void second(const Machine&, bool is_broken);
void steps(const Machine&, const std::vector<std::string>&);
}  // namespace captured_versions

namespace {

const std::vector<int> numbers{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16};

constexpr const char* add_text =
    "#ifdef STEP\n"
    "__kernel void add(__global const int* in, __global int* out, const int by) {\n"
    "    out[get_global_id(0)] = in[get_global_id(0)] + by * STEP;\n"
    "}\n"
    "#endif\n"
    "struct Pair { int a; float b; };\n"
    "__kernel void pair(struct Pair p, __global int* out, __local int* room, __global int* none) "
    "{\n"
    "    room[get_local_id(0)] = p.a;\n"
    "    barrier(CLK_LOCAL_MEM_FENCE);\n"
    "    out[get_global_id(0)] += room[0] + (int)p.b + (none ? 1 : 0);\n"
    "}\n"
    "__kernel void twice(__global int* a, __global int* b) { a[get_global_id(0)] = 2 * "
    "b[get_global_id(0)]; }\n";

/// Its build options: few, so that devices build few programs.
constexpr const char *plain = "-DSTEP=1", *careful = "-DSTEP=3 -cl-mad-enable -cl-std=CL1.2";

/// Offsets, unspecified work-group sizes, values of all kinds, a buffer twice, a cloned kernel.
void launches(const Machine& m) {
    const cl_program program = m.program(add_text, careful);
    const cl_kernel add = clCreateKernel(program, "add", nullptr);
    const cl_mem in = m.buffer(numbers, CL_MEM_READ_ONLY), out = m.buffer(numbers);
    set(add, 0, in), set(add, 1, out), set(add, 2, 10);
    const std::size_t four = 4, offset = 4;
    m.launch(add, 8, &four, &offset);
    m.launch(add, 16);
    demand(m.content(out, 16)[5] == 36, "add");
    std::array<cl_kernel, 8> all{};
    cl_uint count = 0;
    demand(clCreateKernelsInProgram(program, 8, all.data(), &count), "kernels");
    demand(count == 3, "three kernels");
    for (cl_uint i = 0; i < count; ++i) clReleaseKernel(all.at(i));
    const cl_kernel pair = clCreateKernel(program, "pair", nullptr);
    const struct {
        int a;
        float b;
    } value{5, 2.5F};
    const cl_mem none = nullptr;
    set(pair, 0, value), set(pair, 1, out), set(pair, 3, none);
    demand(clSetKernelArg(pair, 2, 4 * sizeof(int), nullptr), "local");
    m.launch(pair, 16, &four);
    demand(m.content(out, 16)[5] == 36 + 7, "pair");
    const cl_kernel twice = clCreateKernel(program, "twice", nullptr);
    set(twice, 0, out), set(twice, 1, out);
    clReleaseProgram(program);  // its kernels live on
    m.launch(twice, 16, &four);
    demand(m.content(out, 16)[5] == 86, "twice");
    for (const cl_kernel kernel : {add, pair, twice}) clReleaseKernel(kernel);
    clReleaseMemObject(in), clReleaseMemObject(out);
}

/// Headers in a folder that is removed before the kernel runs, and headers by name.
void headers(const Machine& m) {
    char folder[] = "/tmp/parallax-headers-XXXXXX";
    demand(mkdtemp(folder) != nullptr, "folder");
    const std::string file = std::string(folder) + "/by.h";
    std::ofstream(file) << "#define BY 7\n";
    const char* text =
        "#include \"by.h\"\n__kernel void included(__global int* a) { a[get_global_id(0)] += BY; "
        "}\n";
    const cl_program program = m.program(text, (std::string("-I ") + folder).c_str());
    std::remove(file.c_str());
    rmdir(folder);
    const cl_mem memory = m.buffer(numbers);
    const cl_kernel included = clCreateKernel(program, "included", nullptr);
    set(included, 0, memory);
    m.launch(included, 16);
    const char* header = "int helped(int x) { return x * 3; }\n";
    const char* user =
        "#include \"more/help.h\"\n__kernel void linked(__global int* a) {\n"
        "    a[get_global_id(0)] = helped(a[get_global_id(0)]);\n}\n";
    const cl_program one = clCreateProgramWithSource(m.context, 1, &header, nullptr, nullptr),
                     two = clCreateProgramWithSource(m.context, 1, &user, nullptr, nullptr);
    const char* name = "more/help.h";
    demand(clCompileProgram(two, 1, &m.device, "", 1, &one, &name, nullptr, nullptr), "compile");
    cl_int code = 0;
    const cl_program whole =
        clLinkProgram(m.context, 1, &m.device, "", 1, &two, nullptr, nullptr, &code);
    demand(code, "link");
    const cl_kernel linked = clCreateKernel(whole, "linked", nullptr);
    set(linked, 0, memory);
    m.launch(linked, 16);
    demand(m.content(memory, 16)[0] == 24, "headers");
}

/// Parts of a buffer, copies, fills, maps, an out-of-order queue.
void memory(const Machine& m) {
    const cl_program program = m.program(add_text, plain);
    const cl_mem whole = m.buffer(std::vector<int>(256, 3));
    const cl_buffer_region low{0, 512}, high{512, 512};
    const cl_mem a = clCreateSubBuffer(whole, CL_MEM_READ_WRITE, CL_BUFFER_CREATE_TYPE_REGION, &low,
                                       nullptr),
                 b = clCreateSubBuffer(whole, CL_MEM_READ_WRITE, CL_BUFFER_CREATE_TYPE_REGION,
                                       &high, nullptr);
    demand(a && b, "sub-buffers");
    const cl_command_queue unordered =
        clCreateCommandQueue(m.context, m.device, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE, nullptr);
    const cl_command_queue queue = unordered ? unordered : m.queue;
    cl_event filled = nullptr, ended = nullptr;
    const int pattern = 4;
    demand(clEnqueueFillBuffer(queue, a, &pattern, sizeof(pattern), 0, 512, 0, nullptr, &filled),
           "fill");
    const cl_kernel twice = clCreateKernel(program, "twice", nullptr);
    set(twice, 0, b), set(twice, 1, a);
    const std::size_t count = 128;
    demand(clEnqueueNDRangeKernel(queue, twice, 1, nullptr, &count, nullptr, 1, &filled, &ended),
           "launch");
    demand(clWaitForEvents(1, &ended), "wait");
    cl_ulong time = 0;
    demand(clGetEventProfilingInfo(ended, CL_PROFILING_COMMAND_START, sizeof(time), &time,
                                   nullptr) == CL_PROFILING_INFO_NOT_AVAILABLE,
           "times that the program did not ask for");
    cl_command_queue_properties properties = 0;
    demand(clGetCommandQueueInfo(m.queue, CL_QUEUE_PROPERTIES, sizeof(properties), &properties,
                                 nullptr),
           "properties");
    demand((properties & CL_QUEUE_PROFILING_ENABLE) == 0,
           "a queue that the program did not make so");
    demand(clEnqueueCopyBuffer(m.queue, b, a, 0, 0, 512, 0, nullptr, nullptr), "copy");
    auto* mapped = static_cast<int*>(
        clEnqueueMapBuffer(m.queue, a, CL_TRUE, CL_MAP_READ, 0, 512, 0, nullptr, nullptr, nullptr));
    demand(mapped && mapped[9] == 8, "map");
    demand(clEnqueueUnmapMemObject(m.queue, a, mapped, 0, nullptr, nullptr), "unmap");
    // Overlapping parts cannot be kept.
    set(twice, 0, whole), set(twice, 1, a);
    m.launch(twice, 128);
    demand(clFinish(m.queue), "finish");
}

/// A program created from its own binary.
void binary(const Machine& m) {
    const cl_program program = m.program(add_text, plain);
    std::size_t size = 0;
    clGetProgramInfo(program, CL_PROGRAM_BINARY_SIZES, sizeof(size), &size, nullptr);
    std::vector<unsigned char> bytes(size);
    unsigned char* place = bytes.data();
    clGetProgramInfo(program, CL_PROGRAM_BINARIES, sizeof(place), &place, nullptr);
    const unsigned char* there = bytes.data();
    cl_int status = 0, code = 0;
    cl_program again =
        clCreateProgramWithBinary(m.context, 1, &m.device, &size, &there, &status, &code);
    if (code == CL_INVALID_BINARY) {
        again = program;
        std::puts("from source");
    } else {
        demand(clBuildProgram(again, 1, &m.device, "", nullptr, nullptr), "binary");
    }
    const cl_kernel twice = clCreateKernel(again, "twice", nullptr);
    const cl_mem memory = m.buffer(numbers);
    set(twice, 0, memory), set(twice, 1, memory);
    m.launch(twice, 16);
    demand(clFinish(m.queue), "finish");
}

/// A binary from an earlier run's file, or written for the next run.
void cached(const Machine& m, const char* file) {
    std::ifstream in(file, std::ios::binary);
    std::vector<unsigned char> bytes{std::istreambuf_iterator<char>(in), {}};
    cl_program program = nullptr;
    if (!bytes.empty()) {
        const std::size_t size = bytes.size();
        const unsigned char* const there = bytes.data();
        const unsigned char* place = there;
        cl_int status = 0;
        program =
            clCreateProgramWithBinary(m.context, 1, &m.device, &size, &place, &status, nullptr);
        if (program) demand(clBuildProgram(program, 1, &m.device, "", nullptr, nullptr), "binary");
    }
    if (!program) {
        std::puts("from source");
        program = m.program(add_text, plain);
        std::size_t size = 0;
        clGetProgramInfo(program, CL_PROGRAM_BINARY_SIZES, sizeof(size), &size, nullptr);
        bytes.resize(size);
        unsigned char* place = bytes.data();
        clGetProgramInfo(program, CL_PROGRAM_BINARIES, sizeof(place), &place, nullptr);
        std::ofstream(file, std::ios::binary)
            .write(reinterpret_cast<const char*>(bytes.data()),
                   static_cast<std::streamsize>(bytes.size()));
    }
    const cl_kernel twice = clCreateKernel(program, "twice", nullptr);
    const cl_mem memory = m.buffer(numbers);
    set(twice, 0, memory), set(twice, 1, memory);
    m.launch(twice, 16);
    demand(clFinish(m.queue), "finish");
}

/// Kernels whose names have a meaning in C++, CUDA or this project.
void names(const Machine& m) {
    const std::vector<std::string> all{"transpose", "xor",       "class",   "memset", "clock",
                                       "norm",      "make_int2", "capture", "dim3",   "choose"};
    std::string text;
    for (const std::string& name : all) {
        text += "__kernel void " + name + "(__global int* " + (name == "clock" ? name : "a") +
                ") { " + (name == "clock" ? name : "a") +
                "[get_global_id(0)] += " + std::to_string(1 + text.size()) + "; }\n";
    }
    const cl_program program = m.program(text.c_str());
    const std::size_t four = 4;
    for (const std::string& name : all) {
        const cl_kernel kernel = clCreateKernel(program, name.c_str(), nullptr);
        set(kernel, 0, m.buffer(numbers));
        m.launch(kernel, 16, &four);
    }
    demand(clFinish(m.queue), "finish");
}

/// A kernel that outputs which macros its compiler defines, and the values of some.
void macros(const Machine& m) {
    std::string text = "__kernel void known(__global int* out) {\n    int at = 0;\n";
    for (const char* name : {"M_PI_F",
                             "M_LN2",
                             "INFINITY",
                             "CHAR_BIT",
                             "LONG_MAX",
                             "FLT_DIG",
                             "NULL",
                             "as_int",
                             "sqrt",
                             "CLK_LOCAL_MEM_FENCE",
                             "CLK_A",
                             "ATOMIC_VAR_INIT",
                             "mad",
                             "vload_half",
                             "barrier",
                             "CL_VERSION_2_0",
                             "CL_VERSION_9_0",
                             "__OPENCL_C_VERSION__",
                             "__opencl_c_images",
                             "__FAST_RELAXED_MATH__",
                             "cl_khr_fp16",
                             "cl_khr_fp64",
                             "cl_khr_int64_base_atomics",
                             "__clang__",
                             "__x86_64__",
                             "__CUDA_ARCH__",
                             "__STDC_VERSION__",
                             "__has_builtin",
                             "OWN"}) {
        text += std::string("#ifdef ") + name +
                "\n    out[at++] = 1;\n#else\n    out[at++] = 2;\n" + "#endif\n";
    }
    text +=
        "#if defined(__has_builtin) && /* both */ \\\n    __has_builtin(__builtin_clz)\n"
        "    out[at++] = 3;\n#endif\n"
        "#if defined __has_builtin && __has_builtin(there_is_none)\n    out[at++] = 4;\n#endif\n"
        "#define ROOT sqrt\n#define VERSION (__OPENCL_VERSION__ / 10)\n#if VERSION > 11 && INT_MAX "
        "> OWN\n"
        "    out[at++] = VERSION;\n#endif\n"
        "    out[at++] = __OPENCL_VERSION__ + __ENDIAN_LITTLE__;\n}\n";
    const cl_kernel known =
        clCreateKernel(m.program(text.c_str(), "-DOWN=5 -cl-fast-relaxed-math"), "known", nullptr);
    set(known, 0, m.buffer(std::vector<int>(64)));
    const std::size_t one = 1;
    m.launch(known, 1, &one);
    demand(clFinish(m.queue), "finish");
}

/// An empty buffer in the forms that the standard allows, next to empty local memory.
void nothing(const Machine& m) {
    const cl_kernel maybe = clCreateKernel(
        m.program("__kernel void maybe(__global int* out, __global const int* more,\n"
                  "                    __local int* room) {\n"
                  "    room[get_local_id(0)] = more ? more[get_global_id(0)] : 7;\n"
                  "    out[get_global_id(0)] = room[get_local_id(0)];\n}\n"),
        "maybe", nullptr);
    set(maybe, 0, m.buffer(numbers));
    demand(clSetKernelArg(maybe, 1, sizeof(cl_mem), nullptr), "no buffer");
    demand(clSetKernelArg(maybe, 2, 2 * sizeof(int), nullptr), "local");
    const std::size_t two = 2;
    m.launch(maybe, 16, &two);
    demand(clFinish(m.queue), "finish");
}

/// Events that the program never sets, and one that it sets after dependent commands.
void events(const Machine& m) {
    clReleaseEvent(clCreateUserEvent(m.context, nullptr));
    const cl_event never = clCreateUserEvent(m.context, nullptr);
    const cl_program program = m.program(add_text, plain);
    const cl_kernel twice = clCreateKernel(program, "twice", nullptr);
    const cl_mem memory = m.buffer(numbers);
    set(twice, 0, memory), set(twice, 1, memory);
    const std::size_t four = 4, all = 16;
    m.launch(twice, 8, &four);
    const cl_event later = clCreateUserEvent(m.context, nullptr);
    demand(clEnqueueNDRangeKernel(m.queue, twice, 1, nullptr, &all, &four, 1, &later, nullptr),
           "launch");
    m.launch(twice, 4, &four);
    demand(clSetUserEventStatus(later, CL_COMPLETE), "event");
    demand(clFinish(m.queue), "finish");
    m.launch(twice, 4, &four);
    demand(m.content(memory, 16)[0] == 16, "events");
    clReleaseEvent(never);
}

/// One large kind of launches after small ones.
void heavy(const Machine& m) {
    const cl_program program = m.program(add_text, plain);
    const cl_kernel twice = clCreateKernel(program, "twice", nullptr);
    const cl_mem memory = m.buffer(std::vector<int>(1 << 18, 1));
    set(twice, 0, memory), set(twice, 1, memory);
    const std::size_t four = 4;
    for (std::size_t count = 4; count < 20; count += 4) m.launch(twice, count, &four);
    for (int i = 0; i < 3; ++i) {
        m.launch(twice, 1 << 18, &four);
        demand(clFinish(m.queue), "finish");
    }
}

/// Unspecified work-group sizes, where larger ones than CUDA's limit would fit.
void open_groups(const Machine& m) {
    const cl_kernel twice = clCreateKernel(m.program(add_text, plain), "twice", nullptr);
    const cl_mem memory = m.buffer(std::vector<int>(1 << 15, 1));
    set(twice, 0, memory), set(twice, 1, memory);
    m.launch(twice, 1 << 15);
    demand(clFinish(m.queue), "finish");
}

/// Shared virtual memory, from its start and from its middle.
void shared_memory(const Machine& m) {
    cl_device_svm_capabilities can = 0;
    clGetDeviceInfo(m.device, CL_DEVICE_SVM_CAPABILITIES, sizeof(can), &can, nullptr);
    if ((can & CL_DEVICE_SVM_COARSE_GRAIN_BUFFER) == 0) return;
    const std::size_t bytes = 64 * sizeof(int);
    auto* const in = static_cast<int*>(clSVMAlloc(m.context, CL_MEM_READ_WRITE, bytes, 0));
    auto* const out = static_cast<int*>(clSVMAlloc(m.context, CL_MEM_READ_WRITE, bytes, 0));
    demand(in && out, "shared memory");
    demand(clEnqueueSVMMap(m.queue, CL_TRUE, CL_MAP_WRITE, in, bytes, 0, nullptr, nullptr), "map");
    for (int i = 0; i < 64; ++i) in[i] = i;
    demand(clEnqueueSVMUnmap(m.queue, in, 0, nullptr, nullptr), "unmap");
    const int zero = 0;
    demand(clEnqueueSVMMemFill(m.queue, out, &zero, sizeof(zero), bytes, 0, nullptr, nullptr),
           "fill");
    const cl_kernel twice = clCreateKernel(m.program(add_text, plain), "twice", nullptr);
    demand(clSetKernelArgSVMPointer(twice, 0, out), "argument");
    demand(clSetKernelArgSVMPointer(twice, 1, in + 32), "argument");
    const std::size_t four = 4;
    m.launch(twice, 16, &four);
    demand(clFinish(m.queue), "finish");
    clSVMFree(m.context, in), clSVMFree(m.context, out);
    std::puts("shared");
}

/// A kernel that only reads, next to one that writes.
void idle(const Machine& m) {
    const cl_program program = m.program(
        "__kernel void idle(__global const int* a) { int x = a[get_global_id(0)]; }\n"
        "__kernel void busy(__global int* a) { a[get_global_id(0)] += 1; }\n");
    const std::size_t four = 4;
    for (const char* name : {"idle", "busy"}) {
        const cl_kernel kernel = clCreateKernel(program, name, nullptr);
        set(kernel, 0, m.buffer(numbers));
        m.launch(kernel, 16, &four);
    }
    demand(clFinish(m.queue), "finish");
}

void threads(const Machine& m) {
    const cl_program program = m.program(add_text, careful);
    std::vector<std::thread> all;
    for (int t = 0; t < 4; ++t) {
        all.emplace_back([&, t] {
            const cl_kernel add = clCreateKernel(program, "add", nullptr);
            const cl_command_queue queue = clCreateCommandQueue(m.context, m.device, 0, nullptr);
            const cl_mem in = m.buffer(numbers), out = m.buffer(numbers);
            for (int i = 0; i < 50; ++i) {
                set(add, 0, in), set(add, 1, out), set(add, 2, 100 * t + i);
                const std::size_t count = 16;
                demand(clEnqueueNDRangeKernel(queue, add, 1, nullptr, &count, nullptr, 0, nullptr,
                                              nullptr),
                       "launch");
            }
            demand(clFinish(queue), "finish");
            demand(m.content(out, 16)[0] == 1 + 3 * (100 * t + 49), "a thread's own answer");
        });
    }
    for (std::thread& one : all) one.join();
}

/// Many launches of five kernels.
void many(const Machine& m, int count) {
    std::string text;
    for (int k = 0; k < 5; ++k) {
        const std::string name = "k" + std::to_string(k);
        text += "__kernel void " + name +
                "(__global int* a) { a[get_global_id(0)] += " + std::to_string(k) + "; }\n";
    }
    const cl_program program = m.program(text.c_str());
    const cl_mem memory = m.buffer(numbers);
    std::vector<cl_kernel> kernels;
    for (int k = 0; k < 5; ++k) {
        kernels.push_back(clCreateKernel(program, ("k" + std::to_string(k)).c_str(), nullptr));
        set(kernels.back(), 0, memory);
        m.launch(kernels.back(), 16);
    }
    demand(clFinish(m.queue), "finish");
    for (int i = 0; i < count; ++i) {
        m.launch(kernels[static_cast<std::size_t>(i) % 5], 16);
        if (i % 1000 == 999) demand(clFinish(m.queue), "finish");
    }
    demand(clFinish(m.queue), "finish");
}

/// A buffer that is released before the launch that uses it ends, and a reused handle.
void release(const Machine& m) {
    const cl_program program = m.program(add_text, plain);
    const cl_kernel twice = clCreateKernel(program, "twice", nullptr);
    for (int i = 0; i < 4; ++i) {
        const cl_mem memory = m.buffer(std::vector<int>(16U << static_cast<unsigned>(i), i));
        set(twice, 0, memory), set(twice, 1, memory);
        m.launch(twice, 16);
        clReleaseMemObject(memory);
    }
    demand(clFinish(m.queue), "finish");
}

/// A kernel that writes past the end of its buffer, within a larger one.
void overrun(const Machine& m) {
    const cl_program program =
        m.program("__kernel void overrun(__global int* a) { a[get_global_id(0) + 1] = 5; }\n");
    const cl_mem whole = m.buffer(std::vector<int>(256, 3));
    const cl_buffer_region low{0, 512};
    const cl_mem part =
        clCreateSubBuffer(whole, CL_MEM_READ_WRITE, CL_BUFFER_CREATE_TYPE_REGION, &low, nullptr);
    const cl_kernel kernel = clCreateKernel(program, "overrun", nullptr);
    set(kernel, 0, part);
    m.launch(kernel, 128);
    demand(clFinish(m.queue), "finish");
}

/// Another process of the same program, with its own launches.
void other_program(const Machine& m, const char* self) {
    launches(m);
    const pid_t child = fork();
    if (child == 0) {
        execl(self, self, "launches", nullptr);
        std::_Exit(1);
    }
    int status = 0;
    waitpid(child, &status, 0);
    demand(WIFEXITED(status) && WEXITSTATUS(status) == 0, "a program that was started");
}

/// A kernel for any device next to one for few devices, on a device that recognises itself by its
/// macros.
void half_beside(const Machine& m) {
    const cl_program program = m.program(
        "#ifdef cl_khr_fp16\n"
        "#pragma OPENCL EXTENSION cl_khr_fp16 : enable\n"
        "half halved(half x) { return x / (half)2; }\n"
        "__kernel void with_half(__global half* a) { a[0] = halved(a[0]); }\n"
        "#endif\n"
        "#ifdef cl_khr_byte_addressable_store\n"
        "#define BY 3\n"
        "#else\n"
        "#define BY 2\n"
        "#endif\n"
        "__kernel void plain(__global int* a) { a[get_global_id(0)] *= BY; }\n");
    const cl_kernel kernel = clCreateKernel(program, "plain", nullptr);
    set(kernel, 0, m.buffer(numbers));
    m.launch(kernel, 16);
    demand(clFinish(m.queue), "finish");
}

/// A buffer that is compressed in two parts.
void large(const Machine& m) {
    std::vector<int> content(9 << 20);
    for (std::size_t i = 0; i < content.size(); ++i) content[i] = static_cast<int>(i * 2654435761U);
    const cl_kernel scaled = clCreateKernel(
        m.program("__kernel void scaled(__global int* a, int by) { a[get_global_id(0)] *= by; }\n"),
        "scaled", nullptr);
    set(scaled, 0, m.buffer(content));
    for (int by = 3; by < 10; by += 2) {
        set(scaled, 1, by);
        m.launch(scaled, content.size());
    }
    demand(clFinish(m.queue), "finish");
}

/// From some launch on, growing a file raises a signal.
void full(const Machine& m) {
    const cl_kernel twice = clCreateKernel(m.program(add_text, plain), "twice", nullptr);
    const std::size_t four = 4;
    rlimit before{}, none{};
    getrlimit(RLIMIT_FSIZE, &before);
    none.rlim_max = before.rlim_max;
    for (const std::size_t count : {16U, 32U}) {
        const cl_mem memory = m.buffer(std::vector<int>(count, 6));
        set(twice, 0, memory), set(twice, 1, memory);
        m.launch(twice, 16, &four);
        demand(clFinish(m.queue), "finish");
        setrlimit(RLIMIT_FSIZE, &none);
    }
    setrlimit(RLIMIT_FSIZE, &before);
}

/// Launches before and after the process loses write access to the folder.
void other_user(const Machine& m) {
    const cl_kernel twice = clCreateKernel(m.program(add_text, plain), "twice", nullptr);
    const cl_mem memory = m.buffer(numbers);
    set(twice, 0, memory), set(twice, 1, memory);
    const std::size_t four = 4;
    m.launch(twice, 16, &four);
    demand(clFinish(m.queue), "finish");
    demand(setuid(65534) == 0, "another user");
    for (const std::size_t count : {8U, 16U}) m.launch(twice, count, &four);
    demand(clFinish(m.queue), "finish");
}

void children(const Machine& m) {
    launches(m);
    const pid_t child = fork();
    if (child == 0) std::exit(0);
    int status = 0;
    waitpid(child, &status, 0);
    demand(WIFEXITED(status) && WEXITSTATUS(status) == 0, "a child that was forked");
    memory(m);
}

}  // namespace

int main(int argc, char** argv) {
    const Machine m;
    for (int i = 1; i < argc; ++i) {
        const std::string part = argv[i];
        if (part == "launches") launches(m);
        if (part == "headers") headers(m);
        if (part == "memory") memory(m);
        if (part == "binary") binary(m);
        if (part == "cached") cached(m, argv[++i]);
        if (part == "names") names(m);
        if (part == "macros") macros(m);
        if (part == "nothing") nothing(m);
        if (part == "events") events(m);
        if (part == "heavy") heavy(m);
        if (part == "open") open_groups(m);
        if (part == "svm") shared_memory(m);
        if (part == "idle") idle(m);
        if (part == "become") execl(argv[0], argv[0], "launches", nullptr);
        if (part == "drop") other_user(m);
        if (part == "sleep") sleep(600);
        if (part == "threads") threads(m);
        if (part == "release") release(m);
        if (part == "overrun") overrun(m);
        if (part == "fork") children(m);
        if (part == "two") launches(Machine());
        if (part == "images") images(m);
        if (part == "atomics") atomics(m);
        if (part == "answers") captured_answers::answers(m);
        if (part == "changes") captured_answers::changes(m);
        if (part == "together") captured_answers::together(m);
        if (part == "comments") captured_answers::comments(m);
        if (part == "first") captured_versions::first(m);
        if (part == "second") captured_versions::second(m, false);
        if (part == "broken") captured_versions::second(m, true);
        if (part == "steps") captured_versions::steps(m, {argv + i + 1, argv + argc}), i = argc;
        if (part == "exec") other_program(m, argv[0]);
        if (part == "half") half_beside(m);
        if (part == "large") large(m);
        if (part == "full") full(m);
        if (part == "many") many(m, std::atoi(argv[++i]));
        if (part == "exit") std::_Exit(3);
        if (part == "kill") std::raise(SIGKILL);
        if (part == "abort") std::abort();
        if (part == "fault") *static_cast<volatile int*>(nullptr) = 1;
        std::printf("%s done\n", part.c_str());
    }
    return 0;
}
