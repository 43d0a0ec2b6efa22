// Loads a fake NVML at program start, so that later requests for NVIDIA's NVML get it.
#include "measure/tests/fake_nvml.hpp"

#include <stdexcept>

#include <dlfcn.h>

namespace parallax::fake {
namespace {

void* const library = dlopen(FAKE_NVML, RTLD_NOW | RTLD_LOCAL);

}  // namespace

FakeNvml& fake_nvml() {
    const auto state =
        library ? reinterpret_cast<FakeNvml* (*)()>(dlsym(library, "fake_nvml_state")) : nullptr;
    if (!state) throw std::runtime_error("The NVML of the tests cannot be loaded.");
    return *state();
}

}  // namespace parallax::fake
