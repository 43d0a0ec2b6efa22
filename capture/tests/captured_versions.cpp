// The part of captured_program that is one problem in two versions: their kernels have other names,
// another order of additions, and one more on each side.
#include <cstdlib>
#include <map>
#include <string>
#include <vector>

#include <unistd.h>

#include "capture/tests/machine.hpp"

using namespace parallax_captured;

namespace captured_versions {
namespace {

constexpr std::size_t count = 4096;

constexpr const char* first_text = R"(
__kernel void clear(__global float* out) { out[get_global_id(0)] = 0.0f; }
__kernel void scale(__global const float* in, __global float* out) {
    const int i = get_global_id(0);
    out[i] = 1.5f * in[i] + 1.0f;
}
__kernel void find_neighbours(__global const float* in, __global float* out) {
    const int i = get_global_id(0), n = get_global_size(0);
    float sum = 0.0f;
    for (int k = 0; k < 64; ++k) sum += in[(i + k) % n] * 0.1f;
    out[i] = sum;
}
__kernel void rank(__global const float* in, __global int* out) {
    const int i = get_global_id(0);
    out[i] = convert_int_rte(in[i]) % 100;
}
)";

constexpr const char* second_text = R"(
__kernel void Ocl_Scale_kernel(__global float* out, __global const float* in) {
    const int i = get_global_id(0);
    out[i] = in[i] * 1.5f + 1.0f;
}
__kernel void search(__global const float* in, __global float* out) {
    const int i = get_global_id(0), n = get_global_size(0);
    float even = 0.0f, odd = 0.0f;
    for (int k = 0; k < 64; k += 2) {
        even += in[(i + k) % n] * 0.1f;
        odd += in[(i + k + 1) % n] * 0.1f;
    }
    out[i] = even + odd;
}
__kernel void place(__global const float* in, __global int* out) {
    const int i = get_global_id(0);
    out[i] = convert_int_rte(in[i]) % 100 + (BROKEN && i == 77 ? 1 : 0);
}
__kernel void report(__global const int* in, __global int* out) {
    out[get_global_id(0)] = in[get_global_id(0)] / 2;
}
)";

cl_mem floats(const Machine& m) {
    std::vector<float> values(count);
    for (std::size_t i = 0; i < count; ++i) values[i] = 0.37F * static_cast<float>(i * 7919 % 5003);
    const cl_mem made = clCreateBuffer(m.context, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR,
                                       count * sizeof(float), values.data(), nullptr);
    demand(made != nullptr, "buffer");
    return made;
}

void launch(const Machine& m, cl_program program, const char* name, cl_mem first, cl_mem second) {
    const cl_kernel kernel = clCreateKernel(program, name, nullptr);
    demand(kernel != nullptr, name);
    set(kernel, 0, first);
    if (second) set(kernel, 1, second);
    const std::size_t local = 64;
    m.launch(kernel, count, &local);
    clReleaseKernel(kernel);
}

}  // namespace

void first(const Machine& m) {
    const cl_program program = m.program(first_text);
    const cl_mem in = floats(m), scaled = floats(m), sums = floats(m),
                 ranks = m.buffer(std::vector<int>(count, -1));
    launch(m, program, "clear", sums, nullptr);
    launch(m, program, "scale", in, scaled);
    launch(m, program, "find_neighbours", scaled, sums);
    launch(m, program, "rank", scaled, ranks);
    m.content(ranks, count);
}

void second(const Machine& m, bool is_broken) {
    const cl_program program = m.program(second_text, is_broken ? "-DBROKEN=1" : "-DBROKEN=0");
    const cl_mem in = floats(m), scaled = floats(m), sums = floats(m),
                 ranks = m.buffer(std::vector<int>(count, -1)),
                 half = m.buffer(std::vector<int>(count, -1));
    launch(m, program, "Ocl_Scale_kernel", scaled, in);
    launch(m, program, "search", scaled, sums);
    launch(m, program, "place", scaled, ranks);
    launch(m, program, "report", ranks, half);
    m.content(half, count);
}

// Kernels as the command line has them: `NAME,INPUT,OUTPUT,K,EXPRESSION` of in[], i and k. Buffers
// are letters: `a` holds numbers, `u` to `z` other data in each process, the others zeros.
void steps(const Machine& m, const std::vector<std::string>& all) {
    std::map<char, cl_mem> buffers;
    const auto buffer = [&](char name) {
        if (buffers.contains(name)) return buffers.at(name);
        if (name == 'a') return buffers[name] = floats(m);
        std::vector<int> content(count);
        for (std::size_t i = 0; i < count && name >= 'u'; ++i)
            content[i] = static_cast<int>(i * 31 + static_cast<std::size_t>(getpid()) * 7919);
        return buffers[name] = m.buffer(content);
    };
    std::string text;
    std::vector<std::vector<std::string>> parts;
    for (const std::string& one : all) {
        std::vector<std::string> fields(1);
        for (const char c : one) {
            if (c == ',' && fields.size() < 5) {
                fields.emplace_back();
            } else {
                fields.back() += c;
            }
        }
        if (text.find(" " + fields[0] + "(") == text.npos) {
            text += "__kernel void " + fields[0] +
                    "(__global const float* in, __global float* out, const int k) { const int i = "
                    "get_global_id(0); " +
                    (fields[4].starts_with("if") ? fields[4] : "out[i] = " + fields[4]) + "; }\n";
        }
        parts.push_back(std::move(fields));
    }
    const cl_program program = m.program(text.c_str());
    for (const std::vector<std::string>& one : parts) {
        const cl_kernel kernel = clCreateKernel(program, one[0].c_str(), nullptr);
        demand(kernel != nullptr, one[0].c_str());
        set(kernel, 0, buffer(one[1][0])), set(kernel, 1, buffer(one[2][0]));
        set(kernel, 2, std::atoi(one[3].c_str()));
        const std::size_t local = 64;
        m.launch(kernel, count, &local);
        clReleaseKernel(kernel);
    }
    clFinish(m.queue);
}

}  // namespace captured_versions
