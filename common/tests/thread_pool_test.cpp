// Tests which thread runs a job, when, and which threads wait.
#include "common/process/thread_pool.hpp"

#include <algorithm>
#include <atomic>
#include <latch>
#include <mutex>
#include <set>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include "common/process/parallel.hpp"

namespace parallax::thread_pool_test {
namespace {

/// Jobs that record their names, and one worker that waits until the test releases it.
class OneWorker : public testing::Test {
protected:
    std::latch begun_{1}, open_{1};
    std::mutex mutex_;
    std::string done_;

    void hold(ThreadPool& pool) {
        pool.add([this] {
            begun_.count_down();
            open_.wait();
        });
        begun_.wait();
    }
    std::function<void()> job(char name) {
        return [this, name] {
            const std::scoped_lock lock(mutex_);
            done_ += name;
        };
    }
};

TEST_F(OneWorker, JobsAreBegunInOrderAndTheFirstBeforeThoseThatWait) {
    std::latch last{1};
    {
        ThreadPool pool(1);
        hold(pool);
        pool.add(job('b'));
        pool.add(job('c'));
        pool.add(job('a'), ThreadPool::TaskKind::device, true);
        pool.add([&] { last.count_down(); });
        open_.count_down();
        last.wait();
    }
    EXPECT_EQ(done_, "abc");
}

TEST_F(OneWorker, NothingIsDoneWhileItRests) {
    ThreadPool pool(1);
    std::latch later{1};
    {
        const ThreadPool::Pause outer(&pool);
        pool.add(job('a'));
        pool.add([&] { later.count_down(); });
        { const ThreadPool::Pause inner(&pool); }
        const std::scoped_lock lock(mutex_);
        EXPECT_EQ(done_, "") << "the outer one still wants quiet";
    }
    later.wait();
    EXPECT_EQ(done_, "a");
}

TEST_F(OneWorker, ARestFromDevicesLeavesTheHostsWork) {
    ThreadPool pool(1);
    std::latch between{1}, later{1};
    {
        const ThreadPool::Pause rest(&pool, ThreadPool::TaskKind::device);
        pool.add(job('d'));
        pool.add(job('h'), ThreadPool::TaskKind::host);
        pool.add([&] { between.count_down(); }, ThreadPool::TaskKind::host);
        between.wait();
        const std::scoped_lock lock(mutex_);
        EXPECT_EQ(done_, "h") << "the device's waits, what the host alone does overtakes it";
    }
    pool.add([&] { later.count_down(); });
    later.wait();
    EXPECT_EQ(done_, "hd");
}

TEST_F(OneWorker, ARestFromDevicesDoesNotWaitForTheHostsWork) {
    ThreadPool pool(1);
    pool.add(
        [this] {
            begun_.count_down();
            open_.wait();
        },
        ThreadPool::TaskKind::host);
    begun_.wait();
    { const ThreadPool::Pause rest(&pool, ThreadPool::TaskKind::device); }
    open_.count_down();
    const ThreadPool::Pause all(&pool);
}

TEST_F(OneWorker, ARestWaitsForWhatHasBegun) {
    ThreadPool pool(1);
    hold(pool);
    std::atomic<bool> opened = false;
    std::jthread opener([&] {
        opened = true;
        open_.count_down();
    });
    const ThreadPool::Pause rest(&pool);
    EXPECT_TRUE(opened);
}

TEST(Crews, WithoutWorkersNothingIsBegun) {
    ThreadPool pool(0);
    bool done = false;
    pool.add([&] { done = true; });
    const ThreadPool::Pause rest(&pool), nobody(nullptr);
    EXPECT_FALSE(done);
}

TEST(AheadOfTime, IsMadeOnceByWhoeverComesFirst) {
    std::atomic<int> made = 0;
    const auto ahead = std::make_shared<OnceFuture<int>>([&] { return ++made; });
    EXPECT_FALSE(ahead->is_made());
    {
        std::vector<std::jthread> threads;
        for (int i = 0; i < 4; ++i) {
            threads.emplace_back([&] { EXPECT_EQ(ahead->get(), 1); });
        }
    }
    EXPECT_TRUE(ahead->is_made());
    ahead->make();
    EXPECT_EQ(made, 1);
}

TEST(AheadOfTime, WhatMakingItThrewIsThrownToAll) {
    OnceFuture<int> ahead([]() -> int { throw std::runtime_error("no"); });
    ahead.make();
    EXPECT_THROW(ahead.get(), std::runtime_error);
    EXPECT_THROW(ahead.get(), std::runtime_error);
}

TEST(AheadOfTime, WhatIsDroppedIsNotMade) {
    bool made = false;
    OnceFuture<int> ahead([&] {
        made = true;
        return 1;
    });
    ahead.drop();
    ahead.make();
    EXPECT_FALSE(made);
    ASSERT_TRUE(ahead.is_made()) << "get() would wait for ever";
    EXPECT_THROW(ahead.get(), Dropped);
}

TEST(Chunks, OfManyWorkersTakeNoMoreThreadsThanThereAreCores) {
    constexpr unsigned workers = 8;
    const unsigned cores = std::max(1u, std::thread::hardware_concurrency());
    std::atomic<unsigned> running = 0, most = 0, done = 0;
    {
        ThreadPool pool(workers);
        std::vector<std::shared_ptr<OnceFuture<int>>> jobs;
        for (unsigned i = 0; i < workers; ++i) {
            jobs.push_back(std::make_shared<OnceFuture<int>>([&] {
                for_chunks(
                    std::uint64_t{cores} * 4,
                    [&](std::uint64_t begin, std::uint64_t end, std::size_t) {
                        const unsigned now = ++running;
                        for (unsigned seen = most; seen < now;) {
                            if (most.compare_exchange_weak(seen, now)) break;
                        }
                        std::this_thread::sleep_for(std::chrono::milliseconds(2));
                        done += static_cast<unsigned>(end - begin);
                        --running;
                    },
                    1);
                return 0;
            }));
            pool.add([job = jobs.back()] { job->make(); });
        }
        for (const auto& job : jobs) job->get();
    }
    EXPECT_EQ(done, workers * cores * 4);
    // This thread may have taken one of their jobs.
    EXPECT_LE(most, workers + 1 + cores);
}

TEST(ParallelLoop, DoesEachChunkOnceAndRethrowsTheFirstException) {
    std::vector<std::atomic<unsigned>> done(40);
    for_each_chunk(done.size(), [&](std::size_t chunk) { ++done[chunk]; });
    for (const auto& times : done) EXPECT_EQ(times, 1u);
    std::atomic<unsigned> others = 0;
    try {
        for_each_chunk(8, [&](std::size_t chunk) {
            if (chunk == 3 || chunk == 5) throw std::runtime_error(std::to_string(chunk));
            ++others;
        });
        ADD_FAILURE() << "no exception";
    } catch (const std::runtime_error& error) {
        EXPECT_STREQ(error.what(), "3");
    }
    EXPECT_EQ(others, 6u);
    for_each_chunk(0, [](std::size_t) { ADD_FAILURE() << "there is none"; });
}

TEST(ParallelLoop, LoopsWithinLoopsEnd) {
    std::atomic<unsigned> done = 0;
    for_each_chunk(6, [&](std::size_t) {
        for_each_chunk(5, [&](std::size_t) { for_each_chunk(4, [&](std::size_t) { ++done; }); });
    });
    EXPECT_EQ(done, 120u);
}

TEST(ParallelLoop, WorksInAForkedProcess) {
    std::atomic<unsigned> before = 0;
    for_each_chunk(16, [&](std::size_t) { ++before; });
    const pid_t child = fork();
    if (child == 0) {
        std::atomic<unsigned> done = 0;
        std::set<std::thread::id> threads;
        std::mutex mutex;
        std::latch two{2};  // only two threads get past it
        for_each_chunk(2, [&](std::size_t) {
            if (usable_cores() > 1) two.arrive_and_wait();
            const std::scoped_lock lock(mutex);
            threads.insert(std::this_thread::get_id());
            ++done;
        });
        _exit(done == 2 && threads.size() == std::min(2u, usable_cores()) ? 0 : 1);
    }
    int status = 0;
    ASSERT_EQ(waitpid(child, &status, 0), child);
    EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0);
}

}  // namespace
}  // namespace parallax::thread_pool_test
