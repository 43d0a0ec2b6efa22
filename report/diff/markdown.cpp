// The report for a pull request, in GitHub's Markdown.
#include <algorithm>
#include <map>

#include <fmt/format.h>

#include "common/text/text.hpp"
#include "report/diff/cases.hpp"
#include "report/diff/findings.hpp"
#include "report/markdown_words.hpp"
#include "report/report.hpp"

namespace parallax {
namespace {

using namespace report;

constexpr std::size_t most_not_same = 50;
constexpr std::size_t longest_title = 120, longest_sentence = 1'500, longest_log_line = 200;
constexpr std::size_t most_markdown_log_lines = 30;

/// Bytes of the report at the end of each part. GitHub refuses a comment above 65,536 characters;
/// what a part leaves over, the next ones may use.
namespace limit {
constexpr std::size_t head = 8'000, not_same = 22'000, reasons = 28'000, logs = 36'000,
                      findings = 45'000, published = 46'500, environment = 48'000, same = 54'000,
                      matrix = 59'800;
}
/// Kept free in each part for the words that end it.
constexpr std::size_t ending = 200;

std::string sentence(std::string_view text) {
    return escaped(clipped(text, longest_sentence));
}

std::string code(std::string_view text) {
    return "<code>" + escaped(clipped(text, longest_title)) + "</code>";
}

std::string status_and_time(const Cell& status, const Cell& time) {
    return time.text.empty() ? status.text : status.text + ", " + time.text;
}

/// Cells of cases_grid() and others as Markdown.
std::string title_in_code(const GridRow& row) {
    const std::string tags = row.title("(", ")").substr(row.cells.front().text.size());
    return code(row.cells.front().text) + tags;
}

std::string verdict_in_bold(const Cell& cell) {
    const bool plain = cell.tone == Verdict::same || cell.tone == Verdict::not_comparable ||
                       (cell.tone && is_about_answers(*cell.tone));
    return plain ? cell.text : "**" + cell.text + "**";
}

struct TableText {
    std::vector<std::string> head;
    std::vector<std::string> rows;

    std::string head_text() const { return head_row(head); }
    std::size_t size() const {
        std::size_t size = head_text().size();
        for (const std::string& text : rows) size += text.size();
        return size;
    }
};

TableText table_of(const Grid& grid) {
    TableText table;
    for (const Column& column : grid.columns) table.head.push_back(column.name);
    for (const GridRow& one : grid.rows) {
        std::vector<std::string> cells{code(one.cells.front().text)};
        for (std::size_t i = 1; i < one.cells.size(); ++i) cells.push_back(one.cells[i].text);
        table.rows.push_back(row(cells));
    }
    return table;
}

class MarkdownReport {
public:
    explicit MarkdownReport(const Diff& diff)
        : diff_(diff), cases_(by_weight(diff)), grid_(cases_grid(diff, cases_)) {}

    std::string text() {
        show_head();
        show_not_same();
        show_reasons();
        show_logs();
        show_findings();
        show_published();
        show_environment();
        show_same();
        show_matrix();
        return std::move(out_);
    }

private:
    bool fits(std::size_t bytes, std::size_t most) const {
        return out_.size() + bytes + ending <= most;
    }

    /// TextLines as far as there is room, and how many there are beyond.
    void lines(const std::vector<std::string>& texts, std::size_t most, std::string_view what) {
        std::size_t left_out = 0;
        for (const std::string& text : texts) {
            if (left_out == 0 && fits(text.size(), most)) {
                out_ += text;
            } else {
                ++left_out;
            }
        }
        if (left_out > 0) {
            out_ += fmt::format("\n{} left out: GitHub takes no longer text.\n",
                                counted(left_out, fmt::format("more {}", what)));
        }
    }

    void bullets(const Sentences& sentences, std::size_t most) {
        std::vector<std::string> texts;
        for (const std::string& text : sentences) texts.push_back("- " + sentence(text) + "\n");
        lines(texts, most, "line");
        out_ += "\n";
    }

    void table(const TableText& texts, std::size_t most, std::string_view what) {
        out_ += texts.head_text();
        lines(texts.rows, most, what);
        out_ += "\n";
    }

    void open(std::string_view title) {
        out_ += fmt::format("<details><summary>{}</summary>\n\n", escaped(clipped(title, 120)));
    }
    void close() { out_ += "</details>\n\n"; }

    void show_head() {
        if (const LeftOut rest = left_out(diff_); !rest.sentence.empty()) {
            out_ += sentence(rest.sentence) + "\n\n";
            if (!rest.command.empty()) out_ += fmt::format("    {}\n\n", rest.command);
        }
        std::vector<std::string> texts;
        for (const std::string& warning : warnings(diff_)) {
            texts.push_back("> **Warning:** " + sentence(warning) + "\n>\n");
        }
        lines(texts, limit::head / 2, "warning");
        Sentences head = headline(diff_);
        out_ += fmt::format("{}### {}\n\n", texts.empty() ? "" : "\n", sentence(head.front()));
        head.erase(head.begin());
        if (!head.empty()) bullets(head, limit::head);
    }

    void show_not_same() {
        TableText texts{.head = {"case", "A", "B", "verdict", "B over A"}, .rows = {}};
        std::size_t all = 0;
        for (const GridRow& one : grid_.rows) {
            const std::vector<Cell>& cells = one.cells;
            if (cells[case_verdict].tone == Verdict::same || ++all > most_not_same) continue;
            texts.rows.push_back(
                row({title_in_code(one), status_and_time(cells[case_status_a], cells[case_time_a]),
                     status_and_time(cells[case_status_b], cells[case_time_b]),
                     verdict_in_bold(cells[case_verdict]), cells[case_ratio].text}));
        }
        if (all == 0) return;
        table(texts, limit::not_same, "case");
        if (all > most_not_same) {
            out_ += fmt::format(
                "{} more are not SAME; all of them are in the matrix below as far "
                "as there is room, and in the report as JSON.\n\n",
                all - most_not_same);
        }
    }

    void show_reasons() {
        const Sentences texts = sentences_of(reasons(diff_), diff_);
        if (!texts.empty()) bullets(texts, limit::reasons);
    }

    void show_logs() {
        const std::vector<TextLines> logs = compiler_logs(diff_);
        if (logs.empty()) return;
        std::vector<std::string> texts;
        for (const TextLines& log : logs) {
            std::string block;
            for (std::size_t i = 0; i < std::min(most_markdown_log_lines, log.lines.size()); ++i) {
                block += clipped(log.lines[i], longest_log_line) + "\n";
            }
            if (log.lines.size() > most_markdown_log_lines) {
                block +=
                    fmt::format("... {} more lines\n", log.lines.size() - most_markdown_log_lines);
            }
            texts.push_back(sentence(log.heading) + "\n\n" + fenced("text", block) + "\n");
        }
        open("What the compilers say");
        lines(texts, limit::logs, "log");
        close();
    }

    void show_findings() {
        const auto part = [&](std::string_view title, const Sentences& sentences,
                              std::size_t most) {
            if (sentences.empty()) return;
            out_ += fmt::format("**{}**\n\n", title);
            bullets(sentences, most);
        };
        part("The program", captured_programs(diff_), limit::logs + 500);
        part("In one number", in_one_number(diff_), limit::logs + 1'500);
        part("Against the baseline", against_baseline(diff_), limit::logs + 2'500);
        part("A against A", against_itself(diff_), limit::logs + 3'500);
        open("Same kernel? Same answer? How was it measured?");
        if (!diff_.cases.empty()) {
            part("Same kernel?", same_kernel(diff_), limit::logs + 5'000);
            part("Same answer?", same_answer(diff_), limit::logs + 6'500);
        }
        part("How it was measured", measuring(diff_), limit::logs + 7'500);
        part("To know", sentences_of(notes(diff_), diff_), limit::findings);
        close();
    }

    void show_published() {
        const Sentences figures = published_figures(diff_);
        if (figures.empty()) return;
        open("Published figures");
        bullets(figures, limit::published);
        close();
    }

    void show_environment() {
        if (diff_.environment.empty() && diff_.never_equal.empty()) return;
        TableText texts{.head = {"", "A", "B"}, .rows = {}};
        for (const GridRow& one : environment_grid(diff_).rows) {
            if (!one.tone) continue;
            texts.rows.push_back(row({sentence(one.cells[0].text), sentence(one.cells[1].text),
                                      sentence(one.cells[2].text)}));
        }
        open(counted(texts.rows.size(), "difference") + " between the environments");
        if (!texts.rows.empty()) table(texts, limit::environment - 1'000, "difference");
        Sentences never;
        for (const std::string& text : diff_.never_equal) {
            never.push_back("Never equal: " + printable(text));
        }
        if (!never.empty()) bullets(never, limit::environment);
        close();
    }

    void show_same() {
        TableText texts{.head = {"case", "A", "B", "B over A"}, .rows = {}};
        std::vector<std::string> suites;
        std::map<std::string, std::vector<const CaseDiff*>> by_suite;
        for (std::size_t i = 0; i < cases_.size(); ++i) {
            if (cases_[i]->verdict != Verdict::same) continue;
            const std::vector<Cell>& cells = grid_.rows[i].cells;
            texts.rows.push_back(row({title_in_code(grid_.rows[i]), cells[case_time_a].text,
                                      cells[case_time_b].text, cells[case_ratio].text}));
            const std::string suite = printable(cases_[i]->key.suite);
            if (!by_suite.contains(suite)) suites.push_back(suite);
            by_suite[suite].push_back(cases_[i]);
        }
        if (texts.rows.empty()) return;
        open(fmt::format("{} SAME", texts.rows.size()));
        if (fits(texts.size(), limit::same)) {
            table(texts, limit::same, "case");
        } else {
            out_ += "Folded, a line a suite: GitHub takes no longer text.\n\n";
            TableText folded{.head = {"suite", "SAME", "B over A"}, .rows = {}};
            for (const std::string& suite : suites) {
                folded.rows.push_back(row({code(suite), std::to_string(by_suite[suite].size()),
                                           range_text(by_suite[suite])}));
            }
            table(folded, limit::same, "suite");
        }
        close();
    }

    void show_matrix() {
        if (diff_.cases.empty()) return;
        TableText texts{.head = {"case", "A", "B", "verdict"}, .rows = {}};
        std::vector<const CaseDiff*> as_measured;
        for (const CaseDiff& c : diff_.cases) as_measured.push_back(&c);
        for (const GridRow& one : cases_grid(diff_, as_measured).rows) {
            texts.rows.push_back(
                row({title_in_code(one), one.cells[case_status_a].text,
                     one.cells[case_status_b].text, verdict_in_bold(one.cells[case_verdict])}));
        }
        open("Portability matrix");
        if (!fits(texts.size(), limit::matrix)) {
            out_ += "Folded into counts: GitHub takes no longer text.\n\n";
            texts = table_of(counts_grid(diff_, true));
            if (!fits(texts.size(), limit::matrix)) texts = table_of(counts_grid(diff_, false));
        }
        table(texts, limit::matrix, "line");
        close();
    }

    const Diff& diff_;
    std::vector<const CaseDiff*> cases_;
    Grid grid_;  ///< a row for each of cases_
    std::string out_;
};

}  // namespace

std::string markdown_report(const Diff& diff) {
    return MarkdownReport(diff).text();
}

}  // namespace parallax
