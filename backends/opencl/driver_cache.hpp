// A cache of compiled code that is this process' own.
#pragma once

namespace parallax::opencl {

/// Gives NVIDIA's driver an empty folder for its cache of compiled code, which goes when the
/// process ends, unless a signal kills it. So the first build of a text is a build, with the report
/// of registers and spills that there is none of out of a cache; a further one is a matter of
/// milliseconds, and a context opens in a tenth of the time that it takes without a cache (0.12
/// against 1.4 to 2.1 s on an H100). Before the first call of the loader. Does nothing where the
/// environment says what cache to use (CUDA_CACHE_PATH, CUDA_CACHE_DISABLE).
/// @returns whether the cache is this process' own
bool use_own_driver_cache();

}  // namespace parallax::opencl
