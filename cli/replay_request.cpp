// Finds a stored record's case and devices, and what has changed since.
#include "cli/replay_request.hpp"

#include <algorithm>
#include <filesystem>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "common/error.hpp"
#include "common/text/text.hpp"
#include "records/differences.hpp"
#include "records/results.hpp"

namespace parallax::cli {
namespace {

/// Maximum number of cases in a message.
constexpr std::size_t most_listed = 12;

/// A file name may contain a colon.
std::pair<std::string, std::string> parted(const std::string& word) {
    std::error_code error;
    if (fs::exists(word, error)) return {word, {}};
    for (std::size_t at = word.rfind(':'); at != word.npos && at > 0;
         at = word.rfind(':', at - 1)) {
        if (fs::exists(word.substr(0, at), error)) return {word.substr(0, at), word.substr(at + 1)};
    }
    return {word, {}};
}

bool is_same_device(const DeviceRecord& then, const DeviceRecord& here) {
    if (then.backend != here.backend) return false;
    return then.uuid.empty() || here.uuid.empty() ? then.name == here.name : then.uuid == here.uuid;
}

Case case_named(const CaseKey& key, const std::vector<const Suite*>& with) {
    const auto given =
        std::ranges::find_if(with, [&](const Suite* one) { return one->name == key.suite; });
    if (given == with.end() &&
        std::ranges::find(suites(), key.suite, &Suite::name) == suites().end()) {
        throw UsageError(fmt::format(
            "The record is of {}, which is no suite of the program's. If it was a manifest, name "
            "its file in addition to --again.",
            key.suite));
    }
    const Suite& suite = given == with.end() ? suite_named(key.suite) : **given;
    const auto variant = std::ranges::find(suite.variants, key.variant, &Variant::name);
    if (variant == suite.variants.end())
        throw UsageError(fmt::format("{} has no variant {} any more.", key.suite, key.variant));
    const auto type = std::ranges::find_if(
        suite.types, [&](ElementType one) { return name_of(one) == key.type; });
    if (type == suite.types.end())
        throw UsageError(fmt::format("{} has no type {} any more.", key.suite, key.type));
    return make_case(suite, *variant, Shape{key.shape}, *type, key.constants);
}

}  // namespace

ReplayRequest read_again(const std::string& word, const std::vector<const Suite*>& with) {
    const auto [file, wanted] = parted(word);
    std::vector<Record> found;
    std::set<std::string> names;
    read_results(file, [&](ResultEntry&& line, unsigned) {
        auto* const record = std::get_if<Record>(&line);
        if (!record) return;
        const std::string name = to_string(record->key);
        if (!wanted.empty() && record->key.name() != wanted && !name.starts_with(wanted)) return;
        names.insert(name);
        found.push_back(std::move(*record));
    });
    // An exact name takes precedence over names that begin with it.
    if (names.size() > 1 && names.contains(wanted)) {
        std::erase_if(found, [&](const Record& one) { return to_string(one.key) != wanted; });
        names = {wanted};
    }
    if (names.size() != 1) {
        std::vector<std::string> listed(names.begin(), names.end());
        const std::size_t more = listed.size() - std::min(listed.size(), most_listed);
        listed.resize(listed.size() - more);
        throw UsageError(
            names.empty()
                ? fmt::format("{} has no record{}. 'parallax run -o FILE' writes them.", file,
                              wanted.empty() ? "" : fmt::format(" of '{}'", wanted))
                : fmt::format("{} has {} cases{}; name one as --again '{}:CASE':\n  {}{}", file,
                              names.size(), wanted.empty() ? "" : fmt::format(" of '{}'", wanted),
                              file, fmt::join(listed, "\n  "),
                              more > 0 ? fmt::format("\n  and {} more", more) : ""));
    }
    ReplayRequest again;
    again.file = file;
    for (auto record = found.rbegin(); record != found.rend(); ++record) {
        if (std::ranges::none_of(again.then, [&](const Record& one) {
                return is_same_device(one.where, record->where);
            }))
            again.then.insert(again.then.begin(), *record);
    }
    const Record& one = again.then.back();
    if (!one.program.edits.empty()) {
        throw UsageError(
            fmt::format("The kernel of this record was changed on purpose ({}): there "
                        "is nothing to repeat.",
                        fmt::join(one.program.edits, ", ")));
    }
    again.the_case = case_named(one.key, with);
    return again;
}

std::vector<Entry> entries_for(const ReplayRequest& again, const std::vector<Entry>& here) {
    std::vector<Entry> entries;
    for (const Entry& entry : here) {
        const DeviceRecord record = device_record(entry.info);
        if (std::ranges::any_of(
                again.then, [&](const Record& one) { return is_same_device(one.where, record); }))
            entries.push_back(entry);
    }
    if (!entries.empty()) return entries;
    std::vector<std::string> then, now;
    for (const Record& one : again.then)
        then.push_back(fmt::format("{} ({})", one.device, one.where.name));
    for (const Entry& entry : here)
        now.push_back(fmt::format("{} ({})", entry.info.id(), entry.info.name));
    throw UsageError(
        fmt::format("It was run on {}, which is not here. {}", fmt::join(then, " and "),
                    now.empty() ? "No device is."
                                : fmt::format("-d takes another one: {}.", fmt::join(now, ", "))));
}

std::string changes_since(const ReplayRequest& again, const Record& now) {
    // Prefers the run on the same device, then one on the same backend, then the last one.
    const Record* then = &again.then.back();
    for (const Record& one : again.then) {
        if (one.where.backend == now.where.backend) then = &one;
    }
    for (const Record& one : again.then) {
        if (is_same_device(one.where, now.where)) then = &one;
    }
    using Align = Table::Align;
    Table table({Align::left, Align::left, Align::left});
    table.add({"", fmt::format("then, {}", then->run.started), "now"});
    for (const auto& list : {outcomes_of(*then, now), differences_between(*then, now)}) {
        for (const RecordDifference& one : list) table.add({one.what, one.then, one.now});
    }
    std::string text =
        fmt::format("\n{} on {}:\n{}", to_string(now.key), now.device, table.text(2));
    if (differences_between(*then, now).empty())
        text += "  Nothing else differs that a record knows of.\n";
    return text;
}

}  // namespace parallax::cli
