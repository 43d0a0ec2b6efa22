// Runs parallel loops on threads that all of them share.
#include "common/process/parallel.hpp"

#include <atomic>
#include <condition_variable>
#include <cstring>
#include <deque>
#include <exception>
#include <mutex>
#include <new>
#include <system_error>
#include <vector>

#include <pthread.h>

namespace parallax {
namespace {

/// A loop that is at work.
class Loop {
public:
    Loop(std::size_t chunks, const std::function<void(std::size_t)>& do_chunk)
        : do_chunk_(do_chunk), errors_(chunks) {}

    /// Does chunks until none is left.
    void work() {
        for (std::size_t chunk = next_++; chunk < errors_.size(); chunk = next_++) {
            try {
                do_chunk_(chunk);
            } catch (...) {
                errors_[chunk] = std::current_exception();
            }
        }
    }
    void rethrow_first() const {
        for (const std::exception_ptr& error : errors_) {
            if (error) std::rethrow_exception(error);
        }
    }

    unsigned helping = 0;  ///< helpers in work(); guarded by Helpers::mutex
    std::condition_variable ended;

private:
    const std::function<void(std::size_t)>& do_chunk_;
    std::atomic<std::size_t> next_ = 0;
    std::vector<std::exception_ptr> errors_;
};

/// Never destroyed: its threads wait until the process ends.
class Helpers {
public:
    /// The helpers of this process: a fork copies no threads.
    static Helpers& of_process() {
        static Helpers* made = [] {
            pthread_atfork(nullptr, nullptr, [] { renew(); });
            return new Helpers;
        }();
        if (child_) return *child_;
        return *made;
    }

    void run(Loop& loop, std::size_t wanted) {
        struct Withdrawn {
            Helpers& helpers;
            Loop& loop;
            ~Withdrawn() {
                std::unique_lock lock(helpers.mutex_);
                std::erase(helpers.calls_, &loop);
                loop.ended.wait(lock, [&] { return loop.helping == 0; });
            }
        } const at_the_end{*this, loop};
        call(loop, wanted);
        loop.work();
    }

private:
    static void renew() { child_ = new Helpers; }

    void call(Loop& loop, std::size_t wanted) {
        try {
            const std::scoped_lock lock(mutex_);
            calls_.insert(calls_.end(), wanted, &loop);
            while (idle_ < calls_.size() && threads_ < usable_cores()) {
                std::thread([this] { help(); }).detach();
                ++threads_;
                ++idle_;
            }
        } catch (const std::system_error&) {
            // The system allows no more threads, or no more memory: those that exist suffice.
        } catch (const std::bad_alloc&) {
        }
        called_.notify_all();
    }

    void help() {
        std::unique_lock lock(mutex_);
        while (true) {
            called_.wait(lock, [&] { return !calls_.empty(); });
            Loop& loop = *calls_.front();
            calls_.pop_front();
            --idle_;
            ++loop.helping;
            lock.unlock();
            loop.work();
            lock.lock();
            ++idle_;
            if (--loop.helping == 0) loop.ended.notify_all();
        }
    }

    static inline Helpers* child_ = nullptr;  ///< of a process that was forked
    std::mutex mutex_;
    std::condition_variable called_;
    std::deque<Loop*> calls_;  ///< one for each helper that is wanted
    std::size_t threads_ = 0, idle_ = 0;
};

/// Before there are threads: a fork within the first call would leave the child without any.
[[maybe_unused]] const Helpers& made_at_start = Helpers::of_process();

}  // namespace

void for_each_chunk(std::size_t chunks, const std::function<void(std::size_t chunk)>& do_chunk) {
    if (chunks == 0) return;
    Loop loop(chunks, do_chunk);
    if (chunks == 1) {
        loop.work();
    } else {
        Helpers::of_process().run(loop, chunks - 1);
    }
    loop.rethrow_first();
}

namespace {

/// Bytes for which another core is worth its start.
constexpr std::uint64_t worth_a_core = 1 << 21;

}  // namespace

void copy_bytes(void* to, const void* from, std::size_t count) {
    for_chunks(
        count,
        [&](std::uint64_t begin, std::uint64_t end, std::size_t) {
            std::memcpy(static_cast<std::byte*>(to) + begin,
                        static_cast<const std::byte*>(from) + begin, end - begin);
        },
        worth_a_core);
}

void fill_bytes(void* start, unsigned char value, std::size_t count) {
    for_chunks(
        count,
        [&](std::uint64_t begin, std::uint64_t end, std::size_t) {
            std::memset(static_cast<std::byte*>(start) + begin, value, end - begin);
        },
        worth_a_core);
}

}  // namespace parallax
