// Tests the detection of kernels that skip finished work.
#include "measure/finished_work.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

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
    void takes(bool there_is_work) {
        const double seconds = there_is_work ? slow : quick;
        script_->seconds_of = [seconds](const Program&) { return seconds; };
        script_->seconds_per_run = quick;  // of overwritten runs
        worked_ += there_is_work;
    }
};

TEST_F(FinishedWork, AKernelThatLooksAtItsOutputFirst) {
    const auto binding = bound(Role::input, [&](const HostLaunch& l) {
        const bool there_is_work = l.buffer<float>(1)[0] != 6;
        if (there_is_work) std::ranges::fill(l.buffer<float>(1), 6.0f);
        takes(there_is_work);
    });
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
    const std::vector<std::shared_ptr<Memory>> inputs{device_->upload(inputs_[0])};
    EXPECT_FALSE(reuses_previous_output(*binding, {slow, 1}, inputs));
}

TEST_F(FinishedWork, AKernelThatUsesItsInputsUp) {
    const auto binding = bound(Role::in_out, [&](const HostLaunch& l) {
        takes(l.buffer<float>(0)[0] == 3);
        std::ranges::fill(l.buffer<float>(0), 0.0f);
        std::ranges::fill(l.buffer<float>(1), 6.0f);
    });
    binding->run();
    EXPECT_EQ(skips_finished_work(*binding, {quick, 1000}).wrong, "")
        << "overwriting its output makes no work";
    const std::vector<std::shared_ptr<Memory>> inputs{device_->upload(inputs_[0])};
    const std::optional<Doubt> doubt = reuses_previous_output(*binding, {quick, 1000}, inputs);
    ASSERT_TRUE(doubt);
    EXPECT_EQ(doubt->kind, DoubtKind::consumed_inputs);
    EXPECT_NE(doubt->sentence.find("5e+03 times as long on the inputs that it is given"),
              std::string::npos)
        << doubt->sentence;
}

TEST_F(FinishedWork, AKernelThatKnowsItsInputsAgain) {
    float known = 0;
    bool is_cheat = true;
    const auto binding = bound(Role::input, [&](const HostLaunch& l) {
        const float middle = l.buffer<float>(0)[50];
        takes(!is_cheat || middle != known);
        known = middle;
        std::ranges::fill(l.buffer<float>(1), 2 * middle);
    });
    HostArray others(ElementType::f32, 100);
    std::ranges::fill(others.as<float>(), 4.0f);
    const std::vector<std::shared_ptr<Memory>> inputs{device_->upload(inputs_[0])},
        changed{device_->upload(others)};
    const SkippedWork found = knows_its_inputs(*binding, {quick, 1000}, changed, inputs);
    EXPECT_NE(found.wrong.find("times as long when its inputs change before each run as when they "
                               "stay: it knows inputs that it had before"),
              std::string::npos)
        << found.wrong;
    binding->run();
    HostArray left(ElementType::f32, 100);
    binding->read_part(1, 0, left);
    EXPECT_EQ(left.as<float>()[0], 6) << "its inputs are there";
    is_cheat = false;
    EXPECT_EQ(knows_its_inputs(*binding, {slow, 1}, changed, inputs).wrong, "");
}

TEST_F(FinishedWork, AKernelWithMoreWorkForSomeInputsIsNoCheat) {
    const auto binding = bound(Role::input, [&](const HostLaunch& l) {
        takes(l.buffer<float>(0)[50] == 4);
        std::ranges::fill(l.buffer<float>(1), 6.0f);
    });
    HostArray others(ElementType::f32, 100);
    std::ranges::fill(others.as<float>(), 4.0f);
    const std::vector<std::shared_ptr<Memory>> inputs{device_->upload(inputs_[0])},
        changed{device_->upload(others)};
    EXPECT_EQ(knows_its_inputs(*binding, {quick, 1000}, changed, inputs).wrong, "");
    EXPECT_EQ(knows_its_inputs(*binding, {slow, 1}, inputs, changed).wrong, "");
}

TEST_F(FinishedWork, InputsThatAKernelUsesUpTellNothing) {
    const auto binding = bound(Role::in_out, [&](const HostLaunch& l) {
        takes(l.buffer<float>(0)[0] != 0);
        std::ranges::fill(l.buffer<float>(0), 0.0f);
    });
    const std::vector<std::shared_ptr<Memory>> inputs{device_->upload(inputs_[0])};
    const SkippedWork found = knows_its_inputs(*binding, {quick, 1000}, inputs, inputs);
    EXPECT_EQ(found.wrong, "");
    EXPECT_FALSE(found.doubt);
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
        return bound(Role::input, [&](const HostLaunch& l) {
            const bool there_is_work = l.buffer<float>(1)[0] != 6;
            if (there_is_work) std::ranges::fill(l.buffer<float>(1), 6.0f);
            takes(there_is_work);
        });
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
        const bool there_is_work = l.buffer<float>(1)[0] != 6;
        if (there_is_work) std::ranges::fill(l.buffer<float>(1), 6.0f);
        takes(there_is_work);
        if (!there_is_work) return;
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
    const auto binding = bound(Role::in_out, [&](const HostLaunch& l) {
        takes(l.buffer<float>(0)[0] == 3);
        std::ranges::fill(l.buffer<float>(0), 0.0f);
        std::ranges::fill(l.buffer<float>(1), 6.0f);
    });
    binding->run();
    const std::vector<std::shared_ptr<Memory>> inputs{device_->upload(inputs_[0])};
    EXPECT_NE(
        reuses_previous_output(*binding, {quick, 1000}, inputs)->sentence.find("others used 50 %"),
        std::string::npos);
}

}  // namespace
}  // namespace parallax::finished_work_test
