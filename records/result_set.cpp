// Reads whole files, and rejects duplicate cases of one run.
#include "records/result_set.hpp"

#include <fmt/format.h>

#include "common/error.hpp"
#include "common/text/text.hpp"
#include "common/text/unique_values.hpp"

namespace parallax {
namespace {

/// The samples of one side of a pair. @param all  include disturbed rounds
std::vector<double> samples_of(const Pair& pair, std::vector<double> PairRound::*side, bool all) {
    std::vector<double> samples;
    for (const PairRound& round : pair.timing.rounds) {
        if (!all && !round.disturbed.empty()) continue;
        samples.insert(samples.end(), (round.*side).begin(), (round.*side).end());
    }
    return samples;
}

/// Whether its samples are unique to this record: a stored ceiling has those of another run, and a
/// few samples may be equal by chance.
bool is_one_measurement(const Record& record) {
    constexpr std::size_t enough = 6;
    if (!record.timing || !record.measured.empty()) return false;
    const std::vector<double>& samples = record.timing->samples;
    return samples.size() >= enough && samples.front() != samples.back();
}

}  // namespace

void ResultSet::take(ResultEntry line, unsigned line_number) {
    if (const auto* record = std::get_if<Record>(&line)) {
        const auto [known, is_new] =
            seen_.emplace(std::tuple{record->run.id, record->device, record->side,
                                     record->asked().sorted(), record->program.edits},
                          line_number);
        if (!is_new) {
            throw UsageError(fmt::format(
                "{}:{}: {} on {} is there twice in one run, first in line {}. Was the file edited, "
                "or put together twice? Take one of the two lines out.",
                name, line_number, to_string(record->key), record->device, known->second));
        }
    }
    if (const auto* record = std::get_if<Record>(&line); record && is_one_measurement(*record)) {
        const auto [known, is_new] = samples_seen_.emplace(record->timing->samples, line_number);
        if (!is_new) {
            throw UsageError(fmt::format(
                "{}:{}: the samples of {} on {} are those of line {}, and no clock says the same "
                "twice. Was the file put together? Take one of the two lines out.",
                name, line_number, to_string(record->key), record->device, known->second));
        }
    }
    if (const auto* pair = std::get_if<Pair>(&line); pair && !pair->self) {
        const auto [known, is_new] = pairs_seen_.emplace(
            std::tuple{pair->run.id, pair->a, pair->b, pair->key.sorted()}, line_number);
        if (!is_new) {
            throw UsageError(fmt::format(
                "{}:{}: the pair {} of {} and {} is there twice in one run, first in line {}. Was "
                "the file edited, or put together twice? Take one of the two lines out.",
                name, line_number, to_string(pair->key), pair->a, pair->b, known->second));
        }
    }
    add(std::move(line));
}

void ResultSet::check_pairs() const {
    std::map<std::tuple<std::string, std::string, char, CaseKey>, const Record*> known;
    for (const Record& record : records) {
        if (record.side == 0) continue;
        known[{record.run.id, record.device, record.side, record.asked().sorted()}] = &record;
    }
    for (const Pair& pair : pairs) {
        if (pair.self) continue;
        const CaseKey key = pair.key.sorted();
        const unsigned line = pairs_seen_.at({pair.run.id, pair.a, pair.b, key});
        std::vector<std::string> hashes;
        for (const bool is_b : {false, true}) {
            const char side = is_b ? 'b' : 'a';
            const auto found = known.find({pair.run.id, is_b ? pair.b : pair.a, side, key});
            const auto fail = [&](std::string_view member, const std::string& why) {
                throw UsageError(fmt::format(
                    "{}:{}: {}: {} of {}: {}. Was the file edited, or put together? Measure "
                    "again, or leave the line out.",
                    name, line, member, side, to_string(pair.key), why));
            };
            if (found == known.end()) {
                fail("run.id",
                     fmt::format("no record of run {} on {} is there", printable(pair.run.id),
                                 printable(is_b ? pair.b : pair.a)));
            }
            const Record& record = *found->second;
            if (!record.timing) {
                fail("rounds",
                     fmt::format("the record is '{}' and was not timed", name_of(record.status)));
            }
            const auto samples = is_b ? &PairRound::b : &PairRound::a;
            if (record.timing->samples != samples_of(pair, samples, true) &&
                record.timing->samples != samples_of(pair, samples, false)) {
                fail("rounds", "the samples are not those of the record");
            }
            const bool is_steady = record.check && record.check->repeatable == true;
            if (is_steady) add_once(hashes, record.check->output_hash);
            if (is_b && pair.answer && pair.answer->identical && hashes.size() > 1) {
                fail("answer.identical", "the hashes of the two outputs differ");
            }
        }
    }
}

ResultSet read_result_set(const std::string& path) {
    ResultSet set;
    set.name = path;
    const ReadSummary summary = read_results(
        path, [&](ResultEntry&& line, unsigned number) { set.take(std::move(line), number); });
    set.cut_short = summary.cut_short;
    if (set.records.empty()) {
        throw UsageError(
            fmt::format("{} holds no record. 'parallax run -o FILE' and 'parallax diff --data "
                        "FILE' write them.",
                        path));
    }
    set.check_pairs();
    return set;
}

}  // namespace parallax
