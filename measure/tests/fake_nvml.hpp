// What the NVML of the tests says of every GPU.
#pragma once

#include <cstdint>
#include <vector>

namespace parallax::fake {

/// A process that holds the GPU.
struct GpuProcess {
    unsigned pid = 0;
    unsigned percent = 0;          ///< of the multiprocessors' time; 0: it has no sample
    bool is_listed = true;         ///< among the processes that hold the GPU
    std::int64_t age_seconds = 0;  ///< of the sample
};

struct FakeNvml {
    std::vector<GpuProcess> processes;
    bool knows_use = true;  ///< false: as of a part of a card
};

/// The one that is loaded, in place of NVIDIA's, before the process first asks for it.
FakeNvml& fake_nvml();

}  // namespace parallax::fake
