// The report for a terminal.
#include "common/text/text.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "report/diff/findings.hpp"
#include "report/diff/matrix.hpp"
#include "report/paint.hpp"
#include "report/report.hpp"

namespace parallax {
namespace report {

std::string Paint::in(std::string_view code, std::string_view text) const {
    return colour_ && !text.empty() ? fmt::format("\033[{}m{}\033[0m", code, text)
                                    : std::string(text);
}

std::string Paint::verdict(Verdict verdict, std::string_view text) const {
    switch (verdict) {
        case Verdict::same:
        case Verdict::equal:
        case Verdict::within_tolerance: return std::string(text);
        case Verdict::faster: return in("32", text);
        case Verdict::slower: return in("33", text);
        case Verdict::undecided:
        case Verdict::refused: return in("35", text);
        case Verdict::wrong:
        case Verdict::failed: return in("1;31", text);
        case Verdict::not_comparable: break;
    }
    return in("2", text);
}

}  // namespace report

namespace {

using namespace report;

constexpr std::size_t most_log_lines = 30, most_logs = 8;

class TextReport {
public:
    TextReport(const Diff& diff, unsigned width, bool colour)
        : diff_(diff), width_(std::max<std::size_t>(width, least_width)), paint_(colour) {}

    std::string text() {
        if (const LeftOut rest = left_out(diff_); !rest.sentence.empty()) {
            paragraph(rest.sentence, 0, 2);
            if (!rest.command.empty()) out_ += "  " + rest.command + "\n";
            out_ += "\n";
        }
        for (const std::string& warning : warnings(diff_)) {
            paragraph("Warning: " + warning, 0, 2);
        }
        if (!diff_.warnings.empty()) out_ += "\n";
        for (const std::string& line : headline(diff_)) paragraph(line, 0, 2);
        if (!diff_.cases.empty()) show_matrix();
        for (const Section& one : sections_of(diff_)) section(one);
        return std::move(out_);
    }

private:
    void show_matrix() {
        const bool has_ratio =
            std::ranges::any_of(diff_.cases, [](const CaseDiff& c) { return c.ratio.has_value(); });
        out_ += "\n" + matrix(diff_, width_, paint_);
        std::string legend =
            fmt::format("A is {}, B is {}.", printable(diff_.a.name), printable(diff_.b.name));
        if (has_ratio) {
            legend +=
                " Above 1, B is slower. │ is 1, ┊ an edge of the margin, ├█┤ the ratio and "
                "its interval, ◄ ► beyond the scale.";
        }
        paragraph(legend, 0, 0);
    }

    void show(const std::vector<TextLines>& logs) {
        for (std::size_t i = 0; i < std::min(most_logs, logs.size()); ++i) {
            paragraph(logs[i].heading, 2, 4);
            for (std::size_t line = 0; line < logs[i].lines.size(); ++line) {
                if (line == most_log_lines) {
                    paragraph(fmt::format("... {} more lines; the report as JSON has them.",
                                          logs[i].lines.size() - line),
                              4, 6);
                    break;
                }
                log_line(logs[i].lines[line]);
            }
        }
        if (logs.size() > most_logs) {
            paragraph(fmt::format("{}; the report as JSON has them.",
                                  counted(logs.size() - most_logs, "more compiler log")),
                      2, 4);
        }
    }

    /// As it is where it fits, so that a compiler's caret stays below its word.
    void log_line(const std::string& line) {
        if (columns_of(line) + 4 <= width_) {
            out_ += line.empty() ? "\n" : "    " + line + "\n";
        } else {
            paragraph(line, 4, 6);
        }
    }

    /// Grids of sections have a line a case or more: the page shows them.
    void section(const Section& one) {
        out_ += "\n" + paint_.heading(one.title) + "\n";
        for (const std::string& sentence : one.sentences) paragraph(sentence, 2, 4);
        show(one.texts);
    }

    void paragraph(std::string_view text, std::size_t indent, std::size_t hang) {
        const bool alarms = text.starts_with("Warning: ") || text.starts_with("THE CLOCK LIED");
        const std::string lines = wrapped(text, width_, hang, indent);
        out_ += std::string(indent, ' ') + (alarms ? paint_.alarm(lines) : lines) + "\n";
    }

    const Diff& diff_;
    std::size_t width_;
    Paint paint_;
    std::string out_;
};

}  // namespace

std::string text_report(const Diff& diff, unsigned width, bool colour) {
    return TextReport(diff, width, colour).text();
}

}  // namespace parallax
