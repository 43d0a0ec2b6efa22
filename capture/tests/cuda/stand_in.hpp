// The interface between the two stand-ins, for CUDA's driver and for CUPTI.
#pragma once

#include <cstdint>

#include <cuda.h>

namespace parallax_captured {

/// CUPTI's part in a call of the driver: before and after it.
struct Watcher {
    /// @param result  null: before the call
    void (*call)(const char* name, const void* parameters, CUresult* result, const char* symbol,
                 std::uint32_t correlation, CUcontext) = nullptr;
    void (*module)(const char* image, std::size_t bytes, std::uint32_t number,
                   bool is_loaded) = nullptr;
    /// Reports the time of a command. @param bytes  of a copy to the host; 0: it is a kernel
    void (*time)(std::uint32_t correlation, std::uint64_t bytes, CUstream) = nullptr;
};

}  // namespace parallax_captured

extern "C" __attribute__((visibility("default"))) parallax_captured::Watcher* parallax_watcher();
