// Turns an outcome into the JSON of its record.
#include "records/record.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "common/hash.hpp"
#include "common/version.hpp"

namespace parallax {
namespace {

constexpr std::array statuses{
    std::pair{Status::ok, std::string_view{"ok"}},
    std::pair{Status::wrong, std::string_view{"wrong"}},
    std::pair{Status::unsupported, std::string_view{"unsupported"}},
    std::pair{Status::failed, std::string_view{"failed"}},
    std::pair{Status::skipped, std::string_view{"skipped"}},
};

template <class T>
Json known(const std::optional<T>& value) {
    return value ? Json(*value) : Json("unknown");
}

Json known(const std::string& text) {
    return text.empty() ? Json("unknown") : Json(text);
}

Json json_of(const Size& size) {
    return Json::array({size.x, size.y, size.z});
}

Json json_of(const Shape& shape) {
    return shape.extents;
}

Json constants_of(const Case& c) {
    Json constants = Json::object();
    for (const Constant& constant : c.constants) constants[constant.name] = constant.value;
    return constants;
}

Json kernel_json(const Launch& launch, const Codes& codes) {
    const Geometry& geometry = launch.geometry;
    Json kernel{{"name", launch.kernel},
                {"groups", json_of(geometry.groups)},
                {"items", json_of(geometry.items)},
                {"local_bytes", launch.local_bytes()}};
    const auto found = codes.find(launch.kernel);
    if (found == codes.end()) return kernel;
    const Resources& r = found->second->resources;
    kernel["resources"] = {
        {"registers", known(r.registers)},
        {"spill_bytes", known(r.spill_bytes)},
        {"private_bytes", known(r.private_bytes)},
        {"local_bytes", known(r.local_bytes)},
        {"barriers", known(r.barriers)},
        {"max_group_items", known(r.max_group_items)},
        {"groups_per_unit", known(found->second->groups_per_unit(geometry, launch.local_bytes()))},
    };
    return kernel;
}

Json program_json(const Outcome& o) {
    Json edits = Json::array();
    for (const Edit& edit : o.program.edits) edits.push_back(edit.name);
    Json program{
        {"file", o.program.name},
        {"language", o.program.language == Language::portable ? "portable" : "native"},
        {"source_hash", hash_of(o.program.source)},
        {"edits", edits},
        {"floats",
         {{"contract", o.program.floats.contract},
          {"exact_division", o.program.floats.exact_division},
          {"flush_denormals", o.program.floats.flush_denormals},
          {"relaxed", o.program.floats.relaxed}}},
    };
    if (!o.codes.empty()) {
        const Code& code = *o.codes.begin()->second;
        program["given_hash"] = hash_of(code.text);
        program["options"] = code.options;
        if (!code.ptx.empty()) program["ptx_hash"] = hash_of(code.ptx);
    }
    program["build_seconds"] = o.build_seconds;
    return program;
}

Json check_json(const Checked& checked, const Case& c) {
    Json shapes = Json::array();
    for (const Shape& shape : checked.shapes) shapes.push_back(json_of(shape));
    Json check{{"trials", checked.trials},
               {"checked_against", checked.against},
               {"shapes", shapes},
               {"fillings", checked.fillings},
               {"worst_share_of_bound", number(checked.worst_share)},
               {"worst_ulp", number(checked.worst_ulp)}};
    if (const auto output = checked.output_hashes.find(output_key(c.shape, "random"));
        output != checked.output_hashes.end()) {
        check["output_hash"] = output->second;
    }
    if (checked.repeatable) check["repeatable"] = *checked.repeatable;
    if (checked.failure) {
        const Failure& failure = *checked.failure;
        check["failure"] = {{"shape", json_of(failure.shape)},
                            {"filling", failure.filling},
                            {"seed", failure.seed},
                            {"what", failure.what}};
    }
    return check;
}

Json timing_json(const Outcome& o) {
    const Timing& timing = *o.timing;
    const auto numbers = [](const std::vector<double>& values) {
        Json list = Json::array();
        for (const double value : values) list.push_back(number(value));
        return list;
    };
    return {{"scope", "a batch of runs between two markers in one queue"},
            {"unit", "seconds of one run"},
            {"median", timing.estimate.median},
            {"low", timing.estimate.low},
            {"high", timing.estimate.high},
            {"confidence", timing.estimate.confidence},
            {"spread", timing.estimate.spread},
            {"stopped_by", timing.stopped_by},
            {"least_batch_seconds", o.batch_seconds},
            {"repeats", timing.repeats},
            {"in_cache", o.in_cache},
            {"round", timing.round},
            {"samples", numbers(timing.samples)},
            {"host_samples", numbers(timing.host_samples)}};
}

Json device_json(const DeviceInfo& info) {
    std::string uuid;
    if (info.uuid) {
        for (const std::uint8_t byte : *info.uuid) uuid += fmt::format("{:02x}", byte);
    }
    return {{"name", info.name},
            {"backend", info.backend},
            {"platform", known(info.platform)},
            {"vendor", known(info.vendor)},
            {"uuid", known(uuid)},
            {"pci", known(info.pci)},
            {"api", known(info.api_version)},
            {"driver", known(info.driver_version)},
            {"compiler", known(info.compiler_version)},
            {"compute_capability", known(info.compute_capability)},
            {"compute_units", info.compute_units},
            {"memory_bytes", info.memory_bytes},
            {"cache_bytes", info.cache_bytes},
            {"timer_tick_seconds", info.timer_tick_seconds}};
}

Json state_json(const DeviceState& state) {
    return {{"sm_clock_mhz", known(state.sm_clock_mhz)},
            {"memory_clock_mhz", known(state.memory_clock_mhz)},
            {"max_sm_clock_mhz", known(state.max_sm_clock_mhz)},
            {"temperature_celsius", known(state.temperature_celsius)},
            {"power_watts", known(state.power_watts)},
            {"power_limit_watts", known(state.power_limit_watts)},
            {"ecc", known(state.ecc)},
            {"throttle_reasons", known(state.throttle_reasons)},
            {"other_processes", known(state.other_processes)}};
}

}  // namespace

std::string_view name_of(Status status) {
    return std::ranges::find(statuses, status, [](const auto& p) { return p.first; })->second;
}

std::optional<Status> status_named(std::string_view name) {
    for (const auto& [status, word] : statuses) {
        if (word == name) return status;
    }
    return {};
}

double Outcome::bytes_per_second() const {
    return timing ? work.bytes / timing->estimate.median : 0;
}

double Outcome::operations_per_second() const {
    return timing ? work.operations / timing->estimate.median : 0;
}

std::optional<std::pair<double, std::string_view>> Outcome::share() const {
    // The ceilings are the device's own; what crosses its link to the host has another.
    if (!plan.is_plain()) return {};
    const double bytes =
        ceiling.bytes_per_second > 0 ? bytes_per_second() / ceiling.bytes_per_second : 0;
    const double operations = ceiling.operations_per_second > 0
                                  ? operations_per_second() / ceiling.operations_per_second
                                  : 0;
    if (bytes <= 0 && operations <= 0) return {};
    // What computes is held against no ceiling of memory.
    if (operations <= 0 && !work.moves_much()) return {};
    return bytes >= operations ? std::pair{bytes, std::string_view{"copy"}}
                               : std::pair{operations, std::string_view{"fma"}};
}

Json number(double value) {
    if (std::isfinite(value)) return value;
    return fmt::format("{:#018x}", std::bit_cast<std::uint64_t>(value));
}

Json to_json(const RunInfo& run) {
    return {{"id", run.id},
            {"started", run.started},
            {"seed", run.seed},
            {"command", run.command},
            {"program_version", program_version}};
}

Json to_record(const Outcome& o, const DeviceInfo& info, const RunInfo& run) {
    const Case& c = o.the_case;
    Json record{{"schema", record_schema}, {"version", record_version},
                {"suite", c.suite->name},  {"variant", c.variant->name},
                {"device", info.id()},     {"status", name_of(o.status)}};
    if (!o.reason.empty()) record["reason"] = o.reason;
    if (!o.log.empty()) record["log"] = o.log;
    record["type"] = name_of(c.type);
    record["shape"] = json_of(c.shape);
    record["constants"] = constants_of(c);
    Json kernels = Json::array();
    for (const Launch* launch : launches_of(o.plan)) {
        kernels.push_back(kernel_json(*launch, o.codes));
    }
    record["launches"] = kernels;
    record["program"] = program_json(o);
    record["where"] = device_json(info);
    record["run"] = to_json(run);
    if (o.checked) record["check"] = check_json(*o.checked, c);
    if (o.timing) {
        record["timing"] = timing_json(o);
        record["work"] = {{"bytes", o.work.bytes}, {"operations", o.work.operations}};
        record["rate"] = {{"gigabytes_per_second", o.bytes_per_second() / 1e9},
                          {"gigaoperations_per_second", o.operations_per_second() / 1e9}};
        if (const auto share = o.share()) {
            record["ceiling"] = {
                {"copy_gigabytes_per_second", o.ceiling.bytes_per_second / 1e9},
                {"fma_gigaoperations_per_second", o.ceiling.operations_per_second / 1e9},
                {"launch_seconds", o.ceiling.launch_seconds},
                {"share", share->first},
                {"of", share->second}};
        }
        record["state"] = {{"before", state_json(o.before)}, {"after", state_json(o.after)}};
    }
    if (!o.notes.empty()) record["notes"] = o.notes;
    return record;
}

}  // namespace parallax
