// The generator of kernels: the same ones for a seed, cut as far as they go, and told apart by
// line.
#include <algorithm>
#include <numeric>
#include <set>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "backends/cuda/nvrtc.hpp"
#include "benchmarks/generated/grammar.hpp"
#include "benchmarks/generated/judge.hpp"
#include "benchmarks/generated/reduce.hpp"
#include "common/characters.hpp"
#include "common/devices.hpp"

namespace parallax::generated {
namespace {

using testing::HasSubstr;
using testing::SizeIs;

std::string whole_text(const File& file) {
    std::vector<std::size_t> all(file.kernels.size());
    std::iota(all.begin(), all.end(), std::size_t{0});
    return text_of(file, all).text;
}

TEST(Generated, ASeedAndANumberGiveTheSameFile) {
    const Dialect dialect{.has_double = true, .is_pocl = false};
    std::set<std::string> texts;
    for (std::size_t number = 0; number < 20; ++number) {
        const std::string text = whole_text(file_of(7, number, 4, dialect));
        EXPECT_EQ(text, whole_text(file_of(7, number, 4, dialect)));
        texts.insert(text);
        texts.insert(whole_text(file_of(8, number, 4, dialect)));
    }
    EXPECT_THAT(texts, SizeIs(40));
}

TEST(Generated, AKernelIsTheSameAmongOthersAndAlone) {
    const File file = file_of(3, 5, 6, {});
    const std::string alone = text_of(file, {4}).text;
    const std::string body = text_of(file.kernels[4]);
    EXPECT_THAT(alone, HasSubstr(body));
    EXPECT_THAT(whole_text(file), HasSubstr(body));
}

TEST(Generated, OperatorsBindAsTheTreeSays) {
    const Type type{Base::i32};
    const auto name = [&](const char* text) { return expression(type, {}, level::primary, text); };
    const Node sum = expression(type, {}, level::sum, "$l + $m", {name("a"), name("b")});
    EXPECT_EQ(text_of(expression(type, {}, level::product, "$m * $n", {sum, name("c")})),
              "(a + b) * c");
    EXPECT_EQ(text_of(expression(type, {}, level::sum, "$l - $m", {sum, sum})), "a + b - (a + b)");
    EXPECT_EQ(text_of(expression(type, {}, level::postfix, "f($b, $b)", {sum, name("c")})),
              "f(a + b, c)");
}

TEST(Generated, LinesOfKernelsAreThoseOfTheirFunctions) {
    const File file = file_of(1, 2, 3, {});
    const Text text = text_of(file, {0, 2});
    ASSERT_THAT(text.first_lines, SizeIs(3));
    std::vector<std::string> lines(1);
    for (const char c : text.text) {
        if (c == '\n') {
            lines.emplace_back();
        } else {
            lines.back() += c;
        }
    }
    EXPECT_THAT(lines[text.first_lines[0] - 1], HasSubstr("void kernel_0("));
    EXPECT_THAT(lines[text.first_lines[1] - 1], HasSubstr("void kernel_2("));
    EXPECT_THAT(lines[text.first_lines[2] - 1], HasSubstr("__kernel void k("));
}

TEST(Generated, AKernelIsReducedToWhatShowsIt) {
    unsigned reduced_ones = 0;
    for (std::size_t number = 0; number < 10; ++number) {
        const File file = file_of(4, number, 1, {});
        const auto shows = [](const File& tried) {
            std::vector<bool> all;
            for (const Node& one : tried.kernels)
                all.push_back(has_word(text_of(one), "bitselect"));
            return all;
        };
        if (!shows(file).front()) continue;
        ++reduced_ones;
        const File small = reduced(file, shows, 1000);
        const std::string body = text_of(small.kernels.front());
        EXPECT_TRUE(has_word(body, "bitselect"));
        EXPECT_LE(std::ranges::count(body, '\n'), 10) << body;
        EXPECT_LE(body.size(), 200) << body;
    }
    EXPECT_GT(reduced_ones, 1);
}

TEST(Generated, NothingIsReducedByMoreTriesThanAreAllowed) {
    unsigned tries = 0;
    reduced(
        file_of(4, 1, 1, {}),
        [&](const File& file) {
            ++tries;
            return std::vector<bool>(file.kernels.size());
        },
        3);
    EXPECT_LE(tries, 3);
}

/// A file of kernels that are these statements.
File file_with(std::initializer_list<std::string_view> bodies) {
    File file;
    for (const std::string_view one : bodies) {
        std::vector<Node> statements{statement(one)};
        file.kernels.push_back(block(std::move(statements)));
    }
    return file;
}

struct GeneratedOnDevices : testing::Test {
    void SetUp() override {
        const Devices devices = find_devices(backends());
        for (const Entry& one : devices.entries) {
            if (one.info.is_pocl() && !reference) reference = one.open();
            if (one.info.id() == "host:0") host = one.open();
        }
        if (!reference || !host) GTEST_SKIP() << "PoCL and the host are needed.";
    }
    std::unique_ptr<Device> reference, host;
};

TEST_F(GeneratedOnDevices, WhatOneKernelDoesIsNotTheOthers) {
    const File file = file_with({"    out[0] = in[0];\n", "    out[0] = no_such_function(in[0]);\n",
                                 "    out[1] = in[1] + 1;\n"});
    Judge judge(*reference, {host.get()}, [] {});
    const std::vector<Finding> findings = judge.judge(file, {0, 1, 2});
    ASSERT_THAT(findings, SizeIs(1));
    EXPECT_EQ(findings[0].kernel, 1);
    EXPECT_EQ(findings[0].end, End::not_opencl);
    EXPECT_THAT(findings[0].reason, HasSubstr("no_such_function"));
}

/// The host, which writes another number where the source has one.
class Altered final : public Device {
public:
    explicit Altered(Device& host) : Device(host.info()), host_(host) {}

private:
    std::shared_ptr<Memory> do_allocate(std::size_t bytes, std::size_t guard, bool) override {
        return host_.allocate(bytes, guard);
    }
    void do_write(Memory& memory, std::span<const std::byte> data, std::ptrdiff_t offset) override {
        host_.write(memory, data, offset);
    }
    void do_read(const Memory& memory, std::span<std::byte> data, std::ptrdiff_t offset) override {
        host_.read(memory, data, offset);
    }
    std::shared_ptr<const Code> do_compile(const Program& program,
                                           std::string_view kernel) override {
        Program altered = program;
        for (std::size_t at = 0; (at = altered.source.find("4711", at)) != std::string::npos;)
            altered.source.replace(at, 4, "4712");
        return host_.compile(altered, kernel);
    }
    Elapsed do_run(std::span<const Command> commands, unsigned repeats, unsigned lead_in) override {
        return host_.run(commands, repeats, lead_in);
    }
    Device& host_;
};

TEST_F(GeneratedOnDevices, AnotherAnswerIsADifferenceInBothWaysAndIsReduced) {
    Altered altered(*host);
    Judge judge(*reference, {&altered}, [] {});
    File file = file_with({"    out[0] = in[0];\n"});
    const Type type{Base::u32};
    const Node number = expression(type, {0, 9999}, level::primary, "4711u");
    std::vector<Node> statements;
    for (const char* one :
         {"    out[0] = in[0];\n", "    out[1] = $b;\n", "    out[2] = in[2];\n"}) {
        std::vector<Node> operands;
        if (std::string_view(one).find('$') != std::string_view::npos)
            operands.push_back(
                expression(type, {0, 9999}, level::sum, "$l + $m",
                           {number, expression(type, {1, 1}, level::primary, "1u")}));
        statements.push_back(statement(one, std::move(operands)));
    }
    file.kernels.push_back(block(std::move(statements)));
    const std::vector<Finding> findings = judge.judge(file, {0, 1});
    ASSERT_THAT(findings, SizeIs(2));
    for (const Finding& one : findings) {
        EXPECT_EQ(one.kernel, 1);
        EXPECT_EQ(one.end, End::differs);
        EXPECT_THAT(one.reason, HasSubstr("out[1]"));
    }
    EXPECT_NE(findings[0].is_expanded, findings[1].is_expanded);
    file.kernels.erase(file.kernels.begin());
    const File small = reduced(
        file, [&](const File& tried) { return judge.shows(tried, findings[0]); }, 20);
    EXPECT_EQ(text_of(small.kernels.front()), "    out[1] = 4711u;\n");
}

}  // namespace
}  // namespace parallax::generated
