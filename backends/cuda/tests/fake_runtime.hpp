// A CUDA runtime of the tests' own, so that the device can be tested where there is none: memory is
// the host's, calls are done at once and recorded, and any of them can be told to fail.
#pragma once

#include <cstddef>
#include <map>
#include <set>
#include <string>
#include <vector>

#include <cuda_runtime_api.h>

namespace parallax::cuda {

struct FakeLaunch {
    dim3 groups, items;
    std::size_t local_bytes = 0;
    std::vector<void*> arguments;  ///< the addresses that the kernel would read from
    /// The first eight bytes of each, copied at the launch.
    std::vector<unsigned long long> bits;
};

struct FakeRuntime {
    int devices = 2;
    int driver_version = CUDART_VERSION;
    int current = 0;
    cudaError_t last = cudaSuccess;
    cudaError_t sticky = cudaSuccess;          ///< every later call returns it
    std::map<std::string, cudaError_t> fails;  ///< call -> what it returns instead of working
    cudaError_t asynchronous = cudaSuccess;    ///< becomes sticky at the next wait
    std::string jit_words, jit_errors;
    float milliseconds = 2;
    std::size_t parameters = 0;  ///< of the kernel: how many arguments a launch reads

    std::map<void*, int> memory;  ///< allocation -> its device
    std::set<void*> streams, events, libraries, page_locked, arrays, textures;
    unsigned array_flags = 0;     ///< of the last array of three dimensions
    cudaResourceDesc resource{};  ///< of the last texture object
    cudaTextureDesc texture{};
    std::vector<std::string> calls;  ///< by name
    std::vector<FakeLaunch> launches;
    int dynamic_limit = 49152;

    std::size_t count(const std::string& call) const;
};

/// The runtime that the program calls.
FakeRuntime& fake();
/// Gives back what is left, and starts again.
void new_fake();

}  // namespace parallax::cuda
