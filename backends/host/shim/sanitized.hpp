// The callbacks of instrumented code: before each access, and at undefined behaviour, where the
// launch ends with a message. The interface of accesses is ThreadSanitizer's, of which nothing else
// is used; forbidden bytes are in AddressSanitizer's shadow.
#pragma once

extern "C" {
/// AddressSanitizer finds it by this name.
const char* __asan_default_options() {
    return "verify_asan_link_order=0:detect_leaks=0:detect_odr_violation=0:handle_segv=0:"
           "handle_sigbus=0:handle_abort=0:handle_sigfpe=0:handle_sigill=0:use_sigaltstack=0";
}

// Nothing is watched until the backend has set its functions.
#define PARALLAX_PLAIN PARALLAX_UNWATCHED inline __attribute__((used))
#define PARALLAX_ACCESS(name, does, bytes)                                       \
    PARALLAX_PLAIN void __tsan_##name(void* at) {                                \
        if (parallax_host::machine.does)                                         \
            parallax_host::machine.does(at, bytes, __builtin_return_address(0)); \
    }
#define PARALLAX_ACCESSES(n)                         \
    PARALLAX_ACCESS(read##n, loads, n)               \
    PARALLAX_ACCESS(write##n, stores, n)             \
    PARALLAX_ACCESS(unaligned_read##n, loads, n)     \
    PARALLAX_ACCESS(unaligned_write##n, stores, n)   \
    PARALLAX_VOLATILE(volatile_read##n, n)           \
    PARALLAX_VOLATILE(volatile_write##n, n)          \
    PARALLAX_VOLATILE(unaligned_volatile_read##n, n) \
    PARALLAX_VOLATILE(unaligned_volatile_write##n, n)
#define PARALLAX_VOLATILE(name, bytes)                            \
    PARALLAX_PLAIN void __tsan_##name(void* at) {                 \
        if (parallax_host::machine.synchronizes)                  \
            parallax_host::machine.synchronizes(at, bytes, true); \
    }
PARALLAX_ACCESSES(1)
PARALLAX_ACCESSES(2)
PARALLAX_ACCESSES(4)
PARALLAX_ACCESSES(8)
PARALLAX_ACCESSES(16)
#define PARALLAX_RANGE(name, does)                                               \
    PARALLAX_PLAIN void __tsan_##name(void* at, unsigned long bytes) {           \
        if (parallax_host::machine.does)                                         \
            parallax_host::machine.does(at, bytes, __builtin_return_address(0)); \
    }
PARALLAX_RANGE(read_range, loads)
PARALLAX_RANGE(write_range, stores)
PARALLAX_PLAIN void __tsan_init() {}
/// Of the guard that g++ gives a static array of a class with constructors.
PARALLAX_PLAIN unsigned char __tsan_atomic8_load(const volatile unsigned char* at, int) {
    return *at;
}

// Accesses of the C library's function are not instrumented.
PARALLAX_UNWATCHED void* memcpy(void* to, const void* from, size_t bytes) noexcept {
    if (bytes > 0) {
        __tsan_read_range(const_cast<void*>(from), bytes);
        __tsan_write_range(to, bytes);
    }
    for (size_t i = 0; i < bytes; ++i)
        static_cast<char*>(to)[i] = static_cast<const char*>(from)[i];
    return to;
}

#define PARALLAX_UNDEFINED(name, words)      \
    void __ubsan_handle_##name(void*, ...) { \
        parallax_host::machine.stop(words);  \
    }
PARALLAX_UNDEFINED(builtin_unreachable, "it comes where it said that it never would")
PARALLAX_UNDEFINED(divrem_overflow, "a division by zero, or one whose quotient does not fit")
PARALLAX_UNDEFINED(float_cast_overflow, "a number that the type it becomes does not hold")
PARALLAX_UNDEFINED(invalid_builtin, "an argument that the function is not defined for")
PARALLAX_UNDEFINED(load_invalid_value, "a value that its type does not have")
PARALLAX_UNDEFINED(missing_return, "a function that returns no value")
PARALLAX_UNDEFINED(nonnull_arg, "a null pointer as an argument")
PARALLAX_UNDEFINED(out_of_bounds, "an index outside of its array")
PARALLAX_UNDEFINED(pointer_overflow, "an address beyond all memory")
PARALLAX_UNDEFINED(shift_out_of_bounds, "a shift by more bits than there are")
PARALLAX_UNDEFINED(vla_bound_not_positive, "an array without elements")
struct ParallaxMismatch {
    const char* file;
    unsigned line, column;
    const void* type;
    unsigned char log_alignment;
};
void __ubsan_handle_type_mismatch_v1(const ParallaxMismatch* what, unsigned long address) {
    const bool is_aligned = address % (1ul << what->log_alignment) == 0;
    parallax_host::machine.stop(address == 0  ? "an access by a null pointer"
                                : !is_aligned ? "an access at a place that is not aligned"
                                              : "an access with too little room");
}
}
