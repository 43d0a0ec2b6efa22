// The contract of devices about host memory and several queues.
#include <cstring>
#include <numeric>

#include "backends/tests/contract.hpp"
#include "common/error.hpp"

namespace parallax {
namespace {

/// A test suite of its own for devices under the contract.
class Queues : public Contract {
protected:
    /// 64 different words, which also differ from those of another start.
    static HostArray words(std::int32_t start) {
        HostArray array(ElementType::i32, 64);
        std::iota(array.as<std::int32_t>().begin(), array.as<std::int32_t>().end(), start);
        return array;
    }
    std::shared_ptr<Memory> host_memory(Placement placement) {
        return device().allocate(64 * sizeof(std::int32_t), guard_bytes, placement);
    }
    std::shared_ptr<Memory> device_memory() { return device().allocate(64 * sizeof(std::int32_t)); }
    /// Value v becomes 2 v + 1: the result depends on the order of such steps and copies.
    Dispatch advance(const std::shared_ptr<Memory>& memory) {
        if (!advance_one_) advance_one_ = device().compile(contract_program(), "advance_one");
        return {advance_one_, {}, {memory}};
    }
    static Copy copy(const std::shared_ptr<Memory>& from, const std::shared_ptr<Memory>& to,
                     std::size_t bytes = 64 * sizeof(std::int32_t)) {
        return {from, to, 0, 0, bytes};
    }
    void reopen(const OpenOptions& how) {
        advance_one_.reset();
        device_ = GetParam().open(how);
    }
    void TearDown() override { advance_one_.reset(); }

private:
    std::shared_ptr<const Code> advance_one_;
};

TEST_P(Queues, CopiesFromAndToEveryKindOfHostMemory) {
    for (const Placement placement :
         {Placement::pageable, Placement::page_locked, Placement::write_combined}) {
        SCOPED_TRACE(name_of(placement));
        std::shared_ptr<Memory> there, back;
        try {
            there = host_memory(placement);
            back = host_memory(placement);
        } catch (const Unsupported& error) {
            EXPECT_EQ(placement, Placement::write_combined) << error.what();
            continue;
        }
        EXPECT_EQ(there->placement(), placement);
        const HostArray data = words(1000);
        device().write(*there, data.bytes());
        const auto middle = device_memory();
        const std::vector<Command> commands{{copy(there, middle)}, {copy(middle, back)}};
        device().run(commands);
        EXPECT_TRUE(
            std::ranges::equal(device().download(*back, ElementType::i32).bytes(), data.bytes()));
        EXPECT_EQ(ints(middle).front(), 1000);
    }
}

TEST_P(Queues, PartsAreCopiedFromTheirPlaceToTheirPlace) {
    const auto there = host_memory(Placement::page_locked), middle = device_memory();
    device().write(*there, words(0).bytes());
    device().write(*middle, words(500).bytes());
    const Command command{Copy{there, middle, 8, 16, 12}};
    device().run(std::span(&command, 1));
    const auto now = ints(middle);
    EXPECT_EQ(now[3], 503);
    EXPECT_EQ(now[4], 2);
    EXPECT_EQ(now[6], 4);
    EXPECT_EQ(now[7], 507);
}

TEST_P(Queues, KernelsReachMappedMemory) {
    const auto mapped =
        device().allocate(64 * sizeof(std::int32_t), guard_bytes, Placement::mapped);
    EXPECT_EQ(mapped->placement(), Placement::mapped);
    device().write(*mapped, words(20).bytes());
    const Command command{advance(mapped)};
    device().run(std::span(&command, 1), 2);
    EXPECT_EQ(ints(mapped)[0], 83);
    EXPECT_EQ(ints(mapped)[1], 21);
    const Command fill{Fill{mapped, 0, 8, 0xff}};
    device().run(std::span(&fill, 1));
    EXPECT_EQ(ints(mapped)[1], -1);
    EXPECT_EQ(ints(mapped)[2], 22);
}

TEST_P(Queues, EventsTieQueuesTogether) {
    // v: 1 -> 3 in queue 1, copied in queue 2, -> 7 in queue 0: only this order gives 7 and 3.
    for (const bool locked : {true, false}) {
        const auto host = host_memory(locked ? Placement::page_locked : Placement::pageable);
        const auto one = device_memory(), other = device_memory();
        device().write(*host, words(1).bytes());
        device().write(*one, words(100).bytes());
        device().write(*other, words(200).bytes());
        const std::vector<Command> commands{{copy(host, one), 3},
                                            {advance(one), 1, {0}},
                                            {copy(one, other), 2, {1}},
                                            {advance(one), 0, {2}}};
        for (int i = 0; i < 20; ++i) {
            device().run(commands);
            ASSERT_EQ(ints(one)[0], 7) << i;
            ASSERT_EQ(ints(other)[0], 3) << i;
        }
    }
}

TEST_P(Queues, RepetitionsDoNotOverlap) {
    // Each repetition starts with the result of the previous one, in another queue.
    const auto one = device_memory(), other = device_memory();
    device().write(*one, words(0).bytes());
    const std::vector<Command> commands{
        {copy(one, other), 1}, {advance(other), 1, {0}}, {copy(other, one), 2, {1}}};
    device().run(commands, 5, 2);
    EXPECT_EQ(ints(one)[0], 127) << "seven times 2 v + 1 from 0";
}

TEST_P(Queues, WithoutAnOrderEventsAloneSayWhatWaits) {
    const auto one = device_memory(), other = device_memory();
    device().write(*one, words(1).bytes());
    const std::vector<Command> commands{{advance(one), unordered_queue},
                                        {advance(one), unordered_queue, {0}},
                                        {copy(one, other), unordered_queue, {1}}};
    try {
        device().run(commands, 2);
    } catch (const Unsupported& error) {
        EXPECT_EQ(GetParam().info.backend, "cuda") << error.what();
        EXPECT_EQ(ints(one)[0], 1) << "nothing was run";
        return;
    }
    EXPECT_EQ(ints(other)[0], 31);
}

TEST_P(Queues, ManyQueuesHoweverTheyAreOpened) {
    for (const OpenOptions how : {OpenOptions{.profiling = false}, OpenOptions{.host_clock = true},
                                  OpenOptions{.few_events = true}, OpenOptions{.flushes = true}}) {
        reopen(how);
        const auto last = device_memory(), first = device_memory();
        device().write(*first, words(1).bytes());
        const std::vector<Command> chain{{advance(first), 1}, {copy(first, last), 2, {0}}};
        const Elapsed elapsed = device().run(chain, 2);
        EXPECT_EQ(ints(last)[0], 7) << "a command that is waited for has its event";
        EXPECT_GT(elapsed.device, 0.0);
        EXPECT_TRUE(!how.is_timed_by_host() || elapsed.device <= elapsed.host);
    }
    reopen({.profiling = false});
    const auto code = device().compile(contract_program(), "advance_one");
    std::vector<std::shared_ptr<Memory>> memories;
    std::vector<Command> commands;
    for (unsigned queue = 0; queue < unordered_queue; ++queue) {
        memories.push_back(device_memory());
        device().write(*memories.back(), words(static_cast<std::int32_t>(queue)).bytes());
        commands.push_back({Dispatch{code, {}, {memories.back()}}, queue});
    }
    EXPECT_GT(device().run(commands, 2).host, 0.0);
    for (unsigned queue = 0; queue < unordered_queue; ++queue) {
        EXPECT_EQ(ints(memories[queue])[0], static_cast<std::int32_t>(4 * queue + 3));
    }
}

TEST_P(Queues, WhatCannotBeIsRefusedBeforeAnythingRuns) {
    const auto host = host_memory(Placement::pageable), other = host_memory(Placement::pageable);
    const auto memory = device_memory();
    device().write(*memory, words(1).bytes());
    const auto refused = [&](std::vector<Command> commands) {
        commands.insert(commands.begin(), Command{advance(memory)});
        EXPECT_THROW(device().run(commands), UsageError);
    };
    refused({{advance(host)}});
    refused({{copy(host, other)}});
    refused({{Fill{host, 0, 4, 0}}});
    refused({{advance(memory), unordered_queue + 1}});
    refused({{advance(memory), 0, {1}}});
    refused({{advance(memory), 0, {7}}});
    refused({{Copy{host, memory, 4, 0, 64 * sizeof(std::int32_t)}}});
    EXPECT_EQ(ints(memory)[0], 1);
    EXPECT_THROW(device().allocate(0, 0, Placement::pageable), UsageError);
    EXPECT_THROW(device().allocate(std::size_t{1} << 60, 0, Placement::page_locked), UsageError);
}

INSTANTIATE_TEST_SUITE_P(Devices, Queues, testing::ValuesIn(all_devices()), name_of_device);

}  // namespace
}  // namespace parallax
