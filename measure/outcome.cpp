// Converts an outcome into a record.
#include "measure/outcome.hpp"

#include <algorithm>
#include <cmath>
#include <string>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "common/text/hash.hpp"
#include "measure/telemetry.hpp"

namespace parallax {
namespace {

std::string values_hash(const Launch& launch) {
    Hasher hasher;
    for (const LaunchArgument& argument : launch.arguments) {
        const auto* const value = std::get_if<Scalar>(&argument);
        if (!value) continue;
        const std::string_view type = type_name(*value);
        hasher.add(std::as_bytes(std::span(type.data(), type.size())));
        hasher.add(bytes_of(*value));
    }
    return hasher.digits();
}

LaunchRecord launch_record(const Launch& launch, const Codes& codes) {
    const Geometry& geometry = launch.geometry;
    LaunchRecord record{.name = launch.kernel,
                        .groups = geometry.groups,
                        .items = geometry.items,
                        .local_bytes = launch.local_bytes(),
                        .values_hash = values_hash(launch),
                        .resources = {}};
    const auto found = codes.find(launch.kernel);
    if (found == codes.end()) return record;
    record.resources = LaunchResources{
        found->second->resources, found->second->groups_per_unit(geometry, launch.local_bytes())};
    return record;
}

ProgramRecord program_record(const Outcome& o) {
    ProgramRecord record{
        .file = o.program.name,
        .language = o.program.language == Language::portable ? "portable" : "native",
        .is_separate = is_written_separately(o.the_case),
        .source_hash = hash_of(o.program.source),
        .edits = {},
        .floats = o.program.floats,
        .given_hash = {},
        .options = {},
        .ptx_hash = {},
        .build_seconds = o.build_seconds};
    for (const SourceEdit& edit : o.program.edits) record.edits.push_back(edit.name);
    if (!o.codes.empty()) {
        const Code& code = *o.codes.begin()->second;
        record.given_hash = hash_of(code.source);
        record.options = code.options;
        if (!code.ptx.empty()) record.ptx_hash = hash_of(code.ptx);
    }
    return record;
}

Check check_record(const VerificationResult& checked, const Case& c) {
    Check record{
        .trials = checked.trials,
        .checked_against = checked.against,
        .shapes = {},
        .patterns = checked.patterns,
        .worst_share_of_bound = checked.worst_share,
        .worst_ulp = checked.worst_ulp,
        .rms_ulp = checked.elements == 0
                       ? 0
                       : std::sqrt(checked.squared_ulp / static_cast<double>(checked.elements)),
        .output_hash = {},
        .repeatable = checked.repeatable,
        .failure = checked.failure};
    for (const Shape& shape : checked.shapes) record.shapes.push_back(shape.extents);
    if (const auto output = checked.output_hashes.find(output_key(c.shape, "random"));
        output != checked.output_hashes.end()) {
        record.output_hash = output->second;
    } else if (!checked.output_hashes.empty()) {
        std::string all;
        for (const auto& [key, digits] : checked.output_hashes) all += key + digits;
        record.output_hash = hash_of(all);
    }
    return record;
}

/// Matrix units exceed the fused multiply-add ceiling, and have no ceiling of their own.
bool is_for_matrix_units(const Variant& variant) {
    return std::ranges::any_of(variant.natives, [](const NativeSource& native) {
        return native.feature.find("matrix_units") != std::string::npos;
    });
}

/// What the checks of a case that is not timed say of its answers.
std::string words_of_answers(const Outcome& o) {
    const std::string_view against = o.checked->against;
    if (against == "itself") return "was that of another launch on the same device";
    if (is_agreement(against)) return fmt::format("was that of {}", against);
    return o.doubts.empty() ? "was right" : "passed the checks";
}

/// Of outputs whose values are not compared.
std::string words_of_races(const Outcome& o) {
    std::vector<std::string> names;
    for (const BufferSpec& one : o.plan.buffers)
        if (one.order == Order::race) names.push_back(one.name);
    return names.empty() ? ""
                         : fmt::format(" but for the values in '{}', which are not compared",
                                       fmt::join(names, "', '"));
}

}  // namespace

double Outcome::bytes_per_second() const {
    return timing ? work.bytes / timing->estimate.median : 0;
}

double Outcome::operations_per_second() const {
    return timing ? work.operations / timing->estimate.median : 0;
}

std::optional<std::pair<double, std::string_view>> Outcome::share() const {
    // Ceilings do not apply to transfers over the link to the host.
    if (!plan.is_plain() || is_for_matrix_units(*the_case.variant)) return {};
    const double bytes =
        ceiling.bytes_per_second > 0 ? bytes_per_second() / ceiling.bytes_per_second : 0;
    const double operations = ceiling.operations_per_second > 0
                                  ? operations_per_second() / ceiling.operations_per_second
                                  : 0;
    if (bytes <= 0 && operations <= 0) return {};
    // Compute-bound work is not compared with the memory ceiling.
    if (operations <= 0 && !work.moves_much()) return {};
    return bytes >= operations ? std::pair{bytes, std::string_view{"copy"}}
                               : std::pair{operations, std::string_view{"fma"}};
}

Record to_record(const Outcome& o, const DeviceInfo& info, const RunInfo& run) {
    Record record;
    record.key = key_of(o.the_case);
    record.device = info.id();
    record.status = o.status;
    record.reason = o.reason;
    if (o.status == Status::checked && o.checked) {
        record.reason = fmt::format("Every answer {}{}, and {}.", words_of_answers(o),
                                    words_of_races(o), o.reason);
    }
    record.log = o.log;
    for (const Launch* launch : launches_of(o.plan)) {
        record.launches.push_back(launch_record(*launch, o.codes));
    }
    record.program = program_record(o);
    record.where = device_record(info, device_settings(info));
    record.run = run;
    if (o.checked) {
        record.check = check_record(*o.checked, o.the_case);
        record.check->unchecked = unchecked_of(o, info, run);
    }
    if (o.timing) {
        record.timing = o.timing;
        record.timing->least_batch_seconds = o.batch_seconds;
        record.timing->in_cache = o.in_cache;
        record.work = o.work;
        if (const auto share = o.share()) {
            record.ceiling = o.ceiling;
            record.share = {share->first, std::string(share->second)};
        }
        record.before = o.before;
        record.after = o.after;
    }
    record.notes = o.notes;
    record.doubts = o.doubts;
    record.default_constants = o.the_case.default_constants;
    if (!record.default_constants.empty()) record.notes.push_back(tuned_sentence(record));
    add_ceiling_doubt(record);
    return record;
}

}  // namespace parallax
