// Stacks of fibers, and what sanitizers have to know of them in a program built with one.
#pragma once

#include <cstddef>

#include <boost/context/protected_fixedsize_stack.hpp>

extern "C" {
// Of AddressSanitizer; null in a program without it.
// NOLINTBEGIN(bugprone-reserved-identifier, readability-identifier-naming)
[[gnu::weak]] void __sanitizer_start_switch_fiber(void** kept, const void* bottom,
                                                  std::size_t bytes);
[[gnu::weak]] void __sanitizer_finish_switch_fiber(void* kept, const void** bottom,
                                                   std::size_t* bytes);
[[gnu::weak]] void __asan_unpoison_memory_region(const volatile void*, std::size_t bytes);
// Of ThreadSanitizer, which keeps a book for each fiber and each thread.
[[gnu::weak]] void* __tsan_get_current_fiber();
[[gnu::weak]] void* __tsan_create_fiber(unsigned flags);
[[gnu::weak]] void __tsan_destroy_fiber(void* book);
[[gnu::weak]] void __tsan_switch_to_fiber(void* book, unsigned flags);
[[gnu::weak]] void __tsan_func_exit();
// NOLINTEND(bugprone-reserved-identifier, readability-identifier-naming)
}

namespace parallax::host {

/// Where a stack lies.
struct Stack {
    const void* bottom = nullptr;
    std::size_t bytes = 0;
};

/// ThreadSanitizer's book of the stack that runs; null without it.
inline void* current_book() {
    return __tsan_get_current_fiber ? __tsan_get_current_fiber() : nullptr;
}

/// To be called first on a stack that nobody has left before. Returns the one from which it came.
inline Stack arrived_on_stack(void* kept = nullptr) {
    Stack from;
    if (__sanitizer_finish_switch_fiber) {
        __sanitizer_finish_switch_fiber(kept, &from.bottom, &from.bytes);
    }
    return from;
}

/// To be called last on a stack.
inline void leave_stack_for_good(const Stack& next) {
    if (__sanitizer_start_switch_fiber) {
        __sanitizer_start_switch_fiber(nullptr, next.bottom, next.bytes);
    }
}

/// Does `jump`, which goes to the next stack and returns when it is this one's turn again. Returns
/// the stack from which it came back. A stack that ends leaves its book the current one, so who
/// comes back changes it. A function must end in the book that it began in: this one and `jump`
/// are parts of their caller, which is [[gnu::flatten]].
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

/// Makes one stack, with a fence below it, and tells where it lies.
class Stacks {
public:
    Stacks(std::size_t bytes, Stack& made) : memory_(bytes), made_(&made) {}

    boost::context::stack_context allocate() {
        const boost::context::stack_context all = memory_.allocate();
        *made_ = {static_cast<const char*>(all.sp) - all.size, all.size};
        return all;
    }
    void deallocate(boost::context::stack_context& all) {
        // What its frames have forbidden would be so to whoever is given the addresses next.
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
