// The instrumentation of a test program (sanitizers, coverage), on which its tests depend.
#pragma once

// Defined by the sanitizers and by coverage instrumentation.
extern "C" [[gnu::weak]] void __asan_init();
extern "C" [[gnu::weak]] void __tsan_init();
extern "C" [[gnu::weak]] void __gcov_exit();

namespace parallax {

inline bool has_address_sanitizer() {
    return __asan_init != nullptr;
}

/// Whether each program writes coverage files when it ends.
inline bool counts_lines() {
    return __gcov_exit != nullptr;
}

}  // namespace parallax
