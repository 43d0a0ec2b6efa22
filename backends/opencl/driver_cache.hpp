// A private cache of compiled code for this process.
#pragma once

namespace parallax::opencl {

/// Gives NVIDIA's driver an empty folder for its cache of compiled code, which is removed when the
/// process ends, unless a signal kills it. So the first build of a source is a real build, with the
/// report of registers and spills that a cache lacks; further ones take milliseconds, and a context
/// opens in a tenth of the time without a cache (0.12 against 1.4 to 2.1 s on an H100). Must be
/// called before the first call of the loader. Does nothing where the environment selects a cache
/// (CUDA_CACHE_PATH, CUDA_CACHE_DISABLE).
/// @returns whether the cache belongs to this process
bool use_own_driver_cache();

}  // namespace parallax::opencl
