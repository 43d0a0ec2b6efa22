// Plants errors in kernels that somebody might have written, and counts those that the checks of a
// first manifest find: numbers of every size, borders, special values, rows of every length.
#include <cstdlib>
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

/// Those that the checks cannot find by what they are.
constexpr double least_share = 0.95;

TEST_F(Errors, AreFoundAndRightKernelsPass) {
    answers_ = pocl();
    if (!answers_) GTEST_SKIP() << "no PoCL";
    std::vector<std::filesystem::path> files;
    for (const auto& one : std::filesystem::directory_iterator(ERRORS)) files.push_back(one);
    std::ranges::sort(files);
    const char* const only = std::getenv("ONLY");
    std::size_t number = 0, tried = 0;
    std::vector<std::string> missed;
    for (const std::filesystem::path& file : files) {
        if (only && file.stem() != only) continue;
        const std::string text = read_file(file, 1 << 20);
        const Json manifest = manifest_of(text);
        if (only) std::cerr << manifest.dump(1) << "\n";
        const auto [word, why] = judged(manifest, text, *answers_);
        EXPECT_EQ(word, "right") << file << why << manifest.dump(1);
        for (const auto& [expected, what] : said_in(text)) {
            if (expected != "wrong") continue;
            // Each kernel has some of the part, and no kernel always the same ones.
            if (!test::is_thorough() && number++ % 9 != 0) continue;
            const std::string wrong = changed(text, what);
            ASSERT_NE(wrong, "") << file << what;
            ++tried;
            if (only) std::cerr << what << "\n";
            const auto [now, reason] = judged(manifest, wrong, *answers_);
            if (now == "right") missed.push_back(file.stem().string() + ": " + what);
            if (only) std::cerr << what << ": " << now << " " << reason.substr(0, 150) << "\n";
        }
    }
    std::string list;
    for (const std::string& one : missed) list += "\n  " + one;
    EXPECT_GE(static_cast<double>(tried - missed.size()), least_share * static_cast<double>(tried))
        << "missed:" << list;
    std::cerr << tried << " errors, missed:" << list << "\n";
}

}  // namespace
}  // namespace parallax::errors_test
