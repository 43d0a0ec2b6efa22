// Compares the fastest variant of each device with the rows of a library.
#include "report/run/library_rows.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "common/error.hpp"
#include "report/wording.hpp"
#include "studies/case_of.hpp"

namespace parallax {
namespace {

/// A record's problem, which is all of its case but how it is done.
struct Solved {
    const Record* record = nullptr;
    std::string problem;  ///< empty: it is of another program's suites
    std::string library;  ///< whose call did it; empty: a kernel did
};

Solved solved(const Record& record) {
    try {
        const Case c = case_of(record.key);
        const NativeSource* const native = native_source(*c.variant, record.where.backend);
        std::string problem =
            fmt::format("{} {}", record.key.type, fmt::join(record.key.shape, "x"));
        for (const ConstantSpec& spec : c.suite->constants) {
            if (spec.changes_answer) problem += fmt::format(" {}={}", spec.name, c[spec.name]);
        }
        if (!c.variant->problem.empty()) problem += " " + c.variant->problem;
        return {&record, std::move(problem), native ? native->library : ""};
    } catch (const UsageError&) {
        return {&record, "", ""};
    }
}

}  // namespace

std::vector<std::string> library_sentences(const std::vector<Record>& records) {
    std::vector<Solved> all;
    for (const Record& record : records) {
        if (record.timing) all.push_back(solved(record));
    }
    std::vector<std::string> sentences;
    for (const Solved& by_library : all) {
        if (by_library.library.empty()) continue;
        const Record& library = *by_library.record;
        std::vector<const Record*> fastest;  // one of each device, in the records' order
        for (const Solved& one : all) {
            if (!one.library.empty() || one.problem != by_library.problem ||
                one.record->key.suite != library.key.suite ||
                one.record->where.name != library.where.name) {
                continue;
            }
            const auto same = std::ranges::find(fastest, one.record->device, &Record::device);
            if (same == fastest.end()) {
                fastest.push_back(one.record);
            } else if (one.record->seconds() < (*same)->seconds()) {
                *same = one.record;
            }
        }
        std::vector<std::string> parts;
        for (const Record* const one : fastest) {
            parts.push_back(fmt::format("{} on {} {:.2f}", printable(one->key.variant),
                                        printable(one->device),
                                        library.seconds() / one->seconds()));
        }
        if (parts.empty()) continue;
        sentences.push_back(fmt::format("Beside {} on {}, {} ({}), in parts of its speed: {}.",
                                        by_library.library, printable(library.device),
                                        printable(by_library.problem), duration(library.seconds()),
                                        fmt::join(parts, ", ")));
    }
    return sentences;
}

}  // namespace parallax
