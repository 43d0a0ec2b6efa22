// The tables, the JSON and the files of `parallax build`.
#include "report/build/build_report.hpp"

#include <fstream>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include "common/error.hpp"
#include "common/suite/suite.hpp"
#include "common/text/text.hpp"
#include "common/text/text_lines.hpp"
#include "common/text/unique_values.hpp"
#include "records/line.hpp"
#include "report/json_text.hpp"

namespace parallax {
namespace {

/// Local memory that the kernel declares, and that its launch adds as arguments.
std::optional<std::uint32_t> local_bytes_of(const BuiltKernel& built) {
    const auto declared = built.resources->local_bytes;
    if (!declared) return declared;
    return *declared + static_cast<std::uint32_t>(built.local_bytes);
}

Json kernel_json(const BuiltKernel& built) {
    const auto known = [](const std::optional<std::uint32_t>& value) {
        return value ? Json(*value) : Json("unknown");
    };
    Json json{{"kernel", built.kernel}, {"build_seconds", built.build_seconds}};
    if (built.resources) {
        const Resources& r = *built.resources;
        json["registers"] = known(r.registers);
        json["spill_bytes"] = known(r.spill_bytes);
        json["private_bytes"] = known(r.private_bytes);
        json["local_bytes"] = known(local_bytes_of(built));
        json["constant_bytes"] = known(r.constant_bytes);
        json["barriers"] = known(r.barriers);
        json["max_group_items"] = known(r.max_group_items);
        json["groups_per_unit"] = known(built.groups_per_unit);
    }
    if (built.code) {
        json["options"] = built.code->options;
        json["ptx_bytes"] = built.code->ptx.size();
        json["machine_code_bytes"] = built.code->machine_code.size();
    }
    json["log"] = built.log;
    return json;
}

/// Lines of the log that warn, each once.
std::vector<std::string> warnings_of(std::string_view log) {
    std::vector<std::string> lines;
    for (const std::string_view one : lines_of(log)) {
        const std::string line = printable(one);
        if (lower_case(line).find("warning") != std::string::npos) add_once(lines, line);
    }
    return lines;
}

std::vector<std::string> cells_of_kernel(const BuiltKernel& built) {
    const auto count = [](const std::optional<std::uint32_t>& value) {
        return value ? std::to_string(*value) : "-";
    };
    const auto size = [&](std::string Code::*text) {
        return !built.code || ((*built.code).*text).empty()
                   ? "-"
                   : std::to_string(((*built.code).*text).size());
    };
    std::vector<std::string> times;
    for (const double seconds : built.build_seconds) times.push_back(duration(seconds));
    const Resources& r = *built.resources;
    return {built.kernel,
            times.empty() ? "-" : fmt::format("{}", fmt::join(times, ", ")),
            count(r.registers),
            count(r.spill_bytes),
            count(r.private_bytes),
            count(local_bytes_of(built)),
            count(r.constant_bytes),
            count(built.groups_per_unit),
            size(&Code::ptx),
            size(&Code::machine_code)};
}

}  // namespace

std::string build_json(const BuiltCase& on) {
    Json kernels = Json::array();
    for (const BuiltKernel& built : on.kernels) kernels.push_back(kernel_json(built));
    return report::printed_line({{"device", on.device.backend.empty() ? on.where : on.device.id()},
                                 {"name", on.device.name},
                                 {"case", on.outcome.the_case.title()},
                                 {"status", name_of(on.outcome.status)},
                                 {"reason", on.outcome.reason},
                                 {"kernels", kernels}});
}

std::optional<BuildLine> read_build_json(std::string_view line) {
    const Json json = parse_line(line).json;
    if (!json.is_object()) return {};
    BuildLine told{.seconds = {}, .reason = json.value("reason", "")};
    if (!json.contains("kernels")) return told;
    double sum = 0;
    for (const Json& kernel : json["kernels"]) {
        const Json& seconds = kernel.at("build_seconds");
        if (seconds.empty()) return told;  // it did not build
        sum += seconds.at(0).get<double>();
    }
    told.seconds = sum;
    return told;
}

std::string build_text(const BuiltCase& on) {
    using enum Table::Align;
    const Status status = on.outcome.status;
    std::string out = on.device.backend.empty()
                          ? fmt::format("\n  {}, without a device\n", on.where)
                          : fmt::format("\n  {}  {}\n", on.device.id(), on.device.name);
    Table table({left, right, right, right, right, right, right, right, right, right});
    table.add({"kernel", "built in", "registers", "spills", "private", "local", "constant",
               "groups a unit", "PTX", "machine code"});
    const BuiltKernel* any = nullptr;
    for (const BuiltKernel& built : on.kernels) {
        if (!built.resources) continue;
        table.add(cells_of_kernel(built));
        if (!any) any = &built;
    }
    const auto indented = [](const std::string& text) {
        return "    " + wrapped(text, 92, 6) + "\n";
    };
    if (any) {
        out += table.text(4);
        if (any->code)
            out += indented(fmt::format("options: {}", fmt::join(any->code->options, " ")));
    } else if (status == Status::ok) {
        const bool has_kernel = !launches_of(plan_of(on.outcome.the_case)).empty();
        out += has_kernel ? "    It is machine code, and a device says what it needs.\n"
                          : "    It launches no kernel: the runtime itself copies.\n";
    }
    if (status != Status::ok) {
        out += indented(fmt::format("{}: {}", name_of(status), printable(on.outcome.reason)));
    }
    for (const BuiltKernel& built : on.kernels) {
        if (!built.resources && !built.log.empty()) {
            out += fmt::format("    The compiler says:\n{}\n", built.log);
        }
        for (const std::string& line : warnings_of(built.resources ? built.log : "")) {
            out += fmt::format("    {}\n", line);
        }
    }
    return out;
}

BuildFolder::BuildFolder(std::filesystem::path path) : path_(std::move(path)) {
    std::error_code error;
    std::filesystem::create_directories(path_, error);
    if (!std::filesystem::is_directory(path_)) {
        throw UsageError(
            fmt::format("Cannot make the folder {}. Choose another with --save.", path_.string()));
    }
}

void BuildFolder::save(const BuiltKernel& built, const std::string& backend,
                       std::string_view language) const {
    const std::string name = fmt::format("{}.{}.", built.kernel, backend);
    write(name + std::string(language), built.text);
    write(name + "log", built.log);
    if (!built.code) return;
    write(name + "ptx", built.code->ptx);
    write(name + "cubin", built.code->machine_code);
}

void BuildFolder::write(const std::string& name, const std::string& text) const {
    if (text.empty()) return;
    std::ofstream file(path_ / name, std::ios::binary);
    file << text << std::flush;
    if (!file) {
        throw UsageError(fmt::format("Cannot write {}. Choose another folder with --save.",
                                     (path_ / name).string()));
    }
}

}  // namespace parallax
