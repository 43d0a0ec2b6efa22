// Tests CUB's calls with a fake runtime: the library has what suites request, and its errors
// without a driver are reported.
#include <algorithm>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "backends/cuda/cuda_backend.hpp"
#include "backends/cuda/tests/fake_runtime.hpp"
#include "common/error.hpp"
#include "kernels/kernel_texts.hpp"
#include "measure/run_case.hpp"
#include "measure/session.hpp"

namespace parallax::cuda::cub_test {
namespace {

using testing::HasSubstr;
using testing::ThrowsMessage;

class Cub : public testing::Test {
protected:
    Cub() {
        new_fake();
        backend = make_cuda_backend();
        device = backend->open(backend->find().devices.at(0));
        program.name = "cub.inc";
        program.source =
            std::ranges::find(embedded_kernels(), "cub.inc", &EmbeddedFile::name)->text;
        program.language = Language::library;
    }
    ~Cub() override {
        device.reset();
        new_fake();
    }
    std::unique_ptr<Backend> backend;
    std::unique_ptr<Device> device;
    Program program;
};

TEST_F(Cub, HasEveryCallThatSuitesAsk) {
    int asked = 0;
    for (const Suite& suite : suites()) {
        Request request;
        request.full = true;
        request.picks = {{&suite, nullptr}};
        for (Case c : expand(request)) {
            const NativeSource* const native = native_source(*c.variant, "cuda");
            if (!native || native->library != "CUB") continue;
            c = with_shape(std::move(c), suite.check_shapes.back());
            program.type = c.type;
            const Plan plan = plan_of(c);
            const Launch& launch = *plan.steps.front().launch();
            EXPECT_NO_THROW(device->compile(program, launch.kernel)) << c.title();
            ++asked;
        }
    }
    EXPECT_GT(asked, 0);
}

TEST_F(Cub, RefusesWhatItIsNotAsked) {
    EXPECT_THROW(device->compile(program, "sort"), Unsupported);
    program.type = ElementType::f64;
    EXPECT_THROW(device->compile(program, "scan"), Unsupported) << "no suite scans doubles";
    program.source += "// other words\n";
    EXPECT_THROW(device->compile(program, "sum"), UsageError);
}

TEST_F(Cub, SaysWhatALaunchLacksAndWhatCudaSays) {
    const auto memory = device->allocate(1024);
    Dispatch dispatch{device->compile(program, "sum"),
                      {{1, 1, 1}, {1, 1, 1}},
                      {memory, memory, memory, Scalar(std::uint64_t{100})}};
    const auto run = [&] {
        const Command command{dispatch};
        device->run(std::span(&command, 1));
    };
    EXPECT_THAT(run, ThrowsMessage<UsageError>(HasSubstr("takes 3 buffers and 2 numbers")));
    dispatch.arguments.push_back(Scalar(2.5));
    EXPECT_THAT(run, ThrowsMessage<UsageError>(HasSubstr("how many")));
    // The library has its own, real runtime, which finds no memory of that size.
    dispatch.arguments.back() = Scalar(std::uint64_t{1});
    EXPECT_THAT(run, ThrowsMessage<DeviceError>(HasSubstr("CUB, sum: ")));
}

}  // namespace
}  // namespace parallax::cuda::cub_test
