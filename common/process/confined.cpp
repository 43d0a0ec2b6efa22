// Restricts a thread with Landlock, and answers its questions about other files with "not there".
#include "common/process/confined.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <memory>
#include <string>
#include <string_view>
#include <thread>

#include <fcntl.h>
#include <glob.h>
#include <link.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <poll.h>
#include <pwd.h>
#include <sched.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

#include "common/error.hpp"

namespace parallax {
namespace {

namespace fs = std::filesystem;

// From linux/landlock.h, which older systems lack.
constexpr long create_ruleset = 444, add_rule = 445, restrict_self = 446;
constexpr unsigned version_of_landlock = 1, folder_rule = 1;
struct Ruleset {
    std::uint64_t handled = 0;
};
struct [[gnu::packed]] FolderRule {
    std::uint64_t allowed = 0;
    std::int32_t folder = -1;
};
constexpr std::uint64_t execute = 1, write_file = 2, read_file = 4, read_folder = 8;
constexpr std::uint64_t for_files = execute | write_file | read_file;
constexpr std::uint64_t reading = execute | read_file | read_folder;
constexpr std::uint64_t everything = (std::uint64_t{1} << 13) - 1;
constexpr std::uint64_t moving = std::uint64_t{1} << 13;      // since version 2
constexpr std::uint64_t truncating = std::uint64_t{1} << 14;  // since version 3

std::string environment(const char* name) {
    const char* const value = std::getenv(name);
    return value ? value : "";
}

/// The directories of a list such as PATH.
std::vector<fs::path> folders_in(std::string_view list) {
    std::vector<fs::path> folders;
    for (std::size_t from = 0; from < list.size();) {
        const std::size_t end = std::min(list.find(':', from), list.size());
        const fs::path one = fs::path(list.substr(from, end - from)).lexically_normal();
        if (one.is_absolute()) folders.push_back(one.has_filename() ? one : one.parent_path());
        from = end + 1;
    }
    return folders;
}

void add_files(std::vector<fs::path>& folders, const std::string& pattern) {
    glob_t found{};
    if (::glob(pattern.c_str(), 0, nullptr, &found) == 0) {
        folders.insert(folders.end(), found.gl_pathv, found.gl_pathv + found.gl_pathc);
    }
    ::globfree(&found);
}

/// The user's home folders: that of the environment, and that of the system's list of users.
std::vector<fs::path> homes() {
    static const std::string listed = [] {
        const passwd* const user = ::getpwuid(::getuid());
        return std::string(user && user->pw_dir ? user->pw_dir : "");
    }();
    std::vector<fs::path> all{environment("HOME"), listed};
    std::erase_if(all, [](const fs::path& one) { return !one.is_absolute(); });
    return all;
}

/// Whether a folder is that of a file, or one above it, once links are resolved.
bool is_in(const fs::path& file, const fs::path& folder) {
    std::error_code error;
    const fs::path rest =
        fs::weakly_canonical(file, error).lexically_relative(fs::weakly_canonical(folder, error));
    return !rest.empty() && *rest.begin() != "..";
}

/// The rest of an installation whose programs or libraries are used, unless it contains all of the
/// user's files.
void add_installation(std::vector<fs::path>& folders, const fs::path& folder) {
    const auto is_above = [&](const fs::path& home) { return is_in(home, folder); };
    if (folder.empty() || std::ranges::any_of(homes(), is_above)) return;
    folders.push_back(folder);
    const std::string name = folder.filename().string();
    if (name != "bin" && !name.starts_with("lib")) return;
    for (const char* const other : {"bin", "lib", "lib64", "libexec", "include", "share/pocl"}) {
        folders.push_back(folder.parent_path() / other);
    }
    add_files(folders, (folder.parent_path() / "*-linux-gnu*").string());  // conda's compilers
}

int add_library(dl_phdr_info* library, std::size_t, void* folders) {
    const fs::path file = library->dlpi_name ? library->dlpi_name : "";
    if (file.is_absolute()) {
        add_installation(*static_cast<std::vector<fs::path>*>(folders),
                         file.lexically_normal().parent_path());
    }
    // Intel's runtime finds its own files by what the process has mapped.
    if (file.filename().string().starts_with("libintelocl.so")) {
        static_cast<std::vector<fs::path>*>(folders)->emplace_back("/proc/self/maps");
    }
    return 0;
}

/// Directories that compilers read: programs, libraries, headers, and the machine's description.
std::vector<fs::path> system_folders() {
    std::vector<fs::path> folders = folders_in(
        "/usr:/bin:/sbin:/lib:/lib32:/lib64:/libx32:/opt:/nix/store:/gnu/store:/etc/ld.so.cache:"
        "/etc/ld.so.preload:/etc/alternatives:/etc/OpenCL:/proc/cpuinfo:/proc/meminfo:/proc/stat:"
        "/proc/filesystems:/proc/version:/proc/devices:/proc/driver:/proc/sys/vm:"
        "/sys/devices/system:/sys/module:/sys/bus/pci");
    for (const char* const list : {"PATH", "LD_LIBRARY_PATH"}) {
        for (const fs::path& one : folders_in(environment(list))) {
            add_installation(folders, one);
        }
    }
    ::dl_iterate_phdr(add_library, &folders);
    return folders;
}

/// Directories that drivers write: their caches, and devices.
std::vector<fs::path> driver_folders() {
    std::vector<fs::path> folders{"/dev/null"};  // of others, such as /dev/zero, some have no end
    add_files(folders, "/dev/nvidia*");
    const std::vector<fs::path> own = homes();
    const fs::path home = own.empty() ? "/dev/null" : own.front();  // in which nothing is
    const fs::path caches = environment("XDG_CACHE_HOME"), pocl = environment("POCL_CACHE_DIR");
    folders.emplace_back(environment("CUDA_CACHE_PATH"));
    folders.push_back(home / ".nv");
    folders.push_back(!pocl.empty() ? pocl : (caches.empty() ? home / ".cache" : caches) / "pocl");
    // PoCL cannot make it where the folder above is closed to it.
    std::error_code ignored;
    if (folders.back().is_absolute()) fs::create_directories(folders.back(), ignored);
    return folders;
}

/// Answers the questions of restricted threads, so it must not allocate memory: one of them may ask
/// while it holds the allocator's lock.
class Answers {
public:
    explicit Answers(std::vector<std::string> open) : open_(std::move(open)) {}

    /// Until none of them is left.
    void serve(int listener) {
        pollfd one{listener, POLLIN, 0};
        for (;;) {
            if (::poll(&one, 1, -1) < 0 && errno != EINTR) break;
            if ((one.revents & (POLLHUP | POLLERR | POLLNVAL)) != 0) break;
            if ((one.revents & POLLIN) != 0) answer(listener);
        }
        ::close(listener);
    }

private:
    using Path = std::array<char, 4096>;

    void answer(int listener) {
        seccomp_notif asked{};
        if (::ioctl(listener, SECCOMP_IOCTL_NOTIF_RECV, &asked) != 0) return;
        seccomp_notif_resp reply{};
        reply.id = asked.id;
        if (is_outside(asked)) {
            reply.error = -ENOENT;
        } else {
            reply.flags = SECCOMP_USER_NOTIF_FLAG_CONTINUE;
        }
        ::ioctl(listener, SECCOMP_IOCTL_NOTIF_SEND, &reply);
    }

    bool is_outside(const seccomp_notif& asked) {
        bool has_folder = true;
        switch (asked.data.nr) {
#ifdef __NR_open
            case __NR_open:
            case __NR_stat:
            case __NR_lstat:
            case __NR_access:
            case __NR_readlink: has_folder = false; break;
#endif
            default: break;
        }
        const auto* const words = asked.data.args;
        Path path;
        if (!read_text(static_cast<pid_t>(asked.pid), words[has_folder ? 1 : 0], path))
            return false;
        // A compiler finds its own folder through this link.
        if (path[0] == '\0' || std::strcmp(path.data(), "/proc/self/exe") == 0) return false;
        const int place = opened(asked, path, has_folder ? static_cast<int>(words[0]) : AT_FDCWD);
        if (place < 0) return false;
        struct stat about {};
        // A pipe would hold up its reader.
        const bool is_closed =
            ::fstat(place, &about) == 0 && (S_ISFIFO(about.st_mode) || S_ISSOCK(about.st_mode));
        const bool is_inside = !is_closed && is_open(place);
        ::close(place);
        return !is_inside;
    }

    /// The file that the path means to the asking thread; -1: none.
    static int opened(const seccomp_notif& asked, const Path& path, int folder) {
        if (path[0] == '/') return ::open(path.data(), O_PATH | O_CLOEXEC);
        Path from;
        if (folder == AT_FDCWD) {
            std::snprintf(from.data(), from.size(), "/proc/%u/cwd", asked.pid);
        } else {
            std::snprintf(from.data(), from.size(), "/proc/%u/fd/%d", asked.pid, folder);
        }
        const int base = ::open(from.data(), O_PATH | O_CLOEXEC);
        const int place = base < 0 ? -1 : ::openat(base, path.data(), O_PATH | O_CLOEXEC);
        if (base >= 0) ::close(base);
        return place;
    }

    static bool read_text(pid_t process, std::uint64_t address, Path& text) {
        constexpr std::size_t page = 4096;
        for (std::size_t got = 0; address != 0 && got < text.size();) {
            const std::size_t part =
                std::min<std::size_t>(page - (address + got) % page, text.size() - got);
            const iovec into{text.data() + got, part};
            const iovec from{reinterpret_cast<void*>(address + got), part};
            if (::process_vm_readv(process, &into, 1, &from, 1, 0) != static_cast<ssize_t>(part)) {
                return false;
            }
            if (std::memchr(text.data() + got, '\0', part)) return true;
            got += part;
        }
        return false;
    }

    bool is_open(int place) const {
        Path link, path;
        std::snprintf(link.data(), link.size(), "/proc/self/fd/%d", place);
        const ssize_t length = ::readlink(link.data(), path.data(), path.size());
        if (length <= 0) return false;
        const std::string_view whole(path.data(), static_cast<std::size_t>(length));
        return std::ranges::any_of(open_, [&](std::string_view one) {
            // Folders above are looked at on the way.
            const std::string_view shorter = whole.size() < one.size() ? whole : one;
            const std::string_view longer = whole.size() < one.size() ? one : whole;
            return longer.starts_with(shorter) &&
                   (longer.size() == shorter.size() || longer[shorter.size()] == '/' ||
                    shorter.ends_with('/'));
        });
    }

    std::vector<std::string> open_;  ///< with links resolved
};

#if defined(__x86_64__)
constexpr std::uint32_t own_machine = AUDIT_ARCH_X86_64;
#elif defined(__aarch64__)
constexpr std::uint32_t own_machine = AUDIT_ARCH_AARCH64;
#else
constexpr std::uint32_t own_machine = 0;
#endif

/// Sends this thread's questions about files to a listener. @returns it; -1: the system does not
long listener_of_this_thread() {
    static constexpr unsigned questions[] = {
#ifdef __NR_open
        __NR_open,      __NR_stat,         __NR_lstat,
        __NR_access,    __NR_readlink,
#endif
        __NR_openat,    437 /* openat2 */, __NR_newfstatat,
        __NR_statx,     __NR_faccessat,    439 /* faccessat2 */,
        __NR_readlinkat};
    std::vector<sock_filter> filter{
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, arch)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, own_machine, 1, 0),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, nr))};
    for (const unsigned one : questions) {
        filter.push_back(BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, one, 0, 1));
        filter.push_back(BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_USER_NOTIF));
    }
    filter.push_back(BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW));
    const sock_fprog program{static_cast<unsigned short>(filter.size()), filter.data()};
    return ::syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER,
                     SECCOMP_FILTER_FLAG_NEW_LISTENER | SECCOMP_FILTER_FLAG_SPEC_ALLOW, &program);
}

/// A Landlock ruleset, and the same as names.
class OpenFiles {
public:
    OpenFiles(const std::vector<fs::path>& read, const std::vector<fs::path>& write) {
        const long version = ::syscall(create_ruleset, nullptr, 0, version_of_landlock);
        all_ = everything | (version > 1 ? moving : 0) | (version > 2 ? truncating : 0);
        const Ruleset rules{all_};
        rules_ = static_cast<int>(::syscall(create_ruleset, &rules, sizeof(rules), 0));
        for (const fs::path& one : read) add(one, reading);
        for (const fs::path& one : write) add(one, all_);
    }
    ~OpenFiles() {
        if (rules_ >= 0) ::close(rules_);
    }
    OpenFiles(const OpenFiles&) = delete;
    OpenFiles& operator=(const OpenFiles&) = delete;

    const std::vector<std::string>& names() const { return names_; }
    bool restrict_this_thread() const {
        return rules_ >= 0 && ::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
               ::syscall(restrict_self, rules_, 0) == 0;
    }

private:
    void add(const fs::path& one, std::uint64_t allowed) {
        std::error_code error;
        const int place = one.empty() ? -1 : ::open(one.c_str(), O_PATH | O_CLOEXEC);
        if (place < 0) return;
        if (!fs::is_directory(one, error)) allowed &= for_files | (all_ & truncating);
        const FolderRule rule{allowed, place};
        if (::syscall(add_rule, rules_, folder_rule, &rule, 0) == 0) {
            names_.push_back(fs::canonical(one, error).string());
        }
        ::close(place);
    }

    std::uint64_t all_ = 0;
    int rules_ = -1;
    std::vector<std::string> names_;
};

bool allows_all(const PathSandbox& reach) {
    return std::ranges::any_of(reach.folders(),
                               [](const fs::path& one) { return one == one.root_path(); });
}

/// Starts a thread that answers for as long as a thread or program is left that asks.
/// @returns the end of a pipe that takes the listener; -1: there is none
int start_answers(const std::vector<std::string>& open) {
    std::array<int, 2> ends{};
    if (::pipe2(ends.data(), O_CLOEXEC) != 0) return -1;
    struct Blocked {
        Blocked() {
            sigset_t all;
            sigfillset(&all);
            ::pthread_sigmask(SIG_SETMASK, &all, &before);
        }
        ~Blocked() { ::pthread_sigmask(SIG_SETMASK, &before, nullptr); }
        sigset_t before;
    } const blocked;  // also where there is no thread to be had
    std::thread([answers = std::make_unique<Answers>(open), from = ends[0]] {
        int listener = -1;
        const bool has_one = ::read(from, &listener, sizeof(listener)) == sizeof(listener);
        ::close(from);
        if (has_one && listener >= 0) answers->serve(listener);
    }).detach();
    return ends[1];
}

}  // namespace

void confined(const std::optional<PathSandbox>& reach, const CompilerFolders& own,
              const std::function<void()>& work) {
    if (!reach || allows_all(*reach)) {
        work();
        return;
    }
    std::vector<fs::path> read = system_folders(), write = driver_folders();
    read.insert(read.end(), own.read.begin(), own.read.end());
    read.insert(read.end(), reach->folders().begin(), reach->folders().end());
    write.insert(write.end(), own.write.begin(), own.write.end());
    const OpenFiles open(read, write);
    const int answers = start_answers(open.names());
    std::exception_ptr error;
    bool is_restricted = false;
    // A restriction is for good: the thread ends with it.
    std::thread([&] {
        is_restricted = open.restrict_this_thread();
        const auto listener = is_restricted ? static_cast<int>(listener_of_this_thread()) : -1;
        if (::write(answers, &listener, sizeof(listener)) < 0) is_restricted = false;
        if (!is_restricted) return;
        try {
            work();
        } catch (...) {
            error = std::current_exception();
        }
    }).join();
    ::close(answers);
    if (error) std::rethrow_exception(error);
    if (is_restricted) return;
    throw Unsupported(
        "This system cannot keep a compiler from other files: Landlock of Linux 5.13 is missing or "
        "off. Where you trust the source with all of them, --allow / compiles it.");
}

}  // namespace parallax
