// Tests runs on several physical devices at the same time.
#include "measure/concurrency.hpp"

#include <barrier>
#include <latch>
#include <mutex>
#include <set>
#include <thread>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "common/error.hpp"
#include "common/tests/toy_suite.hpp"
#include "measure/session.hpp"

namespace parallax::concurrency_test {
namespace {

using namespace fake;

/// Notes of jobs, with their threads.
class Notes {
public:
    void write(const std::string& what) {
        const std::scoped_lock lock(mutex_);
        all_.emplace_back(what, std::this_thread::get_id());
    }
    std::vector<std::string> words() const {
        std::vector<std::string> list;
        for (const auto& [what, who] : all_) list.push_back(what);
        return list;
    }
    std::set<std::thread::id> threads_of(const std::string& what) const {
        std::set<std::thread::id> ids;
        for (const auto& [one, who] : all_) {
            if (one == what) ids.insert(who);
        }
        return ids;
    }

    /// For each note, whether this thread wrote it.
    std::vector<bool> by_this_thread(const std::string& what) const {
        std::vector<bool> list;
        for (const auto& [one, who] : all_) {
            if (one == what) list.push_back(who == std::this_thread::get_id());
        }
        return list;
    }

private:
    std::mutex mutex_;
    std::vector<std::pair<std::string, std::thread::id>> all_;
};

TEST(SideBySide, DevicesGoOnTogetherAndEachOneAfterTheOther) {
    Notes notes;
    std::barrier together(2);
    std::vector<DeviceTask> jobs;
    for (int i = 0; i < 3; ++i) {
        for (const unsigned physical : {7u, 9u}) {
            jobs.push_back({physical, Concurrency::all, [&, physical] {
                                together.arrive_and_wait();  // both, or neither passes
                                notes.write(std::to_string(physical));
                            }});
        }
    }
    run_concurrently(jobs);
    EXPECT_EQ(notes.words().size(), 6u);
    EXPECT_EQ(notes.threads_of("7").size(), 1u);
    EXPECT_EQ(notes.threads_of("9").size(), 1u);
    EXPECT_NE(notes.threads_of("7"), notes.threads_of("9"));
    EXPECT_EQ(tasks_in_a_row(jobs), 3u);
}

TEST(SideBySide, WhatIsToBeAloneGoesBeforeAllOthers) {
    Notes notes;
    std::vector<DeviceTask> jobs;
    for (const unsigned physical : {0u, 1u}) {
        jobs.push_back({physical, Concurrency::all, [&] { notes.write("together"); }});
        jobs.push_back({physical, Concurrency::its_like, [&] { notes.write("alike"); }});
        jobs.push_back({physical, Concurrency::nothing, [&] { notes.write("alone"); }});
    }
    run_concurrently(jobs);
    EXPECT_THAT(notes.words(),
                testing::ElementsAre("alone", "alone", "alike", "alike", "together", "together"));
    EXPECT_THAT(notes.threads_of("alone"), testing::ElementsAre(std::this_thread::get_id()));
    EXPECT_EQ(notes.threads_of("alike").size(), 2u);
    EXPECT_EQ(tasks_in_a_row(jobs), 5u);
}

TEST(SideBySide, OneDeviceKeepsTheOrderAndTheThread) {
    Notes notes;
    std::vector<DeviceTask> jobs;
    for (const char* name : {"a", "b", "c"}) {
        jobs.push_back({0, *name == 'b' ? Concurrency::its_like : Concurrency::all,
                        [&notes, name] { notes.write(name); }});
    }
    run_concurrently(jobs);
    EXPECT_THAT(notes.words(), testing::ElementsAre("a", "b", "c"));
    EXPECT_THAT(notes.threads_of("a"), testing::ElementsAre(std::this_thread::get_id()));
    EXPECT_EQ(tasks_in_a_row({}), 0u);
}

TEST(SideBySide, AnErrorLetsTheOthersEndWhatTheyHaveBegun) {
    Notes notes;
    std::latch begun(2), thrown(1);
    const std::vector<DeviceTask> jobs{{0, Concurrency::all,
                                        [&] {
                                            begun.arrive_and_wait();
                                            thrown.count_down();
                                            throw Interrupted();
                                        }},
                                       {0, Concurrency::all, [&] { notes.write("after"); }},
                                       {1, Concurrency::all, [&] {
                                            begun.arrive_and_wait();
                                            thrown.wait();
                                            notes.write("ended");
                                        }}};
    EXPECT_THROW(run_concurrently(jobs), Interrupted);
    EXPECT_THAT(notes.words(), testing::ElementsAre("ended"));
}

/// Two GPUs: one with two entries, `fake` and `twin`, and `other`.
class TwoGpus : public testing::TestWithParam<unsigned> {
protected:
    std::map<std::string, std::shared_ptr<Script>> scripts_;
    std::vector<std::unique_ptr<Backend>> backends_;
    Request request_;
    std::vector<Record> records_;
    std::vector<Progress> progress_;
    Notes timed_;

    TwoGpus() {
        toy_suites().push_back(toy_ceilings());
        for (const char* name : {"fake", "twin", "other"}) add(name, true);
        request_.picks = {{&suites()[0], &suites()[0].variants[0]}};
        request_.types = {ElementType::f32, ElementType::i32};
        request_.budget_seconds = 1e6;
    }
    ~TwoGpus() override { toy_suites().pop_back(); }

    void add(const std::string& name, bool is_gpu) {
        const auto script = scripts_[name] = toy_script();
        auto backend = std::make_unique<FakeBackend>(script, name);
        DeviceInfo& info = backend->inventory.devices.at(0);
        info.is_gpu = is_gpu;
        info.uuid = Uuid{static_cast<std::uint8_t>(name == "twin" ? 'f' : name[0])};
        // Code is loaded again only between the rounds of timing.
        script->before = [this, name](std::string_view call) {
            if (call == "load again") timed_.write(name);
        };
        backends_.push_back(std::move(backend));
    }
    Totals run() {
        RunConfig config;
        config.kernel_source = [](std::string_view) { return std::string(toy_text); };
        config.rule.rounds = 2;
        config.rule.most_samples = 4;
        config.workers = GetParam();
        return run_session(request_, find_devices(backends_).entries, config, RunInfo{.id = "one"},
                           {.progress = [&](const Progress& p) { progress_.push_back(p); },
                            .record = [&](const Record& record) { records_.push_back(record); },
                            .trouble = {}});
    }
    /// Called whenever the entry times something, including ceilings.
    void whenever_it_times(const std::string& name, std::function<void()> what) {
        scripts_.at(name)->before = [this, name, what](std::string_view call) {
            if (call != "load again") return;
            timed_.write(name);
            what();
        };
    }
    std::vector<std::string> who_was_ok() const {
        std::vector<std::string> list;
        for (const Record& record : records_) {
            if (record.key.suite == "toy" && record.status == Status::ok) {
                list.push_back(record.device + " " + record.key.type);
            }
        }
        return list;
    }
};

TEST_P(TwoGpus, AreTimedTogetherAndTheEntriesOfOneAreNot) {
    std::barrier together(2);
    for (const char* name : {"fake", "other"}) {
        unsigned count = 0;
        whenever_it_times(name, [&together, count]() mutable {
            // The second is the launch in order: alone, before all others.
            if (++count != 1) together.arrive_and_wait();
        });
    }
    const Totals totals = run();
    EXPECT_EQ(totals.ok, 6u);
    for (const char* name : {"fake", "twin"}) {
        EXPECT_EQ(timed_.by_this_thread(name), std::vector(5, true)) << name;
    }
    EXPECT_THAT(timed_.by_this_thread("other"),
                testing::ElementsAre(true, false, false, false, false))
        << "the launch alone, then two ceilings and two cases next to the other GPU";
    EXPECT_THAT(who_was_ok(), testing::ElementsAre("fake:0 float", "twin:0 float", "other:0 float",
                                                   "fake:0 int", "twin:0 int", "other:0 int"));
    std::vector<std::string> ceilings;
    for (std::size_t i = 0; i < 9; ++i) ceilings.push_back(records_.at(i).key.variant);
    EXPECT_THAT(ceilings, testing::ElementsAre("copy", "fma", "launch", "copy", "fma", "launch",
                                               "copy", "fma", "launch"));
    EXPECT_EQ(progress_.back().total, 15u);
    EXPECT_EQ(records_.size(), 15u);
}

TEST_P(TwoGpus, WhileOneTimesWhatIsShortTheOtherDoesNothing) {
    request_.shapes = {{{100}}};
    std::mutex mutex;
    // For each timed entry: the calls of others since its last batch.
    std::map<std::string, std::vector<std::string>> since;
    std::vector<std::string> disturbances;
    unsigned batches = 0;
    for (const auto& [name, script] : scripts_) {
        unsigned loads = 0;
        bool is_timed = false;
        const auto notice = [&, name = name, loads, is_timed](std::string_view call) mutable {
            const std::scoped_lock lock(mutex);
            if (call == "load again") is_timed = ++loads > 3;  // earlier ones are ceilings
            if (is_timed && call == "launch") {
                ++batches;
                const std::vector<std::string> others = std::exchange(since[name], {});
                disturbances.insert(disturbances.end(), others.begin(), others.end());
            } else if (call.starts_with("read")) {
                is_timed = false;
                since.erase(name);
            }
            for (auto& [who, calls] : since) {
                if (who != name) calls.push_back(fmt::format("{}: {} beside {}", name, call, who));
            }
        };
        const auto shared = std::make_shared<std::function<void(std::string_view)>>(notice);
        script->before = [shared](std::string_view call) { (*shared)(call); };
        script->kernels["twice"] = [shared](const HostLaunch& launch) {
            (*shared)("launch");
            for (int i = 0; i < 100; ++i) std::this_thread::yield();  // now another thread could
            twice(launch);
        };
    }
    EXPECT_EQ(run().ok, 6u);
    EXPECT_GT(batches, 0u);
    EXPECT_THAT(disturbances, testing::IsEmpty());
}

TEST_P(TwoGpus, ACpuIsTimedAlone) {
    add("cpu", false);
    EXPECT_EQ(run().ok, 8u);
    EXPECT_EQ(timed_.by_this_thread("cpu"), std::vector(5, true));
}

TEST_P(TwoGpus, AnErrorOnOneLeavesTheOthersResults) {
    whenever_it_times("other", [] { throw DeviceError("It broke."); });
    const Totals totals = run();
    EXPECT_EQ(totals.failed, 5u) << "ceilings too";
    EXPECT_THAT(who_was_ok(),
                testing::ElementsAre("fake:0 float", "twin:0 float", "fake:0 int", "twin:0 int"));
}

TEST_P(TwoGpus, AnInterruptionKeepsWhatWasMeasured) {
    std::latch both(2);
    for (const char* name : {"fake", "other"}) {
        const bool ends = std::string(name) == "fake";
        unsigned count = 0;
        whenever_it_times(name, [&both, ends, count]() mutable {
            if (++count != 4) return;  // after the ceilings
            both.arrive_and_wait();
            if (ends) throw Interrupted();
        });
    }
    EXPECT_THROW(run(), Interrupted);
    // The other GPU ends the case that it times, and one more where it begins that in time.
    EXPECT_THAT(who_was_ok(), testing::AnyOf(testing::ElementsAre("other:0 float"),
                                             testing::ElementsAre("other:0 float", "other:0 int")));
    EXPECT_EQ(records_.size(), 9u + who_was_ok().size());
}

TEST_P(TwoGpus, HaveTheSizesThatOneWouldHave) {
    request_.types = {ElementType::f32};
    // Enough for the largest shape of 1 ms with both entries of one device, but not with two
    // devices if their cases ran one after the other.
    request_.budget_seconds = 800 * 1e-3 * 8 * 1.2;
    for (auto& [name, script] : scripts_) script->seconds_per_run = 1e-3;
    run();
    for (const Record& record : records_) {
        if (record.key.suite == "toy") {
            EXPECT_EQ(to_string(Shape{record.key.shape}), "100000");
        }
    }
}

INSTANTIATE_TEST_SUITE_P(Workers, TwoGpus, testing::Values(0u, 3u));

}  // namespace
}  // namespace parallax::concurrency_test
