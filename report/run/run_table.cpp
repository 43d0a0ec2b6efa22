// One table per device, followed by conclusions from several cases.
#include "report/run/run_table.hpp"

#include <algorithm>
#include <functional>
#include <numeric>
#include <optional>
#include <ostream>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "common/error.hpp"
#include "common/text/text.hpp"
#include "common/text/text_lines.hpp"
#include "common/text/unique_values.hpp"
#include "records/environment.hpp"
#include "report/junit.hpp"
#include "report/left_out.hpp"
#include "report/sarif.hpp"
#include "report/wording.hpp"
#include "studies/case_of.hpp"
#include "studies/diff/pairing.hpp"
#include "suites/manifest/manifest.hpp"

namespace parallax {
namespace {

constexpr unsigned widest_share = 20, least_share = 4;
constexpr std::size_t widest_sentence = 96;
/// The number of records that leaves room for longer remarks on a screen.
constexpr std::size_t few_records = 10;
constexpr std::string_view words_for_all =
    "-v shows all tables and remarks, and what these checks do not see.";

/// Nothing: the record is of a suite, or of constants, that this program does not have.
std::optional<Case> known_case(const CaseKey& key) {
    try {
        return case_of(key);
    } catch (const UsageError&) {
        return {};
    }
}

/// The constants that the variants of one table do not share, and those the user would not guess.
std::string choices_of(const CaseKey& key) {
    const std::optional<Case> c = known_case(key);
    std::string text;
    if (!c) {
        for (const auto& [name, value] : key.constants) text += fmt::format(" {}={}", name, value);
        return text;
    }
    for (const ConstantSpec& spec : c->suite->constants) {
        if (spec.choices.empty()) continue;
        text += " " + spec.choices.at(static_cast<std::size_t>((*c)[spec.name]));
    }
    const std::string& swept = c->variant->sweep.constant;
    const auto spec = std::ranges::find(c->suite->constants, swept, &ConstantSpec::name);
    // Named choices are in it already.
    if (spec != c->suite->constants.end() && spec->choices.empty()) {
        text += fmt::format(" {}={}", swept, (*c)[swept]);
    }
    return text;
}

std::string title_of(const CaseKey& key) {
    return printable(fmt::format("{}{} {}", key.type, choices_of(key), fmt::join(key.shape, "x")));
}

/// @param bar_columns  of the share of the ceiling at most; 0: it is not drawn
std::vector<std::string> cells_of(const Record& r, unsigned bar_columns) {
    // A search for `ok` must not find a doubtful case.
    std::vector<std::string> cells{printable(r.key.variant), title_of(r.key),
                                   std::string(status_word(r.status, r.doubts))};
    if (!r.program.edits.empty()) {
        cells[1] += printable(fmt::format(", {}", fmt::join(r.program.edits, ", ")));
    }
    if (!r.timing) return cells;
    const std::optional<Case> c = known_case(r.key);
    const bool shows = c && shows_error(*c);
    cells.push_back(duration(r.seconds()));
    cells.push_back(r.timing->uncertainty_text());
    cells.push_back(r.rate_text());
    if (shows) cells.push_back(fmt::format("{:.2g} ULP", r.check->worst_ulp));
    if (!r.share.of.empty() && !(c && c->suite->is_ceiling)) {
        cells.push_back(fmt::format("{:.0f} % of {}{}", 100 * r.share.share, printable(r.share.of),
                                    beyond_text(r.share.share, r.timing->in_cache)));
        if (!shows && bar_columns > 0) cells.push_back(bar(r.share.share, bar_columns));
    }
    return cells;
}

Table table_of(const std::vector<const Record*>& records, unsigned bar_columns) {
    using enum Table::Align;
    Table table({left, left, left, right, right, right, right, left});
    for (const Record* record : records) table.add(cells_of(*record, bar_columns));
    return table;
}

/// ` -n 33x37`: the least size that was checked, since tools that look at each access are slow.
std::string least_size(const std::vector<Record>& records) {
    const std::vector<std::uint64_t>* least = nullptr;
    const auto elements = [](const std::vector<std::uint64_t>& shape) {
        return std::accumulate(shape.begin(), shape.end(), 1.0, std::multiplies<>());
    };
    for (const Record& record : records) {
        if (!record.check) continue;
        for (const auto& shape : record.check->shapes) {
            if (!least || elements(shape) < elements(*least)) least = &shape;
        }
    }
    return least ? fmt::format(" -n {}", fmt::join(*least, "x")) : "";
}

/// The commands that see what verification cannot of a kernel that is not this program's own.
std::string commands_for_unseen(const std::vector<Record>& records, const std::string& file) {
    const auto is_sanitized = [](const Record& r) { return r.device == "host:1"; };
    std::string text;
    const auto is_on = [](std::string_view backend) {
        return [=](const Record& r) { return r.where.backend == backend && r.check; };
    };
    const auto is_cuda_alone = [](const Record& r) {
        return r.program.language == "native" && !r.program.is_separate;
    };
    // The host counts as the API that the source is written for.
    const std::string_view host_stands_for =
        std::ranges::all_of(records, is_cuda_alone) ? "cuda" : "opencl";
    for (const auto& [backend, tool] :
         {std::pair("opencl", "oclgrind --data-races --build-options -cl-opt-disable"),
          std::pair("cuda", "compute-sanitizer --tool racecheck")}) {
        // The host also hides races of whole work-items.
        const bool asks =
            std::ranges::any_of(records, is_on(backend)) ||
            (backend == host_stands_for && std::ranges::all_of(records, is_on("host")));
        if (!asks) continue;
        text += fmt::format("  {} parallax run --check -d {} -s {}{}\n", tool, backend, file,
                            least_size(records));
    }
    // The order of work-items changes with each launch there, and sanitizers see the rest.
    if (std::ranges::none_of(records, is_sanitized)) {
        text += fmt::format("  parallax run --check -d host:1 -s {}\n", file);
    }
    return text + "\n";
}

}  // namespace

void RunTable::add(Record record) {
    if (tables_ != RunTables::as_they_come) {
        all_.push_back(std::move(record));
        return;
    }
    const bool is_ceiling = record.key.suite == ceiling_suite;
    if (is_ceiling && !shows_ceilings_ && is_right(record.status) && record.doubts.empty()) {
        ceilings_.push_back(std::move(record));
        return;
    }
    has_others_ = has_others_ || !is_ceiling;
    if (!records_.empty() && records_.back().key.suite != record.key.suite) print_suite();
    records_.push_back(std::move(record));
}

/// Effects of the environment on the times, once each.
void RunTable::print_warnings(const std::vector<Record>& records) {
    const std::size_t before = warned_.size();
    for (const Record& record : records) {
        for (std::string& one : environment_warnings(record.run, record.where))
            add_once(warned_, std::move(one));
    }
    for (std::size_t i = before; i < warned_.size(); ++i)
        print_sentence("Warning: " + warned_[i], 0);
    if (warned_.size() > before) out_ << "\n";
}

void RunTable::print_all() {
    const bool is_overview = tables_ == RunTables::overview;
    tables_ = RunTables::as_they_come;
    print_warnings(all_);
    std::vector<CaseKey> left_out, cases;
    for (const Record& record : all_) {
        if (record.key.suite == ceiling_suite) continue;
        cases.push_back(record.key);
        if (record.status == Status::skipped) left_out.push_back(record.key);
    }
    const LeftOut rest =
        left_out_of(std::move(left_out), std::move(cases), all_.front().run.command);
    if (!rest.sentence.empty()) {
        print_sentence(printable(rest.sentence), 0);
        if (!rest.command.empty()) out_ << "  " << printable(rest.command) << "\n";
        out_ << "\n";
    }
    std::erase_if(all_, [](const Record& r) { return r.status == Status::skipped; });
    std::ranges::stable_sort(all_, is_listed_before, &Record::key);
    if (is_overview) {
        print_overview(all_);
    } else {
        for (Record& record : all_) add(std::move(record));
    }
    all_.clear();
}

void RunTable::finish() {
    if (!all_.empty()) print_all();
    if (!has_others_) std::ranges::move(ceilings_, std::back_inserter(records_));
    if (!records_.empty()) print_suite();
}

void RunTable::print_suite() {
    print_warnings(records_);
    const std::string& name = records_.front().key.suite;
    const std::optional<Case> c = known_case(records_.front().key);
    print_sentence(printable(name) + (c ? ": " + printable(c->suite->question) : ""), 0);
    // A file may hold runs of several machines, each with its own `opencl:0`.
    std::vector<std::pair<std::string, std::vector<const Record*>>> devices;
    for (const Record& record : records_) {
        const std::string one =
            fmt::format("{} {} {}", record.device, record.where.name, record.where.uuid);
        at_key(devices, one).push_back(&record);
    }
    for (const auto& [device, of_device] : devices) print_device(of_device);
    if (std::ranges::any_of(records_, [](const Record& record) {
            return record.check && is_agreement(record.check->checked_against);
        })) {
        print_sentence(agreement_remark(printable(name)), 0);
        out_ << "\n";
    }
    const Suite* own = loaded_manifest(name);
    if (is_short_ && records_.size() > few_records) {
        print_sentence(std::string(words_for_all), 0);
    } else if (own &&
               std::ranges::any_of(records_, [](const Record& r) { return r.check.has_value(); })) {
        print_sentence(fmt::format("Not seen by this check: {}. To look for them:",
                                   report::unseen_by_the_gate),
                       0);
        out_ << commands_for_unseen(records_, printable(word_for(*own)));
    }
    out_ << std::flush;
    records_.clear();
}

/// The variants' conclusions, for each shape, type and choice of constants.
void RunTable::print_conclusions(const std::vector<const Record*>& records) {
    const std::optional<Case> c = known_case(records.front()->key);
    if (!c || !c->suite->conclude) return;
    std::vector<std::pair<std::string, Seconds>> together;
    for (const Record* record : records) {
        if (!record->timing) continue;
        at_key(together, title_of(record->key))[record->key.variant] = record->seconds();
    }
    for (const auto& [title, seconds] : together) {
        const std::vector<std::string> sentences = c->suite->conclude(seconds);
        if (sentences.empty()) continue;
        print_sentence(fmt::format("{}: {}", title, fmt::join(sentences, " ")), 4);
    }
}

/// An unindented sentence is one line where there is no terminal: programs search for it.
void RunTable::print_sentence(std::string_view text, std::size_t indent) {
    const std::size_t width = indent > 0 ? std::min(width_, widest_sentence) : width_;
    out_ << std::string(indent, ' ') << wrapped(text, width, indent + 2, indent) << "\n";
}

/// The best result of a suite's variants on a device: by its share of the ceiling, else by its
/// rate.
std::string best_of(const std::vector<const Record*>& records) {
    const Record* best = nullptr;
    const auto key = [](const Record* r) {
        return std::pair(r->share.share, r->rate_text().empty() ? 0 : 1 / r->seconds());
    };
    for (const Record* one : records) {
        if (one->timing && (!best || key(one) > key(best))) best = one;
    }
    if (!best) return {};
    const std::string rate = best->rate_text();
    return fmt::format(
        "{} {}{}", printable(best->key.variant), rate.empty() ? duration(best->seconds()) : rate,
        best->share.of.empty() ? "" : fmt::format(", {:.0f} %", 100 * best->share.share));
}

void RunTable::print_overview(const std::vector<Record>& records) {
    std::vector<std::string> devices;
    std::vector<std::pair<std::string, std::vector<const Record*>>> suites;
    for (const Record& record : records) {
        if (record.key.suite == ceiling_suite) continue;
        add_once(devices, record.device);
        at_key(suites, record.key.suite).push_back(&record);
    }
    using enum Table::Align;
    Table table({left, left});
    std::vector<std::string> head{"suite", "cases"};
    for (const std::string& device : devices) head.push_back("best on " + printable(device));
    if (std::ranges::none_of(records, [](const Record& one) { return one.timing.has_value(); }))
        head.resize(2);  // nothing was timed
    const std::size_t columns = head.size();
    table.add(std::move(head));
    std::vector<std::string> wrong;
    std::size_t agreeing = 0;
    for (const auto& [suite, of_suite] : suites) {
        std::vector<std::pair<std::string, std::size_t>> counts;
        for (const Record* record : of_suite) {
            const std::string status(status_word(record->status, record->doubts));
            ++at_key(counts, status);
            if (status == "ok" || status == "checked" || record->status == Status::unsupported) {
                continue;
            }
            const std::string why =
                is_right(record->status) ? sentences_of(record->doubts) : record->reason;
            wrong.push_back(printable(
                fmt::format("{} on {}: {}: {}{}", record->key.name(), record->device, status,
                            why.substr(0, why.find('\n')), report::first_error(record->log))));
        }
        std::vector<std::string> cells{printable(suite), {}};
        for (const auto& [status, count] : counts) {
            cells[1] += fmt::format("{}{} {}", cells[1].empty() ? "" : ", ", count, status);
        }
        for (const std::string& device : devices) {
            std::vector<const Record*> there = of_suite;
            std::erase_if(there, [&](const Record* one) { return one->device != device; });
            cells.push_back(best_of(there));
        }
        cells.resize(columns);
        table.add(std::move(cells));
        agreeing += std::ranges::any_of(of_suite, [](const Record* one) {
            return one->check && is_agreement(one->check->checked_against);
        });
    }
    out_ << table.text(0, width_) << "\n";
    const std::size_t most = is_short_ ? 3 : 10;
    for (std::size_t i = 0; i < std::min(most, wrong.size()); ++i)
        print_sentence(is_short_ ? report::clipped(wrong[i], 2 * width_ - 10) : wrong[i], 0);
    if (wrong.size() > most) out_ << fmt::format("{} more are not right.\n", wrong.size() - most);
    if (agreeing > 0 && is_short_)
        print_sentence(
            agreement_remark(fmt::format("Each of {}", report::counted(agreeing, "manifest"))), 0);
    print_sentence(
        is_short_ ? std::string(words_for_all)
                  : "Percentages are of the device's own peak rate, copy or fma. -v prints the "
                    "tables of all variants.",
        0);
    out_ << std::flush;
}

void RunTable::print_device(const std::vector<const Record*>& records) {
    out_ << fmt::format("\n  {}  {}\n", printable(records.front()->device),
                        printable(records.front()->where.name));
    const std::size_t taken = table_of(records, 0).columns(4) + 2;
    const auto bar_columns = static_cast<unsigned>(
        std::min<std::size_t>(widest_share, width_ - std::min(taken, width_)));
    out_ << table_of(records, bar_columns < least_share ? 0 : bar_columns).text(4, width_);
    print_remarks(records);
    std::vector<std::string> peaks;
    for (const Record* record : records) {
        if (record->share.of.empty() || record->key.suite == ceiling_suite) continue;
        add_once(peaks, fmt::format("{} {}", printable(record->share.of),
                                    record->share.of == "copy"
                                        ? rate(record->ceiling.bytes_per_second, "B")
                                        : rate(record->ceiling.operations_per_second, "FLOP")));
    }
    if (!peaks.empty()) {
        print_sentence(fmt::format("The device's own peak rates: {}.", fmt::join(peaks, ", ")), 4);
    }
    print_conclusions(records);
    out_ << "\n";
}

/// What is said of the records of a table, each once.
void RunTable::print_remarks(const std::vector<const Record*>& records) {
    GroupedMessages said;
    for (const Record* record : records) {
        const std::string& variant = record->key.variant;
        if (!record->reason.empty()) said.add(record->reason, variant);
        if (!record->log.empty() && record->status == Status::failed) {
            said.add("The compiler says: " + record->log, variant);
        }
        for (const std::string& note : remarks_of(record->notes, record->doubts))
            said.add(note, variant);
    }
    std::size_t room = !is_short_ ? std::string::npos : records_.size() > few_records ? 2 : 10;
    std::size_t left = 0;
    for (const auto& [text, whose] : said.all()) {
        // A compiler's log has lines of its own.
        std::vector<std::string> lines;
        for (const std::string_view line : lines_of(text)) lines.push_back(printable(line));
        const std::string names = printable(fmt::format("{}", fmt::join(whose, ", ")));
        std::string sentence = wrapped(fmt::format("{}: {}", names, fmt::join(lines, "\n")),
                                       std::min(width_, widest_sentence), 6, 4);
        const auto taken = static_cast<std::size_t>(std::ranges::count(sentence, '\n')) + 1;
        if (room == 0 || (taken > room && &text != &said.all().front().first)) {
            ++left;
            continue;
        }
        std::size_t end = 0;
        for (std::size_t i = 0; i < room && end != sentence.npos; ++i)
            end = sentence.find('\n', end + (i > 0));
        if (end != sentence.npos && taken > room) sentence.resize(end);
        out_ << "    " << sentence << (taken > room ? " ...\n" : "\n");
        room -= std::min(room, taken);
    }
    if (left > 0) out_ << "    " << report::counted(left, "more remark") << ": -v shows all.\n";
}

}  // namespace parallax

namespace parallax::report {
namespace {

constexpr std::size_t longest_message = 500;

TestResult test_of(const Record& record, bool strict) {
    TestResult test{.suite = record.key.suite,
                    .classname = record.key.name(),
                    .name = fmt::format("{} on {}", to_string(record.key), record.device),
                    .seconds = record.seconds()};
    std::ranges::replace(test.classname, '/', '.');
    const std::string_view word = status_word(record.status, record.doubts);
    const std::string_view not_strict = strict ? strict_failure(record) : "";
    const bool doubtful = is_doubtful(record.status, record.doubts);
    if (record.check && is_agreement(record.check->checked_against))
        test.details = printable(agreement_remark(record.key.suite));
    if (is_right(record.status) && !doubtful && not_strict.empty()) return test;
    const bool fails =
        record.status == Status::wrong || record.status == Status::failed || !not_strict.empty();
    test.outcome = fails ? TestOutcome::failure : TestOutcome::skipped;
    test.type = not_strict.empty() ? word : not_strict;
    const std::string why = doubtful ? sentences_of(record.doubts) : record.reason;
    test.message = fmt::format("{}: {}{}", test.type, clipped(printable(why), longest_message),
                               first_error(record.log));
    if (!test.details.empty()) test.details += "\n";
    test.details += harmless(record.reason + (record.log.empty() ? "" : "\n" + record.log));
    test.repeat = printable(repeat_command(record.run.command, record.run.seed));
    test.places = [suite = record.key.suite, file = record.program.file,
                   kernel =
                       record.launches.empty() ? record.key.variant : record.launches.front().name,
                   said = record.log + "\n" + record.reason] {
        return source_places(suite, file, kernel, said);
    };
    return test;
}

}  // namespace

TestReport run_tests(const std::vector<Record>& records, bool strict) {
    TestReport report{.name = "parallax run", .properties = {}, .tests = {}};
    for (const Record& record : records) report.tests.push_back(test_of(record, strict));
    return report;
}

}  // namespace parallax::report
