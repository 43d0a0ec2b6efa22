// Stacks of fibers, with the calls that sanitizers require for them.
#pragma once

#include <cstddef>

#include <boost/context/protected_fixedsize_stack.hpp>

extern "C" {
// AddressSanitizer's functions; null in a program without it.
// NOLINTBEGIN(bugprone-reserved-identifier, readability-identifier-naming)
[[gnu::weak]] void __sanitizer_start_switch_fiber(void** kept, const void* bottom,
                                                  std::size_t bytes);
[[gnu::weak]] void __sanitizer_finish_switch_fiber(void* kept, const void** bottom,
                                                   std::size_t* bytes);
[[gnu::weak]] void __asan_unpoison_memory_region(const volatile void*, std::size_t bytes);
// ThreadSanitizer's functions; it has a state for each fiber and each thread.
[[gnu::weak]] void* __tsan_get_current_fiber();
[[gnu::weak]] void* __tsan_create_fiber(unsigned flags);
[[gnu::weak]] void __tsan_destroy_fiber(void* book);
[[gnu::weak]] void __tsan_switch_to_fiber(void* book, unsigned flags);
[[gnu::weak]] void __tsan_func_exit();
// NOLINTEND(bugprone-reserved-identifier, readability-identifier-naming)
}

namespace parallax::host {

/// The address range of a stack.
struct Stack {
    const void* bottom = nullptr;
    std::size_t bytes = 0;
};

/// ThreadSanitizer's state of the running stack; null without it.
inline void* current_book() {
    return __tsan_get_current_fiber ? __tsan_get_current_fiber() : nullptr;
}

/// Must be called first on a new stack. Returns the previous stack.
inline Stack arrived_on_stack(void* kept = nullptr) {
    Stack from;
    if (__sanitizer_finish_switch_fiber) {
        __sanitizer_finish_switch_fiber(kept, &from.bottom, &from.bytes);
    }
    return from;
}

/// Must be called last on a stack.
inline void leave_stack_for_good(const Stack& next) {
    if (__sanitizer_start_switch_fiber) {
        __sanitizer_start_switch_fiber(nullptr, next.bottom, next.bytes);
    }
}

/// Calls `jump`, which switches to the next stack and returns when this one is resumed. Returns the
/// stack from which it was resumed. A stack that ends leaves its sanitizer state current, so the
/// resumed one sets its own. A function must end in the state in which it began: this one and
/// `jump` are inlined into their caller, which is [[gnu::flatten]].
template <class Jump>
[[gnu::always_inline]] inline Stack change_stack(const Stack& next, void* next_book,
                                                 const Jump& jump) {
    void* kept = nullptr;
    if (__sanitizer_start_switch_fiber) {
        __sanitizer_start_switch_fiber(&kept, next.bottom, next.bytes);
    }
    void* const own = current_book();
    if (own) __tsan_switch_to_fiber(next_book, 0);
    jump();
    if (current_book() != own) __tsan_switch_to_fiber(own, 0);
    return arrived_on_stack(kept);
}

/// Allocates stacks with a guard page below, and knows their addresses.
class Stacks {
public:
    Stacks(std::size_t bytes, Stack& made) : memory_(bytes), made_(&made) {}

    boost::context::stack_context allocate() {
        const boost::context::stack_context all = memory_.allocate();
        *made_ = {static_cast<const char*>(all.sp) - all.size, all.size};
        return all;
    }
    void deallocate(boost::context::stack_context& all) {
        // Bytes that its frames have forbidden would stay so for the next user.
        if (__asan_unpoison_memory_region) {
            __asan_unpoison_memory_region(static_cast<const char*>(all.sp) - all.size, all.size);
        }
        memory_.deallocate(all);
    }

private:
    boost::context::protected_fixedsize_stack memory_;
    Stack* made_;
};

}  // namespace parallax::host
