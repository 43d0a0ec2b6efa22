// Are words found in code and spellings, and does every word of every row find its row?
#include "mapping/search/search_words.hpp"

#include <algorithm>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "mapping/search/search_answer.hpp"

namespace parallax::words_test {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::Not;

TEST(Words, OfCode) {
    EXPECT_THAT(words_in_code("a = clFinish(q) + a;  // cudaFree"),
                ElementsAre("a", "clFinish", "q"));
    EXPECT_THAT(words_in_code("cl::Platform::get(&p); std::x"),
                ElementsAre("cl::Platform::get", "p", "std::x"));
    EXPECT_THAT(words_in_code("k<<<1, 0x1Full, 1.5e3f>>>(p)"), ElementsAre("k", "<<<", "1LL", "p"));
    EXPECT_THAT(words_in_code("x >> 8 << 1u + 2l + 3.l + 0x1p3"),
                ElementsAre("x", ">>", "<<", "1L"));
    EXPECT_THAT(words_in_code("/* barrier */ #pragma unroll 4"), ElementsAre("#pragma", "unroll"));
    EXPECT_THAT(words_in_code(R"(f("--fmad={}", "float -cl-std=CL1.2 a \" CL_TRUE"))"),
                ElementsAre("f", "--fmad", "-cl-std", "CL_TRUE"));
}

TEST(Words, OfBrokenCode) {
    EXPECT_THAT(words_in_code(""), IsEmpty());
    EXPECT_THAT(words_in_code("\"never ended \\"), IsEmpty());
    EXPECT_THAT(words_in_code("/* never ended"), IsEmpty());
    EXPECT_THAT(words_in_code("cl::"), ElementsAre("cl"));
    EXPECT_THAT(words_in_code("# #"), IsEmpty());
    EXPECT_THAT(words_in_code(std::string_view("a\0\xff\x80z", 5)), ElementsAre("a", "z"));
}

TEST(Words, Forms) {
    EXPECT_THAT(forms_of("clEnqueueWriteBuffer"),
                ElementsAre("clenqueuewritebuffer", "enqueuewritebuffer"));
    EXPECT_THAT(forms_of("__shared__"), ElementsAre("shared"));
    EXPECT_THAT(forms_of("Zero-Copy"), ElementsAre("zero copy"));
    EXPECT_THAT(forms_of("cudaStream_t"), ElementsAre("cudastream t", "stream"));
    EXPECT_THAT(forms_of("CL_MEM_READ_ONLY"), ElementsAre("cl mem read only", "mem read only"));
    EXPECT_THAT(forms_of("cl::Buffer"), ElementsAre("cl::buffer", "buffer"));
    EXPECT_THAT(forms_of("cute"), ElementsAre("cute")) << "no prefix without a capital behind it";
}

TEST(Words, Patterns) {
    EXPECT_TRUE(stands_for("cudaError*", "cudaErrorFoo"));
    EXPECT_TRUE(stands_for("image*_t", "image2d_t"));
    EXPECT_FALSE(stands_for("image*_t", "image2d"));
    EXPECT_FALSE(stands_for("ab*ba", "aba")) << "the two ends do not overlap";
}

TEST(Words, OfARow) {
    const MappingRule row{"clOne(CL_A), -cl-x=1", "cudaProp::someMember", "Trap.",
                          Equivalence::same, "two words, cl::One, plain"};
    std::vector<std::string> words, code;
    for (const MappedWord& word : mapped_words(row)) {
        words.push_back(word.text);
        if (word.in_code) code.push_back(word.text);
    }
    for (const char* word :
         {"clOne", "CL_A", "-cl-x", "cudaProp::someMember", "someMember", "cl::One"}) {
        EXPECT_THAT(code, Contains(word));
    }
    EXPECT_THAT(words, Contains("two words"));
    EXPECT_THAT(code, Not(Contains("two words")));
    EXPECT_THAT(code, Not(Contains("plain"))) << "a name of a variable would be taken for it";
}

TEST(Words, EveryOneFindsItsRowByItself) {
    std::size_t count = 0;
    for (const MappingRule& row : whole_map()) {
        const std::vector<MappedWord> words = mapped_words(row);
        EXPECT_FALSE(words.empty()) << row.opencl;
        for (const MappedWord& word : words) {
            std::string asked = word.text;
            if (const std::size_t star = asked.find('*');
                star != asked.npos && asked.find_first_of(" (") == asked.npos) {
                asked.replace(star, 1, "9z");  // any word of the pattern
            }
            ++count;
            const Answer answer = answer_to(asked);
            const auto found = std::ranges::find(answer.found, &row, &Found::row);
            ASSERT_NE(found, answer.found.end()) << asked << " does not find " << row.opencl;
            EXPECT_LE(found->match, Match::form)
                << asked << " of " << row.opencl << " / " << row.cuda;
            EXPECT_TRUE(answer.unknown.empty()) << asked;
        }
    }
    EXPECT_GT(count, 2000u);
}

}  // namespace
}  // namespace parallax::words_test
