// Finds a disassembler and runs it on a temporary file.
#include "studies/explain/machine_code.hpp"

#include <cstdlib>
#include <optional>

#include <fmt/format.h>
#include <unistd.h>

#include "common/process/child.hpp"
#include "common/text/temporary_folder.hpp"
#include "common/text/text.hpp"

namespace parallax {
namespace {

namespace fs = std::filesystem;

constexpr const char* variable = "PARALLAX_NVDISASM";

bool is_program(const fs::path& path) {
    std::error_code ignored;
    return fs::is_regular_file(path, ignored) && ::access(path.c_str(), X_OK) == 0;
}

std::optional<fs::path> find_tool(const std::vector<fs::path>& folders) {
    for (const char* name : {"nvdisasm", "cuobjdump"}) {
        for (const fs::path& folder : folders) {
            if (is_program(folder / name)) return folder / name;
        }
    }
    return {};
}

std::string why_it_failed(const fs::path& tool, const ProcessResult& ended,
                          std::chrono::milliseconds limit) {
    if (!ended.started) {
        return fmt::format("{} could not be started: {}.", tool.string(), ended.err);
    }
    if (!ended.in_time) {
        return fmt::format("{} had not ended after {} and was stopped.", tool.string(),
                           duration(std::chrono::duration<double>(limit).count()));
    }
    const std::string words =
        printable(ended.err.substr(0, ended.err.find_last_not_of('\n') + 1), 500);
    if (ended.exit_code != 0) {
        return fmt::format("{} failed ({}): {}. Its CUDA toolkit may be older than the code.",
                           tool.string(),
                           ended.exit_code < 0 ? "killed by a signal"
                                               : fmt::format("exit code {}", ended.exit_code),
                           words.empty() ? "it said nothing" : words);
    }
    return fmt::format("{} printed nothing.", tool.string());
}

}  // namespace

std::vector<fs::path> disassembler_folders() {
    std::vector<fs::path> folders;
    const char* const listed = std::getenv("PATH");
    for (std::string_view path = listed ? listed : ""; !path.empty();) {
        const std::size_t end = std::min(path.find(':'), path.size());
        if (end > 0) folders.emplace_back(path.substr(0, end));
        path.remove_prefix(std::min(end + 1, path.size()));
    }
    const char* const toolkit = std::getenv("CUDA_PATH");
    if (toolkit && *toolkit) folders.push_back(fs::path(toolkit) / "bin");
    folders.emplace_back("/usr/local/cuda/bin");
    return folders;
}

MachineText disassemble(std::string_view cubin, const std::vector<fs::path>& folders,
                        std::chrono::milliseconds limit) {
    std::optional<fs::path> tool;
    if (const char* const named = std::getenv(variable); named && *named) {
        if (!is_program(named)) {
            return {{},
                    fmt::format("{} is {}, which is no program. Name nvdisasm or cuobjdump.",
                                variable, printable(named))};
        }
        tool = named;
    } else {
        tool = find_tool(folders);
    }
    if (!tool) {
        return {{},
                fmt::format("There is no nvdisasm and no cuobjdump on PATH or in the CUDA "
                            "toolkit. Install one (NVIDIA's packages cuda-nvdisasm and "
                            "cuda-cuobjdump have them), or name its file in {}.",
                            variable)};
    }
    std::optional<TemporaryFolder> folder;
    std::vector<std::string> arguments;
    try {
        folder.emplace("parallax-code-");
        arguments.push_back(folder->put("code.cubin", cubin));
    } catch (const std::exception& error) {
        return {{},
                fmt::format("The machine code could not be written to a temporary file. {}",
                            error.what())};
    }
    const bool is_cuobjdump = tool->filename().string().starts_with("cuobjdump");
    arguments.insert(arguments.begin(), is_cuobjdump ? "-sass" : "-c");
    ProcessResult ended = run_program(*tool, arguments, limit);
    if (!ended.ok() || ended.out.empty()) return {{}, why_it_failed(*tool, ended, limit)};
    return {std::move(ended.out), tool->string()};
}

}  // namespace parallax
