// The corpus of sources: its directives, its size, and that each is translated or rejected.
#include "mapping/tests/corpus.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <map>
#include <set>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "common/error.hpp"
#include "common/text/characters.hpp"
#include "mapping/analyze/builtins.hpp"
#include "mapping/analyze/lexer.hpp"
#include "mapping/analyze/outline.hpp"
#include "mapping/analyze/value_type.hpp"
#include "mapping/analyze/word_lists.hpp"
#include "mapping/search/search_words.hpp"
#include "mapping/tests/support.hpp"
#include "mapping/translate/translate.hpp"

namespace parallax::corpus::corpus_test {
namespace {

using ::testing::HasSubstr;

TEST(Corpus, IsAsLargeAsItShouldBe) {
    std::size_t kernels = 0;
    for (const File& file : files()) kernels += file.kernels.size();
    EXPECT_GE(kernels, 250u);
    EXPECT_GE(files().size(), 36u);
    EXPECT_GE(refused_files().size(), 30u);
}

TEST(Corpus, KernelsHaveNamesOfTheirOwnLaunchesAndOutputs) {
    std::map<std::string, std::string> seen;
    for (const File& file : files()) {
        for (const Kernel& kernel : file.kernels) {
            const auto [at, fresh] = seen.emplace(kernel.name, file.name);
            EXPECT_TRUE(fresh) << kernel.name << " is in " << at->second << " and " << file.name;
            const auto [x, y, z] = kernel.items;
            EXPECT_EQ(x % kernel.group.x + y % kernel.group.y + z % kernel.group.z, 0u);
            EXPECT_TRUE(std::ranges::any_of(kernel.parameters,
                                            [](const Parameter& one) {
                                                const auto* buffer = std::get_if<Buffer>(&one);
                                                return buffer && buffer->is_output();
                                            }))
                << kernel.name << " writes nothing that can be compared";
        }
    }
}

TEST(Corpus, WhatIsLikeAnotherHasTheSameDirectives) {
    for (const File& file : files()) {
        for (const Kernel& kernel : file.kernels) {
            if (kernel.like.empty()) continue;
            SCOPED_TRACE(kernel.name);
            EXPECT_EQ(inputs_of(kernel), inputs_of(*find(kernel.like).kernel));
        }
    }
}

/// The kernels of images are those of the contract of devices: the corpus has buffers alone.
std::vector<std::pair<std::string, std::string>> texts_that_run() {
    std::vector<std::pair<std::string, std::string>> texts;
    for (const File& file : files()) texts.emplace_back(file.name, file.source);
    texts.emplace_back("contract.cl",
                       testing::file_text(SOURCE_ROOT "/backends/tests/contract.cl"));
    const std::string samplers =
        testing::file_text(SOURCE_ROOT "/backends/tests/contract_samplers.cpp");
    const std::size_t start = samplers.find("R\"(") + 3;
    texts.emplace_back("samplers.cl", samplers.substr(start, samplers.find(")\"", start) - start));
    return texts;
}

/// The words of a source, without those behind a point and those of preprocessor lines.
std::set<std::string> plain_words(const std::string& source) {
    std::set<std::string> words;
    const std::vector<Token> tokens = lex("x", source);
    for (std::size_t i = 0; i < tokens.size(); ++i) {
        const bool is_behind = i > 0 && tokens[i - 1].is_one_of({".", "->"});
        if (tokens[i].kind == TokenKind::identifier && !is_behind) words.emplace(tokens[i].text);
    }
    return words;
}

// Each word that a translation has and its source has not becomes a macro and a parameter of the
// file.
TEST(Corpus, HasNoWordOfTheTranslationThatTheFileTakesOver) {
    std::set<std::string> tried;
    std::size_t renamed = 0;
    for (const auto& [name, source] : texts_that_run()) {
        const TranslateOptions options{.standard = "CL3.0"};
        for (const std::string& word : plain_words(to_cuda(name, source, options).body)) {
            if (has_word(source, word) || !tried.insert(word).second) continue;
            const bool is_of_opencl = is_shared_keyword(word) || is_builtin_function(word) ||
                                      value_type_named(word) || is_qualifier(word) ||
                                      components_of(word, 4) ||
                                      is_one_of(word, {"auto", "signed", "size_t", "unsigned"});
            for (const bool is_macro : {true, false}) {
                if (is_of_opencl && !is_macro) continue;
                const std::string own = is_macro ? fmt::format("#define {} 0\n", word)
                                                 : fmt::format("void own(int {}) {{}}\n", word);
                try {
                    const std::string made = to_cuda(name, own + source, options).body;
                    const std::size_t end = made.find('\n'),
                                      start = made.find(is_macro ? '#' : '(');
                    const std::string rest = made.substr(end);
                    const bool keeps = has_word(made.substr(start, end - start), word);
                    EXPECT_FALSE(keeps && (is_macro ? has_word(rest, word)
                                                    : plain_words(rest).contains(word)))
                        << name << ": " << own;
                    renamed += !keeps;
                } catch (const Refused& refused) {
                    EXPECT_TRUE(is_of_opencl || word.starts_with("__")) << refused.what();
                }
            }
        }
    }
    EXPECT_GT(renamed, 200u);
}

// They are compiled for both sides, and their answers compared, where the devices are.
TEST(Corpus, HasAKernelForEveryRowAndEachOfItsWords) {
    std::map<const MappingRule*, std::string> sources;  // that a row is applied to
    for (const auto& [name, source] : texts_that_run()) {
        const Translation made = to_cuda(name, source, {.standard = "CL3.0"});
        for (const Piece& piece : made.pieces) {
            for (const MappingRule* row : piece.rows) sources[row] += source;
        }
        for (const MappingRule& row : mapping_table()) {
            if (row.topic != "macros") continue;
            for (const Spelling& one : spellings_of(row)) {
                const std::string line = fmt::format("#define {} ", one.opencl);
                if (made.prelude.find(line) != std::string::npos) sources[&row] += source;
            }
        }
    }
    // A sample of conversions and types; the prelude's tests have all.
    constexpr std::size_t few = 24;
    for (const MappingRule& row : mapping_table()) {
        // The element type of a run, which the suites' kernels have; constructs that only some
        // compilers accept; constructs without a translation.
        const bool has_none =
            is_one_of(row.opencl,
                      {"T", "T2", "T4", "<asm|__asm|__asm__>", "register", "'a'", "typedef T4 name",
                       "typedef __global T* name", "#define NAME text", "#if NAME"});
        if (row.equivalence == Equivalence::none || has_none) continue;
        const auto found = sources.find(&row);
        if (found == sources.end()) {
            ADD_FAILURE() << "no kernel has " << row.opencl;
            continue;
        }
        const std::vector<Spelling> spellings = spellings_of(row);
        if (spellings.size() > few) continue;
        for (const Spelling& one : spellings) {
            const std::vector<std::string> words = words_in_code(one.opencl);
            const bool is_name = !words.empty() && (is_builtin_function(words.front()) ||
                                                    words.front() == one.opencl);
            // Constructs are described by other words; samplers' constants are passed by number.
            if (!is_name || row.topic == "images") continue;
            EXPECT_TRUE(has_word(found->second, words.front())) << "no kernel has " << one.opencl;
        }
    }
}

class Translated : public ::testing::TestWithParam<std::size_t> {};

TEST_P(Translated, WithEverySetOfDefines) {
    const File& file = files()[GetParam()];
    std::set<std::vector<std::pair<std::string, std::string>>> done;
    for (const Kernel& kernel : file.kernels) {
        std::vector<std::pair<std::string, std::string>> key;
        for (const Define& define : kernel.defines) key.emplace_back(define.name, define.value);
        if (!done.insert(key).second) continue;
        try {
            const Translation made = to_cuda(file.name, file.source, {.defines = kernel.defines});
            EXPECT_THAT(made.text(), HasSubstr(kernel.name));
        } catch (const Error& error) {
            ADD_FAILURE() << error.what();
        }
    }
}

/// A kernel's parameters as the program itself reads them.
TEST_P(Translated, SignaturesAgreeWithTheDirectives) {
    const File& file = files()[GetParam()];
    std::map<std::string, Signature> found;
    try {
        for (const Signature& one :
             signatures(file.name, file.source, {.defines = file.kernels.front().defines})) {
            found[one.kernel] = one;
        }
    } catch (const Error& error) {
        FAIL() << error.what();
    }
    for (const Kernel& kernel : file.kernels) {
        SCOPED_TRACE(kernel.name);
        ASSERT_TRUE(found.contains(kernel.name));
        const auto& parameters = found[kernel.name].parameters;
        ASSERT_EQ(parameters.size(), kernel.parameters.size());
        for (std::size_t i = 0; i < parameters.size(); ++i) {
            using Kind = parallax::Parameter::Kind;
            const Kind kind = parameters[i].kind;
            EXPECT_EQ(std::holds_alternative<LocalBytes>(kernel.parameters[i]),
                      kind == Kind::local);
            EXPECT_EQ(std::holds_alternative<Scalar>(kernel.parameters[i]), kind == Kind::scalar);
        }
    }
}

std::string stem(const std::string& file) {
    return file.substr(0, file.find('.'));
}

INSTANTIATE_TEST_SUITE_P(Files, Translated, ::testing::Range(std::size_t{0}, files().size()),
                         [](const auto& one) { return stem(files()[one.param].name); });

class RefusedCorpus : public ::testing::TestWithParam<std::size_t> {};

TEST_P(RefusedCorpus, NamesTheLineAndTheWord) {
    const RefusedText& text = refused_files()[GetParam()];
    try {
        to_cuda(text.name, text.source, {});
        FAIL() << text.name << " is translated, and should be refused for '" << text.word << "'";
    } catch (const Refused& refused) {
        const std::string place = fmt::format("{}:{}: ", text.name, text.line);
        const std::string said = refused.what();
        bool found = false;
        for (std::size_t at = said.find(place); at != said.npos; at = said.find(place, at + 1)) {
            found |= said.substr(at, said.find('\n', at) - at).find(text.word) != said.npos;
        }
        EXPECT_TRUE(found) << "wanted: " << place << text.word << "\nsaid:   " << said;
    }
}

INSTANTIATE_TEST_SUITE_P(Files, RefusedCorpus,
                         ::testing::Range(std::size_t{0}, refused_files().size()),
                         [](const auto& one) { return stem(refused_files()[one.param].name); });

// The reader of directives.

TEST(Directives, AreRead) {
    const File file = read_kernels(
        "x.cl",
        "// Something.\n//! inout: uchar3 7 bits\n//! value: float -2.5\n//! local: 12\n"
        "//! launch: 8x4 by 4x2\n//! ulp: 3\n//! needs: double CL2.0\n//! define: A=b\n"
        "//! like: other\n"
        "__kernel __attribute__((reqd_work_group_size(4, 2, 1))) void k(__global uchar3* a,\n"
        "    const float f, __local int* b) {}\n");
    ASSERT_EQ(file.kernels.size(), 1u);
    const Kernel& kernel = file.kernels[0];
    EXPECT_EQ(kernel.name, "k");
    EXPECT_EQ(std::get<Buffer>(kernel.parameters[0]).bytes(), 28u);
    EXPECT_EQ(std::get<Scalar>(kernel.parameters[1]), Scalar(-2.5f));
    EXPECT_EQ(kernel.geometry(), (Geometry{{2, 2, 1}, {4, 2, 1}}));
    EXPECT_EQ(kernel.ulp, 3);
    EXPECT_TRUE(kernel.needs.contains("CL2.0"));
    EXPECT_EQ(kernel.defines, (std::vector<Define>{{"A", "b"}}));
    EXPECT_EQ(kernel.like, "other");
    EXPECT_EQ(std::get<LocalBytes>(kernel.parameters[2]).bytes, 12u);
}

TEST(Directives, BadOnesAreRefused) {
    const auto read = [](const std::string& directives) {
        read_kernels("x.cl", directives + "__kernel void k(__global int* a) { a[0] = 1; }\n");
    };
    EXPECT_NO_THROW(read("//! inout: int 4 small\n//! launch: 4 by 4\n"));
    for (const char* bad :
         {"", "//! inout: int 4 small\n\n", "//! speed: 3\n", "//!launch: 4 by 4\n",
          "//! ulp: few\n", "//! define:\n", "//! in: float5 4 small\n", "//! in: int 4 large\n",
          "//! in: int 4 unit\n", "//! in: int 4\n", "//! out: int 4 small\n",
          "//! value: char 4\n", "//! value: int 4.5\n", "//! launch: 4\n",
          "//! launch: 4x by 4\n"}) {
        EXPECT_THROW(read(bad), Error) << bad;
    }
}

TEST(Difference, SaysWhereAndBothValues) {
    const Kernel kernel =
        read_kernels("x.cl",
                     "//! in: int 2 zero\n//! out: float4 2\n//! launch: 1 by 1\n//! ulp: 1\n"
                     "__kernel void k(__global int* a, __global float4* b) {}\n")
            .kernels[0];
    const std::vector<Bytes> right = inputs_of(kernel);
    EXPECT_EQ(difference(kernel, right, right), "");
    std::vector<Bytes> got = right;
    got[1][20] ^= std::byte{1};
    EXPECT_EQ(difference(kernel, right, got), "");
    got[1][20] ^= std::byte{8};
    EXPECT_THAT(difference(kernel, right, got),
                AllOf(HasSubstr("kernel k, parameter 2 (float4): element 1.s1 is"),
                      HasSubstr("0x5a5a5a53"), HasSubstr("0x5a5a5a5a"), HasSubstr("1 of 8")));
    got = right;
    got[0][0] = std::byte{1};
    EXPECT_THAT(difference(kernel, right, got), HasSubstr("parameter 1 (int): element 0 is 1"));
}

TEST(Difference, OfNansAndOfThree) {
    const Kernel kernel = read_kernels("x.cl",
                                       "//! out: float 1\n//! out: int3 1\n//! launch: 1 by 1\n"
                                       "__kernel void k(__global float* a, __global int3* b) {}\n")
                              .kernels[0];
    std::vector<Bytes> right = inputs_of(kernel), got = right;
    const float nans[2] = {std::nanf("1"), -std::nanf("2")};
    std::memcpy(right[0].data(), &nans[0], 4);
    std::memcpy(got[0].data(), &nans[1], 4);
    got[1][12] = std::byte{1};
    EXPECT_EQ(difference(kernel, right, got), "");
    got[0] = inputs_of(kernel)[0];
    EXPECT_THAT(difference(kernel, right, got), HasSubstr("should be nan"));
}

}  // namespace
}  // namespace parallax::corpus::corpus_test
