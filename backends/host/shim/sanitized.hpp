// What the sanitizers' code calls when it sees something: the launch ends there, with a sentence.
// Of their libraries only what keeps the books of addresses is used.
#pragma once

extern "C" {
int snprintf(char*, unsigned long, const char*, ...);

/// The library looks for it by name.
const char* __asan_default_options() {
    return "verify_asan_link_order=0:detect_leaks=0:detect_odr_violation=0:handle_segv=0:"
           "handle_sigbus=0:handle_abort=0:handle_sigfpe=0:handle_sigill=0:use_sigaltstack=0";
}

#define PARALLAX_ACCESS(what, name, bytes)                                        \
    void __asan_report_##name##_noabort(void*) {                                  \
        parallax_host::machine.outside(what, bytes, __builtin_return_address(0)); \
    }
PARALLAX_ACCESS("reads", load1, 1)
PARALLAX_ACCESS("reads", load2, 2)
PARALLAX_ACCESS("reads", load4, 4)
PARALLAX_ACCESS("reads", load8, 8)
PARALLAX_ACCESS("reads", load16, 16)
PARALLAX_ACCESS("writes", store1, 1)
PARALLAX_ACCESS("writes", store2, 2)
PARALLAX_ACCESS("writes", store4, 4)
PARALLAX_ACCESS("writes", store8, 8)
PARALLAX_ACCESS("writes", store16, 16)
void __asan_report_load_n_noabort(void*, unsigned long bytes) {
    parallax_host::machine.outside("reads", bytes, __builtin_return_address(0));
}
void __asan_report_store_n_noabort(void*, unsigned long bytes) {
    parallax_host::machine.outside("writes", bytes, __builtin_return_address(0));
}

/// What all of the others tell begins with it.
struct ParallaxPlace {
    const char* file;
    unsigned line, column;
};
#define PARALLAX_UNDEFINED(name, words)                                      \
    void __ubsan_handle_##name(const ParallaxPlace* at, ...) {               \
        char text[256];                                                      \
        snprintf(text, sizeof text, "%s:%u: %s", at->file, at->line, words); \
        parallax_host::machine.stop(text);                                   \
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
    ParallaxPlace at;
    const void* type;
    unsigned char log_alignment;
};
void __ubsan_handle_type_mismatch_v1(const ParallaxMismatch* what, unsigned long address) {
    const bool is_aligned = address % (1ul << what->log_alignment) == 0;
    char text[256];
    snprintf(text, sizeof text, "%s:%u: an access %s", what->at.file, what->at.line,
             address == 0  ? "by a null pointer"
             : !is_aligned ? "at a place that is not aligned"
                           : "with too little room");
    parallax_host::machine.stop(text);
}
}
