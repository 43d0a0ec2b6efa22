// Tests the direct CUDA side with a fake runtime: the same launches as the backend's, every failed
// call reported, everything freed.
#include <cstring>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "backends/cuda/cuda_backend.hpp"
#include "backends/cuda/nvrtc.hpp"
#include "backends/cuda/tests/fake_runtime.hpp"
#include "benchmarks/direct.hpp"
#include "common/error.hpp"
#include "measure/binding.hpp"
#include "measure/run_case.hpp"
#include "measure/verification.hpp"
#include "suites/case_words.hpp"

namespace parallax::benchmarks {

std::unique_ptr<Direct> open_direct_cuda(const DeviceInfo&);

namespace direct_cuda_test {
namespace {

using cuda::fake;
using testing::HasSubstr;
using testing::ThrowsMessage;

class DirectCuda : public testing::Test {
protected:
    DirectCuda() {
        cuda::new_fake();
        config_.kernel_source = [](std::string_view file) { return kernel_source(file); };
        backend_ = make_cuda_backend();
        infos_ = backend_->find().devices;
    }
    ~DirectCuda() override { cuda::new_fake(); }

    static Case case_of(const char* suite, const char* variant, Shape shape) {
        const Suite& found = suite_named(suite);
        return make_case(found, variant_named(found, variant), std::move(shape), ElementType::f32);
    }
    static std::vector<HostArray> inputs_of(const Case& c) {
        return c.suite->inputs(c, input_patterns_of(c)[1], 1);
    }
    /// The job of a case, with the sources that the backend passes to its compiler.
    Job job_of(const Case& c) {
        const std::unique_ptr<Device> device = backend_->open(infos_.at(0));
        const Program program = program_of(c, config_);
        Job job{program.name, plan_of(c), {}};
        for (const auto& [name, code] : build(*device, program, job.plan)) {
            job.kernels[name] = {code->source, code->options};
        }
        return job;
    }
    static void expect_nothing_left() {
        EXPECT_TRUE(fake().memory.empty());
        EXPECT_TRUE(fake().streams.empty());
        EXPECT_TRUE(fake().events.empty());
        EXPECT_TRUE(fake().libraries.empty());
    }

    RunConfig config_;
    std::unique_ptr<Backend> backend_;
    std::vector<DeviceInfo> infos_;
};

class DirectCudaLaunches : public DirectCuda,
                           public testing::WithParamInterface<std::pair<const char*, Shape>> {};

TEST_P(DirectCudaLaunches, AreTheBackends) {
    if (!cuda::nvrtc().available()) GTEST_SKIP() << cuda::nvrtc().problem();
    const std::string title = GetParam().first;
    const std::size_t cut = title.find('/');
    const Case c =
        case_of(title.substr(0, cut).c_str(), title.substr(cut + 1).c_str(), GetParam().second);
    const Job job = job_of(c);
    fake().parameters = 4;  // the same for all of these kernels

    std::vector<cuda::FakeLaunch> through;
    {
        const std::unique_ptr<Device> device = backend_->open(infos_.at(0));
        Binding binding(*device, job.plan, build(*device, program_of(c, config_), job.plan));
        binding.load(inputs_of(c), std::byte{0xff});
        fake().launches.clear();
        binding.run(3);
        through = fake().launches;
    }
    const std::unique_ptr<Direct> direct = open_direct_cuda(infos_.at(0));
    const std::vector<HostArray> inputs = inputs_of(c);
    direct->prepare(job, inputs);
    fake().launches.clear();
    EXPECT_DOUBLE_EQ(direct->run(3), 2e-3);
    ASSERT_EQ(fake().launches.size(), through.size());
    ASSERT_EQ(through.size(), 3 * job.plan.steps.size());
    const auto same = [](const dim3& a, const dim3& b) {
        return a.x == b.x && a.y == b.y && a.z == b.z;
    };
    for (std::size_t i = 0; i < through.size(); ++i) {
        const cuda::FakeLaunch& one = fake().launches[i];
        EXPECT_TRUE(same(one.groups, through[i].groups));
        EXPECT_TRUE(same(one.items, through[i].items));
        EXPECT_EQ(one.local_bytes, through[i].local_bytes);
        const Launch& launch = *job.plan.steps[i % job.plan.steps.size()].launch();
        ASSERT_EQ(launch.arguments.size(), 4u);
        for (std::size_t k = 0; k < launch.arguments.size(); ++k) {
            if (const auto* scalar = std::get_if<Scalar>(&launch.arguments[k])) {
                const std::size_t size =
                    std::visit([](const auto& value) { return sizeof value; }, *scalar);
                EXPECT_EQ(std::memcmp(&one.bits[k], &through[i].bits[k], size), 0);
            } else {
                EXPECT_EQ(fake().memory.count(reinterpret_cast<void*>(one.bits[k])), 1u);
            }
        }
    }
}

INSTANTIATE_TEST_SUITE_P(
    Nvrtc, DirectCudaLaunches,
    testing::Values(std::pair<const char*, Shape>{"transpose/padded", {{100, 77}}},
                    std::pair<const char*, Shape>{"reduction/vector", {{70001}}},
                    std::pair<const char*, Shape>{"ceiling/fma", {{1000}}}));

TEST_F(DirectCuda, CopyArrivesOnTheDeviceWithTheUuid) {
    const Case c = case_of("ceiling", "copy", {{1000}});
    const std::vector<HostArray> inputs = inputs_of(c);
    {
        const std::unique_ptr<Direct> direct = open_direct_cuda(infos_.at(1));
        direct->prepare({"ceiling.cl", plan_of(c), {}}, inputs);
        for (const auto& [address, device] : fake().memory) EXPECT_EQ(device, 1);
        EXPECT_NE(
            std::memcmp(direct->outputs().at(0).bytes().data(), inputs[0].bytes().data(), 4000), 0);
        direct->run(2);
        EXPECT_EQ(
            std::memcmp(direct->outputs().at(0).bytes().data(), inputs[0].bytes().data(), 4000), 0);
        // Objects of the earlier call are freed first.
        direct->prepare({"ceiling.cl", plan_of(c), {}}, inputs);
        EXPECT_EQ(fake().memory.size(), 2u);
    }
    expect_nothing_left();
}

TEST_F(DirectCuda, UnknownUuidIsSaid) {
    infos_.at(0).uuid->at(0) ^= 1;
    EXPECT_THAT([&] { open_direct_cuda(infos_.at(0)); },
                ThrowsMessage<DeviceError>(HasSubstr("is not there")));
    infos_.at(0).uuid.reset();
    EXPECT_THROW(open_direct_cuda(infos_.at(0)), DeviceError);
}

TEST_F(DirectCuda, EveryFailedCallIsSaid) {
    if (!cuda::nvrtc().available()) GTEST_SKIP() << cuda::nvrtc().problem();
    const Case launched = case_of("transpose", "padded", {{33, 7}});
    const Case copied = case_of("ceiling", "copy", {{1000}});
    const Job launching = job_of(launched);
    for (const char* call :
         {"cudaGetDeviceCount", "cudaGetDeviceProperties", "cudaSetDevice",
          "cudaStreamCreateWithFlags", "cudaEventCreateWithFlags", "cudaMalloc", "cudaMemcpyAsync",
          "cudaMemsetAsync", "cudaLibraryLoadData", "cudaLibraryGetKernel", "cudaStreamSynchronize",
          "cudaEventRecord", "cudaLaunchKernel", "cudaEventSynchronize", "cudaEventElapsedTime"}) {
        fake().fails = {{call, cudaErrorUnknown}};
        EXPECT_THAT(
            [&] {
                const std::unique_ptr<Direct> direct = open_direct_cuda(infos_.at(0));
                const std::vector<HostArray> inputs = inputs_of(launched);
                direct->prepare(launching, inputs);
                direct->run(1);
                direct->outputs();
            },
            ThrowsMessage<DeviceError>(HasSubstr(call)))
            << call;
        fake().fails.clear();
        expect_nothing_left();
        EXPECT_EQ(fake().last, cudaSuccess) << call;
    }
    const std::unique_ptr<Direct> direct = open_direct_cuda(infos_.at(0));
    const std::vector<HostArray> inputs = inputs_of(copied);
    direct->prepare({"ceiling.cl", plan_of(copied), {}}, inputs);
    fake().fails = {{"cudaMemcpyAsync", cudaErrorUnknown}};
    EXPECT_THROW(direct->run(1), DeviceError);
    EXPECT_THROW(direct->outputs(), DeviceError);
    fake().fails.clear();
}

TEST_F(DirectCuda, TextThatDoesNotCompileIsSaid) {
    if (!cuda::nvrtc().available()) GTEST_SKIP() << cuda::nvrtc().problem();
    const Case c = case_of("transpose", "padded", {{33, 7}});
    Job job = job_of(c);
    job.kernels.at("tiled").text = "nonsense";
    const std::unique_ptr<Direct> direct = open_direct_cuda(infos_.at(0));
    const std::vector<HostArray> inputs = inputs_of(c);
    EXPECT_THAT([&] { direct->prepare(job, inputs); },
                ThrowsMessage<DeviceError>(HasSubstr("NVRTC did not build transpose.cl")));
}

}  // namespace
}  // namespace direct_cuda_test
}  // namespace parallax::benchmarks
