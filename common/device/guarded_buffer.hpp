// Host memory between two zones that cannot be written.
#pragma once

#include <cstddef>
#include <new>

#include <sys/mman.h>

namespace parallax {

/// A kernel that writes at most 64 MiB past its ends is killed by a signal instead of changing
/// other memory. Reads there return zero.
class GuardedBuffer {
public:
    /// @throws std::bad_alloc
    explicit GuardedBuffer(std::size_t bytes)
        : bytes_(bytes + 2 * fence),
          start_(mmap(nullptr, bytes_, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1,
                      0)) {
        if (start_ == MAP_FAILED) throw std::bad_alloc();
        mprotect(inside(), bytes, PROT_READ | PROT_WRITE);
    }
    ~GuardedBuffer() { munmap(start_, bytes_); }
    GuardedBuffer(const GuardedBuffer&) = delete;
    GuardedBuffer& operator=(const GuardedBuffer&) = delete;

    std::byte* inside() const { return static_cast<std::byte*>(start_) + fence; }

private:
    static constexpr std::size_t fence = std::size_t{64} << 20;

    std::size_t bytes_;
    void* start_;
};

}  // namespace parallax
