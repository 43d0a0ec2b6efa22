// `parallax doctor`: explains why there is no OpenCL or CUDA device, and how to fix it.
#include "studies/doctor/doctor.hpp"

#include <algorithm>
#include <cstdlib>
#include <ostream>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "cli/option_values.hpp"
#include "cli/terminal.hpp"
#include "common/error.hpp"
#include "common/process/mps.hpp"
#include "common/text/text.hpp"
#include "mapping/from_cuda/clang_tree.hpp"
#include "report/json_listings.hpp"

namespace parallax::cli {
namespace {

constexpr std::size_t most_doctor_width = 96;

std::string doctor_paragraph(std::string_view text, std::size_t indent) {
    const std::size_t width = std::min<std::size_t>(terminal_width(), most_doctor_width);
    return std::string(indent, ' ') + wrapped(printable(text), width, indent, indent) + "\n";
}

/// Adds what a backend skipped: platforms that crash or hang during enumeration, devices that do
/// not identify themselves.
void add_what_is_left_out(DoctorReport& report, const std::vector<Problem>& problems) {
    for (const Problem& problem : problems) {
        if (!problem.is_left_out) continue;
        const bool is_opencl = problem.backend == "opencl";
        report.findings.push_back(
            {.api = is_opencl ? "OpenCL" : "CUDA",
             .name = "left-out",
             .what = problem.what,
             .cure = is_opencl
                         ? "Install that driver again, or remove its file from "
                           "/etc/OpenCL/vendors; OCL_ICD_VENDORS names another folder of such "
                           "files."
                         : "Install the driver again, and start the machine again where "
                           "that does not help."});
    }
}

/// Adds that the program is missing that `port` needs for CUDA C++.
void add_clang(DoctorReport& report) {
    if (!report.clang.empty()) return;
    report.findings.push_back(
        {.api = "CUDA",
         .name = "no-clang",
         .what = "clang is not found, which 'parallax port mine.cu' reads CUDA C++ with. Nothing "
                 "else needs it.",
         .cure = std::string(from_cuda::clang_advice),
         .keeps_away = false});
}

void print(const DoctorReport& report, const Devices& devices, bool is_own,
           CommandContext& context) {
    if (is_own) {
        std::vector<std::string> names;
        for (const Entry& entry : devices.entries) {
            names.push_back(
                fmt::format("{} ({})", entry.info.id(), printable(entry.info.name, 80)));
        }
        context.out << doctor_paragraph(
            names.empty() ? "No device." : fmt::format("Devices: {}.", fmt::join(names, ", ")), 0);
    }
    context.out << fmt::format("NVIDIA GPUs: {}; driver: {}.\n", report.cards,
                               report.driver.empty() ? "not loaded" : printable(report.driver, 40));
    if (!report.clang.empty()) {
        context.out << fmt::format("CUDA C++ is read by {}.\n", report.clang);
    }
    for (const DoctorFinding& one : report.findings) {
        const std::string whose = one.api == "both" ? "OpenCL and CUDA" : one.api;
        context.out << "\n"
                    << doctor_paragraph(fmt::format("{}: {} [{}]", whose, one.what, one.name), 0)
                    << doctor_paragraph(
                           (one.keeps_away ? "Cure: " : "If that matters: ") + one.cure, 2);
    }
    if (!report.keeps_away()) {
        context.out << (report.cards > 0
                            ? "\nNothing was found that keeps a device away.\n"
                            : "\nNothing was found that keeps away a device that is here.\n");
    }
    // Without a card an API has no further findings.
    if (report.cards == 0 && is_own && !devices.entries.empty()) return;
    for (const Problem& problem : devices.problems) {
        context.out << "\n" << doctor_paragraph(to_string(problem), 0);
    }
}

int ask_doctor(const Values& values, CommandContext& context) {
    const std::string format = value_of<std::string>(values, "format").value_or("text");
    const auto root = value_of<std::string>(values, "root");
    // The daemon that this process bypasses still exists for others.
    const auto variable = [](const char* name) -> const char* {
        const bool is_changed = name == std::string_view(mps_variable) && !mps_gone_round().empty();
        return is_changed ? mps_gone_round().c_str() : std::getenv(name);
    };
    DoctorView view{.variable = variable, .user = own_user()};
    Devices devices;
    if (root) {
        std::error_code error;
        if (!fs::is_directory(*root, error)) {
            throw UsageError(fmt::format("--root: there is no folder {}.", printable(*root, 200)));
        }
        view.root = *root;
        view.variable = [](const char*) { return nullptr; };  // not this system's
    }
    // First, since its findings may be what makes a driver crash.
    DoctorReport report = look_for_causes(view);
    if (!root) {
        devices = find_devices(context.backends, "host");  // it needs no driver
        std::vector<DeviceInfo> listed;
        for (const Entry& entry : devices.entries) listed.push_back(entry.info);
        hold_against_devices(report, listed);
        add_what_is_left_out(report, devices.problems);
        report.clang = from_cuda::clang_found();
        add_clang(report);
    }
    if (format == "json") {
        context.out << doctor_json(report, devices);
    } else {
        print(report, devices, !root, context);
    }
    return report.keeps_away() || (!root && devices.entries.empty()) ? exit_nothing : exit_ok;
}

}  // namespace

Command doctor_command() {
    return {
        .name = "doctor",
        .arguments = "[--root DIR] [--format text|json]",
        .summary = "why is there no OpenCL or CUDA device here, and what helps",
        .about =
            "Looks at what a device needs before anything fails: the card on the bus, the driver, "
            "the device files and their rights, the ICD files of OpenCL and the libraries that "
            "they name, NVIDIA's libraries and their versions, and the variables that hide "
            "devices or that containers are started with. Names what keeps devices away, each "
            "with its cure. Ends with 0 where nothing does, else with 5.",
        .examples = {"parallax doctor", "parallax doctor --root /tmp/image"},
        .positional = {},
        .options =
            [](auto add) {
                add("root", settable<std::string>(Setting::path),
                    "looks at the files of a system below this folder (an image of a container), "
                    "and at no variable and no device");
                add("format", settable<std::string>(), "text (default) or json");
            },
        .run = ask_doctor,
        .choices = {{"format", {"text", "json"}}}};
}

}  // namespace parallax::cli
