// The CUDA backend's own texts of the suites, run on the host, where a missing barrier of a warp or
// of a group shows in one of two orders of items.
#include <cmath>
#include <cstring>
#include <fstream>
#include <iterator>
#include <span>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "mapping/tests/cuda_on_host.hpp"

namespace parallax::corpus::native_on_host_test {
namespace {

std::string native(const std::string& file, const std::string& without = {}) {
    std::ifstream stream(SOURCE_ROOT "/kernels/" + file);
    std::string text{std::istreambuf_iterator<char>(stream), {}};
    EXPECT_FALSE(text.empty()) << file;
    if (const auto at = text.find(without); !without.empty() && at != text.npos) {
        text.erase(at, without.size());
    }
    return text;
}

std::string prefix(unsigned group, int operation) {
    return fmt::format("using T = float;\nenum {{ GROUP = {}, OP = {} }};\n#define ALIGN 16\n",
                       group, operation);
}

std::span<const float> floats(const Bytes& bytes) {
    return {reinterpret_cast<const float*>(bytes.data()), bytes.size() / sizeof(float)};
}

/// `warp` of matvec: rows of small whole numbers, three groups for all of them.
Kernel rows_kernel(unsigned width, unsigned height, unsigned group) {
    return read_kernels(
               "x.cl",
               fmt::format("//! in: float {} small\n//! in: float {} small\n"
                           "//! out: float {}\n//! value: ulong {}\n//! value: ulong {}\n"
                           "//! launch: {} by {}\n"
                           "__kernel void warp(__global const float* matrix, __global const "
                           "float* x, __global float* y, ulong width, ulong height) {{}}\n",
                           width * height, width, height, width, height, 3 * group, group))
        .kernels[0];
}

bool rows_are_right(const std::string& text, unsigned width, unsigned group, Order order) {
    const unsigned height = 7;
    const Kernel kernel = rows_kernel(width, height, group);
    const HostLibrary library(prefix(group, 0) + text, {"warp"});
    const std::vector<Bytes> buffers = library.run(kernel, order);
    const auto matrix = floats(buffers[0]), x = floats(buffers[1]), y = floats(buffers[2]);
    for (unsigned row = 0; row < height; ++row) {
        float sum = 0;
        for (unsigned i = 0; i < width; ++i) sum += matrix[row * width + i] * x[i];
        if (y[row] != sum) return false;
    }
    return true;
}

TEST(NativeOnHost, RowsOfWarps) {
    const std::string text = native("matvec.cuda.cu");
    for (const Order order : {Order::ascending, Order::descending}) {
        for (const unsigned group : {32u, 96u, 1024u}) {
            for (const unsigned width : {1u, 31u, 1031u}) {
                EXPECT_TRUE(rows_are_right(text, width, group, order)) << width << " " << group;
            }
        }
    }
}

TEST(NativeOnHost, RowsOfWarpsNeedTheirBarriers) {
    for (const char* barrier : {"    __syncwarp();\n", "        __syncthreads();\n"}) {
        const std::string text = native("matvec.cuda.cu", barrier);
        EXPECT_FALSE(rows_are_right(text, 1031, 96, Order::ascending) &&
                     rows_are_right(text, 1031, 96, Order::descending))
            << barrier;
    }
}

/// `warp` of reduction: partial sums (or minima, maxima) of whole numbers.
bool groups_are_right(const std::string& text, int operation, unsigned n, unsigned group,
                      Order order) {
    const unsigned groups = (n + group - 1) / group;
    const float neutral = operation == 0 ? 0 : operation == 1 ? 1e9f : -1e9f;
    const Kernel kernel =
        read_kernels("x.cl", fmt::format("//! in: float {} small\n//! out: float {}\n"
                                         "//! value: ulong {}\n//! value: float {}\n"
                                         "//! launch: {} by {}\n"
                                         "__kernel void warp(__global const float* in, __global "
                                         "float* out, ulong n, float neutral) {{}}\n",
                                         n, groups, n, neutral, groups * group, group))
            .kernels[0];
    const HostLibrary library(prefix(group, operation) + text, {"warp"});
    const std::vector<Bytes> buffers = library.run(kernel, order);
    const auto in = floats(buffers[0]), out = floats(buffers[1]);
    for (unsigned g = 0; g < groups; ++g) {
        float right = neutral;
        for (unsigned i = g * group; i < n && i < (g + 1) * group; ++i) {
            right = operation == 0   ? right + in[i]
                    : operation == 1 ? std::fmin(right, in[i])
                                     : std::fmax(right, in[i]);
        }
        if (out[g] != right) return false;
    }
    return true;
}

TEST(NativeOnHost, ReductionOfWarps) {
    const std::string text = native("reduction.cuda.cu");
    for (const Order order : {Order::ascending, Order::descending}) {
        for (const unsigned group : {32u, 96u, 1024u}) {
            for (const int operation : {0, 1, 2}) {
                EXPECT_TRUE(groups_are_right(text, operation, 2051, group, order))
                    << group << " " << operation;
            }
        }
    }
}

TEST(NativeOnHost, ReductionOfWarpsNeedsItsBarriers) {
    for (const char* barrier : {"    __syncwarp();\n", "        __syncthreads();\n"}) {
        const std::string text = native("reduction.cuda.cu", barrier);
        EXPECT_FALSE(groups_are_right(text, 0, 2051, 256, Order::ascending) &&
                     groups_are_right(text, 0, 2051, 256, Order::descending))
            << barrier;
    }
}

}  // namespace
}  // namespace parallax::corpus::native_on_host_test
