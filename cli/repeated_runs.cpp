// Runs the program in fresh processes, one after another, and combines their exit codes.
#include "cli/repeated_runs.hpp"

#include <algorithm>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <ostream>

#include <fmt/format.h>

#include "common/error.hpp"
#include "report/left_out.hpp"

namespace parallax::cli {
namespace {

constexpr const char* variable = "PARALLAX_PROCESS";

}  // namespace

int code_of(const ExitStatus& ending, const std::string& which, CommandContext& context) {
    if (ending.signal == 0) return ending.code;
    if (ending.signal == SIGINT || ending.signal == SIGTERM) return exit_interrupted;
    context.err << fmt::format("parallax: process {} was killed by signal {} ({}).\n", which,
                               ending.signal, strsignal(ending.signal));
    return exit_failed;
}

int worse_code(int a, int b) {
    for (const int code : {exit_wrong, exit_failed, exit_nothing}) {
        if (a == code || b == code) return code;
    }
    return std::max(a, b);
}

static bool is_bad(int code) {
    return code == exit_wrong || code == exit_failed;
}

int run_processes(const Processes& processes, CommandContext& context) {
    if (context.program.empty()) throw Error("This program cannot start itself again.");
    const SignalForwarder forwarding;
    int worst = exit_ok;
    for (unsigned i = 1; i <= processes.count; ++i) {
        const std::string which = fmt::format("{} of {}", i, processes.count);
        const bool shown = processes.show_all || i == processes.count;
        const MemoryFile kept;
        context.out.flush();
        context.err.flush();
        const ExitStatus ending = spawn({.program = context.program,
                                         .words = processes.words,
                                         .variables = {{variable, which}},
                                         .out = shown ? -1 : kept.file()});
        const int code = code_of(ending, which, context);
        const bool stop = code == exit_usage || code == exit_interrupted;
        if (!shown && (stop || (is_bad(code) && !is_bad(worst)))) {
            context.out << kept.text() << std::flush;
        }
        if (code == exit_interrupted) throw Interrupted();
        if (stop) return code;
        worst = worse_code(worst, code);
    }
    return worst;
}

std::string which_process() {
    const char* which = std::getenv(variable);
    return which ? which : "";
}

std::vector<std::string> words_for_process(const std::vector<std::string>& words,
                                           const std::string& seed, const std::string& file) {
    std::vector<std::string> own{words.front()};
    if (!seed.empty()) own.insert(own.end(), {"--seed", seed});
    if (!file.empty()) own.insert(own.end(), {"-o", file});
    const std::vector<std::string> rest = without_options(words, {"--processes"});
    own.insert(own.end(), rest.begin() + 1, rest.end());
    return own;
}

}  // namespace parallax::cli
