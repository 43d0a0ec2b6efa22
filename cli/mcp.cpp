// `parallax mcp`: starts the Python package's server, by which an agent calls this program.
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <ostream>

#include <fmt/format.h>
#include <unistd.h>

#include "cli/option_values.hpp"
#include "common/error.hpp"
#include "common/process/process_folders.hpp"
#include "common/text/install_paths.hpp"

namespace parallax::cli {
namespace {

constexpr const char* mcp_packages = "Install it: pip install 'parallax-gpu[mcp]'.";

/// Starts the server, or reports a missing module.
constexpr const char* server_script = R"(import sys
try:
    from parallax_gpu.mcp_server import main
except ImportError as error:
    print(f"parallax: mcp: {error}. {sys.argv[1]}", file=sys.stderr)
    sys.exit(5)
sys.exit(main(*sys.argv[2:]))
)";

/// The Python of the program's virtual environment, else the first of PATH.
fs::path python_of_tree() {
    std::error_code error;
    const fs::path own = program_folder() / "python3";
    return fs::exists(own, error) ? own : program_in_path("python3");
}

int serve_mcp(const Values& values, CommandContext& context) {
    const std::string folder = value_of<std::string>(values, "folder").value_or(".");
    const double seconds = value_of<double>(values, "budget").value_or(60);
    const double gib = value_of<double>(values, "memory").value_or(4);
    std::error_code error;
    if (!fs::is_directory(folder, error)) {
        throw UsageError(fmt::format("There is no folder {}.", folder));
    }
    if (!(seconds >= 5 && seconds <= 3600)) throw UsageError("--budget is 5 to 3600 seconds.");
    if (!(gib > 0 && gib <= 1024)) throw UsageError("--memory is a number of GiB, at most 1024.");
    const fs::path program = python_of_tree();
    if (program.empty()) {
        context.err << fmt::format("parallax: mcp needs Python 3. {}\n", mcp_packages);
        return exit_nothing;
    }
    remove_folders_of_ended_processes();
    setenv("PARALLAX", (program_folder() / "parallax").c_str(), 1);
    context.out.flush();
    execl(program.c_str(), program.c_str(), "-c", server_script, mcp_packages,
          fs::canonical(folder).c_str(), fmt::format("{}", seconds).c_str(),
          fmt::format("{}", gib).c_str(), start_of_process_folder("parallax-mcp-").c_str(),
          nullptr);
    context.err << fmt::format("parallax: {} did not start: {}.\n", program.string(),
                               std::strerror(errno));
    return exit_nothing;
}

}  // namespace

Command mcp_command() {
    return {
        .name = "mcp",
        .arguments = "[FOLDER] [--budget SECONDS] [--memory GIB]",
        .summary = "a server by which an agent checks, compares and translates kernels",
        .about =
            "Serves the Model Context Protocol on standard input and output: the tools devices, "
            "check_kernel, compare_kernels, explain, translate, map and write_manifest. Kernels "
            "and manifests are read below FOLDER (default: this one) only, the last tool alone "
            "adds files there, no manifest's command is run, and each call is bounded in time and "
            "memory. It needs the Python packages of 'parallax-gpu[mcp]', and ends with 5 where "
            "they are missing.",
        .examples = {"parallax mcp", "parallax mcp my-kernels --budget 30 --memory 2"},
        .positional = {"folder"},
        .options =
            [](auto add) {
                add("folder", po::value<std::string>(), "the folder of kernels and manifests");
                add("budget", po::value<double>(),
                    "seconds that one call may take (default 60, 5 to 3600)");
                add("memory", po::value<double>(),
                    "GiB of the host's memory that one call may take (default 4)");
            },
        .run = serve_mcp};
}

}  // namespace parallax::cli
