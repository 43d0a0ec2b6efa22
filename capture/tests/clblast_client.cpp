// A client of CLBlast, which generates kernel sources on demand.
#include <cmath>

#include <clblast_c.h>

#include "capture/tests/machine.hpp"

using namespace parallax_captured;

int main() {
    Machine m;
    constexpr std::size_t n = 100;
    std::vector<float> a(n * n), b(n * n);
    for (std::size_t i = 0; i < n * n; ++i) {
        a[i] = static_cast<float>(i % 17) / 4;
        b[i] = static_cast<float>(i % 5) - 2;
    }
    const auto put = [&](std::vector<float>& values) {
        return clCreateBuffer(m.context, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR,
                              values.size() * sizeof(float), values.data(), nullptr);
    };
    const cl_mem in_a = put(a), in_b = put(b), out = put(b), sum = put(b);
    const auto done = [](CLBlastStatusCode code) { demand(code == CLBlastSuccess, "CLBlast"); };
    cl_event* const no_event = nullptr;
    done(CLBlastSgemm(CLBlastLayoutRowMajor, CLBlastTransposeNo, CLBlastTransposeYes, n, n, n, 1.5F,
                      in_a, 0, n, in_b, 0, n, 0.5F, out, 0, n, &m.queue, no_event));
    done(CLBlastSaxpy(n, 2.0F, in_a, 0, 1, in_b, 0, 1, &m.queue, no_event));
    done(CLBlastSdot(n, sum, 0, in_a, 0, 1, in_b, 0, 1, &m.queue, no_event));
    std::vector<float> found(n * n);
    demand(clEnqueueReadBuffer(m.queue, out, CL_TRUE, 0, n * n * sizeof(float), found.data(), 0,
                               nullptr, nullptr),
           "read");
    for (std::size_t i = 0; i < n * n; ++i) {
        double right = 0.5 * b[i];
        for (std::size_t k = 0; k < n; ++k) right += 1.5 * a[i / n * n + k] * b[i % n * n + k];
        demand(std::abs(found[i] - right) < 1e-3, "a product");
    }
    std::puts("clblast done");
    return 0;
}
