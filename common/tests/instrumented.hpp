// What a test program is built with besides itself, and so what it tries.
#pragma once

// The sanitizers' own, and that of a compiler that counts lines.
extern "C" [[gnu::weak]] void __asan_init();
extern "C" [[gnu::weak]] void __tsan_init();
extern "C" [[gnu::weak]] void __gcov_exit();

namespace parallax {

inline bool has_address_sanitizer() {
    return __asan_init != nullptr;
}

/// Whether each program writes files of counts when it ends.
inline bool counts_lines() {
    return __gcov_exit != nullptr;
}

}  // namespace parallax
