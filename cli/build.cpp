// `parallax build`: compiles a case, and shows the build time and the resources.
#include <algorithm>
#include <ostream>
#include <sstream>
#include <utility>

#include <fmt/format.h>

#include "cli/chosen_devices.hpp"
#include "cli/one_case.hpp"
#include "cli/option_values.hpp"
#include "cli/request.hpp"
#include "cli/supervisor.hpp"
#include "common/error.hpp"
#include "measure/session.hpp"
#include "report/build/build_report.hpp"

namespace parallax::cli {
namespace {

/// `opencl`, or `opencl1` where several OpenCL devices are selected.
std::string file_word(const DeviceInfo& device, const std::vector<Entry>& entries) {
    const auto others = std::ranges::count_if(
        entries, [&](const Entry& other) { return other.info.backend == device.backend; });
    return others > 1 ? fmt::format("{}{}", device.backend, device.index) : device.backend;
}

int build_everywhere_and_show(const Values& values, const Case& c, unsigned times,
                              const std::optional<BuildFolder>& folder, CommandContext& context) {
    const std::string format = value_of<std::string>(values, "format").value_or("text");
    const RunConfig config = run_config(context, 0, value_of<std::string>(values, "kernels"));
    Totals totals;
    std::string refusal, title = c.title() + "\n";
    // Printed at the end, so that a process that a compiler kills prints nothing.
    std::ostringstream out;
    const auto tell = [&](const BuiltCase& on, const std::vector<Entry>& entries) {
        totals.add(to_record(on.outcome, on.device, {}), true);
        if (on.outcome.refused) refusal = on.outcome.reason;
        if (format == "json") {
            out << build_json(on);
        } else {
            out << std::exchange(title, "") << build_text(on);
        }
        const std::string& backend = on.device.backend;
        if (!folder || backend.empty()) return;
        for (const BuiltKernel& built : on.kernels) {
            folder->save(built, file_word(on.device, entries), backend == "cuda" ? "cu" : "cl");
        }
    };
    if (!build_everywhere(values, c, config, times, context, tell)) {
        throw no_device("to build for");
    }
    context.out << out.str() << std::flush;
    if (totals.ok + totals.failed + totals.refused == 0 && !refusal.empty())
        throw UsageError(refusal);
    return exit_code(totals);
}

int build_command_line(const Values& values, CommandContext& context) {
    const Case c = case_of(values, context);
    const auto again = value_of<std::string>(values, "again");
    const unsigned times =
        1 + (again ? static_cast<unsigned>(parse_number("--again", *again, 0, 1000)) : 0);
    std::optional<BuildFolder> folder;
    if (const auto path = value_of<std::string>(values, "save")) folder.emplace(*path);
    return run_supervised(values, context, [&] {
        return build_everywhere_and_show(values, c, times, folder, context);
    });
}

}  // namespace

Command build_command() {
    return {
        .name = "build",
        .arguments = "SUITE/VARIANT [-d DEVICE]... [--save FOLDER]",
        .summary = "does it compile, how long does that take, what does it need?",
        .about =
            "Builds every kernel that the case launches, on each device, and runs none of them. "
            "It shows how long each took, with the caches of compiled code as they are, what the "
            "compiler was told, what a kernel needs (registers; spills, private, local and "
            "constant memory in bytes), how many groups of the case's size a compute unit can "
            "hold at a time, and the bytes of its PTX and machine code. Where no device of CUDA "
            "is, NVRTC says what a kernel needs on sm_90. With --format json it prints one object "
            "a device, each on a line.",
        .examples = {"parallax build transpose/padded",
                     "parallax build multiply/blocked -d cuda --define ALIGN=4 --save texts",
                     "parallax build reduction/vector --type double --again 3 --format json"},
        .positional = {"case"},
        .options =
            [](auto add) {
                add_one_case_options(add);
                add_watch_options(add);
                add("again", settable<std::string>(),
                    "build so many times more (0 to 1000), each a new program");
                add("save", po::value<std::string>(),
                    "folder for KERNEL.BACKEND.cl or .cu (the source that the compiler was given), "
                    ".ptx, .cubin and .log");
                add("format", settable<std::string>(), "text (default) or json");
            },
        .run = build_command_line,
        .choices = {{"format", {"text", "json"}}}};
}

}  // namespace parallax::cli
