// The progress line and the tables of `parallax run`.
#include "cli/run_report.hpp"

#include <algorithm>
#include <ostream>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "cli/arguments.hpp"
#include "common/rate_unit.hpp"
#include "common/text.hpp"
#include "studies/published/published.hpp"

namespace parallax::cli {
namespace {

constexpr unsigned bar_width = 20;

std::string rate_of(const Outcome& o) {
    if (o.work.bytes + o.work.operations <= 0) return {};
    const bool by_operations = o.share() ? o.share()->second == "fma" : !o.work.moves_much();
    return rate(by_operations ? o.operations_per_second() : o.bytes_per_second(),
                rate_unit(by_operations, o.the_case.type));
}

/// The constants that the variants of one table do not share, and those the user would not guess.
std::string choices_of(const Case& c) {
    std::string text;
    for (const ConstantSpec& spec : c.suite->constants) {
        if (spec.choices.empty()) continue;
        text += " " + spec.choices.at(static_cast<std::size_t>(c[spec.name]));
    }
    const std::string& swept = c.variant->sweep.constant;
    const auto spec = std::ranges::find(c.suite->constants, swept, &ConstantSpec::name);
    // Named choices are in it already.
    if (spec != c.suite->constants.end() && spec->choices.empty()) {
        text += fmt::format(" {}={}", swept, c[swept]);
    }
    return text;
}

std::string title_of(const Case& c) {
    return fmt::format("{}{} {}", name_of(c.type), choices_of(c), to_string(c.shape));
}

std::vector<std::string> cells_of(const Outcome& o) {
    const Case& c = o.the_case;
    std::vector<std::string> cells{c.variant->name, title_of(c), std::string(name_of(o.status))};
    if (o.status != Status::ok) return cells;
    cells.push_back(duration(o.timing->estimate.median));
    cells.push_back(fmt::format("±{:.1f} %", 100 * o.timing->estimate.half_width()));
    cells.push_back(rate_of(o));
    if (shows_error(c)) cells.push_back(fmt::format("{:.2g} ULP", o.checked->worst_ulp));
    if (const auto share = o.share(); share && !c.suite->is_ceiling) {
        cells.push_back(fmt::format("{:.0f} % of {}", 100 * share->first, share->second));
        if (!shows_error(c)) cells.push_back(bar(share->first, bar_width));
    }
    return cells;
}

}  // namespace

void ProgressLine::show(const Progress& progress, const std::string& process) {
    if (!shown_) return;
    std::string line = process.empty() ? "" : fmt::format("process {}: ", process);
    line +=
        fmt::format("[{}/{}] {}, {:.0f} s, at most {:.0f} s left", progress.done + 1,
                    progress.total, progress.what, progress.elapsed_seconds, progress.left_seconds);
    const std::size_t width = terminal_width() - 1;
    if (line.size() > width) line.resize(width);
    err_ << "\r\033[K" << line << std::flush;
    dirty_ = true;
}

void ProgressLine::clear() {
    if (dirty_) err_ << "\r\033[K" << std::flush;
    dirty_ = false;
}

void RunReport::add(const Outcome& outcome, const Entry& entry) {
    if (!lines_.empty() && lines_.back().outcome.the_case.suite != outcome.the_case.suite) {
        print_suite();
    }
    lines_.push_back({outcome, entry.info});
    // Codes hold on to their devices, which may be opened anew in the meantime.
    lines_.back().outcome.codes.clear();
}

void RunReport::finish() {
    if (!lines_.empty()) print_suite();
}

void RunReport::print_suite() {
    const Suite& suite = *lines_.front().outcome.the_case.suite;
    out_ << fmt::format("{}: {}\n", suite.name, suite.question);
    std::vector<std::string> devices;
    for (const Line& line : lines_) {
        if (std::ranges::find(devices, line.device.id()) == devices.end()) {
            devices.push_back(line.device.id());
        }
    }
    for (const std::string& id : devices) {
        std::vector<const Line*> of_device;
        for (const Line& line : lines_) {
            if (line.device.id() == id) of_device.push_back(&line);
        }
        print_device(of_device);
    }
    if (std::ranges::any_of(lines_, [](const Line& line) {
            return line.outcome.checked && is_agreement(line.outcome.checked->against);
        })) {
        out_ << agreement_remark(suite.name) << "\n\n";
    }
    print_published();
    out_ << std::flush;
    lines_.clear();
}

/// What the variants say together, for each shape, type and choice of constants.
void RunReport::print_conclusions(const std::vector<const Line*>& lines) {
    const Suite& suite = *lines.front()->outcome.the_case.suite;
    if (!suite.conclude) return;
    std::vector<std::pair<std::string, Seconds>> together;
    for (const Line* line : lines) {
        const Outcome& o = line->outcome;
        if (!o.timing) continue;
        const std::string title = title_of(o.the_case);
        auto found =
            std::ranges::find(together, title, [](const auto& pair) { return pair.first; });
        if (found == together.end()) found = together.insert(together.end(), {title, {}});
        found->second[o.the_case.variant->name] = o.timing->estimate.median;
    }
    for (const auto& [title, seconds] : together) {
        const std::vector<std::string> sentences = suite.conclude(seconds);
        if (sentences.empty()) continue;
        out_ << "    " << wrapped(fmt::format("{}: {}", title, fmt::join(sentences, " ")), 92, 6)
             << "\n";
    }
}

void RunReport::print_published() {
    std::vector<ReportedCase> cases;
    for (const Line& line : lines_) {
        const Case& c = line.outcome.the_case;
        cases.push_back({c.suite->name, c.variant->name, c.constants, c.shape.extents});
    }
    const std::vector<std::string> sentences = published_sentences(cases);
    for (const std::string& sentence : sentences) {
        out_ << "  " << wrapped("Published: " + sentence, 94, 4) << "\n";
    }
    if (!sentences.empty()) out_ << "\n";
}

void RunReport::print_device(const std::vector<const Line*>& lines) {
    using enum Table::Align;
    Table table({left, left, left, right, right, right, right, left});
    const DeviceInfo& info = lines.front()->device;
    out_ << fmt::format("\n  {}  {}\n", info.id(), info.name);
    for (const Line* line : lines) table.add(cells_of(line->outcome));
    out_ << table.text(4);
    // What is said of several cases is said once.
    std::vector<std::pair<std::string, std::vector<std::string>>> remarks;
    const auto remark = [&](const std::string& text, const std::string& variant) {
        auto found = std::ranges::find(remarks, text, [](const auto& pair) { return pair.first; });
        if (found == remarks.end()) found = remarks.insert(remarks.end(), {text, {}});
        if (std::ranges::find(found->second, variant) == found->second.end()) {
            found->second.push_back(variant);
        }
    };
    for (const Line* line : lines) {
        const Outcome& o = line->outcome;
        const std::string& variant = o.the_case.variant->name;
        if (!o.reason.empty()) remark(o.reason, variant);
        if (!o.log.empty() && o.status == Status::failed) {
            remark("The compiler says: " + o.log, variant);
        }
        for (const std::string& note : o.notes) remark(note, variant);
    }
    for (const auto& [text, variants] : remarks) {
        out_ << "    " << wrapped(fmt::format("{}: {}", fmt::join(variants, ", "), text), 92, 6)
             << "\n";
    }
    print_conclusions(lines);
    out_ << "\n";
}

}  // namespace parallax::cli
