// The meaning of the prelude's functions of work-groups, sub-groups and atomics, run on the host.
#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <numeric>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

#include "mapping/tests/prelude_stand_ins.hpp"

namespace parallax::device {
#include "mapping/tests/prelude_functions.hpp"
}  // namespace parallax::device

namespace parallax {
namespace {

namespace dev = device;

/// Runs `item` for every work-item of a work-group of this shape, by its linear id.
void run_group(dev::Place shape, const std::function<void(unsigned)>& item) {
    const unsigned count = shape.x * shape.y * shape.z;
    dev::blockDim = shape;
    dev::group_barrier = std::make_unique<std::barrier<>>(count);
    std::vector<std::unique_ptr<dev::Warp>> warps;
    for (unsigned first = 0; first < count; first += 32) {
        warps.push_back(std::make_unique<dev::Warp>(std::min(32u, count - first)));
    }
    std::vector<std::thread> threads;
    for (unsigned i = 0; i < count; ++i) {
        threads.emplace_back([&, i] {
            dev::threadIdx = {i % shape.x, i / shape.x % shape.y, i / shape.x / shape.y};
            dev::warp = warps[i / 32].get();
            dev::warp_lane = i % 32;
            item(i);
        });
    }
    for (std::thread& thread : threads) thread.join();
    EXPECT_EQ(dev::wrong_masks, 0);
}

const dev::Place shapes[] = {{1, 1, 1}, {7, 1, 1}, {32, 1, 1}, {33, 1, 1}, {7, 5, 2}, {1, 16, 4}};

unsigned count_of(dev::Place shape) {
    return shape.x * shape.y * shape.z;
}

/// Numbers without an order, among them negative ones where there are any.
template <class T>
std::vector<T> inputs(unsigned count) {
    std::vector<T> all(count);
    for (unsigned i = 0; i < count; ++i) all[i] = T(T(i * 37 % 101) - T(50));
    return all;
}

template <class T>
class Groups : public ::testing::Test {};
using Elements = ::testing::Types<int, unsigned, long long, unsigned long long, float, double>;
TYPED_TEST_SUITE(Groups, Elements);

/// The results of the nine functions of one family for a work-item.
template <class T>
struct Nine {
    T values[9];
};

template <class T>
T identity_of(int operation) {
    using Limits = std::numeric_limits<T>;
    if (operation == 0) return 0;
    if (Limits::has_infinity) return operation == 1 ? Limits::infinity() : -Limits::infinity();
    return operation == 1 ? Limits::max() : Limits::lowest();
}

template <class T>
T combined(int operation, T a, T b) {
    return operation == 0 ? T(a + b) : operation == 1 ? std::min(a, b) : std::max(a, b);
}

/// The same by a loop over the work-items from `first` to `last`.
template <class T>
Nine<T> expected(const std::vector<T>& in, unsigned i, unsigned first, unsigned last) {
    Nine<T> nine{};
    for (int operation = 0; operation < 3; ++operation) {
        T all = identity_of<T>(operation), inclusive = all, exclusive = all;
        for (unsigned k = first; k < last; ++k) {
            all = combined(operation, all, in[k]);
            if (k < i) exclusive = combined(operation, exclusive, in[k]);
            if (k <= i) inclusive = combined(operation, inclusive, in[k]);
        }
        nine.values[3 * operation] = all;
        nine.values[3 * operation + 1] = inclusive;
        nine.values[3 * operation + 2] = exclusive;
    }
    return nine;
}

TYPED_TEST(Groups, WorkGroupsReduceAndScan) {
    using T = TypeParam;
    for (const dev::Place shape : shapes) {
        const unsigned count = count_of(shape);
        const auto in = inputs<T>(count);
        std::vector<Nine<T>> out(count);
        run_group(shape, [&](unsigned i) {
            const T x = in[i];
            out[i] = {{dev::work_group_reduce_add(x), dev::work_group_scan_inclusive_add(x),
                       dev::work_group_scan_exclusive_add(x), dev::work_group_reduce_min(x),
                       dev::work_group_scan_inclusive_min(x), dev::work_group_scan_exclusive_min(x),
                       dev::work_group_reduce_max(x), dev::work_group_scan_inclusive_max(x),
                       dev::work_group_scan_exclusive_max(x)}};
        });
        for (unsigned i = 0; i < count; ++i) {
            const Nine<T> wanted = expected(in, i, 0, count);
            for (int k = 0; k < 9; ++k) {
                ASSERT_EQ(out[i].values[k], wanted.values[k]) << count << " " << i << " " << k;
            }
        }
    }
}

TYPED_TEST(Groups, SubGroupsReduceAndScan) {
    using T = TypeParam;
    for (const dev::Place shape : shapes) {
        const unsigned count = count_of(shape);
        const auto in = inputs<T>(count);
        std::vector<Nine<T>> out(count);
        run_group(shape, [&](unsigned i) {
            const T x = in[i];
            out[i] = {{dev::sub_group_reduce_add(x), dev::sub_group_scan_inclusive_add(x),
                       dev::sub_group_scan_exclusive_add(x), dev::sub_group_reduce_min(x),
                       dev::sub_group_scan_inclusive_min(x), dev::sub_group_scan_exclusive_min(x),
                       dev::sub_group_reduce_max(x), dev::sub_group_scan_inclusive_max(x),
                       dev::sub_group_scan_exclusive_max(x)}};
        });
        for (unsigned i = 0; i < count; ++i) {
            const unsigned first = i / 32 * 32;
            const Nine<T> wanted = expected(in, i, first, std::min(first + 32, count));
            for (int k = 0; k < 9; ++k) {
                ASSERT_EQ(out[i].values[k], wanted.values[k]) << count << " " << i << " " << k;
            }
        }
    }
}

TEST(PreludeGroups, Shuffles) {
    for (const dev::Place shape : shapes) {
        const unsigned count = count_of(shape);
        run_group(shape, [&](unsigned i) {
            const unsigned first = i / 32 * 32, lane = i % 32, size = std::min(32u, count - first);
            EXPECT_EQ(dev::get_sub_group_size(), size);
            EXPECT_EQ(dev::get_sub_group_local_id(), lane);
            EXPECT_EQ(dev::get_sub_group_id(), first / 32);
            EXPECT_EQ(dev::get_num_sub_groups(), (count + 31) / 32);
            const double x = 0.1 + i;
            EXPECT_EQ(dev::sub_group_broadcast(x, size - 1), 0.1 + (first + size - 1));
            const double up = dev::sub_group_shuffle_up(x, 2);
            const short down = dev::sub_group_shuffle_down(short(i), 3);
            const double other = dev::sub_group_shuffle_xor(x, 1);
            if (lane >= 2) {
                EXPECT_EQ(up, 0.1 + (i - 2));
            }
            if (lane + 3 < size) {
                EXPECT_EQ(down, short(i + 3));
            }
            if ((lane ^ 1) < size) {
                EXPECT_EQ(other, 0.1 + (i ^ 1));
            }
            const int before = dev::intel_sub_group_shuffle_up(int(1000 + lane), int(lane), 5);
            const int after = dev::intel_sub_group_shuffle_down(int(lane), int(1000 + lane), 5);
            if (size == 32) {
                EXPECT_EQ(before, lane >= 5 ? int(lane - 5) : int(1000 + lane + 27));
                EXPECT_EQ(after, lane < 27 ? int(lane + 5) : int(1000 + lane - 27));
            }
        });
    }
}

TEST(PreludeGroups, Ballots) {
    run_group({40, 1, 1}, [](unsigned i) {
        const unsigned size = i < 32 ? 32 : 8, lane = i % 32;
        const dev::uint4 votes = dev::sub_group_ballot(lane % 3 == 1);
        unsigned all = 0, below = 0, last = 0;
        for (unsigned k = 0; k < size; ++k) {
            if (k % 3 != 1) continue;
            ++all;
            last = k;
            below += k < lane;
        }
        EXPECT_EQ(dev::sub_group_ballot_bit_count(votes), all);
        EXPECT_EQ(dev::sub_group_ballot_exclusive_scan(votes), below);
        EXPECT_EQ(dev::sub_group_ballot_inclusive_scan(votes), below + (lane % 3 == 1));
        EXPECT_EQ(dev::sub_group_ballot_find_lsb(votes), 1u);
        EXPECT_EQ(dev::sub_group_ballot_find_msb(votes), last);
        unsigned masks[5] = {};
        for (unsigned k = 0; k < size; ++k) {
            const unsigned bit = 1u << k;
            masks[0] |= k == lane ? bit : 0;
            masks[1] |= k >= lane ? bit : 0;
            masks[2] |= k > lane ? bit : 0;
            masks[3] |= k <= lane ? bit : 0;
            masks[4] |= k < lane ? bit : 0;
        }
        EXPECT_EQ(dev::get_sub_group_eq_mask().x, masks[0]);
        EXPECT_EQ(dev::get_sub_group_ge_mask().x, masks[1]);
        EXPECT_EQ(dev::get_sub_group_gt_mask().x, masks[2]);
        EXPECT_EQ(dev::get_sub_group_le_mask().x, masks[3]);
        EXPECT_EQ(dev::get_sub_group_lt_mask().x, masks[4]);
    });
}

TEST(PreludeGroups, CopiesAndBroadcasts) {
    std::vector<int> global(500), local(100), back(500, -1);
    std::iota(global.begin(), global.end(), 0);
    dev::shared_begin = local.data();
    dev::shared_end = local.data() + local.size();
    run_group({7, 3, 2}, [&](unsigned i) {
        dev::event_t event =
            dev::async_work_group_strided_copy(local.data(), global.data(), 100, 5, 0);
        dev::wait_group_events(1, &event);
        EXPECT_EQ(local[i], int(5 * i));
        EXPECT_EQ(dev::work_group_broadcast(int(i), 2, 1, 1), 2 + 7 * (1 + 3));
        event = dev::async_work_group_strided_copy(back.data(), local.data(), 100, 3, event);
        event = dev::async_work_group_copy(back.data() + 400, global.data(), 100, event);
        dev::wait_group_events(2, &event);
        EXPECT_EQ(dev::get_global_linear_id(), i);
    });
    for (int i = 0; i < 100; ++i) {
        EXPECT_EQ(back[std::size_t(3 * i)], 5 * i);
        EXPECT_EQ(back[std::size_t(3 * i + 1)], -1);
        EXPECT_EQ(back[std::size_t(400 + i)], i);
    }
}

TEST(PreludeAtomics, OfTypesThatCudaHasNot) {
    long long l = -5;
    EXPECT_EQ(dev::atomicSub(&l, 7ll), -5);
    EXPECT_EQ(l, -12);
    EXPECT_EQ(dev::atomicAdd(&l, -1ll), -12);
    EXPECT_EQ(dev::atomicAnd(&l, 0xffll), -13);
    EXPECT_EQ(l, 0xf3);
    EXPECT_EQ(dev::atomicExch(&l, -1ll), 0xf3);
    EXPECT_EQ(dev::atomicCAS(&l, -2ll, 5ll), -1);
    EXPECT_EQ(dev::atomicCAS(&l, -1ll, 5ll), -1);
    EXPECT_EQ(l, 5);
    unsigned long long u = 3;
    EXPECT_EQ(dev::atomicSub(&u, 5ull), 3ull);
    EXPECT_EQ(u, ~0ull - 1);
    double d = 1.5;
    EXPECT_EQ(dev::atomicExch(&d, -0.25), 1.5);
    EXPECT_EQ(d, -0.25);
    EXPECT_EQ(dev::atom_inc(&l), 5);
    EXPECT_EQ(l, 6);
    int flag = 0;
    EXPECT_FALSE(dev::atomic_flag_test_and_set(&flag));
    EXPECT_TRUE(dev::atomic_flag_test_and_set(&flag));
}

TEST(PreludeAtomics, CompareAndExchangeGivesBackWhatIsThere) {
    float there = 2, seen = 1;
    EXPECT_FALSE(dev::atomic_compare_exchange_strong(&there, &seen, 7));
    EXPECT_EQ(seen, 2);
    EXPECT_EQ(there, 2);
    EXPECT_TRUE(dev::atomic_compare_exchange_strong(&there, &seen, 7));
    EXPECT_EQ(there, 7);
    long long wide = -1, other = 0;
    EXPECT_FALSE(dev::atomic_compare_exchange_strong(&wide, &other, 3));
    EXPECT_EQ(other, -1);
    EXPECT_TRUE(dev::atomic_compare_exchange_strong(&wide, &other, 3));
    EXPECT_EQ(wide, 3);
}

TEST(PreludeAtomics, FencesFollowTheOrder) {
    int x = 9;
    const auto fences = [&](dev::memory_order order) {
        dev::fences = 0;
        dev::atomic_fetch_sub_explicit(&x, 1, order, dev::memory_scope_work_group);
        return dev::fences;
    };
    EXPECT_EQ(fences(dev::memory_order_relaxed), 0);
    EXPECT_EQ(fences(dev::memory_order_acquire), 1);
    EXPECT_EQ(fences(dev::memory_order_release), 1);
    EXPECT_EQ(fences(dev::memory_order_acq_rel), 2);
    EXPECT_EQ(fences(dev::memory_order_seq_cst), 2);
    EXPECT_EQ(x, 4);
}

}  // namespace
}  // namespace parallax
