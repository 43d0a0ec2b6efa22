// Who does a job, when, and who waits for whom.
#include "common/crew.hpp"

#include <latch>
#include <stdexcept>
#include <string>

#include <gtest/gtest.h>

#include "common/parallel.hpp"

namespace parallax::crew_test {
namespace {

/// Jobs that write their names, one worker, which waits at the gate until it is opened.
class OneWorker : public testing::Test {
protected:
    std::latch begun_{1}, open_{1};
    std::mutex mutex_;
    std::string done_;

    void hold(Crew& crew) {
        crew.add([this] {
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
        Crew crew(1);
        hold(crew);
        crew.add(job('b'));
        crew.add(job('c'));
        crew.add(job('a'), Crew::Load::device, true);
        crew.add([&] { last.count_down(); });
        open_.count_down();
        last.wait();
    }
    EXPECT_EQ(done_, "abc");
}

TEST_F(OneWorker, NothingIsDoneWhileItRests) {
    Crew crew(1);
    std::latch later{1};
    {
        const Crew::Rest outer(&crew);
        crew.add(job('a'));
        crew.add([&] { later.count_down(); });
        { const Crew::Rest inner(&crew); }
        const std::scoped_lock lock(mutex_);
        EXPECT_EQ(done_, "") << "the outer one still wants quiet";
    }
    later.wait();
    EXPECT_EQ(done_, "a");
}

TEST_F(OneWorker, ARestFromDevicesLeavesTheHostsWork) {
    Crew crew(1);
    std::latch between{1}, later{1};
    {
        const Crew::Rest rest(&crew, Crew::Load::device);
        crew.add(job('d'));
        crew.add(job('h'), Crew::Load::host);
        crew.add([&] { between.count_down(); }, Crew::Load::host);
        between.wait();
        const std::scoped_lock lock(mutex_);
        EXPECT_EQ(done_, "h") << "the device's waits, what the host alone does overtakes it";
    }
    crew.add([&] { later.count_down(); });
    later.wait();
    EXPECT_EQ(done_, "hd");
}

TEST_F(OneWorker, ARestFromDevicesDoesNotWaitForTheHostsWork) {
    Crew crew(1);
    crew.add(
        [this] {
            begun_.count_down();
            open_.wait();
        },
        Crew::Load::host);
    begun_.wait();
    { const Crew::Rest rest(&crew, Crew::Load::device); }
    open_.count_down();
    const Crew::Rest all(&crew);
}

TEST_F(OneWorker, ARestWaitsForWhatHasBegun) {
    Crew crew(1);
    hold(crew);
    std::atomic<bool> opened = false;
    std::jthread opener([&] {
        opened = true;
        open_.count_down();
    });
    const Crew::Rest rest(&crew);
    EXPECT_TRUE(opened);
}

TEST(Crews, WithoutWorkersNothingIsBegun) {
    Crew crew(0);
    bool done = false;
    crew.add([&] { done = true; });
    const Crew::Rest rest(&crew), nobody(nullptr);
    EXPECT_FALSE(done);
}

TEST(AheadOfTime, IsMadeOnceByWhoeverComesFirst) {
    std::atomic<int> made = 0;
    const auto ahead = std::make_shared<Ahead<int>>([&] { return ++made; });
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
    Ahead<int> ahead([]() -> int { throw std::runtime_error("no"); });
    ahead.make();
    EXPECT_THROW(ahead.get(), std::runtime_error);
    EXPECT_THROW(ahead.get(), std::runtime_error);
}

TEST(AheadOfTime, WhatIsDroppedIsNotMade) {
    bool made = false;
    Ahead<int> ahead([&] {
        made = true;
        return 1;
    });
    ahead.drop();
    ahead.make();
    EXPECT_FALSE(made);
    ASSERT_TRUE(ahead.is_made()) << "who gets it would wait for ever";
    EXPECT_THROW(ahead.get(), Dropped);
}

TEST(Chunks, OfManyWorkersTakeNoMoreThreadsThanThereAreCores) {
    constexpr unsigned workers = 8;
    const unsigned cores = std::max(1u, std::thread::hardware_concurrency());
    std::atomic<unsigned> running = 0, most = 0, done = 0;
    {
        Crew crew(workers);
        std::vector<std::shared_ptr<Ahead<int>>> jobs;
        for (unsigned i = 0; i < workers; ++i) {
            jobs.push_back(std::make_shared<Ahead<int>>([&] {
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
            crew.add([job = jobs.back()] { job->make(); });
        }
        for (const auto& job : jobs) job->get();
    }
    EXPECT_EQ(done, workers * cores * 4);
    // This thread may have taken a job from them.
    EXPECT_LE(most, workers + 1 + cores);
}

}  // namespace
}  // namespace parallax::crew_test
