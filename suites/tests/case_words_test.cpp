// Tests words about cases: sizes, constants, types, picks, numbers, choices and kernel files.
#include "suites/case_words.hpp"

#include <filesystem>
#include <fstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include "common/error.hpp"
#include "common/text/temporary_folder.hpp"

namespace parallax::case_words_test {
namespace {

using testing::HasSubstr;
using testing::StartsWith;
using testing::ThrowsMessage;

TEST(CaseWords, Shapes) {
    EXPECT_EQ(to_string(parse_shape("2^20")), "1048576");
    EXPECT_EQ(to_string(parse_shape("64M")), "67108864");
    EXPECT_EQ(to_string(parse_shape("1Kx777x2^3")), "1024x777x8");
    for (const char* word : {"", "1x", "-1", "0x1", "2^63", "99999999999G", "1.5"}) {
        EXPECT_THROW(parse_shape(word), UsageError) << word;
    }
}

TEST(CaseWords, ConstantsByName) {
    const std::vector<CasePick> picks{{&suite_named("reduction"), nullptr}};
    EXPECT_EQ(parse_define("OP=max", picks).value, 2);
    EXPECT_EQ(parse_define("OP=1", picks).value, 1);
    EXPECT_EQ(parse_define("GROUP=128", picks).value, 128);
    EXPECT_THROW(parse_define("OP=max", {}), UsageError) << "OP of which suite is unknown";
    EXPECT_THROW(parse_define("OP=", picks), UsageError);
}

TEST(CaseWords, PicksAndTypes) {
    EXPECT_EQ(parse_pick("reduction").variant, nullptr);
    EXPECT_EQ(parse_pick("reduction/items").variant->name, "items");
    EXPECT_EQ(parse_variant("reduction/items").variant->name, "items");
    EXPECT_THAT([] { parse_variant("reduction"); },
                ThrowsMessage<UsageError>(HasSubstr("there are: interleaved, ")));
    EXPECT_THROW(parse_pick("reduction/none"), UsageError);
    EXPECT_EQ(type_for(parse_pick("reduction/items"), "double"), ElementType::f64);
    EXPECT_EQ(type_for(parse_pick("reduction/items"), {}), suite_named("reduction").types.front());
    EXPECT_EQ(type_for(parse_pick("tensor/double_warp"), {}), ElementType::f64)
        << "it is written for no other";
    EXPECT_THAT([] { parse_type("quad"); }, ThrowsMessage<UsageError>(HasSubstr("There are: ")));
    EXPECT_THAT([] { parse_type("flaot"); },
                ThrowsMessage<UsageError>(HasSubstr("Did you mean 'float'?")));
}

TEST(CaseWords, NumbersAndChoices) {
    EXPECT_EQ(parse_number("--items", "8", 1, 8), 8u);
    EXPECT_THAT([] { parse_number("--items", "9", 1, 8); },
                ThrowsMessage<UsageError>("--items is a whole number from 1 to 8, and not '9'."));
    EXPECT_EQ(parse_choice("--format", "md", {"text", "md"}), "md");
    EXPECT_THAT(
        [] {
            parse_choice("--format", "xml", {"text", "md"});
        },
        ThrowsMessage<UsageError>("--format 'xml' is unknown. There are: text, md."));
}

TEST(CaseWords, KernelFilesAreTheProgramsOwnOrThoseOfAFolder) {
    EXPECT_THAT(kernel_source("transpose.cl"), HasSubstr("__kernel"));
    EXPECT_THROW(kernel_source("nothing.cl"), UsageError);
    const TemporaryFolder place("parallax-words-");
    const std::filesystem::path folder = place.path();
    std::filesystem::create_directories(folder / "folder.cl");
    std::ofstream(folder / "transpose.cl") << "// mine";
    std::ofstream(folder / "empty.cl");
    EXPECT_EQ(kernel_source("transpose.cl", folder.string()), "// mine");
    EXPECT_EQ(kernel_source("empty.cl", folder.string()), "");
    std::ofstream(folder / "marked.cl") << "\xef\xbb\xbf// mine";
    EXPECT_EQ(kernel_source("marked.cl", folder.string()), "// mine");
    ASSERT_EQ(mkfifo((folder / "pipe.cl").c_str(), 0600), 0);
    EXPECT_THROW(kernel_source("pipe.cl", folder.string()), UsageError) << "it is not waited for";
    for (const char* file : {"folder.cl", "reduction.cl"}) {
        EXPECT_THAT([&] { kernel_source(file, folder.string()); },
                    ThrowsMessage<UsageError>(StartsWith("Cannot read the kernel file ")));
    }
}

}  // namespace
}  // namespace parallax::case_words_test
