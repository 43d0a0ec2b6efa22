// A fake CUDA runtime for tests without a GPU: memory is the host's, calls run at once and are
// recorded, and any of them can be made to fail.
#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <vector>

#include <cuda_runtime_api.h>

namespace parallax::cuda {

struct FakeLaunch {
    dim3 groups, items;
    std::size_t local_bytes = 0;
    std::vector<void*> arguments;  ///< the addresses from which the kernel would read
    /// The first eight bytes of each, copied at the launch.
    std::vector<unsigned long long> bits;
};

struct FakeRuntime {
    int devices = 2;
    int driver_version = CUDART_VERSION;
    int current = 0;
    cudaError_t last = cudaSuccess;
    cudaError_t sticky = cudaSuccess;          ///< every later call returns it
    std::map<std::string, cudaError_t> fails;  ///< call -> the error that it returns
    cudaError_t asynchronous = cudaSuccess;    ///< becomes sticky at the next wait
    std::string jit_words, jit_errors;
    float milliseconds = 2;
    std::size_t parameters = 0;  ///< number of arguments that a launch of the kernel reads

    std::map<void*, int> memory;  ///< allocation -> its device
    std::map<std::string, std::vector<std::byte>, std::less<>> variables;  ///< of loaded code
    std::set<void*> streams, events, libraries, page_locked, arrays, textures;
    unsigned array_flags = 0;     ///< of the last three-dimensional array
    cudaResourceDesc resource{};  ///< of the last texture object
    cudaTextureDesc texture{};
    std::vector<std::string> calls;  ///< by name
    std::vector<FakeLaunch> launches;
    std::function<void()> at_launch;  ///< what a kernel does
    int dynamic_limit = 49152;

    std::size_t count(const std::string& call) const;
};

/// The instance that the program calls.
FakeRuntime& fake();
/// Frees all memory, and resets the instance.
void new_fake();

}  // namespace parallax::cuda
