// Why sides differ, for a terminal: the answer, then what it rests on.
#include <algorithm>

#include <fmt/format.h>

#include "common/text/text.hpp"
#include "report/explain/explanation_parts.hpp"
#include "report/paint.hpp"
#include "report/report.hpp"
#include "report/words.hpp"
#include "studies/explain/explanation_names.hpp"

namespace parallax {
namespace {

using namespace report;

constexpr std::size_t most_changed_lines = 24;

class ExplanationText {
public:
    ExplanationText(unsigned width, bool colour)
        : width_(std::max<std::size_t>(width, least_width)), paint_(colour) {}

    void show(const Explanation& e) {
        const std::string title = printable(e.title) + ": ";
        out_ += paint_.heading(wrapped(title + heading_of(e), width_, 2)) + "\n";
        paragraph(printable(answer_in_words(e)), 2);
        for (const Section& one : sections_of(e, most_changed_lines)) show(one);
        out_ += "\n";
        paragraph(fmt::format("{} against {}, {} against {}; it took {}.", printable(e.device.b),
                              printable(e.device.a), printable(e.device_name.b),
                              printable(e.device_name.a), duration(e.took_seconds)),
                  0);
    }

    void paragraph(std::string_view text, std::size_t indent) {
        out_ += std::string(indent, ' ') + wrapped(text, width_, indent, indent) + "\n";
    }
    void empty_line() { out_ += "\n"; }
    std::string take() { return std::move(out_); }

private:
    void heading(std::string_view title) { out_ += "\n" + paint_.heading(title) + "\n"; }

    /// Grids have titles of their own.
    void show(const Section& one) {
        for (const Grid& grid : one.grids) {
            if (grid.rows.empty() && grid.below.empty()) continue;
            heading(grid.title);
            out_ += text_of(grid, width_);
        }
        if (one.grids.empty()) heading(one.title);
        for (const TextLines& text : one.texts) {
            paragraph(text.heading, 2);
            for (const std::string& line : text.lines) {
                out_ += "    " + clipped(line, width_ - 4) + "\n";
            }
        }
        for (const std::string& sentence : one.sentences) paragraph(sentence, 2);
    }

    std::size_t width_;
    Paint paint_;
    std::string out_;
};

}  // namespace

std::string text_report(const std::vector<Explanation>& explanations, unsigned width, bool colour) {
    ExplanationText text(width, colour);
    if (explanations.size() != 1) text.paragraph(tally_of(explanations), 0);
    for (const Explanation& e : explanations) {
        if (explanations.size() > 1) text.empty_line();
        text.show(e);
    }
    return text.take();
}

}  // namespace parallax
