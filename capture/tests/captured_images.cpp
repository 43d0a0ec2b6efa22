// The part of captured_program with images and samplers, and sums in any order.
#include <array>
#include <cmath>

#include "capture/tests/machine.hpp"

using namespace parallax_captured;

namespace {

cl_mem image(const Machine& m, const cl_image_format& format, const cl_image_desc& shape,
             const void* texels) {
    cl_int code = 0;
    const cl_mem made =
        clCreateImage(m.context, CL_MEM_READ_WRITE | (texels ? CL_MEM_COPY_HOST_PTR : 0), &format,
                      &shape, const_cast<void*>(texels), &code);
    demand(code, "image");
    return made;
}

cl_image_desc shape_of(cl_mem_object_type type, std::size_t width, std::size_t height,
                       std::size_t slices) {
    cl_image_desc shape{};
    shape.image_type = type;
    shape.image_width = width;
    shape.image_height = height;
    shape.image_depth = type == CL_MEM_OBJECT_IMAGE3D ? slices : 0;
    shape.image_array_size = type == CL_MEM_OBJECT_IMAGE2D_ARRAY ? slices : 0;
    return shape;
}

constexpr const char* image_kernels =
    "const sampler_t nearest = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP | "
    "CLK_FILTER_NEAREST;\n"
    "__kernel void turned(__read_only image2d_t in, __write_only image2d_t out) {\n"
    "    const int2 at = (int2)(get_global_id(0), get_global_id(1));\n"
    "    const float4 texel = read_imagef(in, nearest, (int2)(at.y + 1, at.x));\n"
    "    if (at.x < get_image_width(out) && at.y < get_image_height(out))\n"
    "        write_imagef(out, at, texel.wzyx);\n"
    "}\n"
    "__kernel void between(__read_only image2d_t in, sampler_t how, __global float4* out) {\n"
    "    const float2 at = (float2)(get_global_id(0) / 3.0f - 0.4f, get_global_id(1) / 5.0f);\n"
    "    out[get_global_id(1) * get_global_size(0) + get_global_id(0)] = read_imagef(in, how, "
    "at);\n"
    "}\n"
    "__kernel void deep(__read_only image3d_t in, __read_only image2d_array_t layers,\n"
    "                   __write_only image2d_array_t out, __global int4* sum) {\n"
    "    const int4 at = (int4)(get_global_id(0), get_global_id(1), get_global_id(2), 0);\n"
    "    const int4 texel = read_imagei(in, nearest, at);\n"
    "    const uint4 other = read_imageui(layers, nearest, at);\n"
    "    write_imageui(out, at, other + 250u);\n"
    "    sum[(at.z * get_image_height(in) + at.y) * get_image_width(in) + at.x] =\n"
    "        texel + convert_int4(other) + get_image_depth(in) + "
    "(int)get_image_array_size(layers);\n"
    "}\n"
    "__kernel void cut(__read_only image2d_t in, __global uint4* sum) {\n"
    "    uint4 all = 0;\n"
    "    for (int i = 0; i < 256; ++i) {\n"
    "        const float4 texel = read_imagef(in, nearest, (int2)(i, get_global_id(0)));\n"
    "        const float4 apart = texel - texel.yzwx;\n"
    "        all += convert_uint4(apart * apart * 255 * 255);\n"
    "        sum[get_global_id(0) * 256 + i] = all;\n"
    "    }\n"
    "}\n";

void launch(const Machine& m, cl_kernel kernel, std::array<std::size_t, 3> global) {
    demand(clEnqueueNDRangeKernel(m.queue, kernel, 3, nullptr, global.data(), nullptr, 0, nullptr,
                                  nullptr),
           "launch");
}

}  // namespace

/// Two- and three-dimensional and layered images that are read and written, and samplers.
void images(const Machine& m) {
    const cl_program program = m.program(image_kernels);
    std::vector<unsigned char> bytes(4 * 6 * 5);
    for (std::size_t i = 0; i < bytes.size(); ++i) bytes[i] = static_cast<unsigned char>(7 * i);
    const auto flat = shape_of(CL_MEM_OBJECT_IMAGE2D, 6, 5, 0);
    const cl_image_format colours{CL_RGBA, CL_UNORM_INT8};
    const cl_mem in = image(m, colours, flat, bytes.data());
    const cl_mem out = image(m, colours, flat, bytes.data());
    const cl_kernel turned = clCreateKernel(program, "turned", nullptr);
    set(turned, 0, in), set(turned, 1, out);
    launch(m, turned, {8, 8, 1});

    std::vector<float> numbers(6 * 5);
    for (std::size_t i = 0; i < numbers.size(); ++i) numbers[i] = std::sqrt(static_cast<float>(i));
    const cl_mem plain = image(m, {CL_R, CL_FLOAT}, flat, numbers.data());
    const cl_kernel between = clCreateKernel(program, "between", nullptr);
    const cl_mem result = m.buffer(std::vector<int>(4 * 16 * 8));
    for (const cl_addressing_mode outside : {CL_ADDRESS_REPEAT, CL_ADDRESS_CLAMP_TO_EDGE}) {
        const cl_sampler how =
            clCreateSampler(m.context, CL_TRUE, outside, CL_FILTER_LINEAR, nullptr);
        set(between, 0, plain), set(between, 1, how), set(between, 2, result);
        launch(m, between, {16, 8, 1});
        demand(clReleaseSampler(how), "sampler");
    }

    std::vector<int> box(4 * 6 * 5 * 3);
    for (std::size_t i = 0; i < box.size(); ++i) box[i] = static_cast<int>(i) - 100;
    const cl_mem deep_in =
        image(m, {CL_RGBA, CL_SIGNED_INT32}, shape_of(CL_MEM_OBJECT_IMAGE3D, 6, 5, 3), box.data());
    std::vector<unsigned char> layers(6 * 5 * 3);
    for (std::size_t i = 0; i < layers.size(); ++i) layers[i] = static_cast<unsigned char>(i);
    const auto layered = shape_of(CL_MEM_OBJECT_IMAGE2D_ARRAY, 6, 5, 3);
    const cl_mem array = image(m, {CL_R, CL_UNSIGNED_INT8}, layered, layers.data());
    const cl_mem written = image(m, {CL_R, CL_UNSIGNED_INT8}, layered, layers.data());
    const cl_kernel deep = clCreateKernel(program, "deep", nullptr);
    set(deep, 0, deep_in), set(deep, 1, array), set(deep, 2, written);
    set(deep, 3, m.buffer(std::vector<int>(4 * 6 * 5 * 3)));
    launch(m, deep, {6, 5, 3});

    // Whole numbers that a texel's rounding decides.
    std::vector<unsigned char> all(4 * 256 * 8);
    for (std::size_t i = 0; i < all.size(); ++i) all[i] = static_cast<unsigned char>(i / 4 + i);
    const cl_mem grey = image(m, colours, shape_of(CL_MEM_OBJECT_IMAGE2D, 256, 8, 0), all.data());
    const cl_kernel cut = clCreateKernel(program, "cut", nullptr);
    set(cut, 0, grey), set(cut, 1, m.buffer(std::vector<int>(4 * 256 * 8)));
    launch(m, cut, {8, 1, 1});

    // An order of channels that only one of the two APIs has.
    const cl_mem blue_first = image(m, {CL_BGRA, CL_UNORM_INT8}, flat, bytes.data());
    set(turned, 0, blue_first);
    launch(m, turned, {8, 8, 1});
    demand(clFinish(m.queue), "finish");
}

/// A sum of floats in any order of work-groups.
void atomics(const Machine& m) {
    const cl_program program = m.program(
        "__kernel void summed(__global const int* in, volatile __global float* out) {\n"
        "    volatile __global int* bits = (volatile __global int*)out;\n"
        "    const float mine = 1.0f / (1 + in[get_global_id(0)]);\n"
        "    int old, now;\n"
        "    do {\n"
        "        old = *bits;\n"
        "        now = as_int(as_float(old) + mine);\n"
        "    } while (atomic_cmpxchg(bits, old, now) != old);\n"
        "}\n");
    std::vector<int> in(1 << 14);
    for (std::size_t i = 0; i < in.size(); ++i) in[i] = static_cast<int>(i % 977);
    const cl_kernel summed = clCreateKernel(program, "summed", nullptr);
    set(summed, 0, m.buffer(in)), set(summed, 1, m.buffer({0}));
    launch(m, summed, {in.size(), 1, 1});
    demand(clFinish(m.queue), "finish");
}
