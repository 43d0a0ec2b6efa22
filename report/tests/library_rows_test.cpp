// Tests the sentences about kernels with library rows to compare with.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "report/run/run_table.hpp"

namespace parallax::library_rows_test {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

Record measured(const char* variant, const char* backend, double seconds,
                std::vector<std::uint64_t> shape = {512, 512, 512}) {
    Record one;
    one.key = {.suite = "multiply", .variant = variant, .type = "float", .shape = std::move(shape)};
    one.device = std::string(backend) + ":0";
    one.where.backend = backend;
    one.where.name = "A card";
    one.status = Status::ok;
    one.timing.emplace().estimate.median = seconds;
    return one;
}

TEST(LibraryRows, TheFastestOfEachDeviceIsSaidInPartsOfTheLibrarysSpeed) {
    EXPECT_THAT(
        library_sentences({measured("naive", "opencl", 8e-3), measured("blocked", "opencl", 4e-3),
                           measured("blocked", "cuda", 2.5e-3), measured("library", "cuda", 2e-3)}),
        ElementsAre("Beside cuBLAS on cuda:0, float 512x512x512 (2.00 ms), in parts of its speed: "
                    "blocked on opencl:0 0.50, blocked on cuda:0 0.80."));
}

TEST(LibraryRows, OtherSizesAndCardsAreNotHeldAgainstIt) {
    Record elsewhere = measured("blocked", "opencl", 1e-3);
    elsewhere.where.name = "Another card";
    EXPECT_THAT(library_sentences({measured("blocked", "cuda", 1e-3, {256, 256, 256}), elsewhere,
                                   measured("library", "cuda", 2e-3)}),
                IsEmpty());
}

TEST(LibraryRows, OtherSuitesAndProblemsAreNotHeldAgainstIt) {
    const auto of = [](const char* suite, const char* variant, double seconds) {
        Record one = measured(variant, "cuda", seconds);
        one.key.suite = suite;
        return one;
    };
    EXPECT_THAT(
        library_sentences({of("multiply", "blocked", 4e-3), of("tensor", "warp", 2e-3),
                           of("tensor", "half_warp", 1e-3), of("tensor", "half_library", 1e-3),
                           of("tensor", "library", 1e-3), of("multiply", "library", 3e-3)}),
        ElementsAre("Beside cuBLAS on cuda:0, float 512x512x512 halves (1.00 ms), in parts of its "
                    "speed: half_warp on cuda:0 1.00.",
                    "Beside cuBLAS on cuda:0, float 512x512x512 (1.00 ms), in parts of its speed: "
                    "warp on cuda:0 0.50.",
                    "Beside cuBLAS on cuda:0, float 512x512x512 (3.00 ms), in parts of its speed: "
                    "blocked on cuda:0 0.75."));
}

TEST(LibraryRows, ALibraryThatDidNotRunIsNoYardstick) {
    Record unsupported = measured("library", "opencl", 2e-3);
    unsupported.timing.reset();
    unsupported.status = Status::unsupported;
    EXPECT_THAT(library_sentences({measured("blocked", "opencl", 1e-3), unsupported}), IsEmpty());
}

TEST(LibraryRows, ASuiteOfAnotherProgramHasNone) {
    Record foreign = measured("library", "cuda", 2e-3);
    foreign.key.suite = "somebody's";
    EXPECT_THAT(library_sentences({foreign, measured("blocked", "cuda", 1e-3)}), IsEmpty());
}

}  // namespace
}  // namespace parallax::library_rows_test
