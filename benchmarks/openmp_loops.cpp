// Measures plain OpenMP loops on this CPU, as the baseline for PoCL's results.
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstddef>
#include <cstdlib>
#include <iostream>
#include <memory>
#include <string_view>
#include <vector>

#include <fmt/format.h>
#include <omp.h>

namespace {

using Clock = std::chrono::steady_clock;
constexpr std::size_t radius = 3;

/// First touched by the thread that will use it.
std::unique_ptr<float[]> filled(std::size_t n) {
    std::unique_ptr<float[]> data(new float[n]);
#pragma omp parallel for schedule(static)
    for (std::size_t i = 0; i < n; ++i) data[i] = static_cast<float>(i % 7);
    return data;
}

void copy(const float* in, float* out, std::size_t n) {
#pragma omp parallel for simd schedule(static)
    for (std::size_t i = 0; i < n; ++i) out[i] = in[i];
}

float sum(const float* in, std::size_t n) {
    float all = 0;
#pragma omp parallel for simd schedule(static) reduction(+ : all)
    for (std::size_t i = 0; i < n; ++i) all += in[i];
    return all;
}

/// The sums of each element and `radius` neighbours on both sides; fewer at the ends.
void stencil(const float* in, float* out, std::size_t n) {
#pragma omp parallel for simd schedule(static)
    for (std::size_t i = radius; i < n - radius; ++i) {
        float all = 0;
        for (std::size_t k = 0; k <= 2 * radius; ++k) all += in[i + k - radius];
        out[i] = all;
    }
    for (std::size_t i = 0; i < n; i = i + 1 == radius ? n - radius : i + 1) {
        out[i] = 0;
        for (std::size_t k = i < radius ? radius - i : 0; k <= 2 * radius && i + k - radius < n;
             ++k) {
            out[i] += in[i + k - radius];
        }
    }
}

/// The median of 31 runs of at least 20 ms, after an untimed one.
template <class Loop>
double seconds_of(Loop&& loop) {
    const auto batch = [&](unsigned repeats) {
        const Clock::time_point start = Clock::now();
        for (unsigned r = 0; r < repeats; ++r) loop();
        return std::chrono::duration<double>(Clock::now() - start).count() / repeats;
    };
    batch(1);
    const auto repeats = static_cast<unsigned>(std::max(1.0, std::ceil(0.02 / batch(1))));
    std::vector<double> samples(31);
    for (double& sample : samples) sample = batch(repeats);
    std::ranges::nth_element(samples, samples.begin() + 15);
    return samples[15];
}

}  // namespace

/// openmp_loops [N]: GB/s of loops over N floats (2^26), counted as in the suites.
int main(int count, char** words) {
    const std::size_t n = count > 1 ? std::strtoull(words[1], nullptr, 10) : std::size_t{1} << 26;
    if (count > 2 || n < 1024) {
        std::cerr << "usage: openmp_loops [N], 1024 elements or more\n";
        return 2;
    }
    const auto in = filled(n), out = filled(n);
    const double bytes = static_cast<double>(n * sizeof(float));
    volatile float kept = 0;
    const auto line = [&](std::string_view name, double moved, double seconds) {
        std::cout << fmt::format("{:10} {} floats, {} threads  {:9.2f} us  {:7.2f} GB/s\n", name, n,
                                 omp_get_max_threads(), 1e6 * seconds, moved / seconds * 1e-9);
    };
    line("copy", 2 * bytes, seconds_of([&] { copy(in.get(), out.get(), n); }));
    line("reduction", bytes, seconds_of([&] { kept = sum(in.get(), n); }));
    line("stencil", 2 * bytes, seconds_of([&] { stencil(in.get(), out.get(), n); }));
    return 0;
}
