// Fuzzes the display of kernel sources: a source next to its translation, two sources side by side,
// and their changes; and the conversion of a CUDA source for the host's compiler.
//
//     `tests/fuzz/run build-fuzz 600 texts`
//
// results_fuzz.cpp says how the build folder is made and what to do with a find.
#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>

#include "backends/host/host_source.hpp"
#include "common/error.hpp"
#include "common/text/text.hpp"
#include "common/text/text_lines.hpp"
#include "mapping/translate/translate.hpp"
#include "report/texts/sidebyside_texts.hpp"
#include "tests/fuzz/fuzz.hpp"

namespace {

using namespace parallax;
using fuzz::demand;

void demand_harmless(const std::string& shown) {
    demand(std::ranges::none_of(shown, [](char c) {
        return (static_cast<unsigned char>(c) < 0x20 && c != '\n') || c == 0x7f;
    }));
}

/// Checks that both sides of the view are the sources, and that every output is safe.
void look_at(const SideBySide& view, std::string_view left, std::string_view right) {
    const auto a = lines_of(left), b = lines_of(right);
    std::size_t next_a = 0, next_b = 0;
    for (const LinePair& line : view.lines) {
        if (line.left != 0) {
            demand(line.left == next_a + 1 && next_a < a.size());
            demand(line.left_text() == a[next_a++]);
        }
        if (line.right != 0) {
            demand(line.right == next_b + 1 && next_b < b.size());
            demand(line.right_text() == b[next_b++]);
        }
    }
    demand(next_a == a.size() && next_b == b.size());
    const std::string text = text_of(view, 80, false);
    demand_harmless(text + reasons_text(view, 80, false) + markdown_of(view) +
                    html_of(view, text, "x"));
    for (const std::string_view line : lines_of(text)) demand(columns_of(line) <= 80);
}

void translate(std::string_view text) {
    Translation made;
    try {
        made = to_cuda("x.cl", text, {.type = {}, .constants = {"TILE", "PAD"}, .defines = {}});
    } catch (const Refused&) {
        return;
    }
    const SideBySide view = side_by_side(text, made);
    look_at(view, text, made.body);
    for (const LinePair& line : view.lines) {
        for (const LinePart& part : line.parts) {
            demand(!part.differs() || !part.reasons.empty());
        }
    }
}

/// Checks that the hunks turn the old text into the new one.
void change(std::string_view old_text, std::string_view new_text) {
    const Changes all = changes(old_text, new_text);
    const auto a = lines_of(old_text), b = lines_of(new_text);
    std::size_t next_a = 0, next_b = 0;
    for (const Hunk& hunk : all.hunks) {
        const std::size_t first = hunk.old_first - (hunk.old_count > 0);
        demand(first >= next_a && first <= a.size());
        while (next_a < first) demand(next_b < b.size() && a[next_a++] == b[next_b++]);
        for (const ChangedLine& line : hunk.lines) {
            using enum ChangedLine::Kind;
            if (line.kind != added) demand(next_a < a.size() && a[next_a++] == line.text);
            if (line.kind != removed) demand(next_b < b.size() && b[next_b++] == line.text);
        }
    }
    while (next_a < a.size()) demand(next_b < b.size() && a[next_a++] == b[next_b++]);
    demand(next_b == b.size());
    demand_harmless(text_of(all, false) + markdown_of(all) + html_of(all));
}

void make_cpp(std::string_view cuda) {
    try {
        const host::CppText made = host::as_cpp("x.cu", cuda, host::kernels_in(cuda));
        demand(made.text.find("#line 1 \"x.cu\"") != made.text.npos);
    } catch (const Unsupported&) {
    }
}

}  // namespace

int parallax::fuzz::texts(const std::uint8_t* data, std::size_t size) {
    const std::string_view text(reinterpret_cast<const char*>(data), size);
    translate(text);
    make_cpp(text);
    const std::string_view left = text.substr(0, size / 2), right = text.substr(size / 2);
    look_at(side_by_side("left\tside", left, "right", right), left, right);
    change(left, right);
    return 0;
}
