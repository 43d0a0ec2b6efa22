// The contract of all devices, whatever their backend: the same tests for all available devices and
// the fake one.
#include "backends/tests/contract.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <numeric>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "common/error.hpp"

namespace parallax {

namespace {

using namespace fake;

Program program(std::vector<Constant> constants = {{"LENGTH", 64}}) {
    return contract_program(std::move(constants));
}

TEST_P(Contract, SaysWhatItIs) {
    const DeviceInfo& info = device().info();
    EXPECT_FALSE(info.name.empty());
    EXPECT_GT(info.compute_units, 0u);
    EXPECT_GT(info.memory_bytes, 0u);
    EXPECT_GT(info.max_allocation_bytes, 0u);
    EXPECT_GT(info.max_group_items, 0u);
    EXPECT_GT(info.local_bytes, 0u);
    EXPECT_GT(info.timer_tick_seconds, 0.0);
    EXPECT_EQ(info.id(), fmt::format("{}:{}", info.backend, info.index));
}

TEST_P(Contract, RoundTripsOfOddSizes) {
    for (const std::size_t size : {1u, 2u, 3u, 5u, 127u, 129u, 4095u, 4097u, 1000003u}) {
        std::vector<std::byte> data(size), back(size);
        for (std::size_t i = 0; i < size; ++i) data[i] = static_cast<std::byte>(i * 7 + 1);
        const auto memory = device().allocate(size);
        EXPECT_EQ(memory->bytes(), size);
        device().write(*memory, data);
        device().read(*memory, back);
        EXPECT_EQ(data, back) << size;
    }
}

TEST_P(Contract, PartsOfABuffer) {
    const auto memory = upload_ints({0, 1, 2, 3, 4, 5, 6, 7});
    const std::int32_t value = 99;
    device().write(*memory, std::as_bytes(std::span(&value, 1)), 12);
    std::int32_t back[2] = {};
    device().read(*memory, std::as_writable_bytes(std::span(back)), 8);
    EXPECT_EQ(back[0], 2);
    EXPECT_EQ(back[1], 99);
}

TEST_P(Contract, GuardZonesAreThereAndApart) {
    const auto memory = device().allocate(100);
    const std::vector<std::byte> zone(memory->guard(), std::byte{0x11}),
        inside(100, std::byte{0x22});
    const auto guard = static_cast<std::ptrdiff_t>(memory->guard());
    device().write(*memory, zone, -guard);
    device().write(*memory, zone, 100);
    device().write(*memory, inside);
    std::vector<std::byte> before(zone.size()), after(zone.size()), back(100);
    device().read(*memory, before, -guard);
    device().read(*memory, after, 100);
    device().read(*memory, back);
    EXPECT_EQ(before, zone);
    EXPECT_EQ(after, zone);
    EXPECT_EQ(back, inside);
    EXPECT_THROW(device().read(*memory, before, -guard - 1), UsageError);
    EXPECT_THROW(device().read(*memory, after, 101), UsageError);
    EXPECT_THROW(device().write(*memory, zone, 101), UsageError);
}

TEST_P(Contract, TransfersHaveEndedWhenTheyReturn) {
    constexpr std::size_t bytes = std::size_t{4} << 20;
    const auto memory = device().allocate(bytes);
    const auto guard = static_cast<std::ptrdiff_t>(memory->guard());
    const std::vector<std::byte> payload(bytes, std::byte{0x33});
    for (int round = 0; round < 5; ++round) {
        std::vector<std::byte> before(memory->guard(), std::byte{0x11}), after = before;
        const std::vector<std::byte> right = before;
        device().write(
            std::array{HostWrite{memory.get(), before, -guard},
                       HostWrite{memory.get(), after, static_cast<std::ptrdiff_t>(bytes)},
                       HostWrite{memory.get(), payload}});
        // What a late transfer would take.
        std::ranges::fill(before, std::byte{0x22});
        std::ranges::fill(after, std::byte{0x22});
        device().read(
            std::array{HostRead{memory.get(), before, -guard},
                       HostRead{memory.get(), after, static_cast<std::ptrdiff_t>(bytes)}});
        EXPECT_EQ(before, right);
        EXPECT_EQ(after, right);
    }
}

TEST_P(Contract, SeveralPartsAreMovedInOrder) {
    const auto first = device().allocate(100), second = device().allocate(5000);
    const std::vector<std::byte> ones(100, std::byte{0x11}), twos(50, std::byte{0x22}),
        threes(4000, std::byte{0x33});
    device().write(std::array{HostWrite{first.get(), ones}, HostWrite{second.get(), threes, 1000},
                              HostWrite{first.get(), twos, 50}, HostWrite{second.get(), ones, 0},
                              HostWrite{second.get(), {}, 0}});
    std::vector<std::byte> all(100), some(3), across(200);
    device().read(std::array{HostRead{second.get(), across, 900}, HostRead{first.get(), all},
                             HostRead{second.get(), some, 99}});
    EXPECT_TRUE(std::equal(twos.begin(), twos.end(), all.begin() + 50));
    EXPECT_TRUE(std::equal(all.begin(), all.begin() + 50, ones.begin()));
    EXPECT_EQ(some.front(), std::byte{0x11});
    EXPECT_TRUE(std::equal(across.begin() + 100, across.end(), threes.begin()));
    const auto beyond = static_cast<std::ptrdiff_t>(first->guard()) + 1;
    EXPECT_THROW(device().write(std::array{HostWrite{second.get(), ones},
                                           HostWrite{first.get(), ones, beyond}}),
                 UsageError);
    EXPECT_THROW(device().read(std::array{HostRead{first.get(), all, -beyond}}), UsageError);
}

TEST_P(Contract, BuffersWithoutGuardZones) {
    const auto memory = device().allocate(64, 0);
    std::vector<std::byte> data(64, std::byte{0x33}), back(64);
    device().write(*memory, data);
    device().read(*memory, back);
    EXPECT_EQ(data, back);
    EXPECT_THROW(device().read(*memory, back, 1), UsageError);
}

TEST_P(Contract, GeometryInOneToThreeDimensions) {
    const auto code = device().compile(program(), "places");
    const std::vector<Geometry> geometries{{{1, 1, 1}, {1, 1, 1}},
                                           {{5, 1, 1}, {7, 1, 1}},
                                           {{3, 2, 1}, {4, 5, 1}},
                                           {{2, 3, 4}, {2, 3, 5}}};
    for (const Geometry& geometry : geometries) {
        const HostLaunch launch{geometry, {}, nullptr};
        std::vector<std::int32_t> expected(global_of(launch).product());
        each_item(launch, [&](std::uint64_t group, std::uint64_t item, std::uint64_t at) {
            expected[at] = static_cast<std::int32_t>(group * 1000 + item);
        });
        const auto out = upload_ints(std::vector<std::int32_t>(expected.size(), -1));
        run({Dispatch{code, geometry, {out}}});
        EXPECT_EQ(ints(out), expected);
    }
}

TEST_P(Contract, DynamicLocalMemory) {
    const auto code = device().compile(program(), "turn");
    for (const std::uint32_t size : {1u, 32u, 96u, 256u}) {
        HostArray in(ElementType::f32, std::size_t{3} * size);
        std::iota(in.as<float>().begin(), in.as<float>().end(), 0.0f);
        const auto source = device().upload(in), target = device().allocate(in.bytes().size());
        run({Dispatch{code, {{3, 1, 1}, {size, 1, 1}}, {source, target, LocalBytes{size * 4}}}});
        const HostArray out = device().download(*target, ElementType::f32);
        for (std::uint32_t i = 0; i < 3 * size; ++i) {
            const std::uint32_t group = i / size, item = i % size;
            ASSERT_EQ(out.as<float>()[i], static_cast<float>(group * size + size - 1 - item));
        }
    }
}

TEST_P(Contract, ScalarsOfEveryKind) {
    const auto code = device().compile(program(), "scalars");
    const auto out = device().allocate(5 * sizeof(std::int64_t));
    run({Dispatch{code,
                  {},
                  {out, std::int32_t{-7}, std::uint32_t{4000000000u}, std::int64_t{-5000000000},
                   std::uint64_t{1} << 40, 12.0f}}});
    std::int64_t values[5] = {};
    device().read(*out, std::as_writable_bytes(std::span(values)));
    EXPECT_EQ(values[0], -7);
    EXPECT_EQ(values[1], 4000000000);
    EXPECT_EQ(values[2], -5000000000);
    EXPECT_EQ(values[3], std::int64_t{1} << 40);
    EXPECT_EQ(values[4], 12);
}

TEST_P(Contract, SmallScalars) {
    if (!device().info().has("double")) GTEST_SKIP() << "no double";
    const auto code = device().compile(program(), "small_scalars");
    const auto out = device().allocate(5 * sizeof(std::int64_t));
    run({Dispatch{code,
                  {},
                  {out, std::int8_t{-100}, std::uint8_t{200}, std::int16_t{-30000},
                   std::uint16_t{60000}, -7e9}}});
    std::int64_t values[5] = {};
    device().read(*out, std::as_writable_bytes(std::span(values)));
    EXPECT_EQ(values[0], -100);
    EXPECT_EQ(values[1], 200);
    EXPECT_EQ(values[2], -30000);
    EXPECT_EQ(values[3], 60000);
    EXPECT_EQ(values[4], -7000000000);
}

/// A kernel with local parameters before, between and after others, in the backend's own language:
/// each work-item outputs what its neighbour put into both arrays, with `bytes` of padding in the
/// first.
Program with_locals(const std::string& backend) {
    Program made;
    made.name = "locals";
    made.language = Language::native;
    made.source =
        backend != "opencl"
            ? R"(extern "C" __global__ void locals(int* out, unsigned int second_at, int more,
                                                   unsigned int third_at) {
    extern __shared__ char block[];
    int* first = (int*)block;
    int* second = (int*)(block + second_at);
    char* third = (char*)(block + third_at);
    const int i = threadIdx.x, next = (i + 1) % blockDim.x;
    first[i] = i; second[i] = 100 * i; third[i] = (char)i;
    __syncthreads();
    out[blockIdx.x * blockDim.x + i] = first[next] + second[next] + third[next] + more;
})"
            : R"(__kernel void locals(__local int* first, __global int* out, __local int* second,
                                      int more, __local char* third) {
    const int i = get_local_id(0), next = (i + 1) % get_local_size(0);
    first[i] = i; second[i] = 100 * i; third[i] = (char)i;
    barrier(CLK_LOCAL_MEM_FENCE);
    out[get_global_id(0)] = first[next] + second[next] + third[next] + more;
})";
    return made;
}

TEST_P(Contract, SeveralLocalParametersInAnyPlace) {
    const std::string backend = device().info().backend;
    if (backend == "fake") GTEST_SKIP() << "it has no native text";
    const auto code = device().compile(with_locals(backend), "locals");
    for (const std::uint32_t size : {5u, 64u}) {
        const auto out = upload_ints(std::vector<std::int32_t>(std::size_t{2} * size, -1));
        run({Dispatch{
            code,
            {{2, 1, 1}, {size, 1, 1}},
            {LocalBytes{4 * size}, out, LocalBytes{4 * size}, std::int32_t{7}, LocalBytes{size}}}});
        std::vector<std::int32_t> expected;
        for (std::uint32_t i = 0; i < 2 * size; ++i) {
            const auto next = static_cast<std::int32_t>((i % size + 1) % size);
            expected.push_back(102 * next + 7);
        }
        EXPECT_EQ(ints(out), expected) << size;
    }
}

TEST_P(Contract, CooperativeLaunchesRunOrAreRefusedByName) {
    const auto out = upload_ints(std::vector<std::int32_t>(8, -1));
    Dispatch dispatch{device().compile(program(), "places"), {{2, 1, 1}, {4, 1, 1}}, {out}};
    dispatch.is_cooperative = true;
    if (device().info().has(cooperative_launches)) {
        run({dispatch});
        EXPECT_EQ(ints(out), (std::vector<std::int32_t>{0, 1, 2, 3, 1000, 1001, 1002, 1003}));
        dispatch.geometry.groups.x = 1 << 20;
    }
    try {
        run({dispatch});
        ADD_FAILURE() << "more groups than any device runs at once";
    } catch (const Unsupported& error) {
        EXPECT_NE(std::string(error.what()).find("cooperative launch"), std::string::npos);
    }
}

TEST_P(Contract, VariablesOfACudaSource) {
    if (device().info().backend == "fake" || device().info().backend == "opencl") {
        GTEST_SKIP() << "it takes no CUDA";
    }
    const Program text{.name = "variables.cu",
                       .source =
                           "__device__ int count = 5;\n__device__ int sums[2];\n"
                           "extern \"C\" __global__ void add(int* out) {\n"
                           "    out[0] = count++; sums[1] += 3; out[1] = sums[1]; }\n",
                       .language = Language::native};
    const auto out = upload_ints({0, 0}), memory = upload_ints({40, 50});
    Dispatch dispatch{device().compile(text, "add"), {}, {out}};
    run({dispatch}, 3);
    EXPECT_EQ(ints(out), (std::vector<std::int32_t>{7, 9})) << "it begins as the source says";
    dispatch.symbols = {{"sums", memory, true}};
    run({dispatch}, 2);
    EXPECT_EQ(ints(out)[1], 56);
    EXPECT_EQ(ints(memory), (std::vector<std::int32_t>{40, 56}));
    // Several launches hand on what they leave.
    const std::vector<Command> two{{dispatch}, {dispatch}};
    device().run(two);
    EXPECT_EQ(ints(memory), (std::vector<std::int32_t>{40, 62}));
    dispatch.symbols = {{"sums", upload_ints({1, 2, 3}), true}};
    EXPECT_THROW(run({dispatch}), UsageError);
}

TEST_P(Contract, LocalMemoryBeyondTheDevicesIsRefused) {
    const auto code = device().compile(program(), "turn");
    const auto out = device().allocate(16);
    const auto half = static_cast<std::uint32_t>(device().info().local_bytes / 2 + 64);
    EXPECT_THROW(run({Dispatch{code, {}, {out, out, LocalBytes{2 * half}}}}), UsageError);
    EXPECT_THROW(run({Dispatch{code, {}, {out, out, LocalBytes{0}}}}), UsageError);
}

TEST_P(Contract, CopiesAndFills) {
    const auto source = upload_ints({10, 11, 12, 13, 14, 15}),
               target = upload_ints({0, 0, 0, 0, 0, 0});
    run({Copy{source, target, 4, 8, 12}});
    EXPECT_EQ(ints(target), (std::vector<std::int32_t>{0, 0, 11, 12, 13, 0}));
    run({Fill{target, 5, 6, 0x7f}});
    EXPECT_EQ(ints(target),
              (std::vector<std::int32_t>{0, 0x7f7f7f00, 0x007f7f7f | (11 & ~0xffffff), 12, 13, 0}));
    EXPECT_THROW(run({Copy{source, target, 0, 16, 12}}), UsageError);
    EXPECT_THROW(run({Copy{source, source, 0, 4, 8}}), UsageError);
    EXPECT_THROW(run({Fill{target, 20, 8, 0}}), UsageError);
    EXPECT_EQ(ints(source), (std::vector<std::int32_t>{10, 11, 12, 13, 14, 15}));
}

TEST_P(Contract, FillsLeaveGuardZonesAlone) {
    const auto memory = device().allocate(16);
    const std::vector<std::byte> zone(memory->guard(), std::byte{0x44});
    device().write(*memory, zone, -static_cast<std::ptrdiff_t>(memory->guard()));
    device().write(*memory, zone, 16);
    run({Fill{memory, 0, 16, 0xff}});
    std::vector<std::byte> before(zone.size()), after(zone.size());
    device().read(*memory, before, -static_cast<std::ptrdiff_t>(memory->guard()));
    device().read(*memory, after, 16);
    EXPECT_EQ(before, zone);
    EXPECT_EQ(after, zone);
}

TEST_P(Contract, CommandsRunInOrder) {
    const auto code = device().compile(program(), "advance_one");
    const auto a = upload_ints({1}), b = upload_ints({0});
    const std::vector<Command> commands{
        {Dispatch{code, {}, {a}}},  // 3
        {Copy{a, b, 0, 0, 4}},      // b = 3
        {Dispatch{code, {}, {b}}},  // 7
        {Dispatch{code, {}, {b}}},  // 15
        {Fill{a, 0, 4, 0}},         // a = 0
        {Dispatch{code, {}, {a}}},  // 1
    };
    device().run(commands);
    EXPECT_EQ(ints(a), std::vector<std::int32_t>{1});
    EXPECT_EQ(ints(b), std::vector<std::int32_t>{15});
}

TEST_P(Contract, RepeatsAreCounted) {
    const auto code = device().compile(program(), "advance_one");
    const auto value = upload_ints({0});
    const Elapsed elapsed = run({Dispatch{code, {}, {value}}}, 10);
    EXPECT_EQ(ints(value), std::vector<std::int32_t>{1023});
    EXPECT_GT(elapsed.device, 0.0);
    EXPECT_GT(elapsed.host, 0.0);
}

TEST_P(Contract, ABadBuildShowsLogAndText) {
    Program bad = program();
    bad.source = "__kernel void broken(__global int* out) { out[0] = 1; ";
    try {
        device().compile(bad, "broken");
        FAIL() << "it compiled";
    } catch (const BuildFailed& error) {
        EXPECT_FALSE(error.log.empty());
        EXPECT_NE(error.text.find("broken"), std::string::npos);
    } catch (const Refused& error) {
        // The translator parses the source before the compiler.
        EXPECT_NE(std::string(error.what()).find("contract.cl:1"), std::string::npos)
            << error.what();
    }
}

TEST_P(Contract, AnUnknownKernelIsSaid) {
    try {
        device().compile(program(), "not_there");
        FAIL() << "it compiled";
    } catch (const BuildFailed& error) {
        EXPECT_NE(std::string(error.what()).find("not_there"), std::string::npos);
        EXPECT_NE(error.text.find("places"), std::string::npos);
    }
}

TEST_P(Contract, CodeSaysWhatItWasMadeFrom) {
    Program edited = contract_program_of("advance_one");
    edited.edits.push_back({"2 * value[0] + 1", "3 * value[0] + 1", "three"});
    const auto code = device().compile(edited, "advance_one");
    EXPECT_NE(code->source.find("3 * value[0] + 1"), std::string::npos);
    EXPECT_EQ(code->kernel, "advance_one");
    EXPECT_GT(code->build_seconds, 0.0);
    edited.edits.push_back({"nowhere to be found", "", "lost"});
    EXPECT_THROW(device().compile(edited, "advance_one"), UsageError);
}

TEST_P(Contract, ConstantsReachTheCompiler) {
    const auto code =
        device().compile(contract_program_of("with_local", {{"LENGTH", 16}}), "with_local");
    const auto out = upload_ints(std::vector<std::int32_t>(16, -1));
    run({Dispatch{code, {{1, 1, 1}, {16, 1, 1}}, {out}}});
    EXPECT_EQ(ints(out)[0], 15);
    EXPECT_EQ(ints(out)[15], 0);
}

TEST_P(Contract, ProductsAndSumsAreNotFused) {
    // (1 + 2^-12)^2 = 1 + 2^-11 + 2^-24: the last bit is lost, unless the addition gets it
    // unrounded.
    HostArray in(ElementType::f32, 3);
    in.as<float>()[0] = in.as<float>()[1] = 1.0f + 0x1p-12f;
    in.as<float>()[2] = -(1.0f + 0x1p-11f);
    const auto source = device().upload(in), target = device().allocate(4);
    run({Dispatch{device().compile(program(), "product_sum"), {}, {source, target}}});
    EXPECT_EQ(device().download(*target, ElementType::f32).as<float>()[0], 0.0f);
}

TEST_P(Contract, TooLargeAnAllocationIsRefused) {
    for (const std::size_t size :
         {static_cast<std::size_t>(device().info().max_allocation_bytes), std::size_t{1} << 60,
          std::numeric_limits<std::size_t>::max() - 100}) {
        EXPECT_THROW(device().allocate(size), UsageError) << size;
    }
    EXPECT_THROW(device().allocate(0), UsageError);
    const auto after = upload_ints({5});
    EXPECT_EQ(ints(after), std::vector<std::int32_t>{5});
}

TEST_P(Contract, LaunchesThatCannotBeAreRefused) {
    const auto code = device().compile(program(), "advance_one");
    const auto value = upload_ints({0});
    const std::uint64_t most = device().info().max_group_items;
    EXPECT_THROW(run({Dispatch{code, {{0, 1, 1}, {1, 1, 1}}, {value}}}), UsageError);
    EXPECT_THROW(run({Dispatch{code, {{1, 1, 1}, {1, 0, 1}}, {value}}}), UsageError);
    EXPECT_THROW(run({Dispatch{code, {{1, 1, 1}, {most + 1, 1, 1}}, {value}}}), UsageError);
    EXPECT_THROW(run({Dispatch{code, {}, {value, LocalBytes{1u << 30}}}}), UsageError);
    EXPECT_THROW(run({Dispatch{nullptr, {}, {value}}}), UsageError);
    EXPECT_THROW(device().run({}), UsageError);
    EXPECT_EQ(ints(value), std::vector<std::int32_t>{0});
}

TEST_P(Contract, ArgumentsThatDoNotFitAreRefused) {
    if (GetParam().info.backend == "fake") GTEST_SKIP() << "a function of the host takes anything";
    const auto code = device().compile(program(), "scalars");
    const auto out = device().allocate(40);
    const auto launch = [&](std::vector<Argument> arguments) {
        run({Dispatch{code, {}, std::move(arguments)}});
    };
    const Argument b = std::uint32_t{1}, c = std::int64_t{1}, d = std::uint64_t{1}, e = 1.0f;
    EXPECT_THROW(launch({out, std::int32_t{1}, b, c, d}), Error) << "too few";
    EXPECT_THROW(launch({out, std::int32_t{1}, b, c, d, e, e}), Error) << "too many";
    EXPECT_THROW(launch({out, 1.0, b, c, d, e}), Error) << "a double for an int";
    EXPECT_THROW(launch({out, 1.0f, b, c, d, e}), Error) << "a float for an int";
    EXPECT_THROW(launch({out, out, b, c, d, e}), Error) << "a buffer for an int";
    EXPECT_THROW(launch({std::int64_t{1}, std::int32_t{1}, b, c, d, e}), Error)
        << "an int for a buffer";
    EXPECT_NO_THROW(launch({out, std::int32_t{1}, b, c, d, e}));
}

TEST_P(Contract, HandlesOutliveTheDevice) {
    auto memory = upload_ints({1, 2, 3});
    auto code = device().compile(program(), "advance_one");
    device_.reset();
    memory.reset();
    code.reset();
    device_ = GetParam().open();
    const auto again = upload_ints({4});
    EXPECT_EQ(ints(again), std::vector<std::int32_t>{4});
}

TEST_P(Contract, PageLockedMemoryGoesThereAndBack) {
    const auto there = device().page_locked(1000003), back = device().page_locked(1000003);
    ASSERT_EQ(there->bytes().size(), 1000003u);
    for (std::size_t i = 0; i < there->bytes().size(); ++i) {
        there->bytes()[i] = static_cast<std::byte>(i * 11 + 3);
        back->bytes()[i] = std::byte{0};
    }
    const auto memory = device().allocate(1000003);
    device().write(*memory, there->bytes());
    device().read(*memory, back->bytes());
    EXPECT_TRUE(std::ranges::equal(there->bytes(), back->bytes()));
    // The same for a part of it.
    std::vector<std::byte> part(7);
    device().write(*memory, there->bytes().subspan(500, 7), 3);
    device().read(*memory, part, 3);
    EXPECT_TRUE(std::ranges::equal(part, there->bytes().subspan(500, 7)));
}

TEST_P(Contract, PageLockedMemoryThatCannotBeIsRefused) {
    EXPECT_THROW(device().page_locked(0), UsageError);
    EXPECT_THROW(device().page_locked(std::size_t{1} << 60), UsageError);
}

TEST_P(Contract, PageLockedMemoryOutlivesTheDevice) {
    auto locked = device().page_locked(100);
    device_.reset();
    std::ranges::fill(locked->bytes(), std::byte{0x55});
    EXPECT_EQ(std::ranges::count(locked->bytes(), std::byte{0x55}), 100);
    locked.reset();
    device_ = GetParam().open();
    EXPECT_EQ(ints(upload_ints({4})), std::vector<std::int32_t>{4});
}

TEST_P(Contract, WithoutProfilingTheHostsClockIsUsed) {
    device_ = GetParam().open({.profiling = false});
    const auto code = device().compile(program(), "advance_one");
    const auto value = upload_ints({0});
    const Command command{Dispatch{code, {}, {value}}};
    const Elapsed elapsed = device().run(std::span(&command, 1), 4, 2);
    EXPECT_EQ(ints(value), std::vector<std::int32_t>{63}) << "two to lead in, and four";
    EXPECT_GT(elapsed.device, 0.0);
    EXPECT_LE(elapsed.device, elapsed.host) << "what led in is in the one and not in the other";
}

TEST_P(Contract, ForeignPtxIsTakenOrRefusedInWords) {
    if (GetParam().info.backend == "fake") GTEST_SKIP() << "a fake knows no languages";
    Program text{
        .name = "k.ptx", .source = "This is no PTX.", .language = Language::ptx, .foreign = true};
    try {
        device().compile(text, "k");
        FAIL() << "it was built";
    } catch (const BuildFailed& error) {
        EXPECT_TRUE(device().info().has("ptx")) << error.what();
        EXPECT_EQ(error.text, text.source);
    } catch (const Unsupported& error) {
        EXPECT_FALSE(device().info().has("ptx")) << error.what();
        EXPECT_NE(std::string(error.what()).find("PTX"), std::string::npos) << error.what();
    }
    EXPECT_EQ(ints(upload_ints({4})), std::vector<std::int32_t>{4}) << "no harm done";
}

TEST_P(Contract, OpenClWantsForeignPtxToBeCalledSo) {
    if (GetParam().info.backend != "opencl") GTEST_SKIP() << "only OpenCL is so careful";
    const Program text{.name = "k.ptx", .source = "", .language = Language::ptx};
    EXPECT_THROW(device().compile(text, "k"), Unsupported);
}

TEST_P(Contract, ManyDevicesOpenedAndClosed) {
    for (int i = 0; i < 20; ++i) {
        const auto one = GetParam().open(), other = GetParam().open();
        HostArray array(ElementType::i32, 1);
        array.as<std::int32_t>()[0] = i;
        const auto a = one->upload(array), b = other->upload(array);
        EXPECT_EQ(one->download(*a, ElementType::i32).as<std::int32_t>()[0], i);
        EXPECT_EQ(other->download(*b, ElementType::i32).as<std::int32_t>()[0], i);
    }
}

TEST_P(Contract, ADeviceThatIsNotThereIsSaid) {
    DeviceInfo gone = GetParam().info;
    gone.index = 4711;
    if (GetParam().info.backend == "fake") GTEST_SKIP() << "a fake opens whatever it is given";
    EXPECT_THROW(GetParam().backend->open(gone), DeviceError);
}

INSTANTIATE_TEST_SUITE_P(Devices, Contract, testing::ValuesIn(all_devices()), name_of_device);

/// A backend with only the required functions.
class PlainDevice final : public Device {
public:
    PlainDevice() : Device(fake_info()) {}

private:
    std::shared_ptr<Memory> do_allocate(std::size_t, std::size_t, bool) override { return {}; }
    void do_write(std::span<const HostWrite>) override {}
    void do_read(std::span<const HostRead>) override {}
    std::shared_ptr<const Code> do_compile(const Program&, std::string_view) override { return {}; }
    Elapsed do_run(std::span<const Command>, unsigned, unsigned) override { return {}; }
};

TEST(PlainDevice, HasNoPageLockedMemory) {
    PlainDevice device;
    EXPECT_THROW(device.page_locked(8), Unsupported);
    EXPECT_THROW(device.page_locked(0), UsageError);
    EXPECT_THROW(device.allocate(8, 0, Placement::page_locked), Unsupported);
}

TEST(FakeDevice, FailsWhenTold) {
    auto script = contract_script();
    FakeBackend backend(script);
    script->before = fail_nth("write", 2);
    const auto device = backend.open(backend.inventory.devices.at(0));
    HostArray array(ElementType::i32, 1);
    EXPECT_NO_THROW(device->upload(array));
    EXPECT_THROW(device->upload(array), DeviceError);
    EXPECT_NO_THROW(device->upload(array));
    EXPECT_EQ(script->live_bytes, 0u);
}

TEST(FakeDevice, TellsTheScriptedTime) {
    auto script = contract_script();
    FakeBackend backend(script);
    script->clock = {0.5, 0.25};
    const auto device = backend.open(backend.inventory.devices.at(0));
    const auto memory = device->allocate(4);
    const Command fill{Fill{memory, 0, 4, 0}};
    EXPECT_EQ(device->run(std::span(&fill, 1), 3).device, 0.5);
    EXPECT_EQ(device->run(std::span(&fill, 1), 3).device, 0.25);
    EXPECT_DOUBLE_EQ(device->run(std::span(&fill, 1), 3).device, 3e-3);
}

}  // namespace
}  // namespace parallax
