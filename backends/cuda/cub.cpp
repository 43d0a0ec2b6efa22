// Loads and calls the library with CUB's functions.
#include <limits>

#include <fmt/format.h>

#include "backends/cuda/library_code.hpp"
#include "common/device/loaded_library.hpp"
#include "common/error.hpp"
#include "common/host_clock.hpp"
#include "common/text/install_paths.hpp"

namespace parallax::cuda {
namespace {

const LoadedLibrary& cub() {
    constexpr const char* file = "libparallax_cub.so";
    static const LoadedLibrary one{
        {.name = "CUB",
         .variable = "PARALLAX_CUB",
         .files = {(program_folder() / file).string(),
                   (program_folder() / "../backends/cuda" / file).string(), file},
         .advice = "A build makes libparallax_cub.so where it finds nvcc and CUB's headers: build "
                   "there, or set PARALLAX_CUB to such a file."}};
    return one;
}

}  // namespace

CubCode::CubCode(std::shared_ptr<Context> context, const Program& program, std::string_view name)
    : LibraryCode(std::move(context), "CUB", std::numeric_limits<std::uint64_t>::max()) {
    constexpr Form forms[] = {{"sum", 3, 2}, {"least", 3, 2}, {"most", 3, 2}, {"scan", 3, 2}};
    const HostClock::time_point start = HostClock::now();
    choose(forms, name);
    int (*version)() = nullptr;
    cub().resolve("cub_version", version);
    const std::string_view type = name_of(program.type.value_or(ElementType::f32));
    cub().resolve(fmt::format("cub_{}_{}", name, type).c_str(), call_);
    source = program.source;
    options = {fmt::format("CUB {}", version())};
    build_seconds = seconds_since(start);
}

void CubCode::enqueue(cudaStream_t stream, std::span<void* const> pointers,
                      std::span<const std::uint64_t> extents) const {
    const int status = call_(pointers[0], pointers[1], pointers[2], extents[0], extents[1], stream);
    if (status != cudaSuccess) {
        throw DeviceError(fmt::format("CUB, {}: {}.", kernel,
                                      cudaGetErrorString(static_cast<cudaError_t>(status))));
    }
}

}  // namespace parallax::cuda
