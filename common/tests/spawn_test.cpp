// Tests which handler gets a signal while child processes run.
#include "common/process/spawn.hpp"

#include <atomic>
#include <csignal>
#include <future>
#include <thread>
#include <vector>

#include <gtest/gtest.h>
#include <unistd.h>

#include "common/error.hpp"
#include "common/process/child.hpp"

namespace parallax::spawn_test {
namespace {

std::atomic<int> told{0};

void tell(int signal) {
    told = signal;
}

/// Installs the handler of a caller that asked for interrupts.
class Spawning : public testing::Test {
protected:
    Spawning() {
        told = 0;
        std::signal(SIGINT, tell);
        tell_signals_to(tell);
    }
    ~Spawning() override {
        tell_signals_to(nullptr);
        std::signal(SIGINT, SIG_DFL);
    }
};

TEST_F(Spawning, WhoAskedForInterruptsIsToldThemToo) {
    {
        const SignalForwarder outer, inner;
        raise(SIGINT);
        EXPECT_EQ(told, SIGINT);
        EXPECT_THROW(SignalForwarder::check(), Interrupted);
    }
    told = 0;
    raise(SIGINT);
    EXPECT_EQ(told, SIGINT) << "the handler of before is there again";
    const SignalForwarder next;
    EXPECT_NO_THROW(SignalForwarder::check()) << "what came before is past";
}

TEST_F(Spawning, AHandlerThatWasThereBeforeIsNotCalled) {
    tell_signals_to(nullptr);
    const SignalForwarder forwarding;
    raise(SIGINT);
    EXPECT_EQ(told, 0) << "a driver's may end the program";
}

TEST_F(Spawning, SeveralAtOnceEachHaveTheirOwnEnd) {
    const SignalForwarder forwarding;
    std::vector<std::future<ExitStatus>> ends;
    for (int code = 0; code < 8; ++code) {
        ends.push_back(std::async(std::launch::async, [code] {
            return spawn({.program = "/bin/sh", .words = {"-c", "exit " + std::to_string(code)}});
        }));
    }
    for (int code = 0; code < 8; ++code) {
        const ExitStatus end = ends[static_cast<std::size_t>(code)].get();
        EXPECT_EQ(end.code, code);
        EXPECT_EQ(end.signal, 0);
    }
}

TEST_F(Spawning, AnIgnoredSigchldHidesNoEnd) {
    for (const int flags : {0, SA_NOCLDWAIT}) {
        struct sigaction ignoring {};
        ignoring.sa_handler = flags == 0 ? SIG_IGN : SIG_DFL;
        ignoring.sa_flags = flags;
        sigaction(SIGCHLD, &ignoring, nullptr);
        const ProcessResult ended =
            run_program("sh", {"-c", "echo why >&2; exit 3"}, std::chrono::hours(1));
        EXPECT_EQ(ended.exit_code, 3);
        EXPECT_EQ(ended.err, "why\n");
        sigaction(SIGCHLD, &ignoring, nullptr);
        const SignalForwarder forwarding;
        EXPECT_EQ(spawn({.program = "/bin/sh", .words = {"-c", "exit 5"}}).code, 5);
    }
}

TEST_F(Spawning, ASignalSentToThisProcessReachesAllThatRun) {
    const SignalForwarder forwarding;
    const MemoryFile begun;
    std::vector<std::future<ExitStatus>> ends;
    for (int i = 0; i < 3; ++i) {
        ends.push_back(std::async(std::launch::async, [&] {
            return spawn({.program = "/bin/sh",
                          .words = {"-c", "echo x; while :; do sleep 0.01; done"},
                          .out = begun.file()});
        }));
    }
    while (begun.text().size() < 6) std::this_thread::yield();
    kill(getpid(), SIGINT);
    for (auto& end : ends) EXPECT_EQ(end.get().signal, SIGINT);
}

}  // namespace
}  // namespace parallax::spawn_test
