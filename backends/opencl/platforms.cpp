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
#include "common/process_folders.hpp"
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

/// What the loader is told of.
struct Vendors {
    std::vector<Icd> icds;
    std::vector<fs::path> not_plain;  ///< a pipe among them would be waited for

    void add(const fs::path& file) {
        std::error_code none;
        if (fs::exists(file, none) && !fs::is_regular_file(file, none)) {
            not_plain.push_back(file);
        } else {
            icds.push_back(icd_of(file));
        }
    }
};

Vendors vendors_in(const fs::path& folder) {
    Vendors found;
    std::error_code none;
    for (const fs::directory_entry& entry : fs::directory_iterator(folder, none)) {
        if (entry.path().extension() == ".icd") found.add(entry.path());
    }
    std::ranges::sort(found.icds, {}, &Icd::file);
    std::ranges::sort(found.not_plain);
    return found;
}

/// Set and not empty.
std::optional<std::string> variable(const char* name) {
    const char* const value = std::getenv(name);
    if (!value || !*value) return {};
    return value;
}

[[noreturn]] void look_and_end(const std::function<void()>& look, int done, int said) {
    setpgid(0, 0);  // what a driver starts ends with it
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

/// Whether the child sends a byte within the limit. It may end without one, and what it has started
/// may hold the other end open after that.
bool hears(int pipe, pid_t child, std::chrono::milliseconds limit, bool& in_time) {
    // Another process's time: not HostClock's.
    const auto deadline = std::chrono::steady_clock::now() + limit;
    constexpr std::int64_t slice = 50;  // milliseconds between looks at the child
    while (true) {
        siginfo_t end{};
        waitid(P_PID, static_cast<id_t>(child), &end, WEXITED | WNOHANG | WNOWAIT);
        const bool has_ended = end.si_pid == child;
        const auto left = std::chrono::ceil<std::chrono::milliseconds>(
            deadline - std::chrono::steady_clock::now());
        const auto wait = has_ended ? 0 : std::clamp<std::int64_t>(left.count(), 0, slice);
        pollfd waiting{.fd = pipe, .events = POLLIN, .revents = 0};
        const int ready = poll(&waiting, 1, static_cast<int>(wait));
        if (ready < 0 && errno == EINTR) continue;
        char byte = 0;
        if (ready > 0) return read(pipe, &byte, 1) == 1;
        if (has_ended) return false;
        if (left.count() <= 0) {
            in_time = false;
            return false;
        }
    }
}

Vendors installed_vendors() {
    const std::string place =
        variable(vendors).value_or(variable("OPENCL_VENDOR_PATH").value_or("/etc/OpenCL/vendors"));
    if (fs::is_directory(place)) return vendors_in(place);
    if (!place.ends_with(".icd")) return {{{"platform.icd", place}}, {}};
    const fs::path file = place;
    const fs::path usual = fs::path("/etc/OpenCL/vendors") / file;
    Vendors found;
    found.add(file.has_parent_path() || !fs::exists(usual) ? file : usual);
    return found;
}

}  // namespace

std::vector<Icd> installed_icds() {
    return installed_vendors().icds;
}

OnlyIcds::OnlyIcds(const std::vector<Icd>& icds) : before_(variable(vendors)) {
    std::error_code none;
    for (const fs::path& place :
         {place_of_temporary_folders(), fs::path("/tmp"), fs::path("/dev/shm"), fs::path(".")}) {
        std::string name =
            (place / (start_of_process_folder("parallax-icds-") + "XXXXXX")).string();
        if (!mkdtemp(name.data())) continue;
        folder_ = fs::absolute(name, none);
        break;
    }
    if (folder_.empty()) {
        throw Error(
            "An OpenCL platform has to be left out, and no folder can be made for that. TMPDIR "
            "names another place.");
    }
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
    const bool well = child > 0 && hears(ends[0], child, limit, in_time);
    close(ends[0]);
    if (child < 0) throw Error("No process can be started: there are too many, or no memory.");
    // What is to be known is known, and what a driver does at its end is its own affair.
    if (well || !in_time) kill(child, SIGKILL);
    kill(-child, SIGKILL);
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
    const Vendors installed = installed_vendors();
    std::optional<OnlyIcds> plain;
    for (const fs::path& file : installed.not_plain) {
        harmless.left_out.push_back(
            fmt::format("{} is no plain file; its OpenCL platform is left out.",
                        printable(file.string(), 200)));
    }
    if (!installed.not_plain.empty()) {
        plain.emplace(installed.icds);
        harmless.icds = installed.icds;
    }
    if (look_apart(look, limit).how.empty()) return harmless;
    harmless.icds.emplace();
    for (const Icd& icd : installed.icds) {
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
