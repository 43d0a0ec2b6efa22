// Does the map know every word of the two APIs that this program uses, and what the translator
// does?
#include <algorithm>
#include <regex>
#include <set>

#include <gtest/gtest.h>

#include "common/text/text_lines.hpp"
#include "mapping/search/find.hpp"
#include "mapping/search/sources.hpp"

namespace parallax::coverage_test {
namespace {

/// All words of the files below `folder` that match, without comments and strings.
std::set<std::string> words_of_files(std::string_view folder, const std::regex& pattern) {
    static const std::regex left_out(R"re(//[^\n]*|"(\\.|[^"\\\n])*")re");
    std::set<std::string> words;
    for (const EmbeddedFile& file : mapped_sources()) {
        if (!file.name.starts_with(folder)) continue;
        const std::string text = std::regex_replace(std::string(file.text), left_out, " ");
        for (std::sregex_iterator at(text.begin(), text.end(), pattern), end; at != end; ++at) {
            words.insert(at->str());
        }
    }
    return words;
}

void expect_rows_for(const std::set<std::string>& words) {
    for (const std::string& word : words) {
        const std::vector<Found> found = rows_for(word);
        ASSERT_FALSE(found.empty()) << word;
        EXPECT_LE(found.front().match, Match::form) << word << " has no row of its own";
        EXPECT_FALSE(rows_for_code(word).empty()) << word << " has no row in a line of code";
    }
}

TEST(Coverage, EveryWordOfCudaInItsBackendHasARow) {
    const std::set<std::string> words = words_of_files(
        "backends/cuda/",
        std::regex(
            R"(\b(?:cuda[A-Z]\w*|cu[A-Z]\w*|nvrtc[A-Z]\w*|CU[A-Z]*_\w+|CUevent_st|NVRTC_\w+|dim3)\b)"));
    EXPECT_GT(words.size(), 110u);
    EXPECT_TRUE(words.count("cudaMallocArray"));
    expect_rows_for(words);
}

TEST(Coverage, EveryWordOfOpenClInItsBackendHasARow) {
    const std::set<std::string> words = words_of_files(
        "backends/opencl/",
        std::regex(
            R"(\bcl::\w+(?:::\w+)*|\b(?:cl[A-Z_]\w*|CL_\w+|enqueue[A-Z]\w*)\b|\b(?:getInfo|setArg|getBuildInfo|getWorkGroupInfo|getProfilingInfo|createSubBuffer|getDevices)\b)"));
    std::set<std::string> api;
    for (const std::string& word : words) {
        // Functions of this program that begin so.
        if (word != "enqueueSideBySide") api.insert(word);
    }
    EXPECT_GT(api.size(), 100u);
    EXPECT_TRUE(api.count("cl::Platform::get"));
    expect_rows_for(api);
}

TEST(Coverage, EveryWordOfTheTwoDifferentSpellingsOfAKernelsLineHasARow) {
    std::size_t differing = 0;
    for (const EmbeddedFile& file : mapped_sources()) {
        if (!file.name.starts_with("kernels/cuda/")) continue;
        for (std::size_t number = 1; number <= lines_of(file.text).size(); ++number) {
            const std::string name = std::string(file.name) + ":" + std::to_string(number);
            const auto named = named_line(name);
            ASSERT_TRUE(named) << name;
            if (!named->other || named->other->text == named->line.text) continue;
            ++differing;
            EXPECT_FALSE(rows_for_code(named->line.text, named->other->text).empty())
                << name << ": " << named->line.text;
            // Each text has one by itself, too; of a `#pragma` nothing is left.
            for (const std::string_view text :
                 {std::string_view(named->line.text), std::string_view(named->other->text)}) {
                EXPECT_TRUE(text.empty() || !rows_for_code(text).empty()) << text;
            }
        }
    }
    EXPECT_GT(differing, 300u);
}

TEST(Coverage, AKernelsLineStandsBesideTheLineThatTheTranslatorMadeOfIt) {
    const auto with_prelude = named_line("kernels/smoothing.cl:40");
    ASSERT_TRUE(with_prelude && with_prelude->other);
    const auto back =
        named_line("kernels/cuda/smoothing.cu:" + std::to_string(with_prelude->other->number));
    ASSERT_TRUE(back && back->other);
    EXPECT_EQ(back->other->number, 40u);
    EXPECT_EQ(back->other->text, with_prelude->line.text);
    const auto prelude = named_line("kernels/cuda/smoothing.cu:2");
    ASSERT_TRUE(prelude);
    EXPECT_TRUE(prelude->is_prelude);
    EXPECT_FALSE(prelude->other);
}

}  // namespace
}  // namespace parallax::coverage_test
