// Whether a test program is built with AddressSanitizer, and so what it tries.
#pragma once

// The sanitizer's own.
extern "C" [[gnu::weak]] void __asan_init();

namespace parallax {

inline bool has_address_sanitizer() {
    return __asan_init != nullptr;
}

}  // namespace parallax
