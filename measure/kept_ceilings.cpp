// Reads ceilings from the user's file, and replaces the file by a newer one.
#include "measure/kept_ceilings.hpp"

#include <ctime>
#include <mutex>
#include <vector>

#include <fmt/format.h>

#include "measure/telemetry.hpp"
#include "records/record.hpp"
#include "records/results.hpp"
#include "records/write_file.hpp"

namespace parallax {
namespace {

namespace fs = std::filesystem;

/// A larger file was not written by this program.
constexpr std::uintmax_t most_file_bytes = std::uintmax_t{16} << 20;

/// Largest relative half-width of the interval of a ceiling that may be reused for a day.
constexpr double most_uncertain = 0.02;

/// Seconds since 1970 of a time such as `2026-11-21T14:00:00Z`.
std::optional<double> seconds_of(const std::string& utc) {
    std::tm parts{};
    const char* const end = ::strptime(utc.c_str(), "%Y-%m-%dT%H:%M:%SZ", &parts);
    if (!end || *end) return {};
    return static_cast<double>(::timegm(&parts));
}

bool is_young(const RunInfo& then, const RunInfo& now) {
    const auto from = seconds_of(then.started), to = seconds_of(now.started);
    return from && to && *from <= *to && *to - *from <= ceiling_lifetime;
}

/// The file's records up to the first invalid line.
std::vector<Record> records_in(const fs::path& file) {
    std::vector<Record> records;
    try {
        if (!fs::is_regular_file(file) || fs::file_size(file) > most_file_bytes) return {};
        read_results(file, [&](ResultEntry&& line, unsigned) {
            if (auto* record = std::get_if<Record>(&line)) records.push_back(std::move(*record));
        });
    } catch (const std::exception&) {
        // Unreadable or damaged: the missing ceilings are measured.
    }
    return records;
}

bool same_limits(const DeviceState& a, const DeviceState& b) {
    return a.max_sm_clock_mhz == b.max_sm_clock_mhz && a.power_limit_watts == b.power_limit_watts &&
           a.ecc == b.ecc;
}

bool same_program(const ProgramRecord& a, const ProgramRecord& b) {
    return a.file == b.file && a.language == b.language && a.source_hash == b.source_hash &&
           a.floats == b.floats && a.edits == b.edits;
}

bool same_kind(const Record& a, const Record& b) {
    return a.key.suite == b.key.suite && a.key.variant == b.key.variant &&
           a.key.type == b.key.type && a.where == b.where;
}

/// Whether this run would measure the same. @param c  with the stored shape
bool stands_for(const Record& kept, const Case& c, const DeviceInfo& info, const RunConfig& config,
                const RunInfo& now) {
    const Record wanted = to_record(outcome_for(c, config, info.backend), info, now);
    return kept.key == wanted.key && same_kind(kept, wanted) &&
           same_program(kept.program, wanted.program) && kept.status == Status::ok && kept.timing &&
           kept.timing->repeats.size() >= config.rule.rounds &&
           kept.timing->least_batch_seconds >= config.rule.batch_seconds &&
           kept.run.program_version == now.program_version && is_young(kept.run, now) &&
           same_limits(kept.after, device_state(info));
}

/// Whether it may be reused: it is precise, and no other process used the device. On a CPU that is
/// not visible.
bool is_worth_keeping(const Record& made, const DeviceInfo& info) {
    return info.is_gpu && made.status == Status::ok && made.timing &&
           made.timing->estimate.half_width() <= most_uncertain &&
           made.after.others_use.value_or(made.after.other_processes.value_or(0)) <=
               others_noticed &&
           throttle_words(made.after.throttle_reasons.value_or(0)).empty();
}

}  // namespace

std::optional<Record> kept_ceiling(const Case& c, const DeviceInfo& info, const RunConfig& config,
                                   const RunInfo& now) {
    if (config.ceilings_file.empty() || config.fresh_ceilings) return {};
    for (Record& kept : records_in(config.ceilings_file)) {
        for (const Shape& shape : shapes_of(*c.suite, *c.variant)) {
            Case sized = c;
            sized.shape = shape;
            if (kept.key.shape != shape.extents || !stands_for(kept, sized, info, config, now)) {
                continue;
            }
            kept.notes.push_back(
                fmt::format("Kept: run {} measured it on {}. --fresh-ceilings measures it again.",
                            kept.run.id, kept.run.started));
            kept.measured = std::exchange(kept.run, now).started;
            kept.device = info.id();
            return std::move(kept);
        }
    }
    return {};
}

void keep_ceiling(const Record& made, const DeviceInfo& info, const RunConfig& config) {
    if (config.ceilings_file.empty() || !is_worth_keeping(made, info)) return;
    static std::mutex mutex;
    const std::scoped_lock lock(mutex);
    std::vector<Record> records = records_in(config.ceilings_file);
    std::erase_if(records, [&](const Record& old) {
        return !is_young(old.run, made.run) || same_kind(old, made);
    });
    records.push_back(made);
    std::string text;
    for (const Record& record : records) text += text_of(record) + "\n";
    try {
        write_file(config.ceilings_file, text);
    } catch (const std::exception&) {
        // Nothing is stored.
    }
}

}  // namespace parallax
