// Writes what a GPU makes of CUDA's functions, which function_table_test.cpp compares with the host:
//     nvcc -arch=sm_90 -o function_table function_table.cu && ./function_table > function_table.txt
// A line is a type and its inputs, or a function and its answers: all of them are the bits in hexadecimal
// digits. A function of one argument gets all inputs of the type, one of two all pairs of the first 14, and
// one of three all triples of the first 7. The number before a function is how many units in the last place
// other machines may be off.
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <limits>
#include <string>
#include <vector>

#include "functions.cu"

using Bits = unsigned long long;

template <class T>
Bits bits_on_host(T x) {
    Bits bits = 0;
    std::memcpy(&bits, &x, sizeof x);
    return bits;
}

template <class T>
std::vector<Bits> floats() {
    using L = std::numeric_limits<T>;
    const T first[] = {T(3.7),    T(-1.5), 1 + L::epsilon(), L::quiet_NaN(), L::infinity(), T(-0.0), L::max(),
                       T(0.0),    T(1),    -L::infinity(),   L::denorm_min(), -L::min() / 3, T(16777215), T(0.1)};
    std::vector<Bits> all;
    for (const T x : first) all.push_back(bits_on_host(x));
    std::vector<T> sizes;
    for (const double x : {0.25, 0.5, 0.75, 1.0, 1.5, 2.0, 2.5, 3.5, 0.1, 3.7, 127.5, 128.0, 255.5, 1023.5, 2049.0,
                           4098.0, 65504.0, 65519.99, 65520.0, 65536.0, 1.00048828125, 1.0004885, 6.1e-5, 5.9e-8,
                           2.98023223876953125e-8, 2.9802326e-8, 1e-9, 8388607.5, 8388609.0, 4194304.5, 16777217.0,
                           16777219.0, 123456.789, 2147483520.0, 2147483647.5, 2147483648.0, 2147483648.5,
                           2147483904.0, 4294967040.0, 4294967295.5, 4294967296.0, 9007199254740993.0,
                           4503599627370497.5, 9223371487098961920.0, 9223372036854774784.0, 9223372036854775808.0,
                           18446742974197923840.0, 18446744073709549568.0, 18446744073709551616.0, 1e20, 1e30, 1e38,
                           1e-30, 1e-38, 1e-40, 1e-45, 1 + 0x1p-24, 1 + 0x1p-24 + 0x1p-52, 1 + 3 * 0x1p-24,
                           0x1.fffffefp127, 0x1.ffffffp127, 0x1p-149, 0x1p-150, 0x1.8p-149, 0x1.1p-150, 1e300, 1e-310,
                           700.0, 88.5, 10.5, 170.2})
        sizes.push_back(T(x));
    const T half = T(0.5);
    for (const T x : {std::nextafter(half, T(0)), std::nextafter(half, T(1)), std::nextafter(T(1), T(0)),
                      std::nextafter(T(1.5), T(0)), std::nextafter(T(2.5), T(3)), L::min(), L::denorm_min(), L::max(),
                      std::nextafter(L::max(), T(0))})
        sizes.push_back(x);
    for (const T x : sizes) {
        all.push_back(bits_on_host(x));
        all.push_back(bits_on_host(-x));
    }
    return all;
}

template <class T>
std::vector<Bits> integers() {
    std::vector<Bits> all;
    constexpr int bits = 8 * sizeof(T);
    const Bits high = Bits(1) << (bits - 1);
    const auto put = [&](Bits x) { all.push_back(bits_on_host(static_cast<T>(x))); };
    for (const Bits x : {Bits(0x12345678), ~Bits(0), Bits(33), Bits(0x80ff7f00), Bits(0x5140), high, Bits(7), Bits(0),
                         Bits(1), high - 1, Bits(31), Bits(0x00018000), Bits(0xdeadbeefcafef00d), Bits(32)})
        put(x);
    for (int i = 1; i < bits; i += i < 20 ? 3 : 1) {
        put(Bits(1) << i);
        put((Bits(1) << i) - 1);
        put((Bits(1) << i) + 1);
        put(~(Bits(1) << i));
    }
    for (const Bits x : std::initializer_list<Bits>{0x0123456789abcdef, 0x5555555555555555, 0x7fff7fff7fff7fff, 0x0000800080007fff, 0x7fffff,
                         0x1000001, 0x1000003, 0x7fffffc0, 0x7fffffbf, 0xffffff80, 0xffffff7f, 0x7c00, 0x7bff, 0x3c00,
                         0x0400, 0x03ff, 0x0001, 0x8000, 0xfc00, 0x7c01, 0xfe00, 0x3555, 0xb555})
        put(x);
    return all;
}

std::vector<Bits> inputs_of(const std::string& type) {
    if (type == "float") return floats<float>();
    if (type == "double") return floats<double>();
    return type.find("long") == type.npos ? integers<unsigned>() : integers<unsigned long long>();
}

void print(const std::vector<Bits>& all) {
    for (const Bits x : all) std::printf(" %llx", x);
    std::printf("\n");
}

struct Function {
    int units;
    std::string result, name;
    std::vector<std::string> arguments;
};

int main() {
    constexpr int off = 16;
#define E1(R, f, A) {0, #R, #f, {#A}},
#define E2(R, f, A, B) {0, #R, #f, {#A, #B}},
#define E3(R, f, A, B, C) {0, #R, #f, {#A, #B, #C}},
#define N1(R, f, A) {off, #R, #f, {#A}},
#define N2(R, f, A, B) {off, #R, #f, {#A, #B}},
    const std::vector<Function> all{FUNCTIONS(E1, E2, E3, N1, N2)};
    cudaDeviceProp device;
    if (cudaGetDeviceProperties(&device, 0) != cudaSuccess) {
        std::fprintf(stderr, "There is no GPU here, or its driver is older than this program.\n");
        return 1;
    }
    std::printf("# %s, CUDA %d.%d; made by function_table.cu, which says what the lines are\n", device.name,
                CUDART_VERSION / 1000, CUDART_VERSION % 1000 / 10);
    for (const char* const type : {"float", "double", "int", "long long"}) {
        std::printf("%s:", type);
        print(inputs_of(type));
    }
    for (std::size_t which = 0; which < all.size(); ++which) {
        const Function& one = all[which];
        const std::size_t places = one.arguments.size();
        std::size_t count = 1, most = inputs_of(one.arguments[0]).size();
        if (places > 1) most = places == 2 ? 14 : 7;
        for (std::size_t k = 0; k < places; ++k) count *= most;
        Bits* given[3] = {nullptr, nullptr, nullptr};
        std::size_t step = count;
        for (std::size_t k = 0; k < places; ++k) {
            const std::vector<Bits> inputs = inputs_of(one.arguments[k]);
            std::vector<Bits> chosen(count);
            step /= most;
            for (std::size_t i = 0; i < count; ++i) chosen[i] = inputs[i / step % most];
            cudaMalloc(&given[k], count * sizeof(Bits));
            cudaMemcpy(given[k], chosen.data(), count * sizeof(Bits), cudaMemcpyHostToDevice);
        }
        Bits* out = nullptr;
        cudaMalloc(&out, count * sizeof(Bits));
        functions<<<static_cast<unsigned>((count + 127) / 128), 128>>>(static_cast<int>(which), given[0], given[1],
                                                                     given[2], out, static_cast<int>(count));
        std::vector<Bits> made(count);
        if (cudaMemcpy(made.data(), out, count * sizeof(Bits), cudaMemcpyDeviceToHost) != cudaSuccess) {
            std::fprintf(stderr, "%s failed: %s\n", one.name.c_str(), cudaGetErrorString(cudaGetLastError()));
            return 1;
        }
        for (Bits* const memory : {given[0], given[1], given[2], out}) cudaFree(memory);
        std::printf("%d %s %s(", one.units, one.result.c_str(), one.name.c_str());
        for (std::size_t k = 0; k < places; ++k) std::printf("%s%s", k ? ", " : "", one.arguments[k].c_str());
        std::printf("):");
        print(made);
    }
}
