// Planted errors that touch what they may not, on the host with sanitizers: among them those that
// nothing else here could run. In a program of its own, which asks no other backend for devices:
// where NVIDIA's driver was asked, it has the addresses that the sanitizers need.
#include <gtest/gtest.h>

#include "common/devices.hpp"
#include "common/error.hpp"
#include "common/tests/devices_here.hpp"
#include "mapping/translate/only_kernels.hpp"
#include "measure/gate.hpp"
#include "suites/tests/planted_cases.hpp"

namespace parallax::outside_memory_test {
namespace {

using namespace planted_test;

class OutsideMemory : public testing::TestWithParam<Planted> {};

TEST_P(OutsideMemory, EndsTheLaunchWithTheLine) {
    const Planted& planted = GetParam();
    const std::vector<Entry> entries = test::devices_of("host");
    const auto found = std::ranges::find_if(
        entries, [](const Entry& entry) { return entry.info.has("sanitizers"); });
    if (found == entries.end()) GTEST_SKIP() << "the system's compiler has no sanitizers";
    static Workloads workloads{std::uint64_t{1} << 28};
    const Case c = small_case(planted);
    const auto device = found->open();
    const Plan plan = plan_of(c);
    Checked right;
    check_once(*device, c, build(*device, only_launched(program_of(c), plan), plan),
               fillings_of(c).front(), 1, workloads, right);
    EXPECT_TRUE(right.right()) << told(right);
    const Codes codes = build(*device, only_launched(program_with(planted, c), plan), plan);
    Checked checked;
    try {
        check_once(*device, c, codes, fillings_of(c).front(), 1, workloads, checked);
        ADD_FAILURE() << planted.why << " The gate says: " << told(checked);
    } catch (const DeviceError& error) {
        const std::string what = error.what();
        EXPECT_NE(what.find("outside of"), what.npos) << what;
        EXPECT_NE(what.find(portable_source(*c.suite, *c.variant) + ":"), what.npos) << what;
    }
}

INSTANTIATE_TEST_SUITE_P(Sanitizers, OutsideMemory, testing::ValuesIn(those([](const Planted& one) {
                             return one.oclgrind == Oclgrind::outside;
                         })),
                         test_name);

}  // namespace
}  // namespace parallax::outside_memory_test
