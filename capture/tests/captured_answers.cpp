// The part of captured_program with results that are hard to verify: sentinels, mixed magnitudes,
// structs, integer sums, positions from atomics, and inputs that change between launches.
#include <cmath>
#include <cstdint>
#include <thread>

#include "capture/tests/machine.hpp"

using namespace parallax_captured;

namespace captured_answers {
namespace {

constexpr std::size_t count = 1024;

template <class T>
cl_mem buffer(const Machine& m, std::vector<T> content, cl_mem_flags flags = CL_MEM_READ_WRITE) {
    const cl_mem made = clCreateBuffer(m.context, flags | CL_MEM_COPY_HOST_PTR,
                                       content.size() * sizeof(T), content.data(), nullptr);
    demand(made != nullptr, "buffer");
    return made;
}

template <class... Arguments>
void launch(const Machine& m, cl_program program, const char* name, const Arguments&... arguments) {
    const cl_kernel kernel = clCreateKernel(program, name, nullptr);
    demand(kernel != nullptr, name);
    cl_uint index = 0;
    (set(kernel, index++, arguments), ...);
    const std::size_t local = 64;
    m.launch(kernel, count, &local);
    clReleaseKernel(kernel);
}

std::vector<float> numbers() {
    std::vector<float> made(count);
    for (std::size_t i = 0; i < count; ++i) made[i] = 0.37F * static_cast<float>(i * 7919 % count);
    return made;
}

constexpr const char* answer_kernels = R"(
typedef struct { float x; int id; double weight; float2 speed; struct { short a; float b; } in[2]; } Body;
typedef union { struct { float x, y; }; struct { float real, imag; }; } Complex;

__kernel void rays(__global const float* in, __global float* depth, __global float* shade) {
    const int i = get_global_id(0);
    depth[i] = i % 97 == 7 ? FLT_MAX : i % 97 == 8 ? 1e12f : i == 9 ? INFINITY : i == 10 ? NAN : in[i] * 1.5f + 1.0f;
    shade[i] = 1e-6f * in[i] * in[i] + 1e-7f;
}
__kernel void sizes(__global const float* in, __global float* out, __global double* wide) {
    const int i = get_global_id(0);
    out[i] = i % 5 == 0 ? 0.0f : exp2((float)(i % 60) - 30.0f) * (1.0f + 0.001f * in[i]);
    wide[i] = i % 3 == 0 ? -1e9 * (in[i] + 1) : 1e-9 * (in[i] + 1);
}
__kernel void move(__global Body* all, float dt) {
    __global Body* const one = all + get_global_id(0);
    one->x += one->speed.x * dt + one->speed.y * dt * 0.3f;
    one->id += 1;
    one->weight = one->weight * 1.25 + dt;
    one->in[1].a += 2;
    one->in[0].b = one->x * one->x + one->speed.y * 0.7f;
}
__kernel void turn(__global Complex* all, float by) {
    __global Complex* const one = all + get_global_id(0);
    const float x = one->x;
    one->x = x * by - one->y * 0.3f;
    one->y = x * 0.3f + one->y * by;
}
__kernel void whole(__global const float* in, __global int* out, __global uchar* bytes) {
    const int i = get_global_id(0);
    out[i] = 1000003 * i ^ 77;
    bytes[i] = (uchar)(i * 31);
}
__kernel void places(__global const float* in, __global int* out, __global int* taken) {
    const int i = get_global_id(0);
    if (i % 3 == 1) {
        const int at = atomic_inc(taken);
        out[at] = i;
    }
}
__kernel void sums(__global const float* in, __global long* out, float a) {
    const int i = get_global_id(0);
    float s = 0;
    for (int j = 0; j < 16; ++j) {
        const float d = in[i] - in[(i + j + 1) & 1023] * a;
        s += d * d * 0.5f;
    }
    out[i] += (long)(s * 1048576.0f);
}
/* What cancels: nothing but rounding is left of some. */
__kernel void crosses(__global const float* in, __global float* out, float a) {
    const int i = get_global_id(0);
    const float x = in[i], y = x * a, z = i % 8 ? in[(i + 3) & 1023] : x, w = z * a;
    out[i] = x * w - y * z;
}
/* Nothing is that large: what it may write stays as it was. */
__kernel void stays(__global const float* in, __global float* kept) {
    const int i = get_global_id(0);
    if (in[i] > 1e30f) kept[i] = 0.0f;
}
)";

struct Body {
    float x;
    std::int32_t id;
    double weight;
    float speed[2];
    struct {
        std::int16_t a;
        float b;
    } in[2];
};

}  // namespace

void answers(const Machine& m) {
    const cl_program program = m.program(answer_kernels);
    const cl_mem in = buffer(m, numbers());
    const std::vector<float> none(count);
    launch(m, program, "rays", in, buffer(m, none), buffer(m, none));
    launch(m, program, "sizes", in, buffer(m, none), buffer(m, std::vector<double>(count)));
    std::vector<Body> bodies(count);
    for (std::size_t i = 0; i < count; ++i) {
        const float f = static_cast<float>(i);
        bodies[i] = {0.3F * f, static_cast<int>(i), 1e-3 * f, {f * 0.7F, 5 - f}, {{1, f}, {2, f}}};
    }
    launch(m, program, "move", buffer(m, bodies), 0.0137F);
    launch(m, program, "turn", buffer(m, std::vector<float>(2 * count, 1.7F)), 0.77F);
    launch(m, program, "whole", in, m.buffer(std::vector<int>(count)),
           buffer(m, std::vector<unsigned char>(count)));
    launch(m, program, "places", in, m.buffer(std::vector<int>(count)), m.buffer({0}));
    launch(m, program, "sums", in, buffer(m, std::vector<std::int64_t>(count)), 0.9F);
    launch(m, program, "crosses", in, buffer(m, none), 1.1F);
    launch(m, program, "stays", in, buffer(m, numbers()));
    demand(clFinish(m.queue), "finish");
}

/// Changes a kernel's read-only buffer before each launch, in all possible ways.
void changes(const Machine& m) {
    const cl_program program = m.program(
        "__kernel void twice(__global const int* in, __global int* out, int by) {\n"
        "    out[get_global_id(0)] = in[get_global_id(0)] * by;\n"
        "}\n"
        "__kernel void grow(__global int* in) { in[get_global_id(0)] += 5; }\n");
    const std::size_t bytes = count * sizeof(int);
    std::vector<int> own(count);
    for (std::size_t i = 0; i < count; ++i) own[i] = static_cast<int>(i);
    const cl_mem in = m.buffer(own, CL_MEM_READ_ONLY), out = m.buffer(own);
    for (int& one : own) one += 1000;
    const cl_mem source = m.buffer(own);
    const cl_image_format format{CL_R, CL_SIGNED_INT32};
    cl_image_desc shape{};
    shape.image_type = CL_MEM_OBJECT_IMAGE2D;
    shape.image_width = 32;
    shape.image_height = count / 32;
    cl_int code = 0;
    const cl_mem image =
        clCreateImage(m.context, CL_MEM_READ_WRITE, &format, &shape, nullptr, &code);
    demand(code, "image");
    const std::size_t zero[3]{}, row[3]{bytes, 1, 1}, texels[3]{32, count / 32, 1};
    const int colour[4]{77, 0, 0, 0}, pattern = -9;
    int by = 2;
    const auto look = [&](cl_int done, const char* what) {
        demand(done, what);
        launch(m, program, "twice", in, out, by++);
    };
    look(CL_SUCCESS, "as it was made");
    look(clEnqueueCopyBufferRect(m.queue, source, in, zero, zero, row, 0, 0, 0, 0, 0, nullptr,
                                 nullptr),
         "copy of a box");
    launch(m, program, "grow", in);
    look(CL_SUCCESS, "a kernel that writes");
    for (int& one : own) one += 3;
    look(clEnqueueWriteBufferRect(m.queue, in, CL_TRUE, zero, zero, row, 0, 0, 0, 0, own.data(), 0,
                                  nullptr, nullptr),
         "write of a box");
    look(clEnqueueFillBuffer(m.queue, in, &pattern, sizeof(pattern), 0, bytes / 2, 0, nullptr,
                             nullptr),
         "fill");
    look(clEnqueueCopyBuffer(m.queue, source, in, 0, 0, bytes, 0, nullptr, nullptr), "copy");
    demand(clEnqueueFillImage(m.queue, image, colour, zero, texels, 0, nullptr, nullptr), "colour");
    look(clEnqueueCopyImageToBuffer(m.queue, image, in, zero, texels, 0, 0, nullptr, nullptr),
         "copy of an image");
    auto* mapped = static_cast<int*>(clEnqueueMapBuffer(m.queue, in, CL_TRUE, CL_MAP_WRITE, 0,
                                                        bytes, 0, nullptr, nullptr, nullptr));
    demand(mapped != nullptr, "map");
    mapped[5] = 123456;
    look(clEnqueueUnmapMemObject(m.queue, in, mapped, 0, nullptr, nullptr), "unmap");
    demand(clFinish(m.queue), "finish");
}

/// Long-running kernels, in a queue for each of four threads.
void together(const Machine& m) {
    const cl_program program = m.program(
        "__kernel void busy(__global int* a, int n) {\n"
        "    int x = a[get_global_id(0)];\n"
        "    for (int i = 0; i < n; ++i) x = x * 1664525 + (x >> 7);\n"
        "    a[get_global_id(0)] = x;\n"
        "}\n");
    std::vector<std::thread> all;
    for (int t = 0; t < 4; ++t) {
        all.emplace_back([&, t] {
            const cl_command_queue queue = clCreateCommandQueue(m.context, m.device, 0, nullptr);
            const cl_kernel busy = clCreateKernel(program, "busy", nullptr);
            set(busy, 0, m.buffer(std::vector<int>(count))), set(busy, 1, 20000 + t);
            for (int i = 0; i < 4; ++i) {
                demand(clEnqueueNDRangeKernel(queue, busy, 1, nullptr, &count, nullptr, 0, nullptr,
                                              nullptr),
                       "launch");
            }
            demand(clFinish(queue), "finish");
        });
    }
    for (std::thread& one : all) one.join();
}

/// A form feed and other characters in comments, which compilers ignore.
void comments(const Machine& m) {
    const cl_program program = m.program(
        "/* one \f page \x01 and \x1a more */\n"
        "__kernel void noted(__global int* a) { a[get_global_id(0)] += 3; } // \x02 tail\n");
    launch(m, program, "noted", m.buffer(std::vector<int>(count)));
    demand(clFinish(m.queue), "finish");
}

}  // namespace captured_answers
