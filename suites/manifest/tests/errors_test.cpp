// Plants errors in kernels such as users write, and counts those that the checks of a
// first manifest find: numbers of every size, borders, special values, rows of every length.
#include <iostream>

#include <gtest/gtest.h>

#include "common/tests/thorough.hpp"
#include "common/text/read_file.hpp"
#include "suites/manifest/tests/judging.hpp"

namespace parallax::errors_test {
namespace {

using testing_manifest::said_in;

class Errors : public testing_manifest::Judging, public testing::Test {
protected:
    Errors() {
        line_ = {{70001}};  // more than 16 bits count
        plane_ = {{300, 290}};
    }

    static Opened* pocl() {
        for (Opened& one : opened_devices()) {
            if (one.entry.info.is_pocl()) return &one;
        }
        return nullptr;
    }
};

/// The smallest share of all errors that has to be found, and that of a sixth of them, which may
/// have more of the others.
constexpr double least_share = 0.95, least_share_of_some = 0.9;

TEST_F(Errors, AreFoundAndRightKernelsPass) {
    answers_ = pocl();
    if (!answers_) GTEST_SKIP() << "no PoCL";
    std::vector<std::filesystem::path> files;
    for (const auto& one : std::filesystem::directory_iterator(ERRORS)) files.push_back(one);
    std::ranges::sort(files);
    std::size_t number = 0, tried = 0;
    std::vector<std::string> missed;
    for (const std::filesystem::path& file : files) {
        const std::string text = read_file(file, 1 << 20);
        const Json manifest = manifest_of(text);
        const auto [word, why] = judged(manifest, text, *answers_);
        EXPECT_EQ(word, "right") << file << why << manifest.dump(1);
        for (const auto& [expected, what] : said_in(text)) {
            if (expected != "wrong") continue;
            // Every sixth: some of most kernels.
            if (!test::is_thorough() && number++ % 6 != 0) continue;
            const std::string wrong = changed(text, what);
            ASSERT_NE(wrong, "") << file << what;
            ++tried;
            const auto [now, reason] = judged(manifest, wrong, *answers_);
            if (now == "right") missed.push_back(file.stem().string() + ": " + what);
        }
    }
    std::string list;
    for (const std::string& one : missed) list += "\n  " + one;
    const double share = test::is_thorough() ? least_share : least_share_of_some;
    EXPECT_GE(static_cast<double>(tried - missed.size()), share * static_cast<double>(tried))
        << "missed:" << list;
    std::cerr << tried << " errors, missed:" << list << "\n";
}

}  // namespace
}  // namespace parallax::errors_test
