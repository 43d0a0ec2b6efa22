// Looks at OpenCL's platforms in processes of their own.
#include "backends/opencl/platforms.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <fstream>

#include <fmt/format.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "common/error.hpp"
#include "common/spawn.hpp"
#include "common/text.hpp"

namespace parallax::opencl {
namespace {

namespace fs = std::filesystem;

constexpr const char* vendors = "OCL_ICD_VENDORS";

Icd icd_of(const fs::path& path) {
    Icd icd{path.filename().string(), {}};
    std::ifstream file(path);
    std::getline(file, icd.library);
    return icd;
}

std::vector<Icd> icds_in(const fs::path& folder) {
    std::vector<Icd> icds;
    std::error_code none;
    for (const fs::directory_entry& entry : fs::directory_iterator(folder, none)) {
        if (entry.path().extension() == ".icd") icds.push_back(icd_of(entry.path()));
    }
    std::ranges::sort(icds, {}, &Icd::file);
    return icds;
}

/// Set and not empty.
std::optional<std::string> variable(const char* name) {
    const char* const value = std::getenv(name);
    if (!value || !*value) return {};
    return value;
}

[[noreturn]] void look_and_end(const std::function<void()>& look, int done, int said) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    const rlimit none{0, 0};
    setrlimit(RLIMIT_CORE, &none);
    // Handlers are the parent's, and so is the decision what Ctrl-C ends.
    for (const int number : {SIGSEGV, SIGBUS, SIGABRT, SIGFPE, SIGILL}) {
        std::signal(number, SIG_DFL);
    }
    for (const int number : {SIGINT, SIGTERM}) std::signal(number, SIG_IGN);
    dup2(said, STDOUT_FILENO);
    dup2(said, STDERR_FILENO);
    try {
        look();
    } catch (...) {
        // An error that is thrown will be told by the process that looks again.
    }
    const char well = 1;
    _exit(write(done, &well, 1) == 1 ? 0 : 1);
}

/// Whether a byte comes within the limit; it does not when the other end is closed either.
bool hears(int pipe, std::chrono::milliseconds limit, bool& in_time) {
    // Another process's time: not HostClock's.
    const auto deadline = std::chrono::steady_clock::now() + limit;
    while (true) {
        const auto left = std::chrono::ceil<std::chrono::milliseconds>(
            deadline - std::chrono::steady_clock::now());
        pollfd waiting{.fd = pipe, .events = POLLIN, .revents = 0};
        const int ready = left.count() > 0 ? poll(&waiting, 1, static_cast<int>(left.count())) : 0;
        if (ready < 0 && errno == EINTR) continue;
        in_time = ready > 0;
        char byte = 0;
        return in_time && read(pipe, &byte, 1) == 1;
    }
}

}  // namespace

std::vector<Icd> installed_icds() {
    const std::string place =
        variable(vendors).value_or(variable("OPENCL_VENDOR_PATH").value_or("/etc/OpenCL/vendors"));
    if (fs::is_directory(place)) return icds_in(place);
    if (!place.ends_with(".icd")) return {{"platform.icd", place}};
    const fs::path file = place;
    const fs::path usual = fs::path("/etc/OpenCL/vendors") / file;
    return {icd_of(file.has_parent_path() || !fs::exists(usual) ? file : usual)};
}

OnlyIcds::OnlyIcds(const std::vector<Icd>& icds) : before_(variable(vendors)) {
    std::string name = (fs::temp_directory_path() / "parallax-icds-XXXXXX").string();
    if (!mkdtemp(name.data())) throw Error("No folder can be made for OpenCL's platforms.");
    folder_ = name;
    for (const Icd& icd : icds) std::ofstream(folder_ / icd.file) << icd.library << "\n";
    setenv(vendors, folder_.c_str(), 1);
}

OnlyIcds::~OnlyIcds() {
    std::error_code none;
    fs::remove_all(folder_, none);
    if (before_) {
        setenv(vendors, before_->c_str(), 1);
    } else {
        unsetenv(vendors);
    }
}

LookEnd look_apart(const std::function<void()>& look, std::chrono::milliseconds limit) {
    std::array<int, 2> ends{};
    const Printed said;
    if (pipe(ends.data()) != 0) throw Error("No pipe can be made: too many files are open.");
    std::fflush(nullptr);  // a driver that calls exit() would print it again
    const pid_t child = fork();
    if (child == 0) {
        close(ends[0]);
        look_and_end(look, ends[1], said.file());
    }
    close(ends[1]);
    bool in_time = true;
    const bool well = child > 0 && hears(ends[0], limit, in_time);
    close(ends[0]);
    if (child < 0) throw Error("No process can be started: there are too many, or no memory.");
    // What is to be known is known, and what a driver does at its end is its own affair.
    if (well || !in_time) kill(child, SIGKILL);
    int status = 0;
    while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
    }
    if (well) return {};
    if (!in_time) {
        const double seconds = std::chrono::duration<double>(limit).count();
        return {fmt::format("did not answer within {:.3g} s", seconds), {}};
    }
    const std::string how = WIFSIGNALED(status) ? fmt::format("signal {}", WTERMSIG(status))
                                                : fmt::format("exit code {}", WEXITSTATUS(status));
    const std::string text = said.text();
    return {fmt::format("ended the process that looked at it ({})", how),
            printable(text.substr(0, text.find_last_not_of(" \n") + 1), 300)};
}

Harmless harmless_icds(const std::function<void()>& look, std::chrono::milliseconds limit) {
    Harmless harmless;
    if (look_apart(look, limit).how.empty()) return harmless;
    harmless.icds.emplace();
    for (const Icd& icd : installed_icds()) {
        const OnlyIcds only({icd});
        const LookEnd end = look_apart(look, limit);
        if (end.how.empty()) {
            harmless.icds->push_back(icd);
            continue;
        }
        harmless.left_out.push_back(fmt::format("The OpenCL platform of {} {}; it is left out.{}",
                                                printable(icd.library), end.how,
                                                end.said.empty() ? "" : " It said: " + end.said));
    }
    // Each of them may be well alone, and not beside another.
    const OnlyIcds only(*harmless.icds);
    const LookEnd end = look_apart(look, limit);
    if (!end.how.empty()) {
        harmless.icds->clear();
        harmless.left_out.push_back(
            fmt::format("OpenCL's loader {}; no platform is used.", end.how));
    }
    return harmless;
}

}  // namespace parallax::opencl
