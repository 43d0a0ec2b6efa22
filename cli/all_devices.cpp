// Starts one process of the program for each GPU of this machine.
#include "cli/all_devices.hpp"

#include <algorithm>
#include <ostream>
#include <thread>

#include <fmt/format.h>

#include "cli/repeated_runs.hpp"
#include "common/error.hpp"
#include "common/process/spawn.hpp"
#include "records/results.hpp"
#include "records/write_file.hpp"
#include "report/left_out.hpp"

namespace parallax::cli {
namespace {

/// The limit of concurrent spawn() calls.
constexpr std::size_t most_at_once = 16;

}  // namespace

std::vector<DeviceProcess> device_processes(const std::vector<Entry>& entries,
                                            const std::vector<std::string>& words,
                                            const fs::path& folder, const std::string& host) {
    const bool has_gpu = std::ranges::any_of(entries, [](const Entry& e) { return e.info.is_gpu; });
    std::vector<unsigned> seen;
    std::vector<DeviceProcess> processes;
    std::vector<std::string> common = without_options(words, {"--output", "-o", "--device", "-d"});
    std::erase(common, "--all-devices");
    for (const Entry& entry : entries) {
        if (has_gpu && !entry.info.is_gpu) continue;
        const auto found = std::ranges::find(seen, entry.physical);
        const auto at = static_cast<std::size_t>(found - seen.begin());
        if (found == seen.end()) {
            seen.push_back(entry.physical);
            DeviceProcess& made = processes.emplace_back();
            const DeviceRecord record = device_record(entry.info);
            made.uuid = record.uuid;
            const std::string name = !record.uuid.empty()  ? record.uuid
                                     : !record.pci.empty() ? record.pci
                                                           : entry.info.id();
            made.name = entry.info.name;
            made.file = folder / (folder_name(host + "-" + name) + ".jsonl");
            made.words = common;
            made.words.insert(made.words.end(), {"-o", made.file.string()});
        }
        processes[at].words.insert(processes[at].words.end(), {"-d", entry.info.id()});
    }
    return processes;
}

int run_all_devices(const std::vector<DeviceProcess>& processes, const fs::path& folder,
                    const std::string& host, bool quiet, bool with_names, CommandContext& context) {
    if (context.program.empty()) throw Error("This program cannot start itself again.");
    if (processes.size() > most_at_once) {
        throw UsageError(
            fmt::format("{} devices are more than {} at once: name some of them with -d.",
                        processes.size(), most_at_once));
    }
    std::string expected = host;
    const bool named =
        std::ranges::none_of(processes, [](const auto& p) { return p.uuid.empty(); });
    for (const DeviceProcess& one : processes) expected += named ? " " + one.uuid : "";
    if (!named) expected += fmt::format(" {}", processes.size());
    write_file(folder / "expect.txt", expected + "\n");

    const SignalForwarder forwarding;
    std::vector<ExitStatus> endings(processes.size());
    std::vector<std::string> errors(processes.size());
    std::vector<MemoryFile> out(processes.size()), err(processes.size());
    context.out.flush();
    context.err.flush();
    {
        std::vector<std::jthread> threads;
        for (std::size_t i = 0; i < processes.size(); ++i) {
            threads.emplace_back([&, i] {
                try {
                    endings[i] = spawn({.program = context.program,
                                        .words = processes[i].words,
                                        .out = out[i].file(),
                                        .err = err[i].file()});
                } catch (const Interrupted&) {
                    endings[i].code = exit_interrupted;
                } catch (const std::exception& error) {
                    errors[i] = error.what();
                    endings[i].code = exit_nothing;
                }
            });
        }
    }
    int worst = exit_ok;
    for (std::size_t i = 0; i < processes.size(); ++i) {
        if (with_names) {
            context.out << fmt::format("== {} ({})\n", processes[i].name,
                                       processes[i].file.string());
        }
        context.out << out[i].text() << (with_names ? "\n" : "");
        if (!quiet) context.err << err[i].text();
        if (!errors[i].empty()) context.err << "parallax: " << errors[i] << "\n";
        worst = worse_code(worst, code_of(endings[i], processes[i].name, context));
    }
    context.out << std::flush;
    SignalForwarder::check();
    if (!quiet) {
        context.err << fmt::format(
            "{} device(s), each with a file in {}; 'parallax fleet {}' reports.\n",
            processes.size(), folder.string(), folder.string());
    }
    return worst;
}

}  // namespace parallax::cli
