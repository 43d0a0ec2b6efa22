// A CUDA program to be recorded: each word of its command line is a part of it.
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

#include <cuda.h>

#include "capture/tests/cuda/made_cubin.hpp"

namespace {

void demand(CUresult code, const char* what) {
    if (code == CUDA_SUCCESS) return;
    std::fprintf(stderr, "recorded_program: %s\n", what);
    std::_Exit(9);
}

class Memory {
public:
    explicit Memory(const std::vector<float>& content) : count_(content.size()) {
        demand(cuMemAlloc(&pointer_, bytes()), "memory");
        demand(cuMemcpyHtoD(pointer_, content.data(), bytes()), "write");
    }
    Memory(const Memory&) = delete;
    Memory& operator=(const Memory&) = delete;
    ~Memory() { cuMemFree(pointer_); }
    CUdeviceptr at(std::size_t element = 0) const { return pointer_ + element * sizeof(float); }
    std::vector<float> content() const {
        std::vector<float> all(count_);
        demand(cuMemcpyDtoH(all.data(), pointer_, bytes()), "read");
        return all;
    }

private:
    std::size_t bytes() const { return count_ * sizeof(float); }
    CUdeviceptr pointer_ = 0;
    std::size_t count_;
};

CUmodule load() {
    const std::string step("\1\0\0\0", 4), table(8, '\0');
    const std::string image =
        parallax_captured::made_cubin({{"saxpy", "code of saxpy"},
                                       {"_ZN3gpu3axpEPKfPfif", "code of axp"},
                                       {"_Z5blend6Fields", "code of blend"},
                                       {"tally", "code of tally"},
                                       {"_ZN3gpu5scaleIfLi2EEEvPT_i", "code of scale"},
                                       {"nothing", "code of nothing"},
                                       {"step", step, 4},
                                       {"counter", "", 4},
                                       {"table", table, 8, true}});
    CUmodule module = nullptr;
    demand(cuModuleLoadData(&module, image.data()), "module");
    return module;
}

CUfunction function(CUmodule module, const char* name) {
    CUfunction found = nullptr;
    demand(cuModuleGetFunction(&found, module, name), name);
    return found;
}

void launch(CUfunction kernel, std::vector<void*> parameters, unsigned threads = 64) {
    demand(
        cuLaunchKernel(kernel, 2, 1, 1, threads / 2, 1, 1, 0, nullptr, parameters.data(), nullptr),
        "launch");
}

struct Fields {
    CUdeviceptr to;
    int count, pad;
    CUdeviceptr from;
};

/// One allocation for each buffer.
void launches(CUmodule module) {
    const Memory x({1, 2, 3, 4}), y({10, 20, 30, 40});
    int n = 4;
    float a = 2;
    CUdeviceptr from = x.at(), to = y.at();
    launch(function(module, "saxpy"), {&n, &a, &from, &to});
    launch(function(module, "saxpy"), {&n, &a, &from, &to});
    std::printf("%g\n", static_cast<double>(y.content()[3]));
}

/// The same problem by another kernel.
void other_launches(CUmodule module) {
    const Memory x({1, 2, 3, 4}), y({10, 20, 30, 40});
    int n = 4;
    float a = 2;
    CUdeviceptr from = x.at(), to = y.at();
    launch(function(module, "_ZN3gpu3axpEPKfPfif"), {&from, &to, &n, &a});
    launch(function(module, "nothing"), {});
}

/// A handle of a CUkernel, and a struct with pointers into one allocation.
void structs(CUmodule module) {
    const Memory pool({1, 2, 3, 4, 0, 0, 0, 0});
    Fields fields{pool.at(4), 3, 0, pool.at(1)};
    auto* const kernel = reinterpret_cast<CUfunction>(
        reinterpret_cast<std::uintptr_t>(function(module, "_Z5blend6Fields")) | 1);
    launch(kernel, {&fields});
    std::printf("%g\n", static_cast<double>(pool.content()[6]));
}

/// Pointers into one allocation, at the beginning and where a sub-buffer of OpenCL can begin.
void offsets(CUmodule module) {
    const Memory pool(std::vector<float>(64, 3));
    int n = 4;
    float a = 2;
    CUdeviceptr from = pool.at(), to = pool.at(32);
    launch(function(module, "saxpy"), {&n, &a, &from, &to});
    std::printf("%g\n", static_cast<double>(pool.content()[32]));
}

/// An instance of a template.
void templates(CUmodule module) {
    const Memory x({1, 2, 3, 4});
    int n = 4;
    CUdeviceptr to = x.at();
    launch(function(module, "_ZN3gpu5scaleIfLi2EEEvPT_i"), {&to, &n});
}

void variables(CUmodule module) {
    const Memory out({0});
    CUdeviceptr to = out.at(), step = 0;
    std::size_t bytes = 0;
    demand(cuModuleGetGlobal(&step, &bytes, module, "step"), "step");
    const int three = 3;
    demand(cuMemcpyHtoD(step, &three, sizeof(three)), "step");
    launch(function(module, "tally"), {&to});
    int value = 0;
    std::memcpy(&value, out.content().data(), sizeof(value));
    std::printf("%d\n", value);
}

/// Commands that cannot be captured, one per reason.
void reasons(CUmodule module) {
    const Memory x({1, 2}), y({1, 2}), alone({1, 2});
    int n = 2;
    float a = 2;
    CUdeviceptr from = x.at(), to = y.at();
    CUtexObject texture = 0;
    demand(cuTexObjectCreate(&texture, nullptr, nullptr, nullptr), "texture");
    std::vector<void*> parameters{&n, &a, &from, &texture};
    n = 0;
    launch(function(module, "saxpy"), parameters);
    n = 2;
    CUgraph graph = nullptr;
    demand(cuStreamBeginCapture(nullptr, CU_STREAM_CAPTURE_MODE_GLOBAL), "capture");
    launch(function(module, "saxpy"), {&n, &a, &from, &to});
    demand(cuStreamEndCapture(nullptr, &graph), "capture");
    // An address within a buffer, of memory that no launch has as an argument.
    const CUdeviceptr target = alone.at();
    demand(cuMemcpyHtoD(x.at(), &target, sizeof(target)), "write");
    n = 1;
    launch(function(module, "saxpy"), {&n, &a, &from, &to});
    // A launch that fails.
    std::vector<void*> many{&n, &a, &to, &to};
    if (cuLaunchKernel(function(module, "saxpy"), 2, 1, 1, 1024, 1, 1, 0, nullptr, many.data(),
                       nullptr) == CUDA_SUCCESS) {
        std::_Exit(8);
    }
    launch(function(module, "nothing"), {});
}

}  // namespace

int main(int argc, char** argv) {
    demand(cuInit(0), "start");
    const CUmodule module = load();
    int code = 0;
    for (int i = 1; i < argc; ++i) {
        const std::string word = argv[i];
        if (word == "launches") launches(module);
        if (word == "other") other_launches(module);
        if (word == "structs") structs(module);
        if (word == "offsets") offsets(module);
        if (word == "templates") templates(module);
        if (word == "variables") variables(module);
        if (word == "reasons") reasons(module);
        if (word == "code") code = 7;
        std::printf("%s done\n", word.c_str());
    }
    return code;
}
