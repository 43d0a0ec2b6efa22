// Tests the detection of kernels that skip finished work.
#include "measure/finished_work.hpp"

#include <deque>
#include <map>
#include <set>
#include <utility>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "common/suite/inputs.hpp"
#include "common/tests/thorough.hpp"
#include "common/tests/toy_suite.hpp"
#include "measure/tests/fake_nvml.hpp"

namespace parallax::finished_work_test {
namespace {

using namespace fake;

constexpr double quick = 1e-6, slow = 5e-3;

class FinishedWork : public testing::Test {
protected:
    std::shared_ptr<Script> script_ = toy_script();
    FakeBackend backend_{script_};
    std::unique_ptr<Device> device_ = backend_.open(backend_.inventory.devices.at(0));
    const std::vector<HostArray> inputs_ = [] {
        std::vector<HostArray> inputs;
        inputs.emplace_back(ElementType::f32, 100);
        std::ranges::fill(inputs[0].as<float>(), 3.0f);
        return inputs;
    }();
    unsigned worked_ = 0;  ///< launches with work to do

    /// A plan of one launch on two buffers of 100 floats, `x` and `y`.
    std::unique_ptr<Binding> bound(Role of_x, HostKernel kernel) {
        script_->kernels["twice"] = std::move(kernel);
        Plan plan;
        plan.buffers = {{"x", of_x, ElementType::f32, 100},
                        {"y", Role::output, ElementType::f32, 100}};
        plan.steps.push_back(Launch{"twice",
                                    {{1, 1, 1}, {100, 1, 1}},
                                    {BufferIndex{0}, BufferIndex{1}, std::uint64_t{100}}});
        Codes codes;
        codes["twice"] = device_->compile({.source = toy_text}, "twice");
        auto binding = std::make_unique<Binding>(*device_, std::move(plan), std::move(codes));
        binding->load(inputs_, std::byte{0xff});
        binding->run();
        return binding;
    }
    /// The commands that restore `x`.
    std::vector<Command> restored(const Binding& binding) {
        const auto& to = binding.memory()[0];
        return {{Copy{device_->upload(inputs_[0]), to, 0, 0, to->bytes()}}};
    }
    void takes(bool there_is_work) {
        const double seconds = there_is_work ? slow : quick;
        script_->seconds_of = [seconds](const Program&) { return seconds; };
        script_->seconds_per_run = quick;  // of overwritten runs
        worked_ += there_is_work;
    }
    /// A kernel that reads its output first. @returns whether there was work
    bool looks_first(const HostLaunch& l) {
        const bool there_is_work = l.buffer<float>(1)[0] != 6;
        if (there_is_work) std::ranges::fill(l.buffer<float>(1), 6.0f);
        takes(there_is_work);
        return there_is_work;
    }
    std::unique_ptr<Binding> that_uses_its_inputs_up() {
        return bound(Role::in_out, [&](const HostLaunch& l) {
            takes(l.buffer<float>(0)[0] == 3);
            std::ranges::fill(l.buffer<float>(0), 0.0f);
            std::ranges::fill(l.buffer<float>(1), 6.0f);
        });
    }
};

TEST_F(FinishedWork, AKernelThatLooksAtItsOutputFirst) {
    const auto binding = bound(Role::input, [&](const HostLaunch& l) { looks_first(l); });
    binding->run();
    worked_ = 0;
    const SkippedWork found = skips_finished_work(*binding, {quick, 1000});
    EXPECT_NE(found.wrong.find("It takes 5e+03 times as long"), std::string::npos) << found.wrong;
    EXPECT_FALSE(found.doubt);
    // At a thousand quick runs a try, all of which work now, it would take minutes.
    EXPECT_LE(worked_, 2u * (200 + 1));
}

TEST_F(FinishedWork, OneRunOfALongKernelIsATry) {
    constexpr double done = 2e-3, all = 2e-2;
    bool is_cheat = true;
    unsigned launches = 0;
    const auto binding = bound(Role::input, [&](const HostLaunch& l) {
        const bool there_is_work = l.buffer<float>(1)[0] != 6;
        std::ranges::fill(l.buffer<float>(1), 6.0f);
        const double seconds = there_is_work && is_cheat ? all : done;
        script_->seconds_of = [seconds](const Program&) { return seconds; };
        script_->seconds_per_run = quick;  // of fills
        ++launches;
    });
    binding->run();
    EXPECT_NE(skips_finished_work(*binding, {done, 1}).wrong, "");
    is_cheat = false;
    binding->run();
    launches = 0;
    EXPECT_EQ(skips_finished_work(*binding, {done, 1}).wrong, "");
    EXPECT_LE(launches, 2u) << "on what it finds, and overwritten";
}

TEST_F(FinishedWork, AKernelThatIsDoneAfterSomeLaunches) {
    const auto binding = bound(Role::input, [&](const HostLaunch& l) {
        float& progress = l.buffer<float>(1)[0];
        const bool has_begun = progress >= 0 && progress <= 6;
        takes(!has_begun || progress < 6);
        progress = !has_begun ? 0 : std::min(6.0f, progress + 1);
    });
    for (int i = 0; i < 10; ++i) binding->run();
    EXPECT_NE(skips_finished_work(*binding, {quick, 1000}).wrong, "")
        << "the time that is reported is that of launches with nothing to do";
}

TEST_F(FinishedWork, AKernelThatDoesTheSameAlways) {
    const auto binding = bound(Role::in_out, [&](const HostLaunch& l) {
        std::ranges::fill(l.buffer<float>(1), 6.0f);
        takes(true);
    });
    EXPECT_EQ(skips_finished_work(*binding, {slow, 1}).wrong, "");
    EXPECT_FALSE(skips_finished_work(*binding, {slow, 1}).doubt);
    EXPECT_FALSE(reuses_previous_output(*binding, {slow, 1}, restored(*binding)));
}

TEST_F(FinishedWork, AKernelThatUsesItsInputsUp) {
    const auto binding = that_uses_its_inputs_up();
    binding->run();
    EXPECT_EQ(skips_finished_work(*binding, {quick, 1000}).wrong, "")
        << "overwriting its output makes no work";
    const std::optional<Doubt> doubt =
        reuses_previous_output(*binding, {quick, 1000}, restored(*binding));
    ASSERT_TRUE(doubt);
    EXPECT_EQ(doubt->kind, DoubtKind::consumed_inputs);
    EXPECT_NE(doubt->sentence.find("5e+03 times as long on the inputs that it is given"),
              std::string::npos)
        << doubt->sentence;
}

/// A device with other users, whose effect on times says nothing about the kernel.
class DisturbedWork : public FinishedWork {
protected:
    DisturbedWork() {
        DeviceInfo info = fake_info("cuda");
        info.is_gpu = true;
        info.uuid = Uuid{1};
        device_ = backend_.open(info);
    }
    ~DisturbedWork() override { fake_nvml() = {}; }

    /// A kernel whose launches with work seem to take 5000 times as long.
    std::unique_ptr<Binding> suspect() {
        return bound(Role::input, [&](const HostLaunch& l) { looks_first(l); });
    }
};

TEST_F(DisturbedWork, IsWrongOnAQuietDevice) {
    fake_nvml().processes = {{.pid = 1u << 30}};
    const auto binding = suspect();
    binding->run();
    EXPECT_NE(skips_finished_work(*binding, {quick, 1000}).wrong, "") << "one that only holds it";
}

TEST_F(DisturbedWork, IsADoubtWhileOthersUseTheDevice) {
    for (const unsigned percent : {3u, 43u, 99u}) {
        fake_nvml().processes = {{.pid = 1u << 30, .percent = percent}};
        const auto binding = suspect();
        binding->run();
        const SkippedWork found = skips_finished_work(*binding, {quick, 1000});
        EXPECT_EQ(found.wrong, "");
        ASSERT_TRUE(found.doubt);
        EXPECT_EQ(found.doubt->kind, DoubtKind::skipped_work);
        EXPECT_TRUE(found.doubt->sentence.starts_with("it takes 5e+03 times as long"));
        EXPECT_NE(
            found.doubt->sentence.find(fmt::format("others used {} % of the device", percent)),
            std::string::npos)
            << found.doubt->sentence;
    }
}

TEST_F(DisturbedWork, IsADoubtWhereNobodySaysWhatOthersUse) {
    fake_nvml() = {{{.pid = 1u << 30, .percent = 50}}, false};
    const auto binding = suspect();
    binding->run();
    const SkippedWork found = skips_finished_work(*binding, {quick, 1000});
    EXPECT_EQ(found.wrong, "");
    ASSERT_TRUE(found.doubt);
    EXPECT_NE(found.doubt->sentence.find("what they use of it is not known"), std::string::npos);
    fake_nvml().processes.clear();
    EXPECT_NE(skips_finished_work(*binding, {quick, 1000}).wrong, "") << "there are none";
}

TEST_F(DisturbedWork, IsADoubtWhereItIsNoLongerAsFastAsItWasTimed) {
    const auto binding = suspect();
    binding->run();
    const SkippedWork found = skips_finished_work(*binding, {quick / 4, 1000});
    EXPECT_EQ(found.wrong, "");
    ASSERT_TRUE(found.doubt);
    EXPECT_NE(found.doubt->sentence.find("its batches took up to 4 times as long"),
              std::string::npos)
        << found.doubt->sentence;
}

TEST_F(DisturbedWork, IsADoubtWhereTheTriesDoNotAgree) {
    unsigned tries = 0;
    const auto binding = bound(Role::input, [&](const HostLaunch& l) {
        if (!looks_first(l)) return;
        const double seconds = slow * (1 + tries++ % 5);  // like time slices
        script_->seconds_of = [seconds](const Program&) { return seconds; };
    });
    binding->run();
    const SkippedWork found = skips_finished_work(*binding, {quick, 1});
    EXPECT_EQ(found.wrong, "");
    ASSERT_TRUE(found.doubt);
    EXPECT_NE(found.doubt->sentence.find("repeated, that is"), std::string::npos)
        << found.doubt->sentence;
}

TEST_F(DisturbedWork, WhatUsesItsInputsUpIsSuspiciousEitherWay) {
    fake_nvml().processes = {{.pid = 1u << 30, .percent = 50}};
    const auto binding = that_uses_its_inputs_up();
    binding->run();
    EXPECT_NE(reuses_previous_output(*binding, {quick, 1000}, restored(*binding))
                  ->sentence.find("others used 50 %"),
              std::string::npos);
}

/// The key by which a kernel that caches results recognises its inputs.
enum class KeptBy { all, sample, element, running_sum };

/// A kernel on inputs that the device makes, with a timer that adds up the costs of its launches.
class NewInputs : public testing::Test {
protected:
    std::shared_ptr<Script> script_ = toy_script();
    FakeBackend backend_{script_};
    Suite suite_ = drawn_toy(*script_);
    const std::map<std::string, HostKernel, std::less<>> kernels_ = script_->kernels;
    Case case_ = make_case(suite_, suite_.variants[0], {{100}}, ElementType::f32);
    ReferenceCache references_{1 << 20};
    RunConfig config_;
    std::unique_ptr<Device> device_;
    double spent_ = 0, noise_ = 0;
    std::uint64_t launches_ = 0;
    static constexpr double run = 1e-5;

    NewInputs() {
        config_.references = &references_;
        DeviceInfo info = fake_info("cuda");
        info.is_gpu = true;
        info.uuid = Uuid{1};
        device_ = backend_.open(info);
        script_->seconds_of_commands = [this](std::span<const Command> commands,
                                              const OpenOptions&) {
            const auto own = std::ranges::count_if(commands, [](const Command& one) {
                const auto* launch = std::get_if<Dispatch>(&one.what);
                return launch && launch->code->kernel == "twice";
            });
            const double share =
                own == 0 ? 1 : double(own) / double(std::max<std::uint64_t>(1, launches_));
            launches_ = 0;
            return std::exchange(spent_, 0) * share;
        };
    }
    ~NewInputs() override { fake_nvml() = {}; }

    void takes(double seconds) { spent_ += seconds * (1 + noise_ * uniform(1, ++clock_)); }
    /// Writing inputs takes this long.
    void write_takes(double seconds) {
        script_->kernels["draw"] = [this, seconds,
                                    draw = kernels_.at("draw")](const HostLaunch& l) {
            draw(l);
            takes(seconds);
        };
    }
    void kernel(std::function<double(std::span<const float>)> seconds_on) {
        script_->kernels["twice"] = [this, seconds_on,
                                     twice = kernels_.at("twice")](const HostLaunch& l) {
            twice(l);
            ++launches_;
            takes(seconds_on(l.buffer<float>(0)));
        };
    }
    /// @param times  ratio of the cost of calculated results to that of cached ones
    void keeps(std::size_t slots, KeptBy by, double times) {
        const auto key_of = [by](std::span<const float> x, std::size_t i) {
            float key = 0;
            if (by == KeptBy::element) return x[i];
            for (std::size_t k = 0; k < x.size(); ++k) {
                if (by == KeptBy::sample && k % 17 != 3) continue;
                key = by == KeptBy::running_sum ? key * 0.75f + x[k] : key + x[k] * float(k + 1);
            }
            return key;
        };
        // Per element, or per work-group, each has slots of its own.
        auto kept = std::make_shared<std::map<std::size_t, std::deque<float>>>();
        kernel([=](std::span<const float> x) {
            const std::size_t parts = by == KeptBy::element ? 10 : 1;
            double seconds = 0;
            for (std::size_t part = 0; part < parts; ++part) {
                std::deque<float>& own = (*kept)[part];
                const float key = key_of(x, part);
                const bool is_known = std::ranges::find(own, key) != own.end();
                seconds += (is_known ? run : times * run) / static_cast<double>(parts);
                if (is_known) continue;
                own.push_front(key);
                if (own.size() > slots) own.pop_back();
            }
            return seconds;
        });
    }
    Remembering found(Role of_x = Role::input, unsigned repeats = 100) {
        Plan plan = plan_of(case_);
        plan.buffers[0].role = of_x;
        Codes codes{{"twice", device_->compile({.source = toy_text}, "twice")}};
        Binding binding(*device_, plan, codes);
        TimedInputs inputs(*device_, case_, plan, config_);
        EXPECT_TRUE(inputs.by_batch());
        inputs.load(binding, 5, std::byte{0xff});
        return remembers_inputs(binding, inputs, {run, repeats});
    }
    static bool is_quiet(const Remembering& found) {
        return found.skipped.wrong.empty() && !found.skipped.doubt && !found.consumed &&
               found.untold.empty();
    }

private:
    std::uint64_t clock_ = 0;
};

TEST_F(NewInputs, ShowWhatKeepsAnswers) {
    unsigned which_one = 0;
    for (const double write : {0.1 * run, run, 20 * run}) {
        for (const std::size_t slots : {1u, 2u, 8u, 64u}) {
            for (const KeptBy by :
                 {KeptBy::all, KeptBy::sample, KeptBy::element, KeptBy::running_sum}) {
                for (const double times : {1.5, 2.0, 3.5, 10.0, 1000.0}) {
                    // Every seventh has each of the values.
                    if (which_one++ % 7 != 0 && !test::is_thorough()) continue;
                    noise_ = 0.001;
                    write_takes(write);
                    keeps(slots, by, times);
                    const Remembering seen = found();
                    const std::string which =
                        fmt::format("{} slots, key {}, {} times, writing {}", slots,
                                    static_cast<int>(by), times, write);
                    EXPECT_TRUE(seen.skipped.doubt || !seen.skipped.wrong.empty()) << which;
                    EXPECT_EQ(!seen.skipped.wrong.empty(), times > 3) << which;
                    if (!seen.skipped.doubt) continue;
                    EXPECT_THAT(seen.skipped.doubt->sentence,
                                testing::HasSubstr("does it know inputs that it had before?"));
                }
            }
        }
    }
}

TEST_F(NewInputs, SayNothingOfHonestKernels) {
    noise_ = 0.02;
    write_takes(5 * run);
    kernel([](std::span<const float>) { return run; });
    EXPECT_TRUE(is_quiet(found()));
    EXPECT_TRUE(is_quiet(found(Role::in_out)));
    // The cache contents of each launch depend on what is written before it.
    kernel([](std::span<const float>) { return 2 * run; });
    EXPECT_TRUE(is_quiet(found()));
}

TEST_F(NewInputs, OnWhichSomeTakeLongerAreNoDoubt) {
    write_takes(run);
    kernel([](std::span<const float> x) { return run * (x[7] < 0 ? 0.2 : 3.8); });
    for (int i = 0; i < 5; ++i) EXPECT_TRUE(is_quiet(found()));
}

TEST_F(NewInputs, TellNothingWhileOthersUseTheDevice) {
    fake_nvml().processes = {{.pid = 1u << 30, .percent = 43}};
    write_takes(run);
    keeps(8, KeptBy::sample, 2);
    const Remembering little = found();
    EXPECT_FALSE(little.skipped.doubt);
    EXPECT_EQ(little.skipped.wrong, "");
    EXPECT_THAT(little.untold, testing::AllOf(testing::HasSubstr("Whether it knows inputs"),
                                              testing::HasSubstr("others used 43 %")));
    keeps(8, KeptBy::sample, 500);
    EXPECT_TRUE(found().skipped.doubt) << "that much is no one else's";
    fake_nvml() = {};
    EXPECT_NE(found().skipped.wrong, "");
}

TEST_F(NewInputs, OfAKernelThatNeedsSomeLaunchesToKnowThem) {
    write_takes(run);
    auto seen = std::make_shared<std::map<float, unsigned>>();
    kernel([=](std::span<const float> x) { return (*seen)[x[3]]++ < 50 ? 4 * run : run; });
    EXPECT_NE(found().skipped.wrong, "");
}

TEST_F(NewInputs, ThatEarlierLaunchesUsedUp) {
    write_takes(run);
    // Its work is left in what it reads: the launches of a batch find it done.
    script_->kernels["twice"] = [this](const HostLaunch& l) {
        ++launches_;
        takes(l.buffer<float>(0)[0] == 7 ? run : 1.6 * run);
        l.buffer<float>(0)[0] = 7;
    };
    const Remembering seen = found(Role::in_out);
    ASSERT_TRUE(seen.consumed);
    EXPECT_EQ(seen.consumed->kind, DoubtKind::consumed_inputs);
    // It keeps answers, too.
    keeps(8, KeptBy::all, 100);
    EXPECT_NE(found(Role::in_out).skipped.wrong, "");
}

TEST_F(NewInputs, OfAFileAreTheSameNumbersInOtherPlaces) {
    suite_.drawing = [](const Case&) {
        return std::vector<DrawnBuffer>{{.has_rest = true, .may_rotate = true}};
    };
    std::set<float> first, sums;
    kernel([&](std::span<const float> x) {
        first.insert(x[0]);
        float sum = 0;
        for (const float one : std::set<float>(x.begin(), x.end())) sum += one;
        sums.insert(sum);
        return first.size() > 3 ? 3 * run : run;
    });
    found();
    EXPECT_GT(first.size(), 30u);
    EXPECT_EQ(sums.size(), 1u);
    keeps(8, KeptBy::sample, 2);
    EXPECT_TRUE(is_quiet(found())) << "where numbers lie may change a time as much";
    keeps(8, KeptBy::sample, 10);
    const Remembering seen = found();
    EXPECT_EQ(seen.skipped.wrong, "") << "nothing says that they may lie elsewhere";
    EXPECT_TRUE(seen.skipped.doubt);
}

TEST_F(NewInputs, AreMoreThanAnyKernelKeepsUnlessThatTakesLong) {
    unsigned launches = 0;
    kernel([&](std::span<const float>) {
        ++launches;
        return run;
    });
    EXPECT_TRUE(is_quiet(found(Role::input, 1)));
    EXPECT_GT(launches, 64u);
    launches = 0;
    kernel([&](std::span<const float>) {
        ++launches;
        return 2.0;
    });
    spent_ = 0;
    found(Role::input, 1);
    EXPECT_LT(launches, 60u) << "it takes 200,000 times as long";
}

}  // namespace
}  // namespace parallax::finished_work_test
