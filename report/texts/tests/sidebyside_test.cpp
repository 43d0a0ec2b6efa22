// Do lines meet, split where they differ, wrap and get marked?
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "common/error.hpp"
#include "common/text/text.hpp"
#include "common/text/text_lines.hpp"
#include "report/texts/sidebyside_texts.hpp"

namespace parallax::sidebyside_test {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

SideBySide translated(const std::string& source, unsigned first = 1, unsigned last = last_of_all) {
    return side_by_side(source, to_cuda("x.cl", source, {ElementType::f32}), first, last);
}

std::string marks_of(const LinePair& line) {
    std::string text;
    for (const LinePart& part : line.parts) {
        if (part.differs()) text += "[" + part.left + "|" + part.right + "]";
    }
    return text;
}

/// What is wrong with a view of these sources.
std::string trouble(const SideBySide& view, const std::string& source, const std::string& body) {
    const auto left = lines_of(source), right = lines_of(body);
    if (view.lines.size() != std::max(left.size(), right.size())) return "lines are missing";
    for (const LinePair& line : view.lines) {
        const std::string where = "line " + std::to_string(line.left) + ": ";
        if (line.left != line.right) return where + "does not meet its translation";
        if (line.left_text() != left[line.left - 1]) return where + "lost some of the left";
        if (line.right_text() != right[line.right - 1]) return where + "lost some of the right";
        bool marked = false;
        for (const LinePart& part : line.parts) {
            if (part.differs() && part.reasons.empty()) return where + "no reason: " + part.left;
            marked = marked || part.differs();
            for (const std::size_t one : part.reasons) {
                const auto& lines = view.reasons.at(one).lines;
                if (std::ranges::find(lines, line.left) == lines.end()) {
                    return where + "not listed by its reason";
                }
            }
        }
        if (line.differs() && !marked) return where + "differs without a mark";
    }
    return {};
}

TEST(SideBySide, MarksEveryDifferenceOfEveryKernelFile) {
    std::size_t files = 0, differing = 0;
    for (const auto& entry :
         std::filesystem::recursive_directory_iterator(SOURCE_ROOT "/kernels")) {
        const std::string name = entry.path().filename().string();
        if (!name.ends_with(".cl") || name.ends_with(".opencl.cl")) continue;
        std::ifstream stream(entry.path(), std::ios::binary);
        const std::string source{std::istreambuf_iterator<char>(stream), {}};
        try {
            const Translation made = to_cuda(name, source, {ElementType::f64});
            const SideBySide view = side_by_side(source, made);
            EXPECT_EQ(trouble(view, source, made.body), "") << name;
            differing +=
                static_cast<std::size_t>(std::ranges::count_if(view.lines, &LinePair::differs));
            ++files;
        } catch (const Refused& refused) {
            EXPECT_NE(entry.path().string().find("/corpus/"), std::string::npos) << refused.what();
        }
    }
    EXPECT_GT(files, 40U);
    EXPECT_GT(differing, 500U);
}

TEST(SideBySide, KnowsTheRowsOfALine) {
    const SideBySide view =
        translated("__kernel void f(__global T* a) {\n    a[get_local_id(0)] = rsqrt(1.0f);\n}\n");
    ASSERT_EQ(view.lines.size(), 3U);
    EXPECT_EQ(marks_of(view.lines[0]), "[__kernel|extern \"C\" __global__][__global |][T|float]");
    EXPECT_EQ(marks_of(view.lines[1]), "[get_local_id(0)|size_t(threadIdx.x)]");
    EXPECT_FALSE(view.lines[2].differs());
    ASSERT_EQ(view.reasons.size(), 5U);
    EXPECT_EQ(view.reasons[3].row->opencl, "get_local_id($)");
    EXPECT_THAT(view.reasons[3].lines, ElementsAre(2U));
    EXPECT_TRUE(view.reasons[3].changes);
    EXPECT_EQ(view.reasons[4].row->opencl, "rsqrt($)");
    EXPECT_FALSE(view.reasons[4].changes);
    EXPECT_EQ(words_of(view.reasons[2]), (LinePart{"T", "float", {2}}));
    EXPECT_EQ(words_of(view.reasons[1]), (LinePart{"__global", ""}));
}

TEST(SideBySide, HasOnlyTheReasonsOfItsLines) {
    const SideBySide view = translated("uint f() { return 1; }\nlong g() { return 1; }\n", 2, 2);
    ASSERT_EQ(view.lines.size(), 1U);
    EXPECT_EQ(view.lines[0].left, 2U);
    ASSERT_EQ(view.reasons.size(), 2U);
    EXPECT_EQ(view.reasons[0].row->opencl, "T f()");
    EXPECT_EQ(view.reasons[1].row->opencl, "long");
    EXPECT_THAT(view.reasons[1].lines, ElementsAre(2U));
}

TEST(SideBySide, SplitsPiecesAtLineEnds) {
    const SideBySide view = translated("uint\nf() { return get_local_id(\n 0\n); }\n");
    ASSERT_EQ(view.lines.size(), 4U);
    EXPECT_EQ(marks_of(view.lines[1]), "[get_local_id(|size_t(threadIdx.x)]");
    EXPECT_EQ(view.lines[2].left_text(), " 0");
    EXPECT_TRUE(view.lines[2].differs());
    EXPECT_FALSE(view.lines[2].parts.back().reasons.empty());
}

TEST(SideBySide, AlignsTextsWrittenByHand) {
    const SideBySide view = side_by_side("l", "a\nb c\nx\n", "r", "new\n a\nb d\nx\n");
    ASSERT_EQ(view.lines.size(), 4U);
    EXPECT_EQ(view.lines[0].left, 0U);
    EXPECT_EQ(view.lines[0].right, 1U);
    EXPECT_EQ(view.lines[1].left, 1U);
    EXPECT_EQ(view.lines[1].right, 2U);
    EXPECT_FALSE(view.lines[1].differs());
    EXPECT_EQ(marks_of(view.lines[2]), "[c|d]");
    EXPECT_FALSE(view.lines[3].differs());
    EXPECT_TRUE(view.reasons.empty());
}

TEST(SideBySide, MarksLinesThatDifferOnATerminal) {
    EXPECT_EQ(text_of(side_by_side("left", "a\nb\n\nc d", "right", "a\nB\n\nc  d\ne"), 40, false),
              "  left                 right\n"
              "  ----------------     ----------------\n"
              "1 a                  1 a\n"
              "2 b                | 2 B\n"
              "3                    3\n"
              "4 c d                4 c  d\n"
              "                   > 5 e\n");
}

/// Without the sequences of colours.
std::string colourless(const std::string& text) {
    std::string plain;
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (text[i] == '\x1b') {
            i = text.find('m', i);
        } else {
            plain += text[i];
        }
    }
    return plain;
}

TEST(SideBySide, ColoursWordsAndNothingElse) {
    const SideBySide view = translated(
        "uint f(int a) { return a; }\nint b;\nfloat g(float a) { "
        "return rsqrt(a); }\n");
    const std::string coloured = text_of(view, 160, true);
    EXPECT_THAT(coloured, HasSubstr("\x1b[1;36muint\x1b[0m f(int a)"));
    EXPECT_THAT(coloured, HasSubstr("\x1b[4mrsqrt\x1b[0m(a)"));
    EXPECT_EQ(colourless(coloured), text_of(view, 160, false));
    EXPECT_EQ(text_of(view, 160, false).find('\x1b'), std::string::npos);
    for (unsigned width = 0; width < 90; ++width) {
        EXPECT_EQ(colourless(text_of(view, width, true)), text_of(view, width, false)) << width;
    }
}

TEST(SideBySide, WrapsAndLosesNothing) {
    const std::string line =
        "    const size_t i = get_group_id(0) * (2 * GROUP) + lane; // \xc3\xa4" +
        std::string(90, 'x');
    for (unsigned width = 0; width <= 200; width += 7) {
        const std::string text = text_of(side_by_side("l", line, "r", ""), width, false);
        std::string kept, wanted;
        std::istringstream stream(text);
        for (std::string row; std::getline(stream, row);) {
            EXPECT_LE(columns_of(row), std::max(width, 40U));
            EXPECT_FALSE(row.ends_with(' '));
            kept += row;
        }
        for (const char c : line) wanted += c == ' ' ? "" : std::string(1, c);
        std::erase(kept, ' ');
        std::erase(kept, '<');
        EXPECT_THAT(kept, HasSubstr(wanted.substr(wanted.size() - 12)));
        EXPECT_EQ(std::count(kept.begin(), kept.end(), 'x'), 90);
    }
}

TEST(SideBySide, LetsNoControlCharacterThrough) {
    const SideBySide view = side_by_side("\x1b", "\ta\x1b[2J\r\n\xff\xfe", "r", "\u202e");
    for (const std::string& text : {text_of(view, 60, false), markdown_of(view), html_of(view)}) {
        for (const char* bad : {"\x1b", "\t", "\r", "\xff", "\u202e"}) {
            EXPECT_THAT(text, Not(HasSubstr(bad)));
        }
    }
}

}  // namespace
}  // namespace parallax::sidebyside_test
