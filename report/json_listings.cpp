// Writes what commands list as JSON.
#include "report/json_listings.hpp"

#include <array>

#include <nlohmann/json.hpp>

#include "common/device/devices.hpp"
#include "common/suite/suite.hpp"
#include "common/version.hpp"
#include "mapping/search/find.hpp"
#include "records/json_fwd.hpp"
#include "report/json_text.hpp"
#include "studies/doctor/doctor.hpp"
#include "studies/lessons/lesson.hpp"
#include "studies/port/port_check.hpp"

namespace parallax {
namespace {

using report::printed;
using report::printed_line;

Json device_json(const Entry& entry, const Devices& devices) {
    const DeviceInfo& d = entry.info;
    const auto list = [](const Size& s) { return Json::array({s.x, s.y, s.z}); };
    return {{"device", d.id()},
            {"name", d.name},
            {"same_device_as", same_device_as(devices, entry)},
            {"vendor", d.vendor},
            {"platform", d.platform},
            {"api", d.api_version},
            {"driver", d.driver_version},
            {"compiler", d.compiler_version},
            {"compute_capability", d.compute_capability},
            {"uuid", d.uuid ? to_string(*d.uuid) : ""},
            {"pci", d.pci},
            {"compute_units", d.compute_units},
            {"clock_mhz", d.clock_mhz},
            {"memory_bytes", d.memory_bytes},
            {"max_allocation_bytes", d.max_allocation_bytes},
            {"unified_memory", d.unified_memory},
            {"cache_bytes", d.cache_bytes},
            {"local_bytes", d.local_bytes},
            {"constant_bytes", d.constant_bytes},
            {"max_group_items", d.max_group_items},
            {"max_items", list(d.max_items)},
            {"max_groups", list(d.max_groups)},
            {"preferred_multiple", d.preferred_multiple},
            {"timer_tick_seconds", d.timer_tick_seconds},
            {"only_checks", d.only_checks},
            {"features", d.features}};
}

Json constant_json(const ConstantSpec& spec) {
    Json one{{"name", spec.name}, {"meaning", spec.meaning}};
    if (!spec.choices.empty()) {
        one["choices"] = spec.choices;
        one["default"] = spec.choices.at(static_cast<std::size_t>(spec.value));
    } else if (!spec.follows) {
        one["default"] = spec.value;
        one["least"] = spec.least;
        one["most"] = spec.most;
    }
    return one;
}

Json variant_json(const Suite& suite, const Variant& variant) {
    Json constants = Json::object(), shapes = Json::array();
    for (const Constant& constant : variant.constants) constants[constant.name] = constant.value;
    for (const Shape& shape : shapes_of(suite, variant)) shapes.push_back(to_string(shape));
    return {{"name", variant.name},
            {"teaches", variant.description},
            {"native", native_backends(variant)},
            {"constants", constants},
            {"shapes", shapes}};
}

Json json_of(const Suite& suite) {
    Json variants = Json::array(), types = Json::array(), constants = Json::array();
    for (const ConstantSpec& spec : suite.constants) constants.push_back(constant_json(spec));
    for (const Variant& variant : suite.variants) variants.push_back(variant_json(suite, variant));
    for (const ElementType type : suite.types) types.push_back(name_of(type));
    return {{"suite", suite.name}, {"question", suite.question}, {"dimensions", suite.dimensions},
            {"types", types},      {"constants", constants},     {"variants", variants}};
}

Json sentences(const std::vector<Problem>& problems) {
    Json list = Json::array();
    for (const Problem& problem : problems) list.push_back(to_string(problem));
    return list;
}

}  // namespace

std::string devices_json(const Devices& devices) {
    Json list = Json::array();
    for (const Entry& entry : devices.entries) list.push_back(device_json(entry, devices));
    return printed({{"devices", list}, {"problems", sentences(devices.problems)}});
}

std::string progress_json(std::string_view what, std::size_t done, std::size_t total,
                          double elapsed_seconds, double left_seconds, std::string_view process) {
    const Json progress{{"what", what},
                        {"done", done},
                        {"total", total},
                        {"elapsed_seconds", elapsed_seconds},
                        {"left_seconds", left_seconds},
                        {"process", process}};
    const Json line{{"progress", progress}};
    return line.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n";
}

std::string doctor_json(const DoctorReport& report, const Devices& devices) {
    Json findings = Json::array(), list = Json::array();
    for (const DoctorFinding& one : report.findings) {
        findings.push_back({{"api", one.api},
                            {"name", one.name},
                            {"what", one.what},
                            {"cure", one.cure},
                            {"keeps_away", one.keeps_away}});
    }
    for (const Entry& entry : devices.entries) list.push_back(entry.info.id());
    return printed({{"devices", list},
                    {"cards", report.cards},
                    {"driver", report.driver},
                    {"clang", report.clang},
                    {"findings", findings},
                    {"problems", sentences(devices.problems)}});
}

std::string rows_json(std::span<const Found> rows) {
    Json list = Json::array();
    for (const Found& one : rows) {
        const MappingRule& row = *one.row;
        Json places = Json::array();
        for (const Place& place : row.places) {
            places.push_back({{"file", place.file}, {"text", place.text}});
        }
        list.push_back({{"topic", row.topic},
                        {"opencl", row.opencl},
                        {"cuda", row.cuda},
                        {"names_in_cuda", names_in_cuda(row)},
                        {"equivalence", name_of(row.equivalence)},
                        {"because", row.rationale},
                        {"kernel_language", row.kernel_language},
                        {"places", places}});
    }
    return printed(list);
}

std::string suite_json(const Suite& suite) {
    return printed(json_of(suite));
}

std::string suites_json() {
    Json list = Json::array();
    for (const Suite& suite : suites()) list.push_back(json_of(suite));
    return printed(list);
}

std::string error_json(const std::string& command, int exit_code, const std::string& message) {
    return printed({{"schema", "parallax.error"},
                    {"version", 1},
                    {"program_version", program_version},
                    {"command", command},
                    {"exit_code", exit_code},
                    {"error", message}});
}

std::string lessons_json(const std::vector<Lesson>& lessons) {
    Json list = Json::array();
    for (const Lesson& one : lessons) {
        list.push_back({{"name", one.name}, {"title", one.title}, {"teaches", one.description}});
    }
    return printed(list);
}

std::string trial_json(const PortTrial& trial) {
    constexpr std::array results{"compiles", "fails", "untried"};
    return printed_line({{"where", trial.where},
                         {"result", results.at(static_cast<std::size_t>(trial.result))},
                         {"what", trial.what},
                         {"log", trial.log}});
}

}  // namespace parallax
