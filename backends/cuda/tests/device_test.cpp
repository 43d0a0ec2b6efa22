// Tests the device with a fake runtime: addresses, order, errors, and lifetimes.
#include <bit>
#include <cstring>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "backends/cuda/cuda_backend.hpp"
#include "backends/cuda/cuda_device.hpp"
#include "backends/cuda/nvrtc.hpp"
#include "backends/cuda/tests/fake_runtime.hpp"
#include "common/error.hpp"

namespace parallax::cuda::device_test {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::ThrowsMessage;

const Program program{.name = "k.ptx",
                      .source = ".visible .entry k(.param .u64 a, .param .u32 n, .param .f64 x) {}",
                      .language = Language::ptx};

class FakeDevice : public testing::Test {
protected:
    FakeDevice() {
        new_fake();
        fake().parameters = 3;
        backend = make_cuda_backend();
    }
    ~FakeDevice() override { new_fake(); }
    std::unique_ptr<Device> open(std::size_t index = 0) {
        return backend->open(backend->find().devices.at(index));
    }
    static Dispatch launch(std::shared_ptr<const Code> code, std::shared_ptr<Memory> memory) {
        return {std::move(code),
                {.groups = {7, 5, 3}, .items = {32, 4, 2}},
                {memory, Scalar(std::uint32_t{9}), Scalar(2.5)}};
    }
    static void expect_nothing_left() {
        EXPECT_TRUE(fake().memory.empty());
        EXPECT_TRUE(fake().streams.empty());
        EXPECT_TRUE(fake().events.empty());
        EXPECT_TRUE(fake().libraries.empty());
        EXPECT_TRUE(fake().page_locked.empty());
        EXPECT_TRUE(fake().arrays.empty());
        EXPECT_TRUE(fake().textures.empty());
    }
    std::unique_ptr<Backend> backend;
};

TEST_F(FakeDevice, InventoryHasAllThatTheRuntimeSays) {
    const Inventory inventory = backend->find();
    ASSERT_EQ(inventory.devices.size(), 2u);
    const DeviceInfo& info = inventory.devices.at(1);
    EXPECT_EQ(info.id(), "cuda:1");
    EXPECT_EQ(info.pci, "0000:9b:01.0");
    EXPECT_EQ(info.uuid->at(15), 0x11);
    EXPECT_EQ(info.compute_capability, "9.0");
    EXPECT_EQ(info.clock_mhz, 1980u);
    EXPECT_EQ(info.local_bytes, 232448u);
    EXPECT_EQ(info.max_groups, (Size{2147483647, 65535, 65535}));
    EXPECT_EQ(info.max_items, (Size{1024, 1024, 64}));
}

TEST_F(FakeDevice, InventorySaysWhatIsMissing) {
    fake().fails["cudaGetDeviceCount"] = cudaErrorInsufficientDriver;
    fake().driver_version = 0;
    EXPECT_THAT(backend->find().problem, HasSubstr("No NVIDIA driver is here"));
    fake().driver_version = 12020;
    EXPECT_THAT(backend->find().problem, HasSubstr("The NVIDIA driver supports CUDA 12.2"));
    fake().fails["cudaGetDeviceCount"] = cudaErrorNoDevice;
    EXPECT_THAT(backend->find().problem, HasSubstr("CUDA_VISIBLE_DEVICES"));
    EXPECT_EQ(fake().last, cudaSuccess);
    fake().fails.clear();
    fake().fails["cudaGetDeviceProperties"] = cudaErrorECCUncorrectable;
    const Inventory inventory = backend->find();
    EXPECT_TRUE(inventory.devices.empty());
    EXPECT_THAT(inventory.left_out, HasSubstr("CUDA device 0 is left out"));
}

TEST_F(FakeDevice, DeviceThatBecameAnotherIsNotOpened) {
    DeviceInfo info = backend->find().devices.at(0);
    info.uuid->at(0) = 0;
    EXPECT_THROW(backend->open(info), DeviceError);
    fake().fails["cudaStreamCreateWithFlags"] = cudaErrorDevicesUnavailable;
    EXPECT_THROW(open(), DeviceError);
    expect_nothing_left();
}

TEST_F(FakeDevice, GuardZonesAreReachedAndThePayloadIsAligned) {
    const auto device = open();
    for (const std::size_t guard : {std::size_t{0}, std::size_t{3}, guard_bytes}) {
        const auto memory = device->allocate(10, guard);
        const auto at = [&](std::ptrdiff_t i) { return dynamic_cast<CudaMemory&>(*memory).at(i); };
        EXPECT_EQ(std::bit_cast<std::uintptr_t>(at(0)) % 256, 0u);
        std::vector<std::byte> all(10 + 2 * guard);
        for (std::size_t i = 0; i < all.size(); ++i) all[i] = static_cast<std::byte>(i);
        const auto start = -static_cast<std::ptrdiff_t>(guard);
        device->write(*memory, all, start);
        EXPECT_EQ(std::memcmp(at(start), all.data(), all.size()), 0);
        std::vector<std::byte> back(10);
        device->read(*memory, back);
        EXPECT_EQ(std::memcmp(back.data(), all.data() + guard, 10), 0);
    }
    // The device waits for each host copy.
    EXPECT_GE(fake().count("cudaStreamSynchronize"), fake().count("cudaMemcpyAsync"));
}

TEST_F(FakeDevice, RunsCommandsInOrderBetweenTwoEvents) {
    const auto device = open();
    const auto a = device->allocate(16), b = device->allocate(16);
    const auto code = device->compile(program, "k");
    const std::vector<Command> commands{
        {Fill{a, 4, 8, 0xab}}, {Copy{a, b, 4, 0, 8}}, {launch(code, b)}};
    fake().calls.clear();
    const Elapsed elapsed = device->run(commands, 2);
    EXPECT_DOUBLE_EQ(elapsed.device, 0.002);
    EXPECT_GT(elapsed.host, 0);
    EXPECT_THAT(fake().calls,
                testing::ElementsAre("cudaSetDevice", "cudaEventRecord", "cudaMemsetAsync",
                                     "cudaMemcpyAsync", "cudaLaunchKernel", "cudaMemsetAsync",
                                     "cudaMemcpyAsync", "cudaLaunchKernel", "cudaEventRecord",
                                     "cudaEventSynchronize", "cudaStreamSynchronize",
                                     "cudaEventElapsedTime"));
    EXPECT_EQ(device->download(*b, ElementType::i32).as<std::int32_t>()[1],
              static_cast<std::int32_t>(0xabababab));
    ASSERT_EQ(fake().launches.size(), 2u);
    for (const FakeLaunch& one : fake().launches) {
        EXPECT_EQ(one.groups.x * 100 + one.groups.y * 10 + one.groups.z, 753u);
        EXPECT_EQ(one.items.x * 100 + one.items.y * 10 + one.items.z, 3242u);
        EXPECT_EQ(one.bits[0], std::bit_cast<std::uintptr_t>(dynamic_cast<CudaMemory&>(*b).at(0)));
        EXPECT_EQ(one.bits[1] & 0xffffffff, 9u);
        EXPECT_EQ(std::bit_cast<double>(one.bits[2]), 2.5);
    }
}

TEST_F(FakeDevice, WithoutProfilingThereAreNoEvents) {
    const auto device = backend->open(backend->find().devices.at(0), {.profiling = false});
    const auto a = device->allocate(16);
    const Command fill{Fill{a, 0, 8, 0xab}};
    fake().calls.clear();
    const Elapsed elapsed = device->run(std::span(&fill, 1), 2, 1);
    EXPECT_THAT(fake().calls, testing::ElementsAre("cudaSetDevice", "cudaMemsetAsync",
                                                   "cudaStreamSynchronize", "cudaMemsetAsync",
                                                   "cudaMemsetAsync", "cudaStreamSynchronize"));
    EXPECT_GT(elapsed.device, 0);
    EXPECT_LE(elapsed.device, elapsed.host);
}

TEST_F(FakeDevice, PageLockedMemoryIsGivenBack) {
    auto device = open(1);
    auto locked = device->page_locked(100);
    EXPECT_EQ(fake().page_locked.count(locked->bytes().data()), 1u);
    EXPECT_EQ(locked->bytes().size(), 100u);
    device.reset();
    locked.reset();
    expect_nothing_left();
    device = open();
    fake().fails["cudaHostAlloc"] = cudaErrorMemoryAllocation;
    EXPECT_THAT([&] { device->page_locked(5000); },
                ThrowsMessage<UsageError>(HasSubstr("cannot lock 5000 bytes")));
    EXPECT_EQ(fake().last, cudaSuccess);
    fake().fails["cudaHostAlloc"] = cudaErrorInvalidValue;
    EXPECT_THROW(device->page_locked(5000), DeviceError);
}

TEST_F(FakeDevice, ArgumentsAreCheckedBeforeAnythingIsLaunched) {
    const auto device = open();
    Dispatch dispatch = launch(device->compile(program, "k"), device->allocate(16));
    dispatch.arguments.pop_back();
    EXPECT_THROW(device->run(std::vector<Command>{{dispatch}}), UsageError);
    EXPECT_TRUE(fake().launches.empty());
    EXPECT_THROW(device->compile(program, "other"), BuildFailed);
}

TEST_F(FakeDevice, WhatBelongsToAnotherDeviceIsRefused) {
    const auto first = open(0), second = open(1);
    const auto memory = first->allocate(16);
    const auto code = first->compile(program, "k");
    EXPECT_THROW(second->run(std::vector<Command>{{Fill{memory, 0, 4, 0}}}), UsageError);
    EXPECT_THROW(second->run(std::vector<Command>{{launch(code, second->allocate(16))}}),
                 UsageError);
    const auto theirs = second->allocate(16);
    EXPECT_EQ(fake().memory.at(dynamic_cast<CudaMemory&>(*theirs).at(-4096)), 1);
    first->run(std::vector<Command>{{launch(code, memory)}});
    EXPECT_EQ(fake().current, 0);
}

TEST_F(FakeDevice, CodeHasItsResources) {
    fake().jit_words =
        "ptxas info    : Compiling entry function 'k' for 'sm_90'\n"
        "ptxas info    : Function properties for k\n"
        "ptxas         .     8 bytes stack frame, 4 bytes spill stores, 12 bytes spill loads\n"
        "ptxas info    : Used 24 registers, used 1 barriers\n";
    const auto device = open();
    const auto code = device->compile(program, "k");
    EXPECT_EQ(code->source, program.source);
    EXPECT_EQ(code->ptx, program.source);
    EXPECT_EQ(code->log, fake().jit_words);
    EXPECT_EQ(code->resources.registers, 24u);
    EXPECT_EQ(code->resources.spill_bytes, 16u);
    EXPECT_EQ(code->resources.local_bytes, 128u);
    EXPECT_EQ(code->resources.barriers, 1u);
    EXPECT_EQ(code->resources.max_group_items, 512u);
    EXPECT_EQ(code->resources.preferred_multiple, 32u);
    EXPECT_EQ(code->groups_per_unit({.items = {256}}, 0), 8u);
    EXPECT_EQ(code->groups_per_unit({.items = {513}}, 0), 0u);
}

TEST_F(FakeDevice, MachineCodeIsKeptWhereTheCompilerMadeIt) {
    const auto device = open();
    EXPECT_EQ(device->compile(program, "k")->machine_code, "") << "the driver assembles PTX";
    if (!nvrtc().available()) GTEST_SKIP() << nvrtc().problem();
    const Program text{.name = "k.cl", .source = "__kernel void k(__global int* a) { a[0] = 1; }"};
    const auto code = device->compile(text, "k");
    EXPECT_EQ(code->machine_code.substr(1, 3), "ELF");
    EXPECT_NE(code->ptx.find(".entry k"), std::string::npos);
}

TEST_F(FakeDevice, MuchLocalMemoryIsAskedForOnce) {
    const auto device = open();
    Dispatch dispatch = launch(device->compile(program, "k"), device->allocate(16));
    dispatch.arguments.emplace_back(LocalBytes{100000});
    device->run(std::vector<Command>{{dispatch}}, 3);
    device->run(std::vector<Command>{{dispatch}});
    EXPECT_EQ(fake().count("cudaFuncSetAttribute"), 1u);
    EXPECT_EQ(fake().dynamic_limit, 100000);
    EXPECT_EQ(fake().launches.back().local_bytes, 100000u);
    dispatch.arguments.back() = LocalBytes{300000};
    EXPECT_THROW(device->run(std::vector<Command>{{dispatch}}), UsageError);
}

TEST_F(FakeDevice, SeveralLocalParametersShareOneBlock) {
    // The first has no parameter; the second is its offset.
    Program two = program;
    two.source = ".visible .entry k(.param .u64 a, .param .u32 second, .param .f64 x) {}";
    const auto device = open();
    const auto memory = device->allocate(16);
    Dispatch dispatch{
        device->compile(two, "k"), {}, {LocalBytes{100}, memory, LocalBytes{50000}, Scalar(2.5)}};
    device->run(std::vector<Command>{{dispatch}});
    EXPECT_EQ(fake().launches.back().local_bytes, 50128u);
    EXPECT_EQ(fake().launches.back().bits.at(1), 128u);
    EXPECT_EQ(fake().dynamic_limit, 50128);
}

TEST_F(FakeDevice, VariablesHaveTheirBuffersContent) {
    const auto device = open();
    fake().variables["table"].resize(8);
    const auto memory = device->allocate(8), other = device->allocate(8);
    const std::vector<std::byte> seven(8, std::byte{7}), nine(8, std::byte{9});
    device->write(*memory, seven);
    device->write(*other, nine);
    Dispatch dispatch = launch(device->compile(program, "k"), other);
    dispatch.symbols = {{"table", memory}};
    device->run(std::vector<Command>{{dispatch}}, 3);
    EXPECT_EQ(fake().variables["table"], seven);
    // A copy in the same call changes it, too.
    device->run(std::vector<Command>{{Copy{other, memory, 0, 0, 8}}, {dispatch}});
    EXPECT_EQ(fake().variables["table"], nine);
    dispatch.symbols = {{"none", memory}};
    EXPECT_THROW(device->run(std::vector<Command>{{dispatch}}), BuildFailed);
}

TEST_F(FakeDevice, WrittenVariablesAreReadIntoTheirBuffers) {
    const auto device = open();
    fake().variables["table"].resize(8);
    const auto memory = device->allocate(8), other = device->allocate(8);
    const std::vector<std::byte> seven(8, std::byte{7});
    const Dispatch plain = launch(device->compile(program, "k"), other);
    std::vector<std::byte> seen;  // the first byte of the variable at each launch
    fake().at_launch = [&] {
        std::byte& first = fake().variables["table"][0];
        seen.push_back(first);
        first = static_cast<std::byte>(std::to_integer<int>(first) + 1);
    };
    const auto left = [&](bool is_written, std::size_t launches) {
        device->write(*memory, seven);
        seen.clear();
        Dispatch dispatch = plain;
        dispatch.symbols = {{"table", memory, is_written}};
        device->run(std::vector<Command>(launches, {dispatch}), 2);
        std::vector<std::byte> found(8);
        device->read(*memory, found);
        return std::to_integer<int>(found[0]);
    };
    EXPECT_EQ(left(false, 1), 7);
    EXPECT_EQ(left(true, 1), 9);
    const std::size_t before = fake().count("cudaMemcpyAsync");
    EXPECT_EQ(left(true, 2), 11);
    EXPECT_EQ(seen, (std::vector{std::byte{7}, std::byte{8}, std::byte{9}, std::byte{10}}));
    // Written, prepared, around each of four launches, and read.
    EXPECT_EQ(fake().count("cudaMemcpyAsync") - before, 1u + 2 + 4 * 2 + 1);
}

TEST_F(FakeDevice, CooperativeLaunchesFitTheDevice) {
    const auto device = open();
    ASSERT_TRUE(device->info().has(cooperative_launches));
    Dispatch dispatch = launch(device->compile(program, "k"), device->allocate(16));
    dispatch.is_cooperative = true;
    dispatch.geometry = {{8, 2, 1}, {256, 1, 1}};  // 8 on each of 2 multiprocessors
    device->run(std::vector<Command>{{dispatch}});
    EXPECT_EQ(fake().count("cudaLaunchCooperativeKernel"), 1u);
    EXPECT_EQ(fake().count("cudaLaunchKernel"), 0u);
    dispatch.geometry.groups.x = 9;
    EXPECT_THAT([&] { device->run(std::vector<Command>{{dispatch}}); },
                ThrowsMessage<Unsupported>(AllOf(HasSubstr("18 work-groups of 'k'"),
                                                 HasSubstr("16 of them at once, 8 on each of"),
                                                 HasSubstr("loop over the grid"))));
}

TEST_F(FakeDevice, AssemblerThatRefusesIsABuildFailure) {
    const auto device = open();
    fake().jit_errors = "ptxas application ptx input, line 1; fatal: no";
    for (const char* call :
         {"cudaLibraryLoadData", "cudaLibraryGetKernel", "cudaFuncGetAttributes"}) {
        fake().fails = {{call, cudaErrorInvalidPtx}};
        try {
            device->compile(program, "k");
            ADD_FAILURE() << call;
        } catch (const BuildFailed& failed) {
            EXPECT_THAT(failed.what(), HasSubstr(call));
            EXPECT_EQ(failed.log, fake().jit_errors);
            EXPECT_EQ(failed.text, program.source);
        }
        EXPECT_EQ(fake().last, cudaSuccess);
        EXPECT_TRUE(fake().libraries.empty());
    }
    // A log beyond the buffer is still terminated.
    fake().jit_errors.assign(1 << 20, 'x');
    EXPECT_THROW(device->compile(program, "k"), BuildFailed);
    fake().fails = {{"cudaLibraryLoadData", cudaErrorMemoryAllocation}};
    EXPECT_THROW(device->compile(program, "k"), DeviceError);
}

TEST_F(FakeDevice, FullMemoryNamesBothSizes) {
    const auto device = open();
    fake().fails["cudaMalloc"] = cudaErrorMemoryAllocation;
    EXPECT_THAT(
        [&] { device->allocate(5000); },
        ThrowsMessage<UsageError>(AllOf(HasSubstr("13192"), HasSubstr("1000 of 16777216"))));
    EXPECT_EQ(fake().last, cudaSuccess);
}

TEST_F(FakeDevice, FailedLaunchLeavesTheDeviceUsable) {
    const auto device = open();
    const auto memory = device->allocate(16);
    const std::vector<Command> commands{{launch(device->compile(program, "k"), memory)}};
    fake().fails["cudaLaunchKernel"] = cudaErrorLaunchOutOfResources;
    EXPECT_THAT([&] { device->run(commands); },
                ThrowsMessage<DeviceError>(AllOf(HasSubstr("cuda:0 (Fake)"),
                                                 HasSubstr("cudaLaunchKernel: "),
                                                 HasSubstr("(701)"), HasSubstr("smaller group"))));
    EXPECT_EQ(fake().last, cudaSuccess);
    fake().fails.clear();
    device->run(commands);
}

TEST_F(FakeDevice, FaultInAKernelMakesTheDeviceUnusable) {
    auto device = open();
    auto memory = device->allocate(16);
    auto code = device->compile(program, "k");
    const std::vector<Command> commands{{launch(code, memory)}};
    fake().asynchronous = cudaErrorIllegalAddress;
    EXPECT_THAT([&] { device->run(commands); },
                ThrowsMessage<DeviceError>(AllOf(HasSubstr("cudaErrorIllegalAddress (700)"),
                                                 HasSubstr("compute-sanitizer"),
                                                 HasSubstr("start a new one"))));
    EXPECT_THAT([&] { device->allocate(16); },
                ThrowsMessage<DeviceError>(HasSubstr("unusable in this process since")));
    EXPECT_THROW(device->run(commands), DeviceError);
    EXPECT_FALSE(code->groups_per_unit({.items = {256}}, 0));
}

TEST_F(FakeDevice, HandlesOutliveTheDevice) {
    auto device = open(1);
    auto memory = device->allocate(16);
    auto code = device->compile(program, "k");
    device.reset();
    EXPECT_EQ(code->groups_per_unit({.items = {256}}, 0), 8u);
    fake().current = 0;
    memory.reset();
    EXPECT_TRUE(fake().memory.empty());
    EXPECT_FALSE(fake().streams.empty());
    code.reset();
    expect_nothing_left();
}

TEST_F(FakeDevice, ImagesAreArraysOrLinearMemoryBehindATexture) {
    auto device = open();
    EXPECT_TRUE(device->info().has("images"));
    EXPECT_EQ(device->info().max_image_width, 1000u);
    EXPECT_EQ(device->info().max_image_height, 500u);
    for (const std::uint64_t height : {0u, 3u}) {
        const ImageExtents extents{.width = 5, .height = height, .channels = 4};
        auto image = device->allocate_image(extents, ElementType::i32);
        HostArray in(ElementType::i32, extents.elements());
        for (std::size_t i = 0; i < in.size(); ++i) {
            in.as<std::int32_t>()[i] = static_cast<std::int32_t>(i);
        }
        device->write(*image, in.bytes());
        const HostArray back = device->download(*image, ElementType::i32);
        EXPECT_TRUE(std::ranges::equal(back.as<std::int32_t>(), in.as<std::int32_t>()));
        EXPECT_EQ(fake().resource.resType,
                  height > 0 ? cudaResourceTypeArray : cudaResourceTypeLinear);
        if (height == 0) {
            EXPECT_EQ(fake().resource.res.linear.sizeInBytes, 80u);
            EXPECT_EQ(fake().resource.res.linear.desc.w, 32);
            EXPECT_EQ(fake().resource.res.linear.desc.f, cudaChannelFormatKindSigned);
        }
        EXPECT_EQ(fake().texture.filterMode, cudaFilterModePoint);
        EXPECT_EQ(fake().texture.readMode, cudaReadModeElementType);
        EXPECT_EQ(fake().texture.normalizedCoords, 0);
        EXPECT_EQ(fake().texture.addressMode[1], cudaAddressModeClamp);
        const void* texture = *fake().textures.begin();
        const auto code = device->compile(program, "k");
        const Command command{launch(code, image)};
        device->run(std::span(&command, 1));
        EXPECT_EQ(fake().launches.back().bits[0], reinterpret_cast<unsigned long long>(texture));
    }
    device.reset();
    expect_nothing_left();
}

TEST_F(FakeDevice, ATextureIsReadAsTheImageSays) {
    const auto device = open();
    ImageExtents extents{.width = 5, .height = 3};
    extents.texture = {Sampler::Address::mirror, true, true};
    const auto image = device->allocate_image(extents, ElementType::f32);
    EXPECT_EQ(fake().texture.filterMode, cudaFilterModeLinear);
    EXPECT_EQ(fake().texture.normalizedCoords, 1);
    EXPECT_EQ(fake().texture.addressMode[0], cudaAddressModeMirror);
    const void* const texture = *fake().textures.begin();
    const Command command{launch(device->compile(program, "k"), image)};
    device->run(std::span(&command, 1));
    EXPECT_EQ(fake().launches.back().bits[0], reinterpret_cast<unsigned long long>(texture));
    // Texels in one dimension have numbers.
    extents.height = 0;
    EXPECT_NO_THROW(device->allocate_image(extents, ElementType::f32));
    EXPECT_EQ(fake().texture.normalizedCoords, 0);
}

TEST_F(FakeDevice, AVolumeThatIsWrittenHasTexturesForEachWayOfReading) {
    auto device = open();
    ImageExtents extents{.width = 5, .height = 3, .channels = 2, .depth = 4};
    extents.is_normalized = extents.is_written = extents.is_array = true;
    auto image = device->allocate_image(extents, ElementType::u8);
    EXPECT_EQ(fake().array_flags, unsigned{cudaArrayLayered | cudaArraySurfaceLoadStore});
    HostArray in(ElementType::u8, extents.elements());
    for (std::size_t i = 0; i < in.size(); ++i) in.as<std::uint8_t>()[i] = std::uint8_t(i);
    device->write(*image, in.bytes());
    EXPECT_TRUE(std::ranges::equal(device->download(*image, ElementType::u8).bytes(), in.bytes()));
    EXPECT_EQ(fake().texture.readMode, cudaReadModeNormalizedFloat);
    EXPECT_EQ(fake().textures.size(), 1U) << "others are made when a kernel asks for them";
    Program taking = program;
    taking.source =
        ".visible .entry k(.param .align 8 .b8 a[160], .param .u32 n, .param .f64 x) {}";
    const Command command{launch(device->compile(taking, "k"), image)};
    device->run(std::span(&command, 1));
    device->run(std::span(&command, 1));
    EXPECT_EQ(fake().textures.size(), 13U) << "12 samplers and a surface";
    EXPECT_EQ(fake().count("cudaCreateSurfaceObject"), 1U);
    image.reset();
    device.reset();
}

TEST_F(FakeDevice, AnImageThatCannotBeMadeLeavesNothingBehind) {
    auto device = open();
    for (const std::uint64_t height : {0u, 3u}) {
        fake().fails = {{"cudaCreateTextureObject", cudaErrorInvalidValue}};
        EXPECT_THROW(device->allocate_image({.width = 5, .height = height}, ElementType::f32),
                     DeviceError);
        fake().fails = {{height > 0 ? "cudaMallocArray" : "cudaMalloc", cudaErrorMemoryAllocation}};
        EXPECT_THAT(
            [&] { device->allocate_image({.width = 5, .height = height}, ElementType::f32); },
            ThrowsMessage<UsageError>(HasSubstr("has 1000 of")));
    }
    fake().fails.clear();
    device.reset();
    expect_nothing_left();
}

}  // namespace
}  // namespace parallax::cuda::device_test
