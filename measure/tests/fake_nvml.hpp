// The GPU states that the fake NVML reports.
#pragma once

#include <cstdint>
#include <vector>

namespace parallax::fake {

/// A process that uses the GPU.
struct GpuProcess {
    unsigned pid = 0;
    unsigned percent = 0;          ///< of the multiprocessors' time; 0: no sample
    bool is_listed = true;         ///< among the processes that use the GPU
    std::int64_t age_seconds = 0;  ///< of the sample
};

struct FakeNvml {
    std::vector<GpuProcess> processes;
    bool knows_use = true;  ///< false: as for a part of a card
};

/// The fake NVML, loaded before the process first asks for NVIDIA's.
FakeNvml& fake_nvml();

}  // namespace parallax::fake
