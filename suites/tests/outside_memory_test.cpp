// Tests planted errors with invalid accesses on the sanitized host, including some that nothing
// else here can run. A program of its own, which loads no other backend: NVIDIA's driver occupies
// the addresses that the sanitizers need.
#include <gtest/gtest.h>

#include "common/device/devices.hpp"
#include "common/error.hpp"
#include "common/tests/devices_here.hpp"
#include "common/tests/thorough.hpp"
#include "mapping/analyze/only_kernels.hpp"
#include "measure/verification.hpp"
#include "suites/tests/planted_cases.hpp"

namespace parallax::outside_memory_test {
namespace {

using namespace planted_test;

class OutsideMemory : public testing::TestWithParam<Planted> {};
class Races : public testing::TestWithParam<Planted> {};

/// Expects that the launch of a planted error ends with a report, and that of the original kernel
/// does not.
/// @param found_here  words of the report, one of which must occur
void expect_end(const Planted& planted, const std::vector<std::string_view>& found_here) {
    const std::vector<Entry> entries = test::devices_of("host");
    const auto found = std::ranges::find_if(
        entries, [](const Entry& entry) { return entry.info.has("sanitizers"); });
    if (found == entries.end()) GTEST_SKIP() << "the system's compiler has no sanitizers";
    static ReferenceCache references{std::uint64_t{1} << 28};
    const Case c = small_case(planted);
    const auto device = found->open();
    const Plan plan = plan_of(c);
    VerificationResult right;
    Verifier{*device, references}.launch(c,
                                         build(*device, only_launched(program_of(c), plan), plan),
                                         input_patterns_of(c).front(), right);
    EXPECT_TRUE(right.right()) << told(right);
    const Codes codes = build(*device, only_launched(program_with(planted, c), plan), plan);
    VerificationResult checked;
    try {
        Verifier{*device, references}.launch(c, codes, input_patterns_of(c).front(), checked);
        ADD_FAILURE() << planted.why << " The gate says: " << told(checked);
    } catch (const DeviceError& error) {
        const std::string what = error.what();
        EXPECT_TRUE(std::ranges::any_of(found_here, [&](std::string_view words) {
            return what.find(words) != what.npos;
        })) << what;
        EXPECT_NE(what.find(portable_source(*c.suite, *c.variant) + ":"), what.npos) << what;
    }
}

TEST_P(OutsideMemory, EndsTheLaunchWithTheLine) {
    // A store outside of one row may hit another work-group's data before it is out of bounds.
    expect_end(GetParam(), {"outside of", "a race"});
}

TEST_P(Races, EndTheLaunchWithTheLine) {
    expect_end(GetParam(), {"a race"});
}

bool races(const Planted& one) {
    // Equal stores are no race for it.
    return one.oclgrind == Oclgrind::race && one.name != "every element stored twice";
}

INSTANTIATE_TEST_SUITE_P(Sanitizers, Races, testing::ValuesIn(test::every_nth(those(races), 5)),
                         test_name);
INSTANTIATE_TEST_SUITE_P(Sanitizers, OutsideMemory,
                         testing::ValuesIn(test::every_nth(those([](const Planted& one) {
                                                               return one.oclgrind ==
                                                                      Oclgrind::outside;
                                                           }),
                                                           4)),
                         test_name);

}  // namespace
}  // namespace parallax::outside_memory_test
