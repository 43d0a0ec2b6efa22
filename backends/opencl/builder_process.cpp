// A process that builds programs: its client and its own code.
#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>

#include <fcntl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "backends/opencl/api.hpp"
#include "backends/opencl/builders.hpp"
#include "common/process/child.hpp"
#include "common/process/confined.hpp"
#include "common/process/own_processes.hpp"

namespace parallax::opencl {
namespace {

/// Limit for one build, including the context; a slower compiler is considered hung.
constexpr time_t most_seconds = 300;

bool send_all(int socket, const void* data, std::size_t bytes) {
    const auto* next = static_cast<const char*>(data);
    while (bytes > 0) {
        const ssize_t sent = send(socket, next, bytes, MSG_NOSIGNAL);
        if (sent < 0 && errno == EINTR) continue;
        if (sent <= 0) return false;
        next += sent;
        bytes -= static_cast<std::size_t>(sent);
    }
    return true;
}

bool receive_all(int socket, void* data, std::size_t bytes) {
    auto* next = static_cast<char*>(data);
    while (bytes > 0) {
        const ssize_t received = recv(socket, next, bytes, 0);
        if (received < 0 && errno == EINTR) continue;
        if (received <= 0) return false;
        next += received;
        bytes -= static_cast<std::size_t>(received);
    }
    return true;
}

bool send_text(int socket, const std::string& text) {
    const std::uint64_t bytes = text.size();
    return send_all(socket, &bytes, sizeof(bytes)) && send_all(socket, text.data(), text.size());
}

bool receive_text(int socket, std::string& text) {
    std::uint64_t bytes = 0;
    if (!receive_all(socket, &bytes, sizeof(bytes))) return false;
    text.resize(bytes);
    return receive_all(socket, text.data(), text.size());
}

/// Identifies a device of a platform.
std::string identity_of(const DeviceInfo& info) {
    std::string identity = info.name + '\n' + info.pci + '\n';
    if (info.uuid) identity.append(info.uuid->begin(), info.uuid->end());
    return identity;
}

/// A message to the parent: a process is needed, or has ended.
struct Word {
    enum class Wish : std::uint8_t { start, wait } wish = Wish::start;
    pid_t number = 0;  ///< the process to wait for
    std::array<char, 512> identity{};
    std::size_t identity_bytes = 0;
};

/// @returns whether there was a message; `socket` is -1 where none was sent along
bool receive_word(int control, Word& word, int& socket) {
    iovec part{&word, sizeof(word)};
    alignas(cmsghdr) std::array<char, CMSG_SPACE(sizeof(int))> room{};
    msghdr message{};
    message.msg_iov = &part;
    message.msg_iovlen = 1;
    message.msg_control = room.data();
    message.msg_controllen = room.size();
    ssize_t received = 0;
    do {
        received = recvmsg(control, &message, MSG_CMSG_CLOEXEC);
    } while (received < 0 && errno == EINTR);
    if (received != sizeof(word)) return false;
    socket = -1;
    if (const cmsghdr* header = CMSG_FIRSTHDR(&message)) {
        std::memcpy(&socket, CMSG_DATA(header), sizeof(socket));
    }
    return true;
}

bool send_word(int control, const Word& word, int socket) {
    Word copy = word;
    iovec part{&copy, sizeof(copy)};
    alignas(cmsghdr) std::array<char, CMSG_SPACE(sizeof(int))> room{};
    msghdr message{};
    message.msg_iov = &part;
    message.msg_iovlen = 1;
    if (socket >= 0) {
        message.msg_control = room.data();
        message.msg_controllen = room.size();
        cmsghdr* header = CMSG_FIRSTHDR(&message);
        header->cmsg_level = SOL_SOCKET;
        header->cmsg_type = SCM_RIGHTS;
        header->cmsg_len = CMSG_LEN(sizeof(int));
        std::memcpy(CMSG_DATA(header), &socket, sizeof(socket));
    }
    return sendmsg(control, &message, MSG_NOSIGNAL) == sizeof(copy);
}

/// As `BuilderProcess::build` writes it: each name ends with a zero byte, and the first is empty.
std::optional<PathSandbox> reach_in(const std::string& folders) {
    if (folders.empty()) return {};
    std::vector<std::filesystem::path> all;
    for (std::size_t from = 1; from < folders.size();) {
        all.emplace_back(folders.c_str() + from);
        from += all.back().string().size() + 1;
    }
    return PathSandbox(all);
}

/// Serves build requests until the socket is closed.
void build_for(int socket, const std::string& identity, const std::vector<Icd>& icds) {
    cl::Device device;
    {
        const OnlyIcds only(icds);
        std::vector<cl::Platform> platforms;
        cl::Platform::get(&platforms);
        for (const cl::Platform& platform : platforms) {
            std::vector<cl::Device> devices;
            platform.getDevices(CL_DEVICE_TYPE_ALL, &devices);
            for (const cl::Device& one : devices) {
                if (identity_of(describe(platform, one)) == identity) device = one;
            }
        }
    }
    if (!device()) return;
    const cl::Context context(device);
    std::string text, options, folders;
    while (receive_text(socket, options) && receive_text(socket, text) &&
           receive_text(socket, folders)) {
        char well = 1;
        const cl::Program program(context, text);
        try {
            confined(reach_in(folders), {}, [&] { program.build({device}, options.c_str()); });
        } catch (const std::exception&) {
            well = 0;  // the requesting process repeats the build, and reports the error
        }
        const std::string said = program.getBuildInfo<CL_PROGRAM_BUILD_LOG>(device);
        if (!send_all(socket, &well, 1) || !send_text(socket, said)) return;
    }
}

/// Closes all inherited descriptors except one, and ends with the parent.
void part_from(pid_t parent, int kept) {
    become_helper(parent);
    for (const int number : {SIGINT, SIGTERM, SIGHUP}) std::signal(number, SIG_IGN);
    const int nothing = open("/dev/null", O_RDWR);
    for (const int standard : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
        dup2(nothing, standard);
    }
    if (kept > 3) close_range(3, static_cast<unsigned>(kept) - 1, 0);
    close_range(static_cast<unsigned>(kept) + 1, ~0u, 0);
}

/// Forks a process for each request, until the parent has ended.
void start_others(int control, const std::vector<Icd>& icds) {
    Word word;
    int socket = -1;
    const pid_t own = getpid();
    while (receive_word(control, word, socket)) {
        pid_t number = word.number;
        if (word.wish == Word::Wish::wait) {
            wait_for(number);
        } else {
            number = fork();
            if (number == 0) {
                part_from(own, socket);
                try {
                    build_for(socket, {word.identity.data(), word.identity_bytes}, icds);
                } catch (...) {
                    // The requesting process notices its end.
                }
                _exit(0);
            }
            close(socket);
        }
        if (!send_all(control, &number, sizeof(number))) return;
    }
}

/// The connection to the process that forks the others.
struct Control {
    std::mutex mutex;
    int socket = -1;

    /// @returns the number in the answer; -1: there was no answer
    pid_t ask(const Word& word, int given = -1) {
        const std::scoped_lock lock(mutex);
        pid_t number = -1;
        if (socket < 0 || !send_word(socket, word, given)) return -1;
        return receive_all(socket, &number, sizeof(number)) ? number : -1;
    }
};

Control& control() {
    static Control one;
    return one;
}

}  // namespace

void BuilderProcess::prepare(const std::vector<Icd>& icds) {
    static const bool done = [&] {
        std::array<int, 2> ends{};
        if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends.data()) != 0) return false;
        const pid_t parent = getpid(), number = fork();
        if (number == 0) {
            part_from(parent, ends[1]);
            start_others(ends[1], icds);
            _exit(0);
        }
        close(ends[1]);
        if (number < 0) {
            close(ends[0]);
            return false;
        }
        control().socket = ends[0];
        return true;
    }();
    static_cast<void>(done);
}

bool BuilderProcess::is_prepared() {
    return control().socket >= 0;
}

BuilderProcess::BuilderProcess(const DeviceInfo& info) {
    Word word;
    const std::string identity = identity_of(info);
    word.identity_bytes = identity.size();
    std::array<int, 2> ends{};
    if (identity.size() > word.identity.size() ||
        socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()) != 0) {
        throw Error("No process that compiles can be started.");
    }
    std::ranges::copy(identity, word.identity.begin());
    number_ = control().ask(word, ends[1]);
    close(ends[1]);
    if (number_ <= 0) {
        close(ends[0]);
        throw Error("No process that compiles can be started.");
    }
    socket_ = ends[0];
    const timeval most{most_seconds, 0};
    setsockopt(socket_, SOL_SOCKET, SO_RCVTIMEO, &most, sizeof(most));
    setsockopt(socket_, SOL_SOCKET, SO_SNDTIMEO, &most, sizeof(most));
    own_processes().add(number_);
}

BuilderProcess::~BuilderProcess() {
    close(socket_);
    // It is idle, or has been given up: nothing to wait for.
    kill(number_, SIGKILL);
    Word word;
    word.wish = Word::Wish::wait;
    word.number = number_;
    control().ask(word);
    own_processes().remove(number_);
}

std::optional<std::string> BuilderProcess::build(const Build& wanted) {
    char well = 0;
    std::string said, folders;
    if (wanted.reach) {
        folders += '\0';
        for (const auto& one : wanted.reach->folders()) folders += one.string() + '\0';
    }
    is_alive_ = is_alive_ && send_text(socket_, wanted.options) &&
                send_text(socket_, wanted.text) && send_text(socket_, folders) &&
                receive_all(socket_, &well, 1) && receive_text(socket_, said);
    if (!is_alive_ || well == 0) return {};
    return said;
}

}  // namespace parallax::opencl
